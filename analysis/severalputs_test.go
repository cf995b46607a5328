package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/corpus"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Every ten of its 60 steps ripple brings four strips of 192 rows at once, and threads take them one by one: of 26 receives two are in vain,
// one of each at its end. One loop starts both pools, two threads each: they are two numbers.
func TestWhatIsBroughtAtOnceIsTakenOneByOne(t *testing.T) {
	t.Parallel()
	in, err := corpus.Load("ripple")
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := analysis.Build(in, trail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	taken := map[string][2]int64{} // by pool: got, in vain
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.In == nil {
				continue
			}
			n := taken[f.In.Queue]
			for _, e := range f.Next {
				if g.Fragment(e.To).Class == core.FetchFragment {
					n[0] += e.Count
				} else {
					n[1] += e.Count
				}
			}
			taken[f.In.Queue] = n
		}
	}
	if !slices.ContainsFunc(m.Queues, func(q core.Queue) bool { return taken[q.ID] == [2]int64{24, 2} }) {
		t.Errorf("receives with and without a task are %v: want 24 and 2 of one queue", taken)
	}
	sizes := 0
	for _, p := range m.Parameters {
		pools := 0
		for _, to := range p.Targets {
			if strings.HasPrefix(to.Path, "pools/") {
				pools++
			}
		}
		if pools > 1 {
			t.Errorf("%s sets the sizes of %d pools", p.Name, pools)
		}
		sizes += pools
	}
	if sizes != 2 {
		t.Errorf("the sizes of %d pools can be set, want 2", sizes)
	}
}
