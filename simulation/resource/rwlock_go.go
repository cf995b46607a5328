package resource

// goRWLock is Go's sync.RWMutex: writers queue at a mutex (the gate, by Go's
// own mutex rule); the one that has it announces itself, from which moment new
// readers wait, and goes on when the readers inside have left. A writer that
// leaves first lets in all readers that wait, then opens the gate: neither
// side can starve the other.
type goRWLock struct {
	tab      *Table
	gate     *goMutex
	readers  readers
	pending  bool   // a writer is inside, or has announced itself
	writer   Thread // the one that is inside
	draining Thread // the one that waits for the readers inside to leave
	wait     list   // readers
}

func newGoRWLock(tab *Table) *goRWLock {
	return &goRWLock{tab: tab, gate: newGoMutex(tab), writer: NoThread, draining: NoThread, wait: newList()}
}

func (l *goRWLock) Call(t Thread, op Op, n int32) Outcome {
	switch op {
	case EnterRead:
		if l.pending {
			l.tab.pushBack(&l.wait, t)
			return Blocked
		}
		l.readers.add(t)
		return Granted
	case ExitRead:
		if l.readers.len() == 0 {
			return NotHeld
		}
		if !l.readers.remove(t) { // Go lets anybody unlock
			l.readers.remove(l.readers.threads[0])
		}
		if l.readers.len() == 0 && l.draining != NoThread {
			l.writer, l.draining = l.draining, NoThread
			l.tab.grant(l.writer)
		}
		return Granted
	case Enter:
		return l.announce(t, l.gate.Call(t, Enter, 1))
	case Exit:
		if l.writer == NoThread {
			return NotHeld
		}
		l.writer = NoThread
		l.open(t)
		return Granted
	}
	return Unsupported
}

// announce excludes new readers once t has passed the gate.
func (l *goRWLock) announce(t Thread, o Outcome) Outcome {
	if o != Granted {
		return o
	}
	l.pending = true
	if l.readers.len() > 0 {
		l.draining = t
		return Blocked
	}
	l.writer = t
	return Granted
}

// open lets in the waiting readers, and the next writer to the gate.
func (l *goRWLock) open(t Thread) {
	l.pending = false
	for r := l.tab.popFront(&l.wait); r != NoThread; r = l.tab.popFront(&l.wait) {
		l.readers.add(r)
		l.tab.grant(r)
	}
	l.gate.Call(t, Exit, 1)
}

func (l *goRWLock) Try(t Thread, op Op, n int32) Outcome {
	switch {
	case op == EnterRead && l.pending:
		return Failed
	case op == Enter && (l.readers.len() > 0 || l.gate.Try(t, Enter, 1) == Failed):
		return Failed
	case op == Enter:
		return l.announce(t, Granted)
	}
	return l.Call(t, op, n)
}

func (l *goRWLock) Retry(t Thread) Outcome { return l.announce(t, l.gate.Retry(t)) }

// Cancel takes t out; sync.RWMutex itself has no timeout.
func (l *goRWLock) Cancel(t Thread) Outcome {
	switch {
	case l.tab.remove(&l.wait, t):
	case l.draining == t:
		l.draining = NoThread
		l.open(t)
	default:
		l.gate.Cancel(t)
	}
	return Failed
}

func (l *goRWLock) Waiting() int { return l.wait.len + l.gate.Waiting() + held(l.draining) }
func (l *goRWLock) Held() int    { return l.readers.len() + held(l.writer) }

func (l *goRWLock) Holders(yield func(Thread) bool) {
	if l.readers.each(yield) {
		holder(l.writer, yield)
	}
}

// readers is the threads inside a read lock, in no order; one that has entered
// twice is in it twice.
type readers struct{ threads []Thread }

func (r *readers) len() int     { return len(r.threads) }
func (r *readers) add(t Thread) { r.threads = append(r.threads, t) }

// remove takes t out and reports whether it was inside.
func (r *readers) remove(t Thread) bool {
	last := len(r.threads) - 1
	for i := last; i >= 0; i-- {
		if r.threads[i] == t {
			r.threads[i] = r.threads[last]
			r.threads = r.threads[:last]
			return true
		}
	}
	return false
}

// has reports whether t is inside.
func (r *readers) has(t Thread) bool {
	for _, x := range r.threads {
		if x == t {
			return true
		}
	}
	return false
}

// each yields the readers and reports whether it got to the end.
func (r *readers) each(yield func(Thread) bool) bool {
	for _, t := range r.threads {
		if !yield(t) {
			return false
		}
	}
	return true
}
