//go:build tierscope_probe

package runtime

import (
	"internal/stringslite"
	"unsafe"
)

// The weighted semaphore of golang.org/x/sync lies in a module, whose files an
// overlay must not replace. Its mutex reports to the probes, though, and beside
// the mutex lies what they need to know:
//
//	type Weighted struct {
//		size, cur int64 // permits: all of them, and those taken
//		mu        sync.Mutex
//		waiters   list.List // of waiter{n int64; ready chan<- struct{}}
//	}
//
// So a Lock of the semaphore's functions carries twice the size, and an Unlock
// twice the permits that are taken now; that of an Acquire which has put itself
// on the list, twice those it waits for. Twice: 1 says that a mutex is part of a
// read-write lock.
type pmWeighted struct {
	size, cur int64
	mu        uint64
	first     uintptr // the list
	last      *pmWaiting
	_         [3]uintptr
	waiters   int
}

// pmWaiting is an element of a list.
type pmWaiting struct {
	_ [4]uintptr
	n *int64
}

// pmSemaphore is where the functions are: of the package, and of them Acquire.
// Empty: the program has no such semaphore.
var pmSemaphore struct{ first, past, acquire, acquired uintptr }

// pmFindModules finds the functions of modules whose locks tell more.
func pmFindModules() {
	const pkg, limiter = "golang.org/x/sync/semaphore.", "golang.org/x/time/rate.(*Limiter)."
	s, m := &pmSemaphore, &firstmoduledata
	for i := range len(m.ftab) - 1 {
		f := funcInfo{(*_func)(unsafe.Pointer(&m.pclntable[m.ftab[i].funcoff])), m}
		name := funcname(f)
		isLimiter := stringslite.HasPrefix(name, limiter)
		if !isLimiter && !stringslite.HasPrefix(name, pkg) {
			continue
		}
		from, to := m.textAddr(m.ftab[i].entryoff), m.textAddr(m.ftab[i+1].entryoff)
		if isLimiter {
			if pmLimiter.first == 0 {
				pmLimiter.first = from
			}
			pmLimiter.past = to
			continue
		}
		if s.first == 0 {
			s.first = from
		}
		s.past = to
		if name == pkg+"(*Weighted).Acquire" {
			s.acquire, s.acquired = from, to
		}
	}
}

// pmPermits is what an operation on a mutex carries that pc has called.
//
//go:nosplit
func pmPermits(op uint32, mutex, pc uintptr) uint64 {
	w := (*pmWeighted)(unsafe.Pointer(mutex - unsafe.Offsetof(pmWeighted{}.mu)))
	switch s := &pmSemaphore; {
	case op == pmOpLock:
		return uint64(w.size) << 1
	case w.waiters > 0 && pc > s.acquire && pc <= s.acquired:
		return uint64(*w.last.n) << 1
	}
	return uint64(w.cur) << 1
}
