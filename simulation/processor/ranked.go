package processor

import (
	"tierscope/core"
	"tierscope/simulation/des"
)

// ranked is one global queue of ready threads in the order of a rank, the least first, those that came
// earlier first among equals:
//
//	shortest processing time   the burst; who computes goes on to its end
//	shortest remaining time    what is left of the burst; who has more left makes room at once
//	preemptive priority        minus the weight; who has less weight makes room at once, and resumes where it was
type ranked struct {
	*machine
	policy    core.CPUPolicy
	ready     []int32 // heap
	rank      []float64
	arrived   []int64 // number of the submission
	submitted int64
}

func newRanked(m *machine, policy core.CPUPolicy) *machine {
	m.policy = &ranked{machine: m, policy: policy}
	return m
}

func (p *ranked) choose(t, _ int32) int32 {
	p.submitted++
	for len(p.arrived) < len(p.threads) {
		p.arrived, p.rank = append(p.arrived, 0), append(p.rank, 0)
	}
	p.arrived[t] = p.submitted
	if last := p.threads[t].last; last != None && p.idle.has(last) {
		return last
	}
	return p.idle.first()
}

// rankOf is the rank of a thread with so much work left.
func (p *ranked) rankOf(t int32, left des.Time) float64 {
	if p.policy == core.PreemptivePriority {
		return -p.threads[t].weight
	}
	return float64(left)
}

func (p *ranked) enqueue(t, _ int32) int32 {
	p.rank[t] = p.rankOf(t, p.threads[t].work)
	p.push(t)
	if p.policy == core.ShortestFirst {
		return None
	}
	worst, least := None, p.rank[t]
	for i := range p.cores {
		u := &p.cores[i]
		if u.thread == None || u.open {
			continue
		}
		if r := p.rankOf(u.thread, u.finish-max(p.Now(), u.begin)); r > least {
			worst, least = u.number, r
		}
	}
	return worst
}

func (p *ranked) started(*unit, int32) des.Time { return des.Never }
func (p *ranked) stopped(*unit, int32)          {}
func (p *ranked) sliceEnd(*unit) des.Time       { return des.Never }
func (p *ranked) wakes(int32) int32             { return None }

func (p *ranked) expired(_ *unit, t int32) int32 {
	p.rank[t] = p.rankOf(t, p.threads[t].work)
	p.push(t)
	return p.next(None)
}

// before orders two threads.
func (p *ranked) before(a, b int32) bool {
	return p.rank[a] < p.rank[b] || p.rank[a] == p.rank[b] && p.arrived[a] < p.arrived[b]
}

func (p *ranked) push(t int32) {
	p.ready = append(p.ready, t)
	i := len(p.ready) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !p.before(t, p.ready[parent]) {
			break
		}
		p.ready[i] = p.ready[parent]
		i = parent
	}
	p.ready[i] = t
}

func (p *ranked) next(int32) int32 {
	if len(p.ready) == 0 {
		return None
	}
	first, last := p.ready[0], len(p.ready)-1
	t := p.ready[last]
	p.ready = p.ready[:last]
	if last == 0 {
		return first
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && p.before(p.ready[child+1], p.ready[child]) {
			child++
		}
		if !p.before(p.ready[child], t) {
			break
		}
		p.ready[i] = p.ready[child]
		i = child
	}
	p.ready[i] = t
	return first
}
