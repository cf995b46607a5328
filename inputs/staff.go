package inputs

import (
	"fmt"
	"math"
	"slices"

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

// employ gives the number of a pool's threads to the setting that decides it, and says so.
func (t *Trial) employ(m *core.Model, i int) (says string) {
	m.Parameters = slices.Clone(m.Parameters)
	p := &m.Parameters[i]
	says = fmt.Sprintf("%s is what sets the %s: with %.4g and %.4g there were as many", t.Parameter.Description, p.Description, t.Runs[0].At, t.Runs[1].At)
	for k := range m.Parameters {
		if f := m.Parameters[k].Follows; f != nil && f.Parameter == p.Name {
			other := *f
			other.Parameter = t.Parameter.Name
			m.Parameters[k].Follows = &other
		}
	}
	p.Name, p.How = t.Parameter.Name, t.Parameter.How
	return says
}
