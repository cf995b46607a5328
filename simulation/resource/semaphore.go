package resource

import "tierscope/core"

// semaphore is a counting semaphore with FIFO hand-off: permits go to the first
// waiter as soon as there are enough for it, and nobody passes a waiter that
// needs many (java.util.concurrent.Semaphore fair, x/sync/semaphore).
type semaphore struct {
	tab     *Table
	permits int32 // free
	total   int32 // at start
	wait    list
}

func semaphoreOf(tab *Table, l core.Lock, _ Lock) Lock {
	switch l.Fairness {
	case core.Fair, "":
		return newSemaphore(tab, l.Permits)
	case core.Barging:
		return newBargingSemaphore(tab, l.Permits)
	case core.GoMutex:
	}
	return nil
}

func newSemaphore(tab *Table, permits int) *semaphore {
	return &semaphore{tab: tab, permits: int32(permits), total: int32(permits), wait: newList()}
}

func (s *semaphore) Call(t Thread, op Op, n int32) Outcome {
	n = atLeastOne(n)
	switch op {
	case Enter:
		if s.wait.len == 0 && s.permits >= n {
			s.permits -= n
			return Granted
		}
		s.tab.slots[t].n = n
		s.tab.pushBack(&s.wait, t)
		return Blocked
	case Exit:
		s.permits += n
		s.serve()
		return Granted
	}
	return Unsupported
}

// serve hands permits to the first waiters while they suffice.
func (s *semaphore) serve() {
	for first := s.wait.head; first != NoThread; first = s.wait.head {
		n := s.tab.slots[first].n
		if s.permits < n {
			return
		}
		s.permits -= n
		s.tab.remove(&s.wait, first)
		s.tab.grant(first)
	}
}

// Try takes free permits even before waiters, as tryAcquire does.
func (s *semaphore) Try(t Thread, op Op, n int32) Outcome {
	if op != Enter {
		return s.Call(t, op, n)
	}
	if n = atLeastOne(n); s.permits < n {
		return Failed
	}
	s.permits -= n
	return Granted
}

// Retry panics: a fair semaphore never wakes a thread to compete.
func (s *semaphore) Retry(Thread) Outcome { panic("resource: retry on a fair semaphore") }

// Cancel lets those pass who stood behind a waiter for many permits.
func (s *semaphore) Cancel(t Thread) Outcome {
	s.tab.remove(&s.wait, t)
	s.serve()
	return Failed
}

func (s *semaphore) Waiting() int              { return s.wait.len }
func (s *semaphore) Held() int                 { return int(max(0, s.total-s.permits)) }
func (s *semaphore) Holders(func(Thread) bool) {}

// bargingSemaphore lets a running thread take free permits before the waiters
// (java.util.concurrent.Semaphore's default, AQS in shared mode): a release
// wakes the first waiter, which competes when it runs and, if it succeeds while
// permits remain, wakes the next (propagation).
type bargingSemaphore struct {
	tab     *Table
	permits int32
	total   int32
	woken   Thread
	wait    list
}

func newBargingSemaphore(tab *Table, permits int) *bargingSemaphore {
	return &bargingSemaphore{tab: tab, permits: int32(permits), total: int32(permits), woken: NoThread, wait: newList()}
}

func (s *bargingSemaphore) Call(t Thread, op Op, n int32) Outcome {
	switch op {
	case Enter:
		o := s.Try(t, op, n)
		if o == Failed {
			s.tab.slots[t].n = atLeastOne(n)
			s.tab.pushBack(&s.wait, t)
			return Blocked
		}
		return o
	case Exit:
		s.permits += atLeastOne(n)
		s.wakeFirst()
		return Granted
	}
	return Unsupported
}

// wakeFirst wakes the first waiter, unless it is awake already.
func (s *bargingSemaphore) wakeFirst() {
	if first := s.wait.head; first != s.woken && first != NoThread {
		s.woken = first
		s.tab.wake(first)
	}
}

func (s *bargingSemaphore) Try(t Thread, op Op, n int32) Outcome {
	if op != Enter {
		return s.Call(t, op, n)
	}
	if n = atLeastOne(n); s.permits < n {
		return Failed
	}
	s.permits -= n
	return Granted
}

func (s *bargingSemaphore) Retry(t Thread) Outcome {
	s.woken = NoThread
	n := s.tab.slots[t].n
	if s.permits < n {
		return Blocked
	}
	s.permits -= n
	s.tab.remove(&s.wait, t)
	if s.permits > 0 {
		s.wakeFirst()
	}
	return Granted
}

// Cancel wakes the new first waiter when permits are free: t may have been
// woken for them, or have needed more than there are.
func (s *bargingSemaphore) Cancel(t Thread) Outcome {
	first := s.wait.head == t
	s.tab.remove(&s.wait, t)
	if s.woken == t {
		s.woken = NoThread
	}
	if first && s.permits > 0 {
		s.wakeFirst()
	}
	return Failed
}

func (s *bargingSemaphore) Waiting() int              { return s.wait.len }
func (s *bargingSemaphore) Held() int                 { return int(max(0, s.total-s.permits)) }
func (s *bargingSemaphore) Holders(func(Thread) bool) {}
