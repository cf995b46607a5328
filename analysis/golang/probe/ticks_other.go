//go:build tierscope_probe && !amd64

package runtime

//go:nosplit
func pmTicks() int64 { return cputicks() }
