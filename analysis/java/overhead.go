package java

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"tierscope/analysis/demand"
	"tierscope/analysis/trace"
	"tierscope/core/robust"
)

// experiment is a program that is run with and without probes.
type experiment struct {
	p    *program
	jar  string // the agent
	w    trace.Workload
	dir  string
	in   *instrumented
	boot outcome // of a JVM that does nothing
	hits int     // of one probe, recorded at most; 0: all
}

// onOneCore is the same on one core. The JVM makes itself up, collector and
// compilers, for as many processors as told; 0: it is told nothing.
func (x *experiment) onOneCore(told int) *experiment {
	one := *x
	one.w.Cores = 1
	if told > 0 {
		p := *x.p
		p.args = slices.Concat([]string{processors + fmt.Sprint(told)}, p.args)
		one.p = &p
	}
	return &one
}

// processors is the option that tells a JVM how many processors there are.
const processors = "-XX:ActiveProcessorCount="

// toldProcessors reports whether the program's own arguments say it.
func (p *program) toldProcessors() bool {
	return slices.ContainsFunc(p.args, func(a string) bool { return strings.HasPrefix(a, processors) })
}

// Rounds of runs for the overhead: as many as fit into the time, within limits. Then the
// program is run without probes only, on all cores and on one, until there are plainLeast of each, without
// which a model has no pace, and while there is time plainMost: each run of a short program is another.
const (
	overheadTime      = 20 * time.Second
	overheadMaxRounds = 4
	plainLeast        = 3
	plainLeastTime    = 4 * overheadTime
	plainMost         = 9
)

// overhead compares the CPU time of runs with and without probes, the agent's
// start, before the program's, left out. The smallest of each kind is taken: what
// disturbs a run only adds. A server is compared per request answered in the work
// phase, where it can be by turns in one run (turns.go). Runs that had to be stopped did not do the same work: there it is not
// known. A batch program is run on one core as well, recorded and not, by a JVM that is told
// of all cores, for the interference of threads on several, and by one that
// is not, for what the JVM does otherwise on one. Of all recordings of a batch
// program overhead returns the one whose cost is nearest to that of runs without
// probes: when the code that matters is compiled is a matter of luck, so that the
// shortest run is none like others.
func (t Target) overhead(ctx context.Context, x *experiment, tr *trace.Trace, first outcome) (*trace.Trace, error) {
	if x.w.Load == nil && first.Stopped {
		tr.Overhead = math.NaN()
		return tr, nil
	}
	batch := x.w.Load == nil && tr.Dropped == 0
	interferes := batch && runtime.NumCPU() > 1 && x.w.Cores != 1
	round := 2 * first.Wall
	if interferes { // three on one core
		round += 3 * max(first.Wall, time.Duration(first.Cost()*float64(time.Second)))
	}
	rounds := min(overheadMaxRounds, 1+int(overheadTime/max(round, 1)))
	runs, probed := []recorded{{tr, first}}, first.Cost()
	var plain, plainSystem []float64
	var responses []trace.ResponseTime
	var busier *trace.Busier
	together, alone := []float64{ifCompiled(tr)}, lonely{}
	began := time.Now()
	for i := range rounds {
		o, err := t.plain(ctx, x)
		if err != nil {
			return nil, err
		}
		plain, plainSystem = append(plain, o.Cost()), append(plainSystem, o.system(x.boot))
		busier, responses = o.busier, append(responses, o.Response)
		if interferes {
			if err := t.alone(ctx, x, tr.Cores, &alone); err != nil {
				return nil, err
			}
			one, _, _, err := t.record(ctx, x.told(tr.Cores))
			if err != nil {
				return nil, fmt.Errorf("on one core: %w", err)
			}
			alone.compiled = append(alone.compiled, ifCompiled(one))
		}
		if i == 0 {
			continue // the recorded run itself
		}
		again, o, _, err := t.record(ctx, x)
		if err != nil {
			return nil, err
		}
		probed = min(probed, o.Cost())
		together = append(together, ifCompiled(again))
		if batch && !o.Stopped && again.Dropped == 0 {
			runs = append(runs, recorded{again, o})
		}
	}
	for interferes && len(plain) < plainMost {
		most := overheadTime
		if len(plain) < plainLeast {
			most = plainLeastTime
		}
		if time.Since(began) >= most {
			break
		}
		o, err := t.plain(ctx, x)
		if err != nil {
			return nil, err
		}
		plain, plainSystem = append(plain, o.Cost()), append(plainSystem, o.system(x.boot))
		if err := t.alone(ctx, x, tr.Cores, &alone); err != nil {
			return nil, err
		}
	}
	best := typical(runs, plain)
	chosen := best.trace
	if interferes {
		chosen.Runs = trace.Runs{All: together, One: alone.compiled, Told: alone.told, Single: alone.single}
		chosen.PlainAlone = alone.own
	}
	if busier != nil {
		responses = append(responses, busier.Responses...)
	}
	chosen.Busier, chosen.Response = busier, trace.MedianResponse(responses)
	chosen.Overhead = probed/slices.Min(plain) - 1
	if x.w.Load != nil && !math.IsNaN(first.more) { // better told from one run, by turns
		unrecorded := first.Cost() / (1 + first.more)
		chosen.Overhead, chosen.OverheadOff = first.more, unrecorded/slices.Min(plain)-1
		plain, plainSystem = append(plain, unrecorded), append(plainSystem, first.system(x.boot))
	}
	chosen.Recorded, chosen.Plain = best.outcome.Cost(), plain
	chosen.RecordedSystem, chosen.PlainSystem = best.outcome.system(x.boot), plainSystem
	return chosen, nil
}

// recorded is a run with probes.
type recorded struct {
	trace   *trace.Trace
	outcome outcome
}

// typical is the run whose cost is nearest to the median of those without probes.
func typical(runs []recorded, plain []float64) recorded {
	median := robust.Median(plain)
	return slices.MinFunc(runs, func(a, b recorded) int {
		return cmp.Compare(math.Abs(a.outcome.Cost()-median), math.Abs(b.outcome.Cost()-median))
	})
}

// ifCompiled is the CPU time that the threads would have needed if all had been compiled, s.
func ifCompiled(t *trace.Trace) float64 { return t.ThreadTime() - demand.LostToWarmup(t) }

// lonely are runs on one core, by a JVM that is told of all and by one that is not.
type lonely struct {
	compiled  []float64 // of recorded ones
	own, told []float64 // of others s of CPU of the program's own threads, and of the process,
	single    []float64 // by one that is not told
}

// told is the same on one core, by a JVM that is told of all, unless the program's own
// arguments tell it how many there are.
func (x *experiment) told(cores int) *experiment {
	if x.p.toldProcessors() {
		cores = 0
	}
	return x.onOneCore(cores)
}

// alone runs the program on one core, twice.
func (t Target) alone(ctx context.Context, x *experiment, cores int, used *lonely) error {
	o, err := t.plain(ctx, x.told(cores))
	if err != nil {
		return err
	}
	used.own, used.told = append(used.own, o.Cost()-o.system(x.boot)), append(used.told, o.Cost())
	if x.p.toldProcessors() {
		return nil
	}
	if o, err = t.plain(ctx, x.onOneCore(0)); err != nil {
		return err
	}
	used.single = append(used.single, o.Cost())
	return nil
}

// plain runs the program without probes.
func (t Target) plain(ctx context.Context, x *experiment) (outcome, error) {
	o, err := t.run(ctx, x.p, x.jar, x.w, x.dir, nil)
	if err != nil {
		return o, fmt.Errorf("the program without probes, on %d cores: %w", cmp.Or(x.w.Cores, runtime.NumCPU()), err)
	}
	return o, nil
}
