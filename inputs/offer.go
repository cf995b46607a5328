package inputs

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tierscope/analysis/settings"
	"tierscope/analysis/trust"
	"tierscope/calibrate"
	"tierscope/core"
)

// Offer gives a model the parameters that the trials of its project show, and says in the report which they are and why
// others are none. It reports whether there are trials.
func Offer(ctx context.Context, dir string, m *core.Model, r *trust.Report) (tried bool, err error) {
	kept, err := keptTrials(dir)
	kept = slices.DeleteFunc(kept, func(t Trial) bool { return t.Sizes })
	if err != nil || len(kept) == 0 {
		return false, err
	}
	before, err := predicted(ctx, *m, nil)
	if err != nil {
		return false, nil //nolint:nilerr // a model that comes to no end has other troubles, and its grade says so
	}
	why := map[string]string{}
	for _, t := range kept {
		if i := t.unmoved(m, t.Runs[:]); i >= 0 && t.Failed == "" {
			taken := settings.TakenToSet(t.Parameter.Description, m.Parameters[i].Description)
			r.Trust.Assumptions = slices.DeleteFunc(r.Trust.Assumptions, func(a string) bool { return strings.HasPrefix(a, taken) })
			r.Trust.Assumptions = append(r.Trust.Assumptions, t.release(m, i))
		}
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
		if i := t.staffs(&without); says != "" && i >= 0 {
			says = t.employ(&without, i)
			m.Parameters = without.Parameters
			r.Trust.Assumptions = append(r.Trust.Assumptions, says)
			why[t.Parameter.Description] = ""
			continue
		}
		if wrong != "" {
			r.Trust.Assumptions = append(r.Trust.Assumptions, wrong)
		}
		m.Parameters = without.Parameters
		if says == "" {
			m.Parameters = append(slices.Clip(m.Parameters), p)
			r.Trust.Assumptions = append(r.Trust.Assumptions, fmt.Sprintf("%s: runs with %.4g and %.4g in place of %.4g showed what it changes, %d numbers of the model, and took as long as they say",
				t.Parameter.Description, t.Runs[0].At, t.Runs[1].At, p.Default, len(p.Targets)))
		}
		why[t.Parameter.Description] = says
	}
	r.Trust.Assumptions = retold(r.Trust.Assumptions, why)
	return true, nil
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

// parameter returns what the trial makes of its setting, the best of what it shows of the numbers of the model, of the times
// among them, and of the work of its pools, or why it is no parameter. before is what the model says of the recorded run.
func (t *Trial) parameter(ctx context.Context, m *core.Model, before calibrate.Cost) (p core.Parameter, why string) {
	if t.Failed != "" {
		return p, t.Failed
	}
	if !t.tells(before) {
		return p, fmt.Sprintf("runs with %.4g and %.4g in place of %.4g took as long", t.Runs[0].At, t.Runs[1].At, t.Parameter.Default)
	}
	least := math.Inf(1)
	for _, targets := range [][]core.Target{t.ofNumbers(m, true), t.ofTimes(m), t.ofPools(m)} {
		if len(targets) == 0 {
			continue
		}
		q := t.driving(m, targets)
		with := *m
		with.Parameters = append(slices.Clip(m.Parameters), q)
		switch off, says := t.off(ctx, with, q.Name, before); {
		case off < least && off < math.Log1p(near) && (builds(targets) || off < t.moved(before)/explained):
			p, why, least = q, "", off
		case off < math.Log1p(near) && math.IsInf(least, 1):
			why = fmt.Sprintf("what changed in runs with %.4g and %.4g in place of %.4g does not say by how much they took longer", t.Runs[0].At, t.Runs[1].At, t.Parameter.Default)
		case why == "" && math.IsInf(least, 1):
			why = says
		}
	}
	if math.IsInf(least, 1) && why == "" {
		why = fmt.Sprintf("a run with %.4g in place of %.4g took %.2g times the CPU time, and nothing of the model shows why", t.Runs[0].At, t.Parameter.Default, t.Runs[0].Cost.CPU/t.Base.CPU)
	}
	return p, why
}

// ofNumbers are the numbers of the model that changed; those of branches, how often each was taken, if asked for.
func (t *Trial) ofNumbers(m *core.Model, branches bool) (ts []core.Target) {
	shared := copyOf(*m)
	all := numbers(&shared)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		n := all[key]
		if l, ok := t.law(n.path, func(r Run) map[string]float64 { return r.Factors }, key); ok && n.path != "" && (branches || !n.counted) {
			ts = append(ts, l)
		}
	}
	return ts
}

// ofTimes are those of the numbers that say how long something takes: how often it is done may be another number because of them, as
// when a slower thread takes more at a time.
func (t *Trial) ofTimes(m *core.Model) []core.Target {
	return slices.DeleteFunc(t.ofNumbers(m, false), func(l core.Target) bool {
		return !strings.HasPrefix(l.Path, "graphs/") || !strings.HasSuffix(l.Path, "/scale")
	})
}

// ofPools are the times of all that the threads of pools do.
func (t *Trial) ofPools(m *core.Model) (ts []core.Target) {
	for _, p := range m.Pools {
		path := "graphs/" + p.Graph + "/scale"
		l, ok := t.law(path, func(r Run) map[string]float64 { return r.Pools }, p.ID)
		if ok && !slices.ContainsFunc(ts, func(of core.Target) bool { return of.Path == path }) {
			ts = append(ts, l)
		}
	}
	return ts
}

// law is that of one of the factors of the runs: of those that both show, of both.
func (t *Trial) law(path string, of func(Run) map[string]float64, key string) (core.Target, bool) {
	var points []point
	for i, r := range t.Runs {
		f, ok := of(r)[key]
		if ok {
			points = append(points, point{r.At / t.Parameter.Default, f})
		}
		if !ok && i == 1 && of(r) != nil {
			return core.Target{}, false // what a larger change left as it was has not changed
		}
	}
	if len(points) == 0 || !oneWay(points) {
		return core.Target{}, false
	}
	l, power := law(path, t.Parameter.Default, points)
	return l, t.Steep || power > leastPower && power < mostPower
}

// driving returns the setting as a parameter of the model.
func (t *Trial) driving(m *core.Model, targets []core.Target) core.Parameter {
	p := t.Parameter
	one, two := t.Runs[0].At, t.Runs[1].At
	far := p.Default * p.Default / one // as far on the other side
	low, high := min(one, two, far), max(one, two, far)
	least := low / extent
	if p.Integer {
		low, high, least = max(1, math.Floor(low)), math.Ceil(high), max(1, math.Floor(least))
	}
	p.Targets, p.Unit = targets, cmp.Or(p.Unit, core.Amount)
	p.Min, p.Max, p.SupportedMin, p.SupportedMax = least, extent*high, low, high
	p.Description = fmt.Sprintf("changes what the program does: tried with %.4g and %.4g", one, two)
	p.Name = unused(m, p.Name)
	return p
}

// unused is a name for a parameter that no other one has.
func unused(m *core.Model, name string) string {
	for as, n := name, 2; ; n++ {
		if _, taken := m.Parameter(as); !taken {
			return as
		}
		as = fmt.Sprintf("%s-%d", name, n)
	}
}

// extent is how many times as far as the runs support a parameter may be turned, with a warning. Convention.
const extent = 8

// builds reports whether targets are numbers of threads, places or permits, which no chance changes.
func builds(ts []core.Target) bool {
	return slices.ContainsFunc(ts, func(t core.Target) bool { return !strings.HasPrefix(t.Path, "graphs/") })
}
