//go:build tierscope_probe

package runtime

// pmTicks reads the time stamp counter. Unlike cputicks it does not wait for
// the instructions before it, which costs 20 ns and more; it may be off by as
// much as the processor runs ahead, a few ns.
func pmTicks() int64
