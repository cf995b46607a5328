package analysis

import (
	"fmt"
	"slices"
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

// anchor multiplies the CPU times of all steps by that factor.
func (b *build) anchor() {
	b.pace, b.systemPace = 1, 1
	if len(b.t.Plain) == 0 || !(b.t.Recorded > 0) || b.t.Dropped > 0 {
		return
	}
	plain, have := slices.Clone(b.t.Plain), b.t.Recorded*(1-b.probeShare())
	system := 0.0
	if len(b.t.PlainSystem) == len(plain) && b.t.RecordedSystem > 0 {
		system = Median(b.t.PlainSystem) / b.t.RecordedSystem
	}
	if system > 1/anchorSystemLimit && system < anchorSystemLimit {
		have -= b.t.RecordedSystem
		have -= 1e-9 * b.uncompiled * (1 - system) // with less to compile, the program is slow for a shorter time
		for i := range plain {
			plain[i] -= b.t.PlainSystem[i]
		}
	} else {
		system = 0
	}
	want := Median(plain)
	f := want / have
	if !(f > 1/anchorLimit && f < anchorLimit) {
		b.assume(fmt.Sprintf("the runs without probes took %.3g s of CPU time, the recorded one %.3g s: too different for one scale, the model has the recorded one's", want, have))
		return
	}
	b.pace, b.systemPace = f, f
	if system > 0 {
		b.systemPace = system
	}
	for _, q := range b.allSequences() {
		for i := range q.steps {
			s := &q.steps[i]
			s.gap, s.cpu = int64(float64(s.gap)*f), int64(float64(s.cpu)*f)
		}
	}
	if system > 0 {
		b.assume(fmt.Sprintf("CPU times are multiplied by %.3f, those of the run-time system's own threads by %.3f: the median of %d runs without probes took %.3g and %.3g s, the recorded one %.3g and %.3g s with probes",
			f, system, len(plain), want, Median(b.t.PlainSystem), have, b.t.RecordedSystem))
		return
	}
	b.assume(fmt.Sprintf("CPU times are multiplied by %.3f: the median of %d runs without probes took %.3g s of CPU time, the recorded one %.3g s with probes",
		f, len(plain), want, b.t.Recorded))
}

// Median returns the median of a sample that is not empty.
func Median(xs []float64) float64 {
	sorted := slices.Sorted(slices.Values(xs))
	return (sorted[len(sorted)/2] + sorted[(len(sorted)-1)/2]) / 2
}

// probeShare is the part of the recorded CPU time that went into records,
// which sequences leave out by themselves.
func (b *build) probeShare() float64 {
	if b.t.ProcessCPU == 0 {
		return 0
	}
	return min(0.9, float64(b.t.records())*b.t.probeCost()/float64(b.t.ProcessCPU))
}

// plainCost is what the program costs without probes, in s of CPU.
func (t *Trace) plainCost() float64 { return Median(t.Plain) }

func (t *Trace) records() (n int) {
	for i := range t.Threads {
		n += len(t.Threads[i].Records)
	}
	return n
}

// Where records are at least manyRecords of the CPU time of the program, what
// each costs is known from this run: it is what the run cost beyond those without
// probes. Records that fill the caches cost more than those of the calibration,
// but not more than dearest times as much.
const (
	manyRecords = 0.05
	dearest     = 8
)

// probeCost is what a record costs, in ns of CPU.
func (t *Trace) probeCost() float64 {
	cost := t.Calibration.ProbeCost * 1e9
	if len(t.Plain) == 0 || t.Dropped > 0 || t.WorkEnd > t.WorkStart {
		return cost
	}
	n, plain := float64(t.records()), t.plainCost()
	if n*cost < manyRecords*plain*1e9 {
		return cost
	}
	return min(max(cost, (t.Recorded-plain)*1e9/n), dearest*cost)
}
