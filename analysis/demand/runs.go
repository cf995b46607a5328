package demand

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"tierscope/analysis/trace"
	"tierscope/core/robust"
)

// What is measured of runs.
const (
	threadsTime = "threads"             // CPU time of a recorded run's threads, as if all code had been compiled
	ownTime     = "program"             // of what the program does itself, without the system's compilers and collector
	oneCoreTime = "process on one core" // of a run without probes
)

// Causes for which runs of one program differ.
const (
	// Company: threads compute at the same time on several cores.
	Company = "company"
	// Uncompiled: the same, of code that is not compiled yet (warmupcompany.go). Package
	// calibrate finds which part of the slowness it is.
	Uncompiled = "company while not compiled"
	// Recording: probes beyond what is subtracted for each record, and the speed that the
	// machine had in the recorded run.
	Recording = "recording"
	// OneCore: the run-time system sets itself up for one core.
	OneCore = "set up for one core"
)

// usualCompany is what company of all cores usually costs. Measured: root mean square of the logarithm of its factor in 36 programs in C, Go
// and Java on two virtual cores, 0.09, of which 0.04 is the error of its measurement.
const usualCompany = 0.08

// Causes are all causes, in the order in which they are reported. had: the share of the other cores that computed beside the program's
// threads: that of what is usual it costs.
func Causes(had float64) []Cause {
	return []Cause{{Name: Company, Slows: true, Usual: max(usualCompany*had, exact)}, {Name: Uncompiled, Slows: true}, {Name: Recording}, {Name: OneCore}}
}

// FitTrace fits what the runs beside a recording cost; warms: it shows how its code became fast. Where it does not,
// what company costs such code is told apart from nothing, and is that of all code. had: which share of the other cores was company.
func FitTrace(t *trace.Trace, warms bool, had float64) *Fit {
	return FitRuns(observations(t, warms), Causes(had))
}

// observations are all runs of the program that the recording knows of.
func observations(t *trace.Trace, warms bool) (all []Observation) {
	add := func(of string, costs []float64, causes ...string) {
		for _, c := range costs {
			all = append(all, Observation{of, c, causes})
		}
	}
	runs := runsOf(t)
	add(threadsTime, runs.All, Company)
	add(threadsTime, runs.One)
	add(oneCoreTime, runs.Told)
	add(oneCoreTime, runs.Single, OneCore)
	own, recorded := plainOwn(t)
	together := []string{Company}
	if warms {
		together = append(together, Uncompiled)
	}
	add(ownTime, own, together...)
	add(ownTime, t.PlainAlone)
	if len(own) > 0 && t.Dropped == 0 {
		add(ownTime, []float64{recorded}, append(together, Recording)...)
	}
	return all
}

// plainOwn is what the program did itself in the plain runs and in the recorded one, in s of CPU, without
// the records. What the system's threads did is in it where that was not measured.
func plainOwn(t *trace.Trace) (plain []float64, recorded float64) {
	plain, recorded = slices.Clone(t.Plain), t.Recorded*(1-ProbeShare(t))
	if _, ok := systemPace(t); !ok {
		return plain, recorded
	}
	for i, s := range t.PlainSystem {
		plain[i] -= s
	}
	return plain, recorded - t.RecordedSystem
}

// ProbeShare is the part of the recorded CPU time that went into records,
// which sequences leave out by themselves.
func ProbeShare(t *trace.Trace) float64 {
	const most = 0.9 // something is left. Convention, sensitivity none
	if t.ProcessCPU == 0 {
		return 0
	}
	return min(most, float64(t.Records())*t.ProbeCost()/float64(t.ProcessCPU))
}

// runsOf are the runs on all cores and on one. Of a recording that has only their ratios, runs with that
// ratio which spread as the plain ones do stand for them.
func runsOf(t *trace.Trace) trace.Runs {
	r := t.Runs
	if len(r.All) == 0 && (t.Interference != 0 || len(t.PlainAlone) > 0) {
		r.All, r.One = standIns(t.Plain, 1+t.Interference), standIns(t.Plain, 1)
	}
	if len(r.Single) == 0 && t.Alone != 0 {
		r.Single, r.Told = standIns(t.Plain, 1+t.Alone), standIns(t.Plain, 1)
	}
	return r
}

// standIns are as many runs as there are, with their spread about a mean in s; one where there are none.
func standIns(runs []float64, mean float64) []float64 {
	if len(runs) == 0 {
		return []float64{mean}
	}
	center := stat.GeometricMean(runs, nil)
	out := slices.Clone(runs)
	for i := range out {
		out[i] *= mean / center
	}
	return out
}

// systemWork is the CPU time of the system's own threads that a recording has, s.
func systemWork(t *trace.Trace) (s float64) {
	for _, c := range t.GC {
		s += 1e-9 * float64(c.CPU)
	}
	for _, c := range t.Compiler {
		s += 1e-9 * float64(c.CPU)
	}
	return s
}

// systemPace is what the system's own threads use without probes over what they used in
// the recorded run; false: it was not measured, or the two did not do the same.
func systemPace(t *trace.Trace) (float64, bool) {
	if len(t.PlainSystem) != len(t.Plain) || !(t.RecordedSystem > 0) || len(t.Plain) == 0 {
		return 0, false
	}
	pace := robust.Median(t.PlainSystem) / t.RecordedSystem
	return pace, math.Abs(math.Log(pace)) < math.Log(anchorSystemLimit)
}
