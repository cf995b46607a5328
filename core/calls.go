package core

import (
	"math"
	"slices"
)

// call is a task that a thread makes for another pool and whose answer it then waits for, as the handler of a request
// does at its reply channel: a rendezvous of layered queueing networks (Woodside et al. 1995).
type call struct {
	queue, lock string
	n           float64 // calls per unit of the caller's graph, while the task is its own
	own         float64 // what the caller does itself until it waits, s
}

// calls returns those of a graph; carried are the visits while the task is the thread's own. A thread that has called
// several waits at least for the last. One that goes on with the first of several answers is not counted.
func (c *chain) calls(carried map[int]float64, own []fragmentTime, private map[string]bool) []call {
	var all []call
	g := c.g
	for _, i := range sortedKeys(carried) {
		out := g.Fragments[i].Out
		if out == nil || !out.New || math.IsInf(carried[i], 1) {
			continue
		}
		stop := func(f *Fragment) bool {
			return f.Class == FetchFragment || f.Out != nil && (!f.Out.New || f.Out.To == out.To) || f.awaits(private)
		}
		start := map[int]float64{i: 1}
		between := visitTime(c.visits(start, stop), own)
		if math.IsNaN(between) || math.IsInf(between, 1) {
			continue
		}
		waits := c.absorbedAt(start, stop)
		for _, j := range sortedKeys(waits) {
			f := &g.Fragments[j]
			if f.awaits(private) && (f.Sync.Op != Receive || answered(g, carried, out.To, f.Sync.Lock)) {
				all = append(all, call{queue: out.To, lock: f.Sync.Lock, n: carried[i] * waits[j], own: between})
			}
		}
	}
	return all
}

// awaits reports whether a fragment waits, without end, for what others do at something that only its own thread waits at.
func (f *Fragment) awaits(private map[string]bool) bool {
	if f.Sync == nil || !f.Sync.Timeout.IsZero() {
		return false
	}
	switch f.Sync.Op {
	case Receive, Await, Wait, ParkOp:
		return private[f.Sync.Lock]
	default:
		return false
	}
}

// privateLocks are those of which there is one for every task, call or thread.
func (m *Model) privateLocks() map[string]bool {
	private := map[string]bool{}
	for i := range m.Locks {
		if l := &m.Locks[i]; l.Scope != "" && l.Scope != PerProgram {
			private[l.ID] = true
		}
	}
	return private
}

// visitTime is how long so many visits take without contention, s.
func visitTime(visits map[int]float64, own []fragmentTime) float64 {
	sum := 0.0
	for _, i := range sortedKeys(visits) {
		sum += visits[i] * own[i].total()
	}
	return sum
}

// answered reports whether as many answers are received at a lock as tasks are sent to a queue.
func answered(g *Graph, visits map[int]float64, queue, lock string) bool {
	sent, received := 0.0, 0.0
	for _, i := range sortedKeys(visits) {
		switch f := &g.Fragments[i]; {
		case f.Out != nil && f.Out.New && f.Out.To == queue:
			sent += visits[i] * f.Out.tasks()
		case f.Sync != nil && f.Sync.Lock == lock && f.Sync.Op == Receive:
			received += visits[i]
		}
	}
	return received >= sent*(1-sumTolerance)
}

// answers returns when a thread that has fetched a task first signals each private lock, in s after the fetch when
// nobody is in its way.
func (c *chain) answers(start map[int]float64, own []fragmentTime, private map[string]bool) map[string]float64 {
	all := map[string]float64{}
	for i := range c.g.Fragments {
		s := c.g.Fragments[i].Sync
		if s == nil || !s.Op.signals() || !private[s.Lock] {
			continue
		}
		if _, known := all[s.Lock]; known {
			continue
		}
		time := visitTime(c.visits(start, func(f *Fragment) bool {
			return f.Class == FetchFragment || f.Sync != nil && f.Sync.Lock == s.Lock && f.Sync.Op.signals()
		}), own)
		if !math.IsNaN(time) && !math.IsInf(time, 1) {
			all[s.Lock] = time
		}
	}
	return all
}

// atLeast is how long somebody waits at least, on average, who comes to wait for an answer after own seconds.
func atLeast(answer, own float64) float64 { return max(0, answer-own) }

// ifRandom is the same if both times are exponentially distributed: E max(0, A − O) = A²/(A + O).
func ifRandom(answer, own float64) float64 {
	if math.IsInf(answer, 1) {
		return answer
	}
	return answer * answer / max(answer+own, math.SmallestNonzeroFloat64)
}

// awaited returns how long a unit of a pool waits for answers, in s, if response is how long after it was made a task
// of a queue is answered by a pool. Of several pools the quickest one counts.
func (d *Demands) awaited(p *poolDemand, wait func(answer, own float64) float64, response func(callee *poolDemand, lock string) float64) float64 {
	sum := 0.0
	for _, c := range p.calls {
		least, found := math.Inf(1), false
		for i := range d.pools {
			callee := &d.pools[i]
			if _, does := callee.answers[c.lock]; does && callee.pool != p.pool && callee.serves(c.queue) {
				least, found = min(least, response(callee, c.lock)), true
			}
		}
		if found {
			sum += c.n * wait(least, c.own)
		}
	}
	return sum
}

// serves reports whether threads of the pool take tasks of a queue.
func (p *poolDemand) serves(queue string) bool {
	return slices.Contains(p.queue, queue)
}
