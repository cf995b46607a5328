package pcg

import (
	"slices"

	"tierscope/analysis/ownership"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// DefaultThreshold is t: a computation with less than this share of its
// thread's CPU time is insignificant. "Setting t = 3-5 % allows shrinking the
// PCG by 50-70 % without noticeable impact on the accuracy" (Tarvo & Reiss
// 2014, §4.3.1).
const DefaultThreshold = 0.03

// FoldComputations removes the insignificant computations of a pool: those
// between two given operations whose summed CPU time is less than the
// fraction t of that of all threads of the pool or, inside a region, of that
// of all computations under the same lock. The paper drops their time. Here
// it goes to the next significant computation of the same thread that holds
// the same locks and works on the same task, or else to the one before, so
// that the time per task and the time under every lock stay what they were. A
// computation stays if some execution of it has nowhere to go.
func FoldComputations(seqs []*trail.Sequence, t float64) {
	type pair struct{ from, to *trail.Node }
	total := map[*trail.Resource]int64{} // CPU by innermost lock; nil: outside of all
	sum := map[pair]int64{}
	under := map[pair]*trail.Resource{}
	regions := map[*trail.Sequence][]int{} // of every step: gaps in one region may exchange time
	for _, q := range seqs {
		region := make([]int, len(q.Steps))
		at := map[string]int{}
		tasks := 0
		q.Held(func(i int, locks []*trail.Resource) {
			s := &q.Steps[i]
			if i > 0 && boundary(q.Steps[i-1].Node) {
				tasks++
			}
			if i == 0 {
				return
			}
			var inner *trail.Resource
			if len(locks) > 0 {
				inner = locks[len(locks)-1]
			}
			p := pair{q.Steps[i-1].Node, s.Node}
			total[inner] += s.Gap
			sum[p] += s.Gap
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
			for i := 1; i < len(q.Steps); i++ {
				if !small[pair{q.Steps[i-1].Node, q.Steps[i].Node}] && q.Steps[i].Gap > 0 {
					has[regions[q][i]] = true
				}
			}
			for i := 1; i < len(q.Steps); i++ {
				p := pair{q.Steps[i-1].Node, q.Steps[i].Node}
				if small[p] && q.Steps[i].Gap > 0 && !has[regions[q][i]] {
					delete(small, p)
					changed = true
				}
			}
		}
	}
	for _, q := range seqs {
		carry := map[int]int64{} // by region: time that looks for a place
		last := map[int]int{}    // by region: the last significant step
		for i := 1; i < len(q.Steps); i++ {
			s := &q.Steps[i]
			r := regions[q][i]
			switch {
			case small[pair{q.Steps[i-1].Node, s.Node}]:
				carry[r] += s.Gap
				s.Gap, s.Folded = 0, true
			case s.Gap > 0:
				s.Gap += carry[r]
				carry[r] = 0
				last[r] = i
			}
		}
		for r, n := range carry {
			if n > 0 {
				q.Steps[last[r]].Gap += n
			}
		}
	}
}

// boundary reports whether a new task begins after n, or the work on one
// ends.
func boundary(n *trail.Node) bool {
	return n.Class == core.InFragment || n.Class == core.OutFragment || n.Fetched() || n.Virtual == "done"
}

func regionKey(task int, locks []*trail.Resource) string {
	b := make([]byte, 0, 32)
	b = append(b, byte(task), byte(task>>8), byte(task>>16), byte(task>>24))
	for _, l := range locks {
		b = append(b, l.ID...)
		b = append(b, 0)
	}
	return string(b)
}

// dropHalves takes out acquisitions and releases of mutual exclusion without
// a partner in the same thread: the other half was not recorded, or the
// thread was cut off. In the model they would block it for ever.
func dropHalves(q *trail.Sequence) (dropped int) {
	paired := map[int]bool{}
	for _, r := range q.Regions() {
		paired[r.First], paired[r.Last] = true, true
	}
	steps := q.Steps
	q.Rewrite(func(i int, s trail.Step) []trail.Step {
		x := &steps[i]
		if s.Lock == nil || !s.Lock.Kind.Exclusive() || s.Node.Class != core.SyncFragment || paired[i] {
			return []trail.Step{s}
		}
		if s.Open {
			return nil // it waited for the lock when the recording ended
		}
		_, acquire := trace.Acquires(x.Node.Op)
		if acquire && x.Succeeded() || trace.Releases(x.Node.Op) {
			dropped++
			return nil
		}
		return []trail.Step{s}
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
func quietRegions(gs []*trail.Pool, cores int, t float64) map[*trail.Node]bool {
	held, waited := map[*trail.Node]int64{}, map[*trail.Node]int64{} // ns
	needed := map[*trail.Resource]bool{}
	owner := map[*trail.Node]*trail.Resource{}
	total := int64(0)
	for _, g := range gs {
		for _, q := range g.Sequences {
			for i := range q.Steps {
				total += q.Steps[i].Gap
				if l := q.Steps[i].Lock; l != nil && l.Monitor != nil {
					needed[l.Monitor] = true
				}
			}
			for _, r := range q.Regions() {
				n := q.Steps[r.First].Node
				owner[n] = r.Lock
				waited[n] += q.Steps[r.First].Waited
				for i := r.First + 1; i <= r.Last; i++ {
					held[n] += q.Steps[i].Gap
				}
			}
		}
	}
	quiet := map[*trail.Node]bool{}
	borrowed := map[*trail.Resource]bool{}
	for n, l := range owner {
		stripes, _ := l.Stripes()
		if l.Scope == core.PerCall {
			stripes = max(1, l.Together)
		}
		limit := t * float64(total)
		if _, known := borrowed[l]; !known {
			borrowed[l] = ownership.FromPool(l)
		}
		private := l.Scope == core.PerThread || l.Scope == core.PerTask && ownership.OwnedByThreads(l) || borrowed[l]
		if l.Kind != core.Semaphore && !needed[l] &&
			(private || float64(held[n])*float64(cores) < limit*float64(stripes) && float64(waited[n]) < limit) {
			quiet[n] = true
		}
	}
	return quiet
}

// dropRegions takes out the regions that begin with one of the operations,
// and failed tries to enter them.
func dropRegions(q *trail.Sequence, quiet map[*trail.Node]bool) {
	gone := map[int]bool{}
	for _, r := range q.Regions() {
		if quiet[q.Steps[r.First].Node] {
			gone[r.First], gone[r.Last] = true, true
		}
	}
	steps := q.Steps
	q.Rewrite(func(i int, s trail.Step) []trail.Step {
		failed := s.Node.Virtual == "failed" && quiet[s.Node.Of]
		if gone[i] || failed || quiet[s.Node] && !steps[i].Succeeded() {
			return nil
		}
		return []trail.Step{s}
	})
}

// Halves takes out halves of regions.
func Halves(tr *trail.Trail) {
	for _, g := range tr.Modelled {
		for _, q := range g.Sequences {
			tr.Halves += dropHalves(q)
		}
	}
}

// QuietRegions takes out the regions that are insignificant.
func QuietRegions(tr *trail.Trail) {
	if tr.Options.Threshold < 0 {
		return
	}
	quiet := quietRegions(tr.Modelled, tr.Trace.Cores, tr.Options.Threshold)
	for _, g := range tr.Modelled {
		for _, q := range g.Sequences {
			dropRegions(q, quiet)
		}
	}
	dropOrphans(tr)
}

// Fold removes the insignificant computations.
func Fold(tr *trail.Trail) {
	if tr.Options.Threshold < 0 {
		return
	}
	for _, g := range tr.Modelled {
		FoldComputations(g.Sequences, tr.Options.Threshold)
	}
}

// dropOrphans takes out the makings of objects of which nothing else is left.
func dropOrphans(tr *trail.Trail) {
	tr.CollectUses()
	used := map[*trail.Resource]bool{}
	for _, r := range tr.Resources {
		used[r] = slices.ContainsFunc(r.Uses, func(u trail.Use) bool { return !u.Step().Node.Makes })
	}
	for _, g := range tr.Modelled {
		for _, q := range g.Sequences {
			q.Rewrite(func(_ int, s trail.Step) []trail.Step {
				if s.Node.Makes && !used[s.Lock] {
					return nil
				}
				return []trail.Step{s}
			})
		}
	}
}
