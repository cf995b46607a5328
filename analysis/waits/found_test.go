package waits

import (
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// A pool's threads set a result in each round, and ask for one of the round before: that is always there, and says nothing. Once it
// is not, or if another pool sets some, who asks waits for it.
func TestResultsOfAPoolThatItAlwaysFindsSayNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rounds int
		late   bool // one is asked for before it is there
		other  bool // one is another pool's
		asked  int
	}{
		"always found":    {20, false, false, 0},
		"too few":         {5, false, false, 4},
		"waited for once": {20, true, false, 19},
		"another pool's":  {20, false, true, 19},
	} {
		r := &trail.Resource{Kind: core.Latch}
		done, asks := &trail.Node{Op: trace.OpDone}, &trail.Node{Op: trace.OpWaitGroup}
		worker, other := &trail.Sequence{}, &trail.Sequence{}
		for k := range c.rounds {
			result := uint64(k + 1)
			r.Objects = append(r.Objects, &trail.Object{ID: result})
			at := int64(10 * (k + 1))
			if k > 0 {
				begins := at
				if c.late && k == 3 {
					begins = at - 8
				}
				worker.Steps = append(worker.Steps, trail.Step{Node: asks, Lock: r, Object: result - 1, Start: begins, End: at, Gap: 1})
			}
			by := worker
			if c.other && k == 3 {
				by = other
			}
			by.Steps = append(by.Steps, trail.Step{Node: done, Lock: r, Object: result, Start: at + 5, End: at + 5, Gap: 2})
		}
		tr := &trail.Trail{Resources: []*trail.Resource{r}, Pools: []*trail.Pool{
			{Name: "workers", MaxAlive: 2, Sequences: []*trail.Sequence{worker}}, {Name: "other", MaxAlive: 1, Sequences: []*trail.Sequence{other}}}}
		tr.CollectUses()
		Found(tr)
		asked, cpu := 0, int64(0)
		for _, s := range worker.Steps {
			cpu += s.Gap
			if s.Node == asks {
				asked++
			}
		}
		if asked != c.asked {
			t.Errorf("%s: %d waits are left, want %d", name, asked, c.asked)
		}
		if want := int64(c.rounds - 1 + 2*(c.rounds-len(other.Steps))); cpu != want {
			t.Errorf("%s: %d ns of CPU are left, want %d", name, cpu, want)
		}
	}
}
