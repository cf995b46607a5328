package resource

// barrier is a cyclic barrier: the last of its parties to arrive lets all go,
// and the barrier is ready for the next round (pthread_barrier_wait,
// java.util.concurrent.CyclicBarrier). A thread whose wait times out breaks
// the barrier, by CyclicBarrier's rule: those who wait, and all who come
// later, fail.
type barrier struct {
	tab     *Table
	parties int
	broken  bool
	wait    list
}

func newBarrier(tab *Table, parties int) *barrier {
	return &barrier{tab: tab, parties: parties, wait: newList()}
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
	}
	b.tab.finishAll(&b.wait, Granted)
	return Granted
}

// Try breaks the barrier unless t is the last to arrive: a wait of no time has
// timed out.
func (b *barrier) Try(t Thread, op Op, n int32) Outcome {
	if op == Await && !b.broken && b.wait.len+1 < b.parties {
		return b.Cancel(t)
	}
	return b.Call(t, op, n)
}

// Retry panics: a barrier never wakes a thread to compete.
func (b *barrier) Retry(Thread) Outcome { panic("resource: retry on a barrier") }

func (b *barrier) Cancel(t Thread) Outcome {
	b.tab.remove(&b.wait, t)
	b.broken = true
	b.tab.finishAll(&b.wait, Failed)
	return Failed
}

func (b *barrier) Waiting() int              { return b.wait.len }
func (b *barrier) Held() int                 { return b.wait.len }
func (b *barrier) Holders(func(Thread) bool) {}
