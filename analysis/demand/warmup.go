package demand

import (
	"fmt"
	"sort"

	"tierscope/analysis/trail"
	"tierscope/core"
	"tierscope/core/quantity"
)

// A program whose code is compiled while it runs is slow until it is. The
// compilers' threads share the cores with the program's: the more of these compute,
// the longer it is slow, and the more CPU time it takes.
//
//	compilers  ▄▄▄▄▄▄▄▄▄▄▄▄▄▁▁▁▁▁   W s of CPU, at the share of a core that they get
//	speed v    ░░░░░▒▒▒▒▒▓▓▓██████   grows with the work that they have done
//
// One run shows both. It is divided where the compilers had done 1/64, 2/64, …
// of their work. A computation between the same two code fragments does the
// same each time on average, say w; so v in a part of the run is the work done in
// it, Σ w, over its CPU time. Both are found by turns, with v never falling. Demands
// become those at full speed, and the compilers' work becomes stages of
// core.Background.
const (
	warmupParts      = 64        // of the compilers' work. Convention, sensitivity slight
	warmupRepeats    = 8         // executions of a computation that are compared. Convention, sensitivity slight
	warmupCovered    = 0.5       // least part of the CPU time that these must have. Convention, sensitivity strong
	warmupEvidence   = 0.1       // least part of the CPU time of a part of the run that they must have to tell its speed. Convention, sensitivity slight
	warmupGain       = 0.02      // of the CPU time that slowness must explain. Convention, sensitivity slight
	warmupDeviations = 3         // standard errors that it must be. Theory: by chance once in 740 cases (normal law, one side)
	warmupSlow       = 0.95      // a speed below it is slow. Convention, sensitivity strong
	warmupFull       = 0.05      // least part of the CPU time that tells full speed. Convention, sensitivity slight
	warmupRounds     = 200       // at most, of the search. Convention, sensitivity none
	warmupExact      = 1e-4      // change of a speed that ends the search. Convention, sensitivity slight
	warmupStages     = 32        // most stages of one slowdown. Convention, sensitivity slight
	slowest          = 0.01      // speed: interpreters are not slower. Convention, sensitivity slight
	backlogged       = 0.8       // of the time that a compiler computes or waits for a core: there is more to do. Convention, sensitivity strong
	backlogNear      = 2         // intervals before and after one that are looked at with it. Convention, sensitivity slight
	progressWidth    = 1_000_000 // ns, of the intervals in which the compilers' work is told. Convention, sensitivity slight
	mostSlowed       = 0.99      // of the CPU time that slowness may be said to have cost. Convention, sensitivity none
)

// warmup is how a recorded run became fast.
type warmup struct {
	edges []int64   // ns: when a part of the compilers' work began; the last is the end of the run
	speed []float64 // in each part; 1 is full speed
}

// execution is one of a computation between two fragments.
type execution struct {
	kind     [2]*trail.Node
	from, to int64 // ns
	cost     float64
	step     *trail.Step
	start    int64 // ns of CPU before, of the start of the run-time system, which is never slow
}

// slowStart is what a recorded run shows of its warm-up.
type slowStart struct {
	*warmup
	all  []execution
	fit  *warmupFit
	lost float64 // ns of CPU that slowness cost
	told bool    // what is repeated shows it, and that it is more than chance
}

// findSlowStart looks for it; nil: it cannot be known.
func findSlowStart(tr *trail.Trail) *slowStart {
	if tr.Server || len(tr.Trace.Compiler) == 0 {
		return nil
	}
	var all []execution
	started := tr.Trace.Start == 0
	for _, q := range tr.AllSequences() {
		var before *trail.Node
		for j := range q.Steps {
			s := &q.Steps[j]
			if cost := s.Gap + s.CPU; cost > 0 && !s.Open {
				e := execution{kind: [2]*trail.Node{before, s.Node}, from: s.Start - s.GapWall, to: max(s.End, s.Start), step: s}
				if !started && q.Thread.Born == tr.Trace.Begin {
					e.start, started = min(tr.Trace.Start, s.Gap), true
					e.from += e.start
				}
				e.cost = float64(cost - e.start)
				all = append(all, e)
			}
			before = s.Node
		}
	}
	if len(all) == 0 {
		return nil
	}
	w := &warmup{edges: compileEdges(tr)}
	x := &slowStart{warmup: w, all: all, fit: newWarmupFit(w, all)}
	if x.fit.covered < warmupCovered*x.fit.total {
		return x
	}
	x.fit.solve()
	for _, e := range all {
		x.lost += e.cost * (1 - w.speedOf(e.from, e.to))
	}
	x.told = x.lost >= warmupGain*x.fit.total && x.fit.significant()
	return x
}

// WarmUp makes the demands those of compiled code, if the run shows by how
// much it is faster than what is not.
func WarmUp(tr *trail.Trail) {
	if tr.Options.NoWarmUp {
		return
	}
	x := findSlowStart(tr)
	switch {
	case x == nil:
		return
	case x.fit.covered < warmupCovered*x.fit.total:
		tr.Assume(fmt.Sprintf("how slow code is before it is compiled is not known: computations that are repeated have only %.0f %% of the CPU time; the compilers' work is taken for one that goes on as long as the program", 100*x.fit.covered/max(x.fit.total, 1)))
		return
	case !x.told:
		return
	}
	during := 0.0
	for _, e := range x.all {
		if x.speedOf(e.from, e.to) < warmupSlow {
			during += e.cost
		}
	}
	tr.Stages = compileStages(tr, x.warmup, x.all)
	tr.Uncompiled, tr.Others = x.lost, x.company()
	for _, e := range x.all {
		v := x.speedOf(e.from, e.to)
		e.step.Gap, e.step.CPU = e.start+int64(float64(e.step.Gap-e.start)*v), int64(float64(e.step.CPU)*v)
	}
	tr.Assume(fmt.Sprintf("until its compilers had done %s of work, code took %.2g times as long as when it was compiled: %.0f %% of the CPU time of this run was lost to that; the more threads compute beside the compilers, the longer it lasts",
		quantity.Format(WorkUntilFull(tr.Stages), "s"), during/(during-min(x.lost, mostSlowed*during)), 100*x.lost/x.fit.total))
}

// compileEdges divides the run at equal amounts of the compilers' work.
func compileEdges(tr *trail.Trail) []int64 {
	total := CompileWork(tr)
	edges := []int64{tr.Trace.Begin}
	done := int64(0)
	for _, c := range tr.Trace.Compiler {
		for c.CPU > 0 && len(edges) < warmupParts {
			next := total * int64(len(edges)) / warmupParts
			if done+c.CPU < next {
				break
			}
			edges = append(edges, max(edges[len(edges)-1], c.Start+(c.End-c.Start)*(next-done)/c.CPU))
		}
		done += c.CPU
	}
	return append(edges, max(tr.Trace.End, edges[len(edges)-1]))
}

// CompileWork is the CPU time of the compilers, ns.
func CompileWork(tr *trail.Trail) (sum int64) {
	for _, c := range tr.Trace.Compiler {
		sum += c.CPU
	}
	return sum
}

// parts calls f with the parts of the run that an interval lies in, and its
// share in each.
func (w *warmup) parts(from, to int64, f func(part int, share float64)) {
	last := len(w.edges) - 2
	i := sort.Search(last, func(i int) bool { return w.edges[i+1] > from })
	if to <= from {
		f(i, 1)
		return
	}
	for length := float64(to - from); ; i++ {
		if i == last || w.edges[i+1] >= to {
			f(i, float64(to-from)/length)
			return
		}
		if end := w.edges[i+1]; end > from {
			f(i, float64(end-from)/length)
			from = end
		}
	}
}

// speedOf is the mean speed in an interval.
func (w *warmup) speedOf(from, to int64) (v float64) {
	w.parts(from, to, func(i int, share float64) { v += share * w.speed[i] })
	return v
}

// compileStages makes stages of the compilers' work, in the CPU times of the
// recorded run. Compilers take what is executed most first (HotSpot, compilationPolicy.cpp, select_task): what
// makes code faster (warmup.hot) was there to be compiled when they began it, and what does not when there began to be always more to do.
func compileStages(tr *trail.Trail, w *warmup, all []execution) []core.Stage {
	progress := occupancy{begin: tr.Trace.Begin, width: max(progressWidth, (tr.Trace.End-tr.Trace.Begin)>>16)}
	for _, e := range all {
		w.parts(e.from, e.to, func(i int, share float64) {
			from, to := max(e.from, w.edges[i]), min(e.to, w.edges[i+1])
			progress.add(from, max(to, from+1), int64(e.cost*share*w.speed[i]))
		})
	}
	done := progress.sums()
	var stages []core.Stage
	total, least := CompileWork(tr), 1e-9*float64(CompileWork(tr))/warmupStages
	start := 1e-9 * float64(tr.Trace.Start)
	after, busy, compiled, gained := start, false, int64(0), false
	for i, c := range tr.Trace.Compiler {
		now := backlog(tr, i)
		if !now || !busy {
			after = max(after, start+1e-9*done(c.Start))
		}
		busy = now
		if c.CPU == 0 {
			continue
		}
		part := (compiled + c.CPU/2) * warmupParts / total
		compiled += c.CPU
		gains := w.hot(int(part))
		if gains {
			after = max(after, start+1e-9*done(c.Start))
		}
		next := core.Stage{After: after, Demand: 1e-9 * float64(c.CPU), Slowdown: 1/w.speed[part] - 1}
		if n := len(stages); n > 0 && stages[n-1].Slowdown == next.Slowdown && gains == gained && (gains || stages[n-1].After == after || stages[n-1].Demand < least) {
			stages[n-1].Demand += next.Demand
			continue
		}
		gained = gains
		stages = append(stages, next)
	}
	return stages
}

// hot reports whether compilers work in a part at what makes code faster at the next rise of its speed. Of
// what they do between two of these nothing tells where that begins; it is taken for half.
func (w *warmup) hot(part int) bool {
	from, to := part, part+1
	for from > 0 && w.speed[from-1] == w.speed[part] {
		from--
	}
	for to < len(w.speed) && w.speed[to] == w.speed[part] {
		to++
	}
	return to < len(w.speed) && 2*part+1 >= from+to
}

// backlog reports whether compilers had more to do than they could around interval
// i: all the time one computed, or waited for a core.
func backlog(tr *trail.Trail, i int) bool {
	near := tr.Trace.Compiler[max(i-backlogNear, 0):min(i+backlogNear+1, len(tr.Trace.Compiler))]
	var busy, all int64
	for _, c := range near {
		busy += c.CPU + c.Ready
		all += c.End - c.Start
	}
	return float64(busy) >= backlogged*float64(all)
}

// WorkUntilFull is the CPU time of the stages until the program is as fast as it
// becomes, in s.
func WorkUntilFull(stages []core.Stage) (sum float64) {
	for _, s := range stages {
		if s.Slowdown > 1/warmupSlow-1 {
			sum += s.Demand
		}
	}
	return sum
}

// compiler is the load of the compilers that make the final code.
func compiler(tr *trail.Trail) core.Background {
	c := core.Background{ID: "optimising compiler", Trigger: core.WarmingUp, Threads: tr.Trace.Compilers}
	if len(tr.Stages) > 0 {
		c.Start = tr.Pace * (1e-9 * float64(tr.Trace.Start)) // as those of the stages that begin then
	}
	for _, s := range tr.Stages {
		s.After, s.Demand = tr.Pace*s.After, tr.SystemPace*s.Demand
		c.Stages = append(c.Stages, s)
	}
	return c
}

// CompilerParameter makes the amount of their work a parameter. A program that is
// compiled ahead of time, or restored from a checkpoint, has next to none.
func CompilerParameter(tr *trail.Trail) (p core.Parameter, ok bool) {
	if len(tr.Stages) == 0 {
		return p, false
	}
	return core.Parameter{Name: "compile-work", Default: 1, Min: 1e-3, Max: 1e3, SupportedMin: 1.0 / trail.RangeFactor, SupportedMax: trail.RangeFactor,
		Targets:     []core.Target{{Path: "background/" + compiler(tr).ID + "/scale"}},
		Description: "work of the just-in-time compilers, relative to that of the run; next to none: the program starts warm"}, true
}
