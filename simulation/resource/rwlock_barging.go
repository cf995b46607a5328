package resource

// bargingRWLock is ReentrantReadWriteLock's default: a running writer takes a
// free lock, a running reader joins the readers, unless the first in the queue
// is a writer (apparentlyFirstQueuedIsExclusive, which keeps writers from
// starving). When the lock becomes free the first waiter is woken and competes
// when it runs; a reader that gets in wakes the next one if that is a reader
// too.
type bargingRWLock struct {
	rwQueue
	woken Thread
}

func newBargingRWLock(tab *Table) *bargingRWLock {
	return &bargingRWLock{rwQueue{tab: tab, writer: NoThread, wait: newList()}, NoThread}
}

func (l *bargingRWLock) Call(t Thread, op Op, n int32) Outcome {
	switch op {
	case Enter, EnterRead:
		switch {
		case l.available(op) && (op == Enter || !l.wants(Enter)):
			l.take(t, op)
		case !l.reenter(t, op):
			return l.sleep(t, op)
		}
		return Granted
	case Exit, ExitRead:
		free, o := l.leave(t, op)
		if free {
			l.wakeFirst()
		}
		return o
	}
	return Unsupported
}

// wakeFirst wakes the first waiter, unless it is awake already.
func (l *bargingRWLock) wakeFirst() {
	if first := l.wait.head; first != l.woken && first != NoThread {
		l.woken = first
		l.tab.wake(first)
	}
}

// Try ignores those who wait (tryLock, tryReadLock).
func (l *bargingRWLock) Try(t Thread, op Op, n int32) Outcome {
	if op != Enter && op != EnterRead {
		return l.Call(t, op, n)
	}
	switch {
	case l.available(op):
		l.take(t, op)
	case !l.reenter(t, op):
		return Failed
	}
	return Granted
}

func (l *bargingRWLock) Retry(t Thread) Outcome {
	l.woken = NoThread
	op := l.tab.slots[t].op
	if !l.available(op) {
		return Blocked
	}
	l.tab.remove(&l.wait, t)
	l.take(t, op)
	if op == EnterRead && l.wants(EnterRead) {
		l.wakeFirst()
	}
	return Granted
}

// Cancel passes on what t stood in the way of, or was woken for.
func (l *bargingRWLock) Cancel(t Thread) Outcome {
	first := l.wait.head == t
	l.tab.remove(&l.wait, t)
	if l.woken == t {
		l.woken = NoThread
	}
	if first && l.wait.head != NoThread && l.available(l.tab.slots[l.wait.head].op) {
		l.wakeFirst()
	}
	return Failed
}
