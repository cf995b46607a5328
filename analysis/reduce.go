package analysis

import (
	"slices"

	"tierscope/core"
)

// DefaultThreshold is t: a computation with less than this share of its
// thread's CPU time is insignificant. "Setting t = 3-5 % allows shrinking the
// PCG by 50-70 % without noticeable impact on the accuracy" (Tarvo & Reiss
// 2014, §4.3.1).
const DefaultThreshold = 0.03

// foldComputations removes the insignificant computations of a group: those
// between two given operations whose summed CPU time is less than the
// fraction t of that of all threads of the group or, inside a region, of that
// of all computations under the same lock. The paper drops their time. Here
// it goes to the next significant computation of the same thread that holds
// the same locks and works on the same task, or else to the one before, so
// that the time per task and the time under every lock stay what they were. A
// computation stays if some execution of it has nowhere to go.
func foldComputations(seqs []*sequence, t float64) {
	type pair struct{ from, to *node }
	total := map[*resource]int64{} // CPU by innermost lock; nil: outside of all
	sum := map[pair]int64{}
	under := map[pair]*resource{}
	regions := map[*sequence][]int{} // of every step: gaps in one region may exchange time
	for _, q := range seqs {
		region := make([]int, len(q.steps))
		at := map[string]int{}
		tasks := 0
		q.held(func(i int, locks []*resource) {
			s := &q.steps[i]
			if i > 0 && boundary(q.steps[i-1].node) {
				tasks++
			}
			if i == 0 {
				return
			}
			var inner *resource
			if len(locks) > 0 {
				inner = locks[len(locks)-1]
			}
			p := pair{q.steps[i-1].node, s.node}
			total[inner] += s.gap
			sum[p] += s.gap
			under[p] = inner
			key := regionKey(tasks, locks)
			if _, ok := at[key]; !ok {
				at[key] = len(at)
			}
			region[i] = at[key]
		})
		regions[q] = region
	}
	small := map[pair]bool{}
	for p, n := range sum {
		if float64(n) < t*float64(total[under[p]]) {
			small[p] = true
		}
	}
	// A pair stays if an execution of it finds no significant one in its region.
	for changed := true; changed; {
		changed = false
		for _, q := range seqs {
			has := map[int]bool{}
			for i := 1; i < len(q.steps); i++ {
				if !small[pair{q.steps[i-1].node, q.steps[i].node}] && q.steps[i].gap > 0 {
					has[regions[q][i]] = true
				}
			}
			for i := 1; i < len(q.steps); i++ {
				p := pair{q.steps[i-1].node, q.steps[i].node}
				if small[p] && q.steps[i].gap > 0 && !has[regions[q][i]] {
					delete(small, p)
					changed = true
				}
			}
		}
	}
	for _, q := range seqs {
		carry := map[int]int64{} // by region: time that looks for a place
		last := map[int]int{}    // by region: the last significant step
		for i := 1; i < len(q.steps); i++ {
			s := &q.steps[i]
			r := regions[q][i]
			switch {
			case small[pair{q.steps[i-1].node, s.node}]:
				carry[r] += s.gap
				s.gap, s.folded = 0, true
			case s.gap > 0:
				s.gap += carry[r]
				carry[r] = 0
				last[r] = i
			}
		}
		for r, n := range carry {
			if n > 0 {
				q.steps[last[r]].gap += n
			}
		}
	}
}

// boundary reports whether a new task begins after n, or the work on one
// ends.
func boundary(n *node) bool {
	return n.class == core.InFragment || n.class == core.OutFragment || n.fetched() || n.virtual == "done"
}

func regionKey(task int, locks []*resource) string {
	b := make([]byte, 0, 32)
	b = append(b, byte(task), byte(task>>8), byte(task>>16), byte(task>>24))
	for _, l := range locks {
		b = append(b, l.id...)
		b = append(b, 0)
	}
	return string(b)
}

// region is a stay under a lock, from step first, which acquires it, to step
// last, which releases it.
type region struct {
	first, last int
	lock        *resource
}

// regions returns the stays under locks in the order in which they begin, one
// that is not ended before the recording excepted.
func (q *sequence) regions() []region {
	var rs []region
	type key struct {
		object uint64
		by     Op
	}
	open := map[key][]int{} // indices into rs
	for i := range q.steps {
		s := &q.steps[i]
		if s.lock == nil || s.node.class != core.SyncFragment {
			continue
		}
		if by, ok := acquires(s.node.op); ok && s.succeeded() && !s.open {
			k := key{s.object, by}
			open[k] = append(open[k], len(rs))
			rs = append(rs, region{i, -1, s.lock})
			continue
		}
		if k := (key{s.object, s.node.op}); len(open[k]) > 0 {
			n := len(open[k]) - 1
			rs[open[k][n]].last = i
			open[k] = open[k][:n]
		}
	}
	return slices.DeleteFunc(rs, func(r region) bool { return r.last < 0 })
}

// dropHalves takes out acquisitions and releases of mutual exclusion without
// a partner in the same thread: the other half was not recorded, or the
// thread was cut off. In the model they would block it for ever.
func (q *sequence) dropHalves() (dropped int) {
	paired := map[int]bool{}
	for _, r := range q.regions() {
		paired[r.first], paired[r.last] = true, true
	}
	steps := q.steps
	q.rewrite(func(i int, s step) []step {
		x := &steps[i]
		if s.lock == nil || s.lock.kind != core.Mutex && s.lock.kind != core.RWLock || s.node.class != core.SyncFragment || paired[i] {
			return []step{s}
		}
		if s.open {
			return nil // it waited for the lock when the recording ended
		}
		_, acquire := acquires(x.node.op)
		if acquire && x.succeeded() || releases(x.node.op) {
			dropped++
			return nil
		}
		return []step{s}
	})
	return dropped
}

// quietRegions returns the operations that acquire a lock for regions which
// are insignificant: threads hardly waited to enter them, and they are so
// short that with all cores running the program they would be occupied for
// less than the fraction t of the time ("every synchronization region is
// represented as a pair of CFs, even if it is very short and never becomes
// contended in practice", §4.3.1). A lock with a region in which threads wait
// for conditions stays.
func quietRegions(gs []*group, cores int, t float64) map[*node]bool {
	held, waited := map[*node]int64{}, map[*node]int64{} // ns
	needed := map[*resource]bool{}
	owner := map[*node]*resource{}
	total := int64(0)
	for _, g := range gs {
		for _, q := range g.seqs {
			for i := range q.steps {
				total += q.steps[i].gap
				if l := q.steps[i].lock; l != nil && l.monitor != nil {
					needed[l.monitor] = true
				}
			}
			for _, r := range q.regions() {
				n := q.steps[r.first].node
				owner[n] = r.lock
				waited[n] += q.steps[r.first].waited
				for i := r.first + 1; i <= r.last; i++ {
					held[n] += q.steps[i].gap
				}
			}
		}
	}
	quiet := map[*node]bool{}
	borrowed := map[*resource]bool{}
	for n, l := range owner {
		stripes, _ := l.stripes()
		if l.scope == core.PerCall {
			stripes = max(1, l.together)
		}
		limit := t * float64(total)
		if _, known := borrowed[l]; !known {
			borrowed[l] = l.borrowed()
		}
		private := l.scope == core.PerThread || l.scope == core.PerTask && l.ownedByThreads() || borrowed[l]
		if l.kind != core.Semaphore && !needed[l] &&
			(private || float64(held[n])*float64(cores) < limit*float64(stripes) && float64(waited[n]) < limit) {
			quiet[n] = true
		}
	}
	return quiet
}

// dropRegions takes out the regions that begin with one of the operations,
// and failed tries to enter them.
func (q *sequence) dropRegions(quiet map[*node]bool) {
	gone := map[int]bool{}
	for _, r := range q.regions() {
		if quiet[q.steps[r.first].node] {
			gone[r.first], gone[r.last] = true, true
		}
	}
	steps := q.steps
	q.rewrite(func(i int, s step) []step {
		failed := s.node.virtual == "failed" && quiet[s.node.of]
		if gone[i] || failed || quiet[s.node] && !steps[i].succeeded() {
			return nil
		}
		return []step{s}
	})
}

// dropHalves takes out halves of regions.
func (b *build) dropHalves() {
	for _, g := range b.modelled {
		for _, q := range g.seqs {
			b.halves += q.dropHalves()
		}
	}
}

// dropQuiet takes out the regions that are insignificant.
func (b *build) dropQuiet() {
	if b.opt.Threshold < 0 {
		return
	}
	b.collectUses()
	quiet := quietRegions(b.modelled, b.t.Cores, b.opt.Threshold)
	for _, g := range b.modelled {
		for _, q := range g.seqs {
			q.dropRegions(quiet)
		}
	}
	b.dropOrphans()
}

// foldComputations removes the insignificant computations.
func (b *build) foldComputations() {
	if b.opt.Threshold < 0 {
		return
	}
	for _, g := range b.modelled {
		foldComputations(g.seqs, b.opt.Threshold)
	}
}
