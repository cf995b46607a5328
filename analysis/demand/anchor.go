package demand

import (
	"fmt"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// One recorded run has the speed that the machine had in that second, and what
// probes cost beyond the calibrated cost of a record: in caches, in memory that
// the recording fills. The front end also ran the program plainly, several
// times, by turns with the recorded runs. The median of those is what the
// program costs in this configuration, so all CPU times are multiplied by one
// factor that makes the model's sum agree with it: the program's threads by one,
// and those of a run-time system that compiles and collects by another, because
// what they do for the probes delays no thread of the program.

// Factors beyond which, or below one over which, the two kinds of run did not
// do the same. A short program's compilers may be busy with probes most of the time.
const (
	anchorLimit       = 1.5
	anchorSystemLimit = 5
)

// Anchor multiplies the CPU times of all steps by that factor.
func Anchor(tr *trail.Trail) {
	tr.Pace, tr.SystemPace = 1, 1
	if len(tr.Trace.Plain) == 0 || !(tr.Trace.Recorded > 0) || tr.Trace.Dropped > 0 {
		return
	}
	plain, have := slices.Clone(tr.Trace.Plain), tr.Trace.Recorded*(1-ProbeShare(tr))
	system := 0.0
	if len(tr.Trace.PlainSystem) == len(plain) && tr.Trace.RecordedSystem > 0 {
		system = trace.Median(tr.Trace.PlainSystem) / tr.Trace.RecordedSystem
	}
	if system > 1/anchorSystemLimit && system < anchorSystemLimit {
		have -= tr.Trace.RecordedSystem
		have -= 1e-9 * tr.Uncompiled * (1 - system) // with less to compile, the program is slow for a shorter time
		for i := range plain {
			plain[i] -= tr.Trace.PlainSystem[i]
		}
	} else {
		system = 0
	}
	want := trace.Median(plain)
	f := want / have
	if !(f > 1/anchorLimit && f < anchorLimit) {
		tr.Assume(fmt.Sprintf("the runs without probes took %.3g s of CPU time, the recorded one %.3g s: too different for one scale, the model has the recorded one's", want, have))
		return
	}
	tr.Pace, tr.SystemPace = f, f
	if system > 0 {
		tr.SystemPace = system
	}
	for _, q := range tr.AllSequences() {
		for i := range q.Steps {
			s := &q.Steps[i]
			s.Gap, s.CPU = int64(float64(s.Gap)*f), int64(float64(s.CPU)*f)
		}
	}
	if system > 0 {
		tr.Assume(fmt.Sprintf("CPU times are multiplied by %.3f, those of the run-time system's own threads by %.3f: the median of %d runs without probes took %.3g and %.3g s, the recorded one %.3g and %.3g s with probes",
			f, system, len(plain), want, trace.Median(tr.Trace.PlainSystem), have, tr.Trace.RecordedSystem))
		return
	}
	tr.Assume(fmt.Sprintf("CPU times are multiplied by %.3f: the median of %d runs without probes took %.3g s of CPU time, the recorded one %.3g s with probes",
		f, len(plain), want, tr.Trace.Recorded))
}

// ProbeShare is the part of the recorded CPU time that went into records,
// which sequences leave out by themselves.
func ProbeShare(tr *trail.Trail) float64 {
	if tr.Trace.ProcessCPU == 0 {
		return 0
	}
	return min(0.9, float64(tr.Trace.Records())*tr.Trace.ProbeCost()/float64(tr.Trace.ProcessCPU))
}
