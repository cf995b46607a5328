package inputs

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tierscope/calibrate"
	"tierscope/core"
)

// matters is by how much a run must take longer or shorter so that a setting changes something. Convention: runs of one
// program differ by a tenth.
const matters = 0.1

// tells reports whether the runs of the trial differ from those as recorded: in what they took, or in the work of a pool, which both
// changed in the same direction.
func (t *Trial) tells(before calibrate.Cost) bool {
	bases := []calibrate.Cost{t.Base}
	if t.Again != nil {
		bases = append(bases, *t.Again)
	}
	for _, r := range t.Runs {
		if !slices.ContainsFunc(bases, func(b calibrate.Cost) bool {
			return apart(r.Cost.CPU, b.CPU) <= math.Log1p(matters) && (t.busy(before) || apart(r.Cost.Time, b.Time) <= math.Log1p(matters))
		}) {
			return true
		}
	}
	for name, one := range t.Runs[0].Pools {
		other, ok := t.Runs[1].Pools[name]
		if ok && (one < 1) == (other < 1) && min(apart(one, 1), apart(other, 1)) > math.Log1p(sameTime) {
			return true
		}
	}
	return false
}

// slight reports whether the runs of the trial differ so little from the one as recorded that chance may be why.
func (t *Trial) slight() bool {
	return !slices.ContainsFunc(t.Runs[:], func(r Run) bool {
		return max(apart(r.Cost.CPU, t.Base.CPU), apart(r.Cost.Time, t.Base.Time)) > math.Log1p(near)
	})
}

// goesRound reports whether the numbers that a parameter turns were in the other run what it makes of them. Counts do not
// vary from run to run as times do, of which a disturbed run, or code that is not compiled yet, tells little.
func (t *Trial) goesRound(m *core.Model, p core.Parameter) bool {
	shared := copyOf(*m)
	follows := map[string]bool{}
	for key, n := range numbers(&shared) {
		if f, changed := t.Runs[0].Factors[key]; changed && n.whole {
			for _, target := range p.Targets {
				if target.Path == n.path && !target.Multiplies && apart(f*n.value, target.Apply(t.Runs[0].At)) <= math.Log1p(sameCount) {
					follows[n.path] = true
				}
			}
		}
	}
	return len(p.Targets) > 0 && !slices.ContainsFunc(p.Targets, func(target core.Target) bool { return !follows[target.Path] })
}

// near is how far a prediction may be off. Convention: a single run is off by a tenth, and so is a prediction.
const near = 0.2

// little is by how much of the recorded run a prediction may be off where a run is so much shorter that this is more of it.
// Convention: half of what runs differ by.
const little = 0.05

// apart is how far two numbers are, as a logarithm.
func apart(a, b float64) float64 { return math.Abs(math.Log(a / b)) }

// busy reports whether the machine had other things to do: the run as recorded took longer than the model says. CPU times
// tell then what times do not.
func (t *Trial) busy(before calibrate.Cost) bool { return t.Base.Time > (1+near)*before.Time }

// off is how far a model with the parameter is from the runs of the trial, as a logarithm, and where.
func (t *Trial) off(ctx context.Context, m core.Model, name string, before calibrate.Cost) (worst float64, says string) {
	if err := m.Validate(); err != nil {
		return math.Inf(1), err.Error()
	}
	for _, run := range t.Runs {
		after, err := predicted(ctx, m, map[string]float64{name: run.At})
		if err != nil {
			return math.Inf(1), fmt.Sprintf("with %.4g the model comes to no end", run.At)
		}
		hold := func(what string, ran, by float64) {
			if off := apart(ran, by); off >= worst && math.Abs(ran-by) > little {
				worst = off
				says = fmt.Sprintf("with %.4g in place of %.4g the program took %.2g times %s, and the model says %.2g", run.At, t.Parameter.Default, ran, what, by)
			}
		}
		if hold("the CPU time", run.Cost.CPU/t.Base.CPU, after.CPU/before.CPU); !t.busy(before) {
			hold("as long", run.Cost.Time/t.Base.Time, after.Time/before.Time)
		}
	}
	return worst, says
}

// explained is how much nearer to the runs a law must be than that nothing changes. Convention: the larger part of what changed.
const explained = 2

// moved is how far the runs of the trial are from the one as recorded, as a logarithm: how far off who says that the setting changes nothing is.
func (t *Trial) moved(before calibrate.Cost) (most float64) {
	for _, run := range t.Runs {
		if most = max(most, apart(run.Cost.CPU, t.Base.CPU)); !t.busy(before) {
			most = max(most, apart(run.Cost.Time, t.Base.Time))
		}
	}
	return most
}

// predicted is what a model says that its program takes with other settings.
func predicted(ctx context.Context, m core.Model, settings map[string]float64) (calibrate.Cost, error) {
	m.Uncertain = nil // its middle
	return calibrate.Costs(ctx, m, settings)
}
