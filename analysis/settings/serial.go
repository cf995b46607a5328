package settings

import "tierscope/analysis/trail"

// serialShare is the part of a computation that one thread of several does where it is one thread's alone: the others pass by. Theory: of a
// computation that threads share evenly one has half or less.
const serialShare = 0.9

// serialRounds is how often each thread has to come to a computation: what happens once tells nothing of who does it next time.
// Convention, sensitivity none.
const serialRounds = 10

// serial reports whether a computation is what one thread of a pool does for all, such as a leader between two barriers: it takes as
// long however many threads there are.
func serial(g *trail.Pool, of trail.VertexKey) bool {
	var most, all int64
	for _, q := range g.Sequences {
		mine, times := int64(0), 0
		for i := 1; i < len(q.Steps); i++ {
			if q.Steps[i-1].Node == of.From && q.Steps[i].Node == of.To {
				mine += q.Steps[i].Gap
				times++
			}
		}
		if times < serialRounds {
			return false
		}
		most, all = max(most, mine), all+mine
	}
	return len(g.Sequences) > 1 && float64(most) > serialShare*float64(all)
}
