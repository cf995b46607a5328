package trail

import (
	"slices"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// Rewrite replaces every step by the steps that f returns. A step for which f
// returns none is taken out, and its CPU time joins the computation around
// it: nothing that Build removes takes time or probability mass with it,
// because the graph is counted after the removal. The first of the returned
// steps keeps the gap before the replaced one.
func (q *Sequence) Rewrite(f func(i int, s Step) []Step) {
	out := make([]Step, 0, len(q.Steps))
	var cpu, wall int64
	for i, s := range q.Steps {
		by := f(i, s)
		if len(by) == 0 {
			cpu += s.Gap + s.CPU
			wall += s.GapWall + s.Wall()
			continue
		}
		by[0].Gap += cpu
		by[0].GapWall += wall
		cpu, wall = 0, 0
		out = append(out, by...)
	}
	if len(out) > 0 && cpu > 0 {
		// Nothing follows: the thread was cut off by the end of the recording.
		out[len(out)-1].CPU += cpu
	}
	q.Steps = out
}

// Mark returns a step of a virtual node at the moment when s begins, which
// takes over the gap before s.
func Mark(n *Node, s *Step) Step {
	m := Step{Node: n, Gap: s.Gap, GapWall: s.GapWall, Start: s.Start, End: s.Start, Folded: s.Folded}
	s.Gap, s.GapWall = 0, 0
	return m
}

// MarkWithin returns a step of a virtual node so long, in ns of CPU, after the step before s, or when s begins if that is sooner.
func MarkWithin(n *Node, s *Step, cpu int64) Step {
	gap, wall, start := s.Gap, s.GapWall, s.Start
	m := Mark(n, s)
	if cpu >= gap {
		return m
	}
	m.Gap, s.Gap = cpu, gap-cpu
	m.GapWall = int64(float64(wall) * float64(cpu) / float64(gap))
	s.GapWall = wall - m.GapWall
	m.Start = start - s.GapWall
	m.End = m.Start
	return m
}

// ChargeOperations adds the CPU time inside operations to the computations
// around them: that of a release to the one after, so that it is not spent
// holding the lock, as little as that of a wait for a condition, which gives the lock back meanwhile, and goes to
// the one after the region; that of all others to the one before. Waking another
// thread costs the waker up to wake ns, which the simulated CPU charges
// itself; it is not charged twice, nor are the rounds of spin ns that a thread spun at a
// mutex before it waited.
func ChargeOperations(q *Sequence, wake, spin int64) {
	around := q.unlocks()
	for i := range q.Steps {
		s := &q.Steps[i]
		cost := s.CPU
		if trace.Wakes(s.Node.Op) && cost > wake/2 {
			cost = max(0, cost-wake)
		}
		if spin > 0 && s.Node.Op == trace.OpLock {
			cost -= spin * min(cost/spin, core.SpinRounds)
		}
		switch unlock, waits := around[i]; {
		case waits && unlock+1 < len(q.Steps):
			q.Steps[unlock+1].Gap += cost
		case !trace.Releases(s.Node.Op):
			s.Gap += cost
		case i+1 < len(q.Steps):
			q.Steps[i+1].Gap += cost
		default:
			continue
		}
		s.CPU = 0
	}
}

// unlocks returns, for each wait for a condition, the end of the region that it is in.
func (q *Sequence) unlocks() map[int]int {
	around := map[int]int{}
	var open []int // ends of regions, the innermost last
	for i := len(q.Steps) - 1; i >= 0; i-- {
		switch op := q.Steps[i].Node.Op; {
		case op == trace.OpUnlock:
			open = append(open, i)
		case op == trace.OpLock && len(open) > 0:
			open = open[:len(open)-1]
		case op == trace.OpCondWait && len(open) > 0:
			around[i] = open[len(open)-1]
		}
	}
	return around
}

// Succeeded reports whether a try got what it wanted, and a call of a Once its
// turn to run the function; operations that wait always do. A receive from a
// channel that is closed does not wait, so it is none that failed.
func (s *Step) Succeeded() bool {
	if s.Node.Op == trace.OpTryReceive {
		return s.Result != 0
	}
	return s.Result == 1 || !trace.Tries(s.Node.Op)
}

// Held calls f for every step with the resources that the thread holds in the
// gap before it. What it takes and never gives back, such as permits that others return, it does not hold.
func (q *Sequence) Held(f func(i int, locks []*Resource)) {
	last := map[int]int{} // of a stay, by its first step
	for _, r := range q.Regions() {
		last[r.First] = r.Last
	}
	var ends []int // of the stays that have begun
	var locks []*Resource
	for i := range q.Steps {
		f(i, locks)
		if end, begins := last[i]; begins {
			ends = append(ends, end)
			locks = append(locks[:len(locks):len(locks)], q.Steps[i].Lock)
		} else if j := slices.Index(ends, i); j >= 0 {
			ends = slices.Delete(ends, j, j+1)
			locks = append(locks[:j:j], locks[j+1:]...)
		}
	}
}
