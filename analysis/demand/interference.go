package demand

import (
	"fmt"

	"tierscope/analysis/trail"
)

// Threads that compute at the same time slow each other down: they share
// caches, memory, the address space whose pages and translations the kernel
// keeps coherent, and in a virtual machine the host. The CPU time of the same
// work is then larger on many cores than on one. The runs of the front end show by how
// much in all (Company in FitTrace); here it is found which computations had
// company, and their demands become what they are alone. The simulated cores
// are slower the more of them are busy (core.CPU.BusyFactor).
const (
	// interpolates is the mean share of company from which the recorded run is
	// nearer to company all the time than to none. Theory: the middle between the two.
	interpolates = 0.5
	// slowdownMost bounds the search: a cache line that cores write by turns
	// costs them about ten times what it costs one. Convention, sensitivity none.
	slowdownMost = 10
)

// Interference takes off the CPU time of all steps what computing
// together with others cost them, and remembers the slowdown.
func Interference(tr *trail.Trail) {
	slow := findSlowStart(tr)
	tr.Warms = slow != nil && slow.told
	n := tr.Trace.Cores
	if n < 2 {
		return
	}
	if tr.Timed {
		tr.Assume("whether threads are slower side by side is not known: the program works until it is told to stop, so its runs did not do the same work")
		return
	}
	w := companyOf(tr)
	tr.Company = w.mean()
	f := FitTrace(tr.Trace, tr.Warms, tr.Company).Factor(Company)
	if f.Runs == 0 {
		return
	}
	low, high := f.Interval(0.95)
	if !f.Kept && high < 1 {
		tr.Turns = 1 / f.Estimate
		tr.Assume(fmt.Sprintf("threads that take turns at one core need %.0f %% more CPU time than on all %d cores (95 %% interval %.0f to %.0f %%), from %d runs on each: they drive each other out of its caches",
			100*(tr.Turns-1), n, 100*(1/high-1), 100*(1/low-1), f.Runs))
		return
	}
	if !f.Kept {
		tr.Assume(fmt.Sprintf("threads are not slower side by side: %d runs on all cores cost %.2f times those on one (95 %% interval %.2f to %.2f), which chance may have made", f.Runs, f.Estimate, low, high))
		return
	}
	limit := float64(slowdownMost)
	if tr.Company < interpolates {
		// With all cores busy they do at least as much as one does alone: that is n times slower at
		// most. What is worse than that has to be seen, not inferred from a little company.
		limit = float64(n - 1)
	}
	if low > w.longer(limit) {
		tr.Contradict(fmt.Sprintf("the same work takes %.0f %% more CPU time on all %d cores than on one (95 %% interval %.0f to %.0f %%), but threads had company for %.0f %% of it only, which explains %.0f %% at most: no slowdown is modelled",
			100*(f.Estimate-1), n, 100*(low-1), 100*(high-1), 100*tr.Company, 100*(w.longer(limit)-1)))
		return
	}
	s := w.slowdown(f.Estimate, limit)
	tr.Slowdown = s
	for i, q := range tr.AllSequences() {
		for j := range q.Steps {
			step := &q.Steps[j]
			before := step.Gap + step.CPU
			step.Gap = int64(float64(step.Gap) / (1 + s*w.share[i][j]))
			step.CPU = int64(float64(step.CPU) / (1 + s*w.share[i][j]))
			tr.Interfered += before - step.Gap - step.CPU
		}
	}
	tr.Assume(fmt.Sprintf("computing on all %d cores at a time is slower by %.0f %% than on one (95 %% interval %.0f to %.0f %%), from %d runs of the program on all cores, and those on one", n, 100*s, 100*w.slowdown(low, limit), 100*w.slowdown(high, limit), f.Runs))
}

// withCompany is what threads computed, and in which company.
type withCompany struct {
	cpu   []float64 // ns
	had   []float64 // share of the other cores that were busy, of each
	share [][]float64
}

func companyOf(tr *trail.Trail) *withCompany {
	w := &withCompany{share: company(tr)}
	for i, q := range tr.AllSequences() {
		for j := range q.Steps {
			if d := float64(q.Steps[j].Gap + q.Steps[j].CPU); d > 0 {
				w.cpu, w.had = append(w.cpu, d), append(w.had, w.share[i][j])
			}
		}
	}
	return w
}

// mean is the mean share of company.
func (w *withCompany) mean() float64 {
	var sum, all float64
	for i, d := range w.cpu {
		sum, all = sum+d*w.had[i], all+d
	}
	return sum / max(all, 1)
}

// longer is by what factor it took longer than alone if company of all cores slows it by s:
// Σ d / Σ d/(1+s·x).
func (w *withCompany) longer(s float64) float64 {
	var all, alone float64
	for i, d := range w.cpu {
		all, alone = all+d, alone+d/(1+s*w.had[i])
	}
	if alone == 0 {
		return 1
	}
	return all / alone
}

// slowdown is the s, up to a limit, by which it took longer by a factor, by bisection: longer grows with s.
func (w *withCompany) slowdown(factor, limit float64) float64 {
	low, high := 0.0, limit
	const halvings = 50 // Theory: to 2⁻⁵⁰, the precision of a number
	for range halvings {
		if s := (low + high) / 2; w.longer(s) < factor {
			low = s
		} else {
			high = s
		}
	}
	return low
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
