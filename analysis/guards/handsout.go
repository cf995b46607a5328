package guards

import (
	"cmp"
	"math"
	"slices"

	"tierscope/analysis/trail"
)

// idleShare is the part of the work on one index that a thread may compute
// before its first and after its last stay. Convention, sensitivity strong.
const idleShare = 0.2

// takenShare is the least part of the CPU time of its threads that a counter
// must hand out: most of it. Convention, sensitivity strong.
const takenShare = 0.5

// fewestRounds is from how many rounds on, in which nobody got any after somebody got none, it does not matter what a thread
// computes before its first stay. Theory: threads in lockstep that collect results come in such an order in one of a thousand recordings.
const fewestRounds = 10

// sharing is what a counter shares out among threads that live at the same time.
type sharing struct {
	threads []*trail.Sequence
	vain    staySteps     // at which they got none
	rounds  []sharedRound // between which the counter is set back
}

// sharedRound is what is shared out until every thread has got none.
type sharedRound struct {
	taken           int64
	object          uint64
	first, lastTake int64 // ns
	firstNone, last int64
	threads         int // that have come to its end
}

// add notes a stay that began at a time.
func (r *sharedRound) add(at int64, vain bool) {
	if r.taken == 0 && r.threads == 0 {
		r.first, r.firstNone = at, math.MaxInt64
	}
	r.first, r.last = min(r.first, at), max(r.last, at)
	if vain {
		r.firstNone = min(r.firstNone, at)
		r.threads++
	} else {
		r.lastTake = max(r.lastTake, at)
		r.taken++
	}
}

// holds reports whether nobody gets any after somebody got none, in every round, nor before all have got none in the one
// before.
func (x *sharing) holds() bool {
	for k, r := range x.rounds {
		if r.threads != len(x.threads) || r.lastTake > r.firstNone || k > 0 && r.first < x.rounds[k-1].last {
			return false
		}
	}
	return true
}

// staySteps are steps of threads at which they come to a counter.
type staySteps map[*trail.Sequence]map[int]bool

// inVain are the stays at which a thread gets nothing, by what it does next: what one does after its last one.
func inVain(g *trail.Pool, at counterPlace) staySteps {
	after := func(q *trail.Sequence, i int) *trail.Node {
		if i+2 < len(q.Steps) { // behind the release
			return q.Steps[i+2].Node
		}
		return nil
	}
	leaves := map[*trail.Node]bool{}
	for _, q := range g.Sequences {
		leaves[after(q, lastAt(q, at))] = true
	}
	vain := staySteps{}
	for _, q := range g.Sequences {
		vain[q] = map[int]bool{}
		for i := range q.Steps {
			if at.nodes[q.Steps[i].Node] && leaves[after(q, i)] {
				vain[q][i] = true
			}
		}
	}
	return vain
}

// onlyLast are the last stays of each thread.
func onlyLast(g *trail.Pool, at counterPlace) staySteps {
	vain := staySteps{}
	for _, q := range g.Sequences {
		vain[q] = map[int]bool{lastAt(q, at): true}
	}
	return vain
}

// lastAt is the last step with which a thread comes to a counter; −1: none.
func lastAt(q *trail.Sequence, at counterPlace) int {
	last := -1
	for i := range q.Steps {
		if at.nodes[q.Steps[i].Node] {
			last = i
		}
	}
	return last
}

// handsOut returns what stays there share out if all work of a pool comes after those that get something, and
// nobody gets any after somebody got none, in every round; nil: they do not.
func handsOut(g *trail.Pool, at counterPlace, vain staySteps) []*sharing {
	var head, between, work, tail, taken, none int64 // ns before the first stay of a thread, and of a round; stays
	var all []*sharing
	for _, threads := range generations(g) {
		x := &sharing{threads: threads, vain: vain}
		all = append(all, x)
		for _, q := range threads {
			round, first, since := 0, true, int64(0)
			for i := range q.Steps {
				s := &q.Steps[i]
				since += s.Gap
				if !at.nodes[s.Node] {
					continue
				}
				switch {
				case !first:
					work += since
				case round == 0:
					head += since
				default:
					between += since
				}
				if round == len(x.rounds) {
					x.rounds = append(x.rounds, sharedRound{})
				}
				since, first = 0, vain[q][i]
				x.rounds[round].add(s.End, first)
				if first {
					none++
					round++
				} else {
					taken++
				}
			}
			tail += since
		}
		if !x.holds() {
			return nil
		}
	}
	if taken <= none {
		return nil
	}
	if float64(work) <= takenShare*float64(head+between+work+tail) {
		return nil
	}
	idle, threads := idleShare*float64(work)/float64(taken), int64(len(g.Sequences))
	if none < fewestRounds*threads && (float64(head) >= idle*float64(threads) || float64(tail) >= idle*float64(threads)) {
		return nil
	}
	return all
}

// generations splits the threads of a pool into those whose lives overlap.
func generations(g *trail.Pool) (all [][]*trail.Sequence) {
	order := slices.Clone(g.Sequences)
	slices.SortStableFunc(order, func(a, b *trail.Sequence) int { return cmp.Compare(a.Thread.Born, b.Thread.Born) })
	last := int64(0)
	for _, q := range order {
		if len(all) == 0 || q.Thread.Born >= last {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], q)
		last = max(last, q.Thread.Ended)
	}
	return all
}
