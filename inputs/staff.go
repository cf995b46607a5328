package inputs

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"tierscope/analysis/trail"
	"tierscope/core"
)

// staff is how many threads each pool has at a time.
func staff(pools []trail.PoolReport) map[string]int {
	out := map[string]int{}
	for _, p := range pools {
		if p.Modelled {
			out[p.Name] = p.MaxAlive
		}
	}
	return out
}

// named gives pools of another run the names that those which are started at the same places have: where there are as many threads as a setting
// says, they may be named after it.
func named(base, others []trail.PoolReport) []trail.PoolReport {
	others = slices.Clone(others)
	for i := range others {
		at := func(p trail.PoolReport) bool { return p.Place != "" && p.Place == others[i].Place }
		called := func(name string) func(trail.PoolReport) bool {
			return func(p trail.PoolReport) bool { return p.Name == name }
		}
		k := slices.IndexFunc(base, at)
		alone := k >= 0 && !slices.ContainsFunc(base[k+1:], at) && slices.IndexFunc(others, at) == i && !slices.ContainsFunc(others[i+1:], at)
		if alone && !slices.ContainsFunc(base, called(others[i].Name)) && !slices.ContainsFunc(others, called(base[k].Name)) {
			others[i].Name = base[k].Name
		}
	}
	return others
}

// staffs returns which parameter of a model is how many threads a pool has that the setting decides: of all pools it alone has as
// many threads as the setting says, as recorded and in each run of the trial, whatever else is different there. −1: none is.
func (t *Trial) staffs(m *core.Model) int {
	found := -1
	for _, p := range m.Pools {
		if float64(p.Size) != t.Parameter.Default || slices.ContainsFunc(t.Runs[:], func(r Run) bool {
			n, known := r.Threads[p.ID]
			return !known || float64(n) != math.Round(r.At)
		}) {
			continue
		}
		sets := func(q core.Parameter) bool {
			return slices.ContainsFunc(q.Targets, func(o core.Target) bool { return o.Path == "pools/"+p.ID+"/size" })
		}
		i := slices.IndexFunc(m.Parameters, sets)
		if found >= 0 || i < 0 || m.Parameters[i].How != "" {
			return -1
		}
		found = i
	}
	return found
}

// unlikely are the settings, of those that are taken to set numbers of threads, with another value of which there are as many threads.
func (l *look) unlikely(ctx context.Context, likely []core.Parameter, report func(fact string)) (wrong []core.Parameter) {
	began := time.Now()
	for _, p := range likely {
		if ctx.Err() != nil || time.Since(began) > trialTime/2 {
			break // the other half is for what is tried
		}
		t := Trial{Parameter: p}
		t.Runs[0].At, _ = others(p.Default, p.Integer)
		report(fmt.Sprintf("a run with %s %.4g in place of %.4g", p.Description, t.Runs[0].At, p.Default))
		if err := l.run(ctx, &t, 0); err == nil && t.unmoved(l.base.model, t.Runs[:1]) >= 0 {
			wrong = append(wrong, p)
		}
	}
	return wrong
}

// unmoved returns which parameter of a model sets a number of threads by the setting, although there were as many in runs with other
// values of it; −1: none does.
func (t *Trial) unmoved(m *core.Model, runs []Run) int {
	i := slices.IndexFunc(m.Parameters, func(p core.Parameter) bool { return p.How == t.Parameter.How })
	if i < 0 {
		return -1
	}
	staffed := false
	for _, p := range m.Pools {
		if !slices.ContainsFunc(m.Parameters[i].Targets, func(o core.Target) bool { return o.Path == "pools/"+p.ID+"/size" }) {
			continue
		}
		staffed = true
		if slices.ContainsFunc(runs, func(r Run) bool { n, known := r.Threads[p.ID]; return !known || n != p.Size }) {
			return -1
		}
	}
	if !staffed {
		return -1
	}
	return i
}

// release takes a parameter from the setting, which does not decide it, and says so.
func (t *Trial) release(m *core.Model, i int) (says string) {
	p := m.Parameters[i]
	says = fmt.Sprintf("%s does not set the %s: with %.4g in place of %.4g there were as many", t.Parameter.Description, p.Description, t.Runs[0].At, t.Parameter.Default)
	size := slices.IndexFunc(p.Targets, func(o core.Target) bool { return strings.HasPrefix(o.Path, "pools/") })
	pool, _, _ := strings.Cut(strings.TrimPrefix(p.Targets[size].Path, "pools/"), "/size")
	rename(m, i, unused(m, pool+"-threads"), "")
	return says
}

// rename gives a parameter, a copy of it, another name and another way in which it is set.
func rename(m *core.Model, i int, name, how string) {
	m.Parameters = slices.Clone(m.Parameters)
	p := &m.Parameters[i]
	for k := range m.Parameters {
		if f := m.Parameters[k].Follows; f != nil && f.Parameter == p.Name {
			other := *f
			other.Parameter = name
			m.Parameters[k].Follows = &other
		}
	}
	p.Name, p.How = name, how
}

// employ gives the number of a pool's threads to the setting that decides it, and says so.
func (t *Trial) employ(m *core.Model, i int) (says string) {
	says = fmt.Sprintf("%s is what sets the %s: with %.4g and %.4g there were as many", t.Parameter.Description, m.Parameters[i].Description, t.Runs[0].At, t.Runs[1].At)
	rename(m, i, t.Parameter.Name, t.Parameter.How)
	return says
}
