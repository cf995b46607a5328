package resource

// readFirstRWLock prefers readers: one waits only for a writer that is inside
// (glibc's default pthread_rwlock, PTHREAD_RWLOCK_PREFER_READER_NP). A writer
// that leaves lets in all readers that wait; the last reader that leaves lets
// in the first writer. Writers can starve.
type readFirstRWLock struct {
	rwQueue      // of the writers
	behind  list // readers
}

func newReadFirstRWLock(tab *Table) *readFirstRWLock {
	return &readFirstRWLock{rwQueue{tab: tab, writer: NoThread, wait: newList()}, newList()}
}

func (l *readFirstRWLock) Call(t Thread, op Op, n int32) Outcome {
	switch op {
	case EnterRead:
		if l.writer != NoThread {
			l.tab.pushBack(&l.behind, t)
			return Blocked
		}
		l.readers.add(t)
		return Granted
	case Enter:
		if !l.available(op) {
			return l.sleep(t, op)
		}
		l.take(t, op)
		return Granted
	case Exit, ExitRead:
		free, o := l.leave(t, op)
		if free {
			for r := l.tab.popFront(&l.behind); r != NoThread; r = l.tab.popFront(&l.behind) {
				l.readers.add(r)
				l.tab.grant(r)
			}
			l.serve()
		}
		return o
	}
	return Unsupported
}

func (l *readFirstRWLock) Try(t Thread, op Op, n int32) Outcome {
	if (op == Enter || op == EnterRead) && !l.available(op) {
		return Failed
	}
	return l.Call(t, op, n)
}

// Retry panics: this lock never wakes a thread to compete.
func (l *readFirstRWLock) Retry(Thread) Outcome { panic("resource: retry on a read-first rwlock") }

func (l *readFirstRWLock) Cancel(t Thread) Outcome {
	if !l.tab.remove(&l.behind, t) {
		l.tab.remove(&l.wait, t)
	}
	return Failed
}

// Waiting is the number of waiting readers and writers.
func (l *readFirstRWLock) Waiting() int { return l.wait.len + l.behind.len }
