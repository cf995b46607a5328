//go:build tierscope_probe

package runtime

import "unsafe"

// A limiter of golang.org/x/time/rate, in a module too, begins with its mutex:
//
//	type Limiter struct {
//		mu    sync.Mutex
//		limit float64 // events per second
//		burst int
//
// A Lock of its functions carries the bits of the limit, doubled as in
// semaphore.go (the sign, which it has not, is lost), an Unlock twice the burst.
type pmLimiterFields struct {
	_     uint64
	limit uint64
	burst int
}

// pmLimiter is where the functions are. Empty: the program has none.
var pmLimiter struct{ first, past uintptr }

// pmRate is what an operation on the mutex of a limiter carries.
//
//go:nosplit
func pmRate(op uint32, mutex uintptr) uint64 {
	l := (*pmLimiterFields)(unsafe.Pointer(mutex))
	if op == pmOpLock {
		return l.limit << 1
	}
	return uint64(l.burst) << 1
}
