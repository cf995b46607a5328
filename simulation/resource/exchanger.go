package resource

// exchanger lets two threads meet and swap items (java.util.concurrent.Exchanger
// with one slot): the first waits, the second completes the pair.
type exchanger struct {
	tab  *Table
	wait list // at most one
}

func newExchanger(tab *Table) *exchanger { return &exchanger{tab: tab, wait: newList()} }

func (x *exchanger) Call(t Thread, op Op, n int32) Outcome {
	if op != Exchange {
		return Unsupported
	}
	s := &x.tab.slots[t]
	first := x.tab.popFront(&x.wait)
	if first == NoThread {
		s.n = n
		x.tab.pushBack(&x.wait, t)
		return Blocked
	}
	s.item = x.tab.slots[first].n
	x.tab.resume(first, Granted, n)
	return Granted
}

func (x *exchanger) Try(t Thread, op Op, n int32) Outcome {
	if op == Exchange && x.wait.len == 0 {
		return Failed
	}
	return x.Call(t, op, n)
}

// Retry panics: an exchanger never wakes a thread to compete.
func (x *exchanger) Retry(Thread) Outcome { panic("resource: retry on an exchanger") }

func (x *exchanger) Cancel(t Thread) Outcome {
	x.tab.remove(&x.wait, t)
	return Failed
}

func (x *exchanger) Waiting() int              { return x.wait.len }
func (x *exchanger) Held() int                 { return 0 }
func (x *exchanger) Holders(func(Thread) bool) {}
