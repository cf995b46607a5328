package demand

import (
	"fmt"
	"math"

	"tierscope/analysis/trail"
	"tierscope/core/quantity"
	"tierscope/core/robust"
)

// One recorded run has the speed that the machine had in that second, and what
// probes cost beyond the calibrated cost of a record: in caches, in memory that
// the recording fills. The front end also ran the program plainly, several
// times, by turns with the recorded runs. What those cost, by the fit of all runs, is what the
// program costs in this configuration, so all CPU times are multiplied by one
// factor that makes the model's sum agree with it: the program's threads by one,
// and those of a run-time system that compiles and collects by another, because
// what they do for the probes delays no thread of the program.

// Factors beyond which, or below one over which, the two kinds of run did not
// do the same, besides what the build with probes takes longer where they are switched off: a loop that lies otherwise in the
// memory may take twice as long. A short program's compilers may be busy with probes most of the time.
const (
	anchorLimit       = 1.5 // Convention, sensitivity none
	anchorSystemLimit = 5   // Convention, sensitivity slight
)

// Anchor multiplies the CPU times of all steps by that factor.
func Anchor(tr *trail.Trail) {
	tr.Pace, tr.SystemPace = 1, 1
	t := tr.Trace
	if len(t.Plain) == 0 || !(t.Recorded > 0) || t.Dropped > 0 || tr.Timed {
		return
	}
	fit := FitTrace(t, tr.Warms, tr.Company)
	want := fit.Cost(ownTime, Company, Uncompiled)
	_, have := plainOwn(t)
	system, apart := systemPace(t)
	if apart {
		have -= 1e-9 * tr.Uncompiled * (1 - system) // with less to compile, the program is slow for a shorter time
	}
	f, placed := want/have, 1.0
	if !math.IsNaN(t.OverheadOff) {
		placed += t.OverheadOff
	}
	if same := f * placed; !(same > 1/anchorLimit && same < anchorLimit) {
		tr.Assume(fmt.Sprintf("the runs without probes took %s of CPU time, the recorded one %s: too different for one scale, the model has the recorded one's", quantity.Format(want, "s"), quantity.Format(have, "s")))
		return
	}
	tr.Pace, tr.SystemPace = f, f
	did := t.RecordedSystem
	if apart {
		tr.SystemPace = system
		if work := systemWork(t); work > 0 && !tr.Server {
			did, tr.SystemPace = work, robust.Median(t.PlainSystem)/work
		}
	}
	for _, q := range tr.AllSequences() {
		for i := range q.Steps {
			s := &q.Steps[i]
			s.Gap, s.CPU = int64(float64(s.Gap)*f), int64(float64(s.CPU)*f)
		}
	}
	is := fmt.Sprintf("%.3f (95 %% interval ±%.1f %%)", f, 100*fit.precision(len(t.Plain)))
	if apart {
		tr.Assume(fmt.Sprintf("CPU times are multiplied by %s, those of the run-time system's own threads by %.3f: %s without probes took %s and %s, the recorded one %s and %s with probes",
			is, tr.SystemPace, quantity.Plural(len(t.Plain), "run"), quantity.Format(want, "s"), quantity.Format(robust.Median(t.PlainSystem), "s"), quantity.Format(have, "s"), quantity.Format(did, "s")))
		return
	}
	tr.Assume(fmt.Sprintf("CPU times are multiplied by %s: %s without probes took %s of CPU time, the recorded one %s with probes",
		is, quantity.Plural(len(t.Plain), "run"), quantity.Format(want, "s"), quantity.Format(t.Recorded, "s")))
}

// precision is half the 95 % interval of a mean of n runs, relatively.
func (f *Fit) precision(n int) float64 {
	return math.Expm1(quantile(0.975, f.Freedom) * f.Spread / math.Sqrt(float64(n)))
}
