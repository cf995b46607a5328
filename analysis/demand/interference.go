package demand

import (
	"fmt"
	"math"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// Threads that compute at the same time slow each other down: they share
// caches, memory, the address space whose pages and translations the kernel
// keeps coherent, and in a virtual machine the host. The CPU time of the same
// work is then larger on many cores than on one. The front end measures by how
// much in all (Trace.Interference); here it is found which computations had
// company, and their demands become what they are alone. The simulated cores
// are slower the more of them are busy (core.CPU.BusyFactor).
const (
	interferenceNoise   = 0.02 // of CPU time: not told from none
	interferenceCompany = 0.1  // least mean share of company that shows anything
	interferenceLimit   = 10   // a slowdown that is none of the memory's

	// With little company the noise is multiplied: there more than noise on a
	// busy machine is needed.
	littleCompany      = 0.3
	littleCompanyNoise = 0.1
	littleCompanyLimit = 1.0
)

// interferenceDoubt is the interference that is told from the drift of the
// machine's speed by so many runs of each kind: two runs of one kind may differ
// by a third.
var interferenceDoubt = []float64{1: 0.3, 2: 0.1, 3: interferenceNoise}

// interferenceTies is how many pairs of a run on all cores and one on a single
// core may be the other way round, of so many runs of each kind: up to the
// critical value of the rank-sum test, one-sided, at 5 % (Conover 1999, §5.1).
var interferenceTies = []int{1: 0, 2: 0, 3: 0, 4: 1, 5: 4, 6: 7, 7: 11, 8: 15, 9: 21}

// InterferenceOf returns by how much more CPU time the threads of a program
// take on all cores than on one, from runs of each kind: the median over all
// pairs of the two kinds (Conover 1999, §5.4); 0 if the runs do not show it.
func InterferenceOf(together, alone []float64) float64 {
	n := min(len(together), len(alone))
	if n == 0 {
		return 0
	}
	other := 0
	for _, t := range together {
		for _, a := range alone {
			if t <= a {
				other++
			}
		}
	}
	more := MedianRatio(together, alone) - 1
	if other > interferenceTies[min(n, len(interferenceTies)-1)] || more <= interferenceDoubt[min(n, len(interferenceDoubt)-1)] {
		return 0
	}
	return more
}

// MedianRatio returns by what factor the numbers of one sample exceed those of another:
// the median over all pairs of the two. Neither may be empty.
func MedianRatio(xs, ys []float64) float64 {
	var ratios []float64
	for _, x := range xs {
		for _, y := range ys {
			ratios = append(ratios, x/y)
		}
	}
	return trace.Median(ratios)
}

// Interference takes off the CPU time of all steps what computing
// together with others cost them, and remembers the slowdown.
func Interference(tr *trail.Trail) {
	n := tr.Trace.Cores
	if n < 2 || !(tr.Trace.Interference > interferenceNoise) {
		return
	}
	company := company(tr)
	var all, together float64
	for i, q := range tr.AllSequences() {
		for j := range q.Steps {
			d := float64(q.Steps[j].Gap + q.Steps[j].CPU)
			all += d
			together += d * company[i][j]
		}
	}
	if all == 0 || together < interferenceCompany*all || together < littleCompany*all && tr.Trace.Interference < littleCompanyNoise {
		tr.Assumed = append(tr.Assumed, fmt.Sprintf("the same work took %.0f %% less CPU time on one core, but threads seldom computed at the same time: no slowdown is modelled", 100*tr.Trace.Interference/(1+tr.Trace.Interference)))
		return
	}
	// Σ d/(1+s·x) = Σ d/(1+interference) falls in x: bisection.
	target := all / (1 + tr.Trace.Interference)
	low, high := 0.0, float64(interferenceLimit)
	for range 50 {
		x, sum := (low+high)/2, 0.0
		for i, q := range tr.AllSequences() {
			for j := range q.Steps {
				sum += float64(q.Steps[j].Gap+q.Steps[j].CPU) / (1 + x*company[i][j])
			}
		}
		if sum > target {
			low = x
		} else {
			high = x
		}
	}
	if together < littleCompany*all && low > littleCompanyLimit {
		tr.Assumed = append(tr.Assumed, fmt.Sprintf("the same work took %.0f %% less CPU time on one core; threads computed too seldom at the same time for that to be the cause: no slowdown is modelled", 100*tr.Trace.Interference/(1+tr.Trace.Interference)))
		return
	}
	tr.Slowdown = low
	for i, q := range tr.AllSequences() {
		for j := range q.Steps {
			s := &q.Steps[j]
			before := s.Gap + s.CPU
			s.Gap = int64(float64(s.Gap) / (1 + low*company[i][j]))
			s.CPU = int64(float64(s.CPU) / (1 + low*company[i][j]))
			tr.Interfered += before - s.Gap - s.CPU
		}
	}
	tr.Assumed = append(tr.Assumed, fmt.Sprintf("computing on all %d cores at a time is slower by %.0f %% than on one, from runs of the program on all cores and on one", n, 100*low))
}

// BusyFactor is the speed of a core by the number of busy ones: linear in the
// time that a computation takes between one and all.
func BusyFactor(tr *trail.Trail) []float64 {
	if tr.Slowdown == 0 {
		return nil
	}
	f := make([]float64, tr.Trace.Cores)
	for k := range f {
		f[k] = 1 / (1 + tr.Slowdown*float64(k)/float64(len(f)-1))
	}
	return f
}

// SingleSpeed is the speed of a core that is the only one, for what the
// run-time system then does otherwise; 0: it does not.
func SingleSpeed(tr *trail.Trail) float64 {
	if f := 1 + tr.Trace.Alone; f > 0 && tr.Trace.Cores > 1 && math.Abs(tr.Trace.Alone) > interferenceNoise {
		tr.Assume(fmt.Sprintf("with only one core the run-time system sets itself up otherwise, such as with another garbage collector: the program then needs %.0f %% of the CPU time", 100*f))
		return 1 / f
	}
	return 0
}
