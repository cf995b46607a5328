package resource

// latch lets its waiters pass while its count is zero: Java's CountDownLatch,
// Go's sync.WaitGroup (whose Done is CountDown), Java's Thread.join seen from
// outside. The one that counts down to zero wakes all waiters.
//
// Below zero a WaitGroup panics and a CountDownLatch does nothing. A latch that
// was made with a count is the latter.
type latch struct {
	tab       *Table
	count     int32
	countdown bool
	wait      list
}

func newLatch(tab *Table, count int) *latch {
	return &latch{tab: tab, count: int32(count), countdown: count > 0, wait: newList()}
}

func (l *latch) Call(t Thread, op Op, n int32) Outcome {
	switch op {
	case Await:
		if l.count == 0 {
			return Granted
		}
		l.tab.pushBack(&l.wait, t)
		return Blocked
	case Add:
		l.count += atLeastOne(n)
		return Granted
	case CountDown:
		n = atLeastOne(n)
		if n > l.count {
			if !l.countdown {
				return Negative
			}
			n = l.count
		}
		if l.count -= n; l.count == 0 {
			l.tab.finishAll(&l.wait, Granted)
		}
		return Granted
	}
	return Unsupported
}

func (l *latch) Try(t Thread, op Op, n int32) Outcome {
	if op == Await && l.count > 0 {
		return Failed
	}
	return l.Call(t, op, n)
}

// Retry panics: a latch never wakes a thread to compete.
func (l *latch) Retry(Thread) Outcome { panic("resource: retry on a latch") }

func (l *latch) Cancel(t Thread) Outcome {
	l.tab.remove(&l.wait, t)
	return Failed
}

func (l *latch) Waiting() int              { return l.wait.len }
func (l *latch) Held() int                 { return int(l.count) }
func (l *latch) Holders(func(Thread) bool) {}
