package resource

// fairRWLock serves readers and writers in order of arrival, with hand-off
// (ReentrantReadWriteLock, fair): a run of readers at the head of the queue goes
// in together.
type fairRWLock struct{ rwQueue }

func newFairRWLock(tab *Table) *fairRWLock {
	return &fairRWLock{rwQueue{tab: tab, writer: NoThread, wait: newList()}}
}

func (l *fairRWLock) Call(t Thread, op Op, n int32) Outcome {
	switch op {
	case Enter, EnterRead:
		switch {
		case l.wait.len == 0 && l.available(op):
			l.take(t, op)
		case !l.reenter(t, op):
			return l.sleep(t, op)
		}
		return Granted
	case Exit, ExitRead:
		_, o := l.leave(t, op)
		l.serve()
		return o
	}
	return Unsupported
}

// Try ignores those who wait, as tryLock does even on a fair lock.
func (l *fairRWLock) Try(t Thread, op Op, n int32) Outcome {
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

// Retry panics: a fair lock never wakes a thread to compete.
func (l *fairRWLock) Retry(Thread) Outcome { panic("resource: retry on a fair rwlock") }

// Cancel lets in the readers that stood behind a writer.
func (l *fairRWLock) Cancel(t Thread) Outcome {
	l.tab.remove(&l.wait, t)
	l.serve()
	return Failed
}
