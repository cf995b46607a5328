//go:build !linux

package hotspot

// Spread does nothing: programs are confined to CPUs on Linux only.
func Spread(int) (back func()) { return func() {} }
