package settings

import (
	"math"
	"testing"

	"tierscope/core"
)

// Three threads, two of which are a pool, go 10 rounds each of a loop of 30: with six there are five in the pool, and each
// goes 5. Where nobody beside the pool shares the work, a division by one less than the setting is none that a model has.
func TestWhoStartsThreadsAndWorksTooIsCounted(t *testing.T) {
	t.Parallel()
	p := counted("pool-threads", "threads", 2, 1024, "pools/pool/size", "")
	p.Targets = append(p.Targets, core.Target{Path: "graphs/pool/fragments/loop/iterations", Factor: 2 * 10, Power: -1})
	of := &claim{use: use{setting: &setting{value: 3}}}
	of.Value = core.Linear{Factor: 1, Offset: -1}
	q := &quantity{Parameter: p, by: of, aside: true}
	got, ok := q.in(of)
	if !ok || got.Default != 3 {
		t.Fatalf("it is %v (%t), want 3 threads", got.Default, ok)
	}
	for x, want := range map[float64][2]float64{3: {2, 10}, 6: {5, 5}} {
		if size, rounds := got.Targets[0].Apply(x), got.Targets[1].Apply(x); size != want[0] || math.Abs(rounds-want[1]) > 1e-9 {
			t.Errorf("with %v threads the pool has %v, and each goes round %v times, want %v", x, size, rounds, want)
		}
	}
	q.aside = false
	if _, ok := q.in(of); ok {
		t.Error("a division by what the setting is less one is taken for one by the setting")
	}
}
