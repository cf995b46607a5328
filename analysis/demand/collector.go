package demand

import (
	"fmt"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
	"tierscope/core/quantity"
)

// CollectorParameter makes how much is allocated between two collections a
// parameter, where the program can be told: it allocates that much in proportion
// to its live heap (Go: to the larger of that and 4 MB, runtime/mgcpacer.go,
// gcController.heapMinimum), and so works in proportion. What a cycle costs depends
// on the live heap, not on that. ok is false if the model has no collector that it
// drives.
func CollectorParameter(tr *trail.Trail, m *core.Model) (p core.Parameter, ok bool) {
	knob := tr.Trace.Runtime.Collector.Percent
	percent, on := knob.In(tr.Input.Workload.Env)
	if !on || len(m.Background) == 0 {
		return p, false
	}
	bg := m.Background[0]
	p = core.Parameter{Name: knob.Name, Unit: "%", Default: percent, Min: 1, Max: 100_000, Integer: true,
		SupportedMin: max(1, percent/trail.RangeFactor), SupportedMax: percent * trail.RangeFactor, How: knob.Name + "={value}",
		Description: "memory allocated between garbage collections, relative to what lives"}
	p.Targets = []core.Target{{Path: "background/" + bg.ID + "/interval", Factor: bg.Interval.Value / percent}}
	return p, true
}

// Background returns what the run-time system does beside the program.
func Background(tr *trail.Trail) []core.Background {
	if tr.Server {
		return append(collector(tr, tr.Trace.GC), steadyCompiler(tr)...)
	}
	if len(tr.Stages) == 0 {
		all := slices.Clone(tr.Trace.GC)
		for _, c := range tr.Trace.Compiler {
			if c.CPU > 0 {
				all = append(all, trace.Collection{Start: c.Start, End: c.End, CPU: c.CPU})
			}
		}
		return collector(tr, all)
	}
	return append(collector(tr, tr.Trace.GC), compiler(tr))
}

// steadyCompiler returns what compilers of a server that is warm still do. They go on by
// the clock: methods become worth it one after the other, whatever the load is then.
func steadyCompiler(tr *trail.Trail) []core.Background {
	var demand []int64
	for _, c := range tr.Trace.Compiler {
		if c.CPU > 0 && c.Start >= tr.Trace.WorkStart && c.End <= tr.Trace.WorkEnd {
			demand = append(demand, int64(tr.SystemPace*float64(c.CPU)))
		}
	}
	if len(demand) == 0 {
		return nil
	}
	every := float64(tr.Trace.WorkEnd-tr.Trace.WorkStart) / float64(len(demand)) * 1e-9
	return []core.Background{{ID: tr.Trace.Runtime.Compiler, Trigger: core.EveryPeriod,
		Interval: core.Distribution{Kind: core.Exponential, Mean: every}, Demand: trail.Empirical(demand)}}
}

// collector returns the garbage collector as a load that grows with the CPU
// time of the program's threads: cycles follow allocation, and a thread
// allocates in proportion to the work that it does.
func collector(tr *trail.Trail, collections []trace.Collection) []core.Background {
	begin, end := tr.Trace.Begin, tr.Trace.End
	if tr.Server {
		begin, end = tr.Trace.WorkStart, tr.Trace.WorkEnd
	}
	var cpu, assist int64
	var demand, pauses []int64
	scale := tr.SystemPace * collectorExcess(tr) / (1 + tr.Slowdown)
	if tr.Cold != nil {
		scale *= tr.Warmth // it runs on the same cold cores
	}
	for _, c := range collections {
		if c.End < begin || c.Start > end {
			continue
		}
		demand = append(demand, int64(scale*float64(c.CPU+c.Assist)))
		pauses = append(pauses, c.Pause)
		cpu, assist = cpu+c.CPU, assist+c.Assist
	}
	if len(demand) == 0 {
		return nil
	}
	var work int64
	for _, g := range tr.Modelled {
		work += tr.Graphs[g].CpuTime()
	}
	if work == 0 {
		return nil
	}
	n := float64(len(demand))
	bg := core.Background{ID: "garbage collector", Trigger: core.EveryCPU,
		Interval: core.Distribution{Kind: core.Constant, Value: float64(work) / n * 1e-9},
		Demand:   trail.Empirical(demand), Share: tr.Trace.Runtime.Collector.Share,
		Assist: float64(assist) / max(1, float64(cpu+assist))}
	if compiler := tr.Trace.Runtime.Compiler; compiler != "" && !tr.Server {
		bg.ID = compiler + " and " + bg.ID
	}
	if pauses = undisturbed(tr, pauses); pauses[len(pauses)-1] > 0 {
		bg.Pause = trail.Empirical(pauses)
		if tr.Trace.Cores > 1 {
			bg.PauseCores = tr.Trace.Cores
		}
	}
	return []core.Background{bg}
}

// collectorExcess is by what to multiply the CPU time that the run-time system
// charges to its collector where it measures that by the clock on the wall: on a busy
// machine it counts what other programs used. The threads' CPU time is exact, and
// together they cannot have used more than the process.
func collectorExcess(tr *trail.Trail) float64 {
	var charged float64
	for _, c := range tr.Trace.GC {
		charged += float64(c.CPU + c.Assist + c.Idle)
	}
	left := float64(tr.Trace.ProcessCPU) - 1e9*tr.Trace.ThreadTime() // both with what records cost
	if tr.Trace.ProcessCPU == 0 || charged <= left || !tr.Trace.Runtime.Collector.WallClock {
		return 1
	}
	f := max(left/charged, collectorLeast)
	tr.Assume(fmt.Sprintf("the collector is charged with more CPU time than the process had left: multiplied by %.2f", f))
	return f
}

// collectorLeast is the least part of the time charged to the collector that is
// taken for its own. Convention, sensitivity none.
const collectorLeast = 0.1

// pauseSpread is how many times as long as the first decile a pause may be.
// Convention, sensitivity slight.
const pauseSpread = 4

// undisturbed sorts the pauses and leaves out those in which, to judge by
// their length, a thread that had to stop first waited until another program
// gave its core back: on a machine of one's own they vary less.
func undisturbed(tr *trail.Trail, pauses []int64) []int64 {
	slices.Sort(pauses)
	n := len(pauses)
	for longest := pauseSpread * pauses[n/10]; longest > 0 && pauses[n-1] > longest; n-- {
	}
	if n < len(pauses) {
		tr.Assume(fmt.Sprintf("%d of %d pauses of the collector were longer than %s, the longest %s: they are taken for waits for cores that other programs had",
			len(pauses)-n, len(pauses), quantity.Format(1e-9*float64(pauses[n-1]), "s"), quantity.Format(1e-9*float64(pauses[len(pauses)-1]), "s")))
	}
	return pauses[:n]
}
