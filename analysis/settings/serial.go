package settings

import "tierscope/analysis/trail"

// serialShare is the part of a computation that one thread of several does where it is one thread's alone: the others pass by. Theory: of a
// computation that threads share evenly one has half or less.
const serialShare = 0.9

// serialRounds is how often each thread has to come to a computation: what happens once tells nothing of who does it next time.
// Convention, sensitivity none.
const serialRounds = 10

// serial returns the computations that one thread of a pool does for all, such as a leader between two barriers: they take as
// long however many threads there are.
func serial(g *trail.Pool) map[trail.VertexKey]bool {
	type done struct {
		most, all int64 // ns
		threads   int   // that come to it often enough
	}
	by := map[trail.VertexKey]done{}
	for _, q := range g.Sequences {
		mine, times := map[trail.VertexKey]int64{}, map[trail.VertexKey]int{}
		for i := 1; i < len(q.Steps); i++ {
			k := trail.VertexKey{From: q.Steps[i-1].Node, To: q.Steps[i].Node}
			mine[k] += q.Steps[i].Gap
			times[k]++
		}
		for k, ns := range mine {
			if times[k] >= serialRounds {
				d := by[k]
				by[k] = done{max(d.most, ns), d.all + ns, d.threads + 1}
			}
		}
	}
	out := map[trail.VertexKey]bool{}
	for k, d := range by {
		out[k] = d.threads > 1 && d.threads == len(g.Sequences) && float64(d.most) > serialShare*float64(d.all)
	}
	return out
}
