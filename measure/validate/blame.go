package validate

import (
	"cmp"
	"math"
	"slices"

	"tierscope/core"
	"tierscope/simulation"
)

// Blame is how much one fragment or resource contributes to the error in the
// base configuration, where the instrumented run saw every fragment and the
// simulation has the same numbers.
type Blame struct {
	Tier      int     `json:"tier"`
	Of        string  `json:"of"`          // "cpu parse", "lock cache", "disk vda", "queue tasks"
	Measured  float64 `json:"measured_s"`  // time per execution
	Simulated float64 `json:"simulated_s"` // the same
	Count     int64   `json:"count"`       // executions observed
	// Share is (simulated − measured) × executions relative to the measured
	// time of all fragments: what this entry adds to the error.
	Share float64 `json:"share"`
}

// Error is the signed relative error of the time per execution.
func (b Blame) Error() float64 { return b.Simulated/b.Measured - 1 }

// blame compares measured and simulated times per fragment and adds them up by
// resource, largest share first.
func blame(m *core.Model, base *simulation.Result) []Blame {
	type sums struct {
		tier                int
		measured, simulated float64
		count               int64
	}
	by := map[string]*sums{}
	total := 0.0
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			e, ok := base.Find("E fragment/" + g.ID + "/" + f.ID + " mean")
			if f.Observed.Count == 0 || f.Observed.MeanWall == 0 || !ok || math.IsNaN(e.Estimate.Mean) {
				continue
			}
			tier, of := resource(g.ID, f)
			s := by[of]
			if s == nil {
				s = &sums{tier: tier}
				by[of] = s
			}
			n := float64(f.Observed.Count)
			s.measured += n * f.Observed.MeanWall
			s.simulated += n * e.Estimate.Mean
			s.count += f.Observed.Count
			total += n * f.Observed.MeanWall
		}
	}
	var out []Blame
	for of, s := range by {
		n := float64(s.count)
		out = append(out, Blame{
			Tier: s.tier, Of: of, Measured: s.measured / n, Simulated: s.simulated / n, Count: s.count,
			Share: (s.simulated - s.measured) / total,
		})
	}
	slices.SortFunc(out, func(a, b Blame) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Share), math.Abs(a.Share)), cmp.Compare(a.Of, b.Of))
	})
	return out
}

// resource says what a fragment spends its time on.
func resource(graph string, f core.Fragment) (tier int, of string) {
	name := graph + "/" + f.ID
	switch f.Class {
	case core.CPUFragment:
		return 2, "cpu " + name
	case core.IOFragment:
		if f.IO != nil {
			return 3, "disk " + f.IO.Disk
		}
	case core.SyncFragment:
		if f.Sync != nil && f.Sync.Lock != "" {
			return 3, "lock " + f.Sync.Lock
		}
		return 3, "lock " + name
	case core.InFragment:
		if f.In != nil {
			return 1, "queue " + f.In.Queue
		}
	case core.OutFragment:
		if f.Out != nil {
			return 1, "queue " + f.Out.To
		}
	case core.DelayFragment:
		return 2, "delay " + name
	case core.SpawnFragment, core.JoinFragment:
		return 1, string(f.Class) + " " + name
	case core.FetchFragment, core.NoFetchFragment, core.LoopFragment, core.DispatchFragment:
	}
	return 2, string(f.Class) + " " + name
}
