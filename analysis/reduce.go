package analysis

import "tierscope/core"

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

// quietLocks returns the locks whose regions are insignificant: never
// contended in the run, and held so shortly that with all cores running the
// program they would be in use for less than the fraction t of the time
// ("every synchronization region is represented as a pair of CFs, even if it
// is very short and never becomes contended in practice", §4.3.1).
func quietLocks(rs []*resource, gs []*group, cores int, t float64) map[*resource]bool {
	busy := map[*resource]int64{} // ns of CPU under the lock, over all threads
	total := int64(0)
	for _, g := range gs {
		for _, q := range g.seqs {
			q.held(func(i int, locks []*resource) {
				total += q.steps[i].gap
				for _, l := range locks {
					busy[l] += q.steps[i].gap
				}
			})
		}
	}
	quiet := map[*resource]bool{}
	for _, r := range rs {
		switch r.kind {
		case core.Mutex, core.RWLock, core.Semaphore:
		case core.Once:
			quiet[r] = true
			continue
		default:
			continue
		}
		if r.kind == core.Semaphore || r.waits > 0 {
			continue
		}
		stripes, _ := r.stripes()
		if r.scope == core.PerThread || r.scope == core.PerTask && r.ownedByThreads() ||
			float64(busy[r])*float64(cores) < t*float64(total)*float64(stripes) {
			quiet[r] = true
		}
	}
	return quiet
}
