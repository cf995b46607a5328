package resource

import "tierscope/core"

// barrier is a cyclic barrier: the last of its parties to arrive lets all go,
// and the barrier is ready for the next round (pthread_barrier_wait,
// java.util.concurrent.CyclicBarrier). A thread whose wait times out breaks
// the barrier, by CyclicBarrier's rule: those who wait, and all who come
// later, fail.
//
// In turn, the last one wakes the first to arrive only, who wakes the next one when it
// runs: where those that wait have to regain a lock, as in the JDK's.
type barrier struct {
	tab     *Table
	parties int
	broken  bool
	wait    list
	inTurn  bool
	leaving list // they may go, once they run
}

func barrierOf(tab *Table, l core.Lock, _ Lock) Lock {
	if l.Fairness == core.GoMutex {
		return nil
	}
	return &barrier{tab: tab, parties: l.Parties, wait: newList(), inTurn: l.Fairness == core.Barging, leaving: newList()}
}

func (b *barrier) Call(t Thread, op Op, n int32) Outcome {
	switch {
	case op != Await:
		return Unsupported
	case b.broken:
		return Failed
	case b.wait.len+1 < b.parties:
		b.tab.pushBack(&b.wait, t)
		return Blocked
	case b.inTurn:
		first := b.leaving.head == NoThread
		for x := b.tab.popFront(&b.wait); x != NoThread; x = b.tab.popFront(&b.wait) {
			b.tab.pushBack(&b.leaving, x)
		}
		if first {
			b.wakeNext()
		}
		return Granted
	}
	b.tab.finishAll(&b.wait, Granted)
	return Granted
}

// wakeNext wakes the first of those that may go.
func (b *barrier) wakeNext() {
	if b.leaving.head != NoThread {
		b.tab.wake(b.leaving.head)
	}
}

// Try breaks the barrier unless t is the last to arrive: a wait of no time has
// timed out.
func (b *barrier) Try(t Thread, op Op, n int32) Outcome {
	if op == Await && !b.broken && b.wait.len+1 < b.parties {
		return b.Cancel(t)
	}
	return b.Call(t, op, n)
}

// Retry lets a thread go, and wakes the next one.
func (b *barrier) Retry(t Thread) Outcome {
	b.tab.remove(&b.leaving, t)
	b.wakeNext()
	return Granted
}

// Cancel comes too late for who may go.
func (b *barrier) Cancel(t Thread) Outcome {
	if b.tab.slots[t].on == &b.leaving {
		return Blocked
	}
	b.tab.remove(&b.wait, t)
	b.broken = true
	b.tab.finishAll(&b.wait, Failed)
	return Failed
}

func (b *barrier) Waiting() int              { return b.wait.len + b.leaving.len }
func (b *barrier) Held() int                 { return b.wait.len }
func (b *barrier) Holders(func(Thread) bool) {}
