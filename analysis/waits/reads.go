package waits

import (
	"math"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// begun is of which open files a thread has read.
type begun map[uint64]bool

// again reports whether a step reads on in a file of which its thread has read before, or finds its end there. It is asked for all
// steps of a thread, one after the other.
func (b begun) again(s *trail.Step) bool {
	switch s.Node.Op {
	case trace.OpOpen, trace.OpFileClose:
		delete(b, s.Object)
	case trace.OpFileRead, trace.OpReadDir:
		again := b[s.Object]
		b[s.Object] = s.Object != 0
		return again
	}
	return false
}

// readOn returns the operations of a pool that read on in files more or less often without a request to a disk than they begin to: the
// first read brings what the next ones ask for, and the last one finds nothing. One share for all would have two requests follow
// each other in one file, and none be made in the next.
func readOn(g *trail.Pool) map[*trail.Node]bool {
	by := map[*trail.Node]*twoShares{}
	for _, q := range g.Sequences {
		files := begun{}
		for i := range q.Steps {
			s := &q.Steps[i]
			again := files.again(s)
			if s.Node.Class != core.IOFragment || s.Open {
				continue
			}
			if by[s.Node] == nil {
				by[s.Node] = &twoShares{}
			}
			by[s.Node].add(again, len(s.Requests) == 0)
		}
	}
	on := map[*trail.Node]bool{}
	for n, shares := range by {
		on[n] = shares.differ()
	}
	return on
}

// twoShares are how many executions of either of two kinds found in memory what they asked for.
type twoShares struct{ hits, all [2]float64 }

func (h *twoShares) add(second, hit bool) {
	k := 0
	if second {
		k = 1
	}
	h.all[k]++
	if hit {
		h.hits[k]++
	}
}

// of is the share of hits of a kind.
func (h *twoShares) of(k int) float64 { return h.hits[k] / h.all[k] }

// differ reports whether one kind hits more often than the other, by a share that matters and by more than chance: two shares of n
// executions each differ by less than three standard errors in 99.7 % of the cases.
func (h *twoShares) differ() bool {
	const (
		fewest = 30   // executions of either kind. Convention of statistics for a normal law, sensitivity none
		least  = 0.05 // share that matters. Convention, sensitivity none
		apart  = 3.0  // standard errors. Theory: by chance once in 370 cases
	)
	if h.all[0] < fewest || h.all[1] < fewest {
		return false
	}
	p := (h.hits[0] + h.hits[1]) / (h.all[0] + h.all[1])
	se := math.Sqrt(p * (1 - p) * (1/h.all[0] + 1/h.all[1]))
	d := math.Abs(h.of(1) - h.of(0))
	return d > least && d > apart*se
}
