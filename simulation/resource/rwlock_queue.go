package resource

// rwQueue is what the read-write locks with one queue for both sides share:
// the holders, and the waiting threads with the operation each asks for.
type rwQueue struct {
	tab     *Table
	readers readers
	writer  Thread
	depth   int32 // entries of the writer
	wait    list  // slot.op says what for
}

// leave gives up one hold of t and reports whether the lock is free now; false
// with NotHeld when t holds nothing.
func (q *rwQueue) leave(t Thread, op Op) (free bool, o Outcome) {
	if op == ExitRead {
		if !q.readers.remove(t) {
			return false, NotHeld
		}
		return q.readers.len() == 0 && q.writer == NoThread, Granted
	}
	if q.writer != t {
		return false, NotHeld
	}
	if q.depth--; q.depth > 0 {
		return false, Granted
	}
	q.writer = NoThread
	return true, Granted // perhaps with readers: the writer itself, downgrading
}

// reenter lets t in if it holds the lock already in a way that allows it: a
// writer may enter again and may read, a reader may read again.
func (q *rwQueue) reenter(t Thread, op Op) bool {
	switch {
	case q.writer == t && op == Enter:
		q.depth++
	case q.writer == t, op == EnterRead && q.writer == NoThread && q.readers.has(t):
		q.readers.add(t)
	default:
		return false
	}
	return true
}

// available reports whether op is compatible with the holders.
func (q *rwQueue) available(op Op) bool {
	return q.writer == NoThread && (op == EnterRead || q.readers.len() == 0)
}

// take makes t a holder.
func (q *rwQueue) take(t Thread, op Op) {
	if op == EnterRead {
		q.readers.add(t)
		return
	}
	q.writer, q.depth = t, 1
}

// sleep puts t at the end of the queue.
func (q *rwQueue) sleep(t Thread, op Op) Outcome {
	q.tab.slots[t].op = op
	q.tab.pushBack(&q.wait, t)
	return Blocked
}

// wants reports whether the first waiter asks for op.
func (q *rwQueue) wants(op Op) bool {
	return q.wait.head != NoThread && q.tab.slots[q.wait.head].op == op
}

// serve lets in the first waiters while they are compatible with the holders.
func (q *rwQueue) serve() {
	for first := q.wait.head; first != NoThread; first = q.wait.head {
		op := q.tab.slots[first].op
		if !q.available(op) {
			return
		}
		q.tab.remove(&q.wait, first)
		q.take(first, op)
		q.tab.grant(first)
	}
}

func (q *rwQueue) Waiting() int { return q.wait.len }
func (q *rwQueue) Held() int    { return q.readers.len() + held(q.writer) }

func (q *rwQueue) Holders(yield func(Thread) bool) {
	if q.readers.each(yield) {
		holder(q.writer, yield)
	}
}
