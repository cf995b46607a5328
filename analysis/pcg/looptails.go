package pcg

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"tierscope/analysis/trail"
)

// Behind the last operation in a loop, a thread finishes its last round and goes on with what comes next:
//
//	for w := range workers { work[w] <- part(w) }
//	own(part)
//	for range workers { <-results }
//
// That is no part of a round, or it would be done as often as there are workers. The rounds before it show how long a round takes to
// its end.

// clearlyLonger is by how many standard errors what follows the last round has to be longer than what ends the others. Convention, sensitivity
// slight: the chance that an exponential time is by so much longer than its mean is 1 in 400.
const clearlyLonger = 5

// tail returns what a round of a loop computes after its last operation, in ns of CPU; false: what follows the last round is no
// more than that, or next to nothing of what threads compute.
func tail(l *trail.Loop, computed int64) (ns int64, ok bool) {
	var rounds, last []float64
	for _, e := range l.Entries {
		steps := e.Seq.Steps
		if !e.Ended || e.Broken || e.Past >= len(steps) {
			continue
		}
		last = append(last, float64(steps[e.Past].Gap))
		for _, h := range e.Heads[1:] {
			if steps[h-1].Node == steps[e.Past-1].Node {
				rounds = append(rounds, float64(steps[h].Gap))
			}
		}
	}
	if len(last) == 0 || len(rounds) < 2 {
		return 0, false
	}
	mean, sd := stat.MeanStdDev(rounds, nil)
	err := sd * math.Sqrt(1/float64(len(rounds))+1/float64(len(last)))
	more := stat.Mean(last, nil) - mean
	return int64(mean), more > clearlyLonger*err && more*float64(len(last)) >= DefaultThreshold*float64(computed)
}

// computed is the CPU time between the operations of threads, ns.
func computed(qs []*trail.Sequence) (ns int64) {
	for _, q := range qs {
		for i := range q.Steps {
			ns += q.Steps[i].Gap
		}
	}
	return ns
}
