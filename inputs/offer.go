package inputs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"

	"tierscope/analysis/settings"
	"tierscope/analysis/trust"
	"tierscope/calibrate"
	"tierscope/core"
	"tierscope/project"
)

// Offer gives a model the parameters that the trials of its project show, and says in the report which they are and why
// others are none. It reports whether there are trials.
func Offer(ctx context.Context, dir string, m *core.Model, r *trust.Report) (tried bool, err error) {
	var kept trials
	switch err := project.Load(trialsFile(dir), TrialsFormat, &kept); {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	}
	before, err := predicted(ctx, *m, nil)
	if err != nil {
		return false, nil //nolint:nilerr // a model that comes to no end has other troubles, and its grade says so
	}
	why := map[string]string{}
	for _, t := range kept.Trials {
		of := slices.IndexFunc(m.Parameters, func(p core.Parameter) bool { return p.How == t.Parameter.How })
		without, wrong := *m, ""
		if of >= 0 {
			p := m.Parameters[of]
			off, says := t.off(ctx, *m, p.Name, before)
			followed := slices.ContainsFunc(m.Parameters, func(o core.Parameter) bool { return o.Follows != nil && o.Follows.Parameter == p.Name })
			if p.Unit != core.Rounds || followed || t.Failed != "" || off < math.Log1p(near) {
				continue // the analysis knows now
			}
			without.Parameters = slices.Delete(slices.Clone(m.Parameters), of, of+1)
			wrong = fmt.Sprintf("%s does not turn %s: %s", t.Parameter.How, p.Description, says)
		}
		p, says := t.parameter(ctx, &without, before)
		if of >= 0 && says != "" && t.goesRound(m, m.Parameters[of]) {
			r.Trust.Assumptions = append(r.Trust.Assumptions, fmt.Sprintf("%s turns %s, as a run showed, and other numbers too, which are not known: %s", t.Parameter.How, m.Parameters[of].Description, says))
			continue
		}
		if wrong != "" {
			r.Trust.Assumptions = append(r.Trust.Assumptions, wrong)
		}
		m.Parameters = without.Parameters
		if says == "" {
			m.Parameters = append(slices.Clip(m.Parameters), p)
			r.Trust.Assumptions = append(r.Trust.Assumptions, fmt.Sprintf("%s: a run with %.4g in place of %.4g showed what it changes, %d numbers of the model, and one with %.4g took as long as they say",
				t.Parameter.Description, t.Other, p.Default, len(p.Targets), t.Check))
		}
		why[t.Parameter.Description] = says
	}
	r.Trust.Assumptions = retold(r.Trust.Assumptions, why)
	return len(kept.Trials) > 0, nil
}

// retold are assumptions that know of trials: why a setting is no parameter; "": it is one.
func retold(old []string, why map[string]string) (out []string) {
	for _, a := range old {
		name, _, refused := strings.Cut(a, settings.NotOffered)
		list, silent := strings.CutPrefix(a, settings.NotShown)
		_, tried := why[name]
		switch {
		case silent:
			names := slices.DeleteFunc(strings.Split(list, ", "), func(n string) bool { _, tried := why[n]; return tried })
			if len(names) > 0 {
				out = append(out, settings.NotShown+strings.Join(names, ", "))
			}
		case !refused || !tried:
			out = append(out, a)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(why)) {
		if why[name] != "" {
			out = append(out, name+settings.NotOffered+": "+why[name])
		}
	}
	return out
}

// matters is by how much a run must take longer or shorter so that a setting changes something. Convention: runs of one
// program differ by a tenth.
const matters = 0.1

// parameter returns what the trial makes of its setting, the better of what it shows of the numbers of the model and of
// the work of its pools, or why it is no parameter. before is what the model says of the recorded run.
func (t *Trial) parameter(ctx context.Context, m *core.Model, before calibrate.Cost) (p core.Parameter, why string) {
	if t.Failed != "" {
		return p, t.Failed
	}
	differs := func(now calibrate.Cost) bool {
		return apart(now.CPU, t.Base.CPU) > math.Log1p(matters) || !t.busy(before) && apart(now.Time, t.Base.Time) > math.Log1p(matters)
	}
	works := false
	for _, f := range t.Pools {
		works = works || apart(f, 1) > math.Log1p(sameTime)
	}
	if !works && !differs(t.OtherCost) && !differs(t.CheckCost) {
		return p, fmt.Sprintf("runs with %.4g and %.4g in place of %.4g took as long", t.Other, t.Check, t.Parameter.Default)
	}
	least := math.Inf(1)
	for _, targets := range [][]core.Target{t.ofNumbers(m), t.ofPools(m)} {
		if len(targets) == 0 {
			continue
		}
		q := t.driving(m, targets)
		with := *m
		with.Parameters = append(slices.Clip(m.Parameters), q)
		switch off, says := t.off(ctx, with, q.Name, before); {
		case off < least && off < math.Log1p(near):
			p, why, least = q, "", off
		case why == "" && math.IsInf(least, 1):
			why = says
		}
	}
	if math.IsInf(least, 1) && why == "" {
		why = fmt.Sprintf("a run with %.4g in place of %.4g took %.2g times the CPU time, and nothing of the model shows why", t.Other, t.Parameter.Default, t.OtherCost.CPU/t.Base.CPU)
	}
	return p, why
}

// goesRound reports whether the numbers that a parameter turns were in the other run what it makes of them. Counts do not
// vary from run to run as times do, of which a disturbed run, or code that is not compiled yet, tells little.
func (t *Trial) goesRound(m *core.Model, p core.Parameter) bool {
	shared := copyOf(*m)
	follows := map[string]bool{}
	for key, n := range numbers(&shared) {
		if f, changed := t.Factors[key]; changed && n.whole {
			for _, target := range p.Targets {
				if target.Path == n.path && !target.Multiplies && apart(f*n.value, target.Apply(t.Other)) <= math.Log1p(sameCount) {
					follows[n.path] = true
				}
			}
		}
	}
	return len(p.Targets) > 0 && !slices.ContainsFunc(p.Targets, func(target core.Target) bool { return !follows[target.Path] })
}

// ofNumbers are the numbers of the model that changed.
func (t *Trial) ofNumbers(m *core.Model) (ts []core.Target) {
	shared := copyOf(*m)
	all := numbers(&shared)
	for _, key := range slices.Sorted(maps.Keys(t.Factors)) {
		n, ok := all[key]
		if l := law(n.path, t.Parameter.Default, t.Other, t.Factors[key]); ok && l.Power > leastPower && l.Power < mostPower {
			ts = append(ts, l)
		}
	}
	return ts
}

// ofPools are the times of all that the threads of pools do.
func (t *Trial) ofPools(m *core.Model) (ts []core.Target) {
	for _, p := range m.Pools {
		path := "graphs/" + p.Graph + "/scale"
		if f, ok := t.Pools[p.ID]; ok && !slices.ContainsFunc(ts, func(of core.Target) bool { return of.Path == path }) {
			ts = append(ts, law(path, t.Parameter.Default, t.Other, f))
		}
	}
	return ts
}

// driving returns the setting as a parameter of the model.
func (t *Trial) driving(m *core.Model, targets []core.Target) core.Parameter {
	p := t.Parameter
	far := p.Default * p.Default / t.Other // as far on the other side
	low, high := min(t.Other, t.Check, far), max(t.Other, t.Check, far)
	if p.Integer {
		low, high = max(1, math.Floor(low)), math.Ceil(high)
	}
	p.Targets, p.Unit = targets, cmp.Or(p.Unit, core.Amount)
	p.Min, p.Max, p.SupportedMin, p.SupportedMax = low, extent*high, low, high
	p.Description = fmt.Sprintf("changes what the program does: tried with %.4g and %.4g", t.Other, t.Check)
	for name, n := p.Name, 2; ; n++ {
		if _, taken := m.Parameter(p.Name); !taken {
			return p
		}
		p.Name = fmt.Sprintf("%s-%d", name, n)
	}
}

// extent is how many times as far as the runs support a parameter may be turned, with a warning. Convention.
const extent = 8

// A number that shrinks faster than in inverse proportion to a setting, or grows faster than a cube, has changed by chance.
// Convention: matrices take the third power of their edge.
const (
	leastPower = -1.5
	mostPower  = 3.5
)

// law is the factor of the number at a path, which is 1 at x and f at other: what grows more slowly than x has a part that does not, what
// grows faster is a power of it; and so for what shrinks.
func law(path string, x, other, f float64) core.Target {
	t := core.Target{Path: path, Power: math.Log(f) / math.Log(other/x), Multiplies: true}
	switch {
	case t.Power > 0 && t.Power < 1:
		t.Power = 1
	case t.Power < 0 && t.Power > -1:
		t.Power = -1
	default:
		t.Factor = math.Pow(x, -t.Power)
		return t
	}
	a, b := math.Pow(x, t.Power), math.Pow(other, t.Power)
	t.Factor = (1 - f) / (a - b)
	t.Offset = 1 - t.Factor*a
	return t
}

// near is how far a prediction may be off. Convention: a single run is off by a tenth, and so is a prediction.
const near = 0.2

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
	for _, run := range []struct {
		at   float64
		cost calibrate.Cost
	}{{t.Other, t.OtherCost}, {t.Check, t.CheckCost}} {
		after, err := predicted(ctx, m, map[string]float64{name: run.at})
		if err != nil {
			return math.Inf(1), fmt.Sprintf("with %.4g the model comes to no end", run.at)
		}
		hold := func(what string, ran, by float64) {
			if off := apart(ran, by); off >= worst {
				worst = off
				says = fmt.Sprintf("with %.4g in place of %.4g the program took %.2g times %s, and the model says %.2g", run.at, t.Parameter.Default, ran, what, by)
			}
		}
		if hold("the CPU time", run.cost.CPU/t.Base.CPU, after.CPU/before.CPU); !t.busy(before) {
			hold("as long", run.cost.Time/t.Base.Time, after.Time/before.Time)
		}
	}
	return worst, says
}

// predicted is what a model says that its program takes with other settings.
func predicted(ctx context.Context, m core.Model, settings map[string]float64) (calibrate.Cost, error) {
	m.Uncertain = nil // its middle
	return calibrate.Costs(ctx, m, settings)
}
