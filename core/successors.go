package core

// Successor is one way on from a fragment, with the probability that it is
// taken when nothing is known of the state of queues and locks: a fetch
// succeeds, an operation does not time out, a select takes any of its cases
// with equal probability, a loop returns to its body Count times per entry, and
// the function of a once has already run.
type Successor struct {
	To          string
	Probability float64
}

// Successors returns all ways on from a fragment of g, those of probability 0
// (timeouts, nofetch) included; none: the thread may only end here.
func (g *Graph) Successors(f *Fragment) []Successor {
	var all []Successor
	add := func(to string, p float64) {
		if to != "" {
			all = append(all, Successor{to, p})
		}
	}
	edges := func(scale float64) {
		for _, e := range f.Next {
			add(e.To, e.Probability*scale)
		}
	}
	switch {
	case f.Class == InFragment:
		for _, e := range f.Next {
			add(e.To, boolFloat(!g.isNoFetch(e.To)))
		}
	case f.Class == LoopFragment && f.Loop != nil:
		// A geometric number of iterations with the same mean has the same
		// visit counts as the exact number.
		n := f.Loop.Count.Expectation()
		add(f.Loop.Body, n/(n+1))
		edges(1 / (n + 1))
	case f.Class == SyncFragment && f.Sync != nil && f.Sync.Op == Select:
		for _, c := range f.Sync.Cases {
			add(c.To, 1/float64(len(f.Sync.Cases)))
			add(c.Closed, 0)
		}
		add(f.Sync.Default, boolFloat(len(f.Sync.Cases) == 0))
		add(f.Sync.OnTimeout, 0)
		edges(0)
	case f.Class == SyncFragment && f.Sync != nil && f.Sync.Op == Do && f.Sync.OnTimeout != "":
		add(f.Sync.OnTimeout, 1)
		edges(0)
	case f.Class == SyncFragment && f.Sync != nil:
		edges(1)
		add(f.Sync.OnTimeout, 0)
	case f.Class == OutFragment && f.Out != nil:
		edges(1)
		add(f.Out.OnTimeout, 0)
	default:
		edges(1)
	}
	return all
}

func (g *Graph) isNoFetch(id string) bool {
	f := g.Fragment(id)
	return f != nil && f.Class == NoFetchFragment
}

func boolFloat(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// immediate reports whether the fragment may take no time and lead on at once,
// however often it is executed, and to where. A fragment that computes, sleeps,
// reads from disk, or waits for something that only others provide gives
// ok = false: time passes, or the thread blocks.
func (g *Graph) immediate(f *Fragment, m *Model, queues map[string]int) (to []string, ok bool) {
	next := func() []string {
		var to []string
		for _, e := range f.Next {
			if e.Probability > 0 {
				to = append(to, e.To)
			}
		}
		return to
	}
	switch f.Class {
	case CPUFragment:
		return next(), f.Demand.Expectation() == 0
	case DelayFragment:
		return next(), f.Delay.Expectation() == 0
	case IOFragment:
		waits := false
		if f.IO != nil {
			for _, r := range f.IO.Requests {
				waits = waits || (!r.Async && r.Count.Expectation() > 0)
			}
		}
		return next(), !waits
	case InFragment:
		if !f.In.try() {
			return nil, false
		}
		for _, e := range f.Next { // nothing there
			if g.isNoFetch(e.To) {
				to = append(to, e.To)
			}
		}
		return to, true
	case LoopFragment:
		to = next()
		if f.Loop != nil {
			to = append(to, f.Loop.Body)
		}
		return to, true
	case OutFragment:
		if f.Out != nil && f.Out.Timeout.try() {
			if f.Out.OnTimeout != "" {
				return []string{f.Out.OnTimeout}, true
			}
			return next(), true
		}
		if f.Out != nil {
			if i, isQueue := queues[f.Out.To]; isQueue {
				q := m.Queues[i]
				if q.Capacity != Unbounded && (q.WhenFull == "" || q.WhenFull == Block || q.WhenFull == Timeout) {
					return nil, false
				}
			}
		}
		return next(), true
	case SyncFragment:
		return f.immediateSync(next())
	case FetchFragment, NoFetchFragment, DispatchFragment, SpawnFragment, JoinFragment:
		return next(), true
	}
	return next(), true
}

func (in *In) try() bool { return in != nil && in.Timeout.try() }

// try reports whether a timeout is the constant 0: do not wait at all.
func (d Distribution) try() bool { return d.Kind == Constant && d.Value == 0 }

func (f *Fragment) immediateSync(next []string) (to []string, ok bool) {
	s := f.Sync
	if s == nil {
		return next, true
	}
	onTimeout := next
	if s.OnTimeout != "" {
		onTimeout = []string{s.OnTimeout}
	}
	switch s.Op {
	case Await, Wait, Send, Receive, ParkOp, Exchange:
		if s.Timeout.try() {
			return onTimeout, true
		}
		return nil, false
	case Select:
		if s.Default != "" {
			return []string{s.Default}, true
		}
		if s.Timeout.try() {
			return onTimeout, true
		}
		return nil, false
	case Enter, EnterRead: // free locks are entered at once
		if s.Timeout.try() {
			return onTimeout, true
		}
		return next, true
	case Do:
		if s.OnTimeout != "" {
			return []string{s.OnTimeout}, true
		}
		return next, true
	case Exit, ExitRead, Arrive, Register, Leave, CountDown, Add, Notify, NotifyAll, Done, Close, Unpark, Make:
		return next, true
	}
	return next, true
}
