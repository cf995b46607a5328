package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// A thread takes all that is there, twice, and then computes 1 ms for each of what it has taken since: of n tasks n ms, and nothing the second
// time, whatever the recorded threads did on average.
func TestALoopGoesRoundOnceForEachTaskTaken(t *testing.T) {
	t.Parallel()
	takes := func(id, got, none string) core.Fragment {
		return core.Fragment{ID: id, Class: core.InFragment, In: &core.In{Queue: "list", Timeout: constant(0)}, Next: []core.Edge{{To: got, Probability: 1}, {To: none, Probability: 1}}}
	}
	for _, tasks := range []int{1, 5} {
		m := threads(1, 1, core.Fragment{ID: "put", Class: core.OutFragment, Out: &core.Out{To: "list", New: true, Count: constant(float64(tasks))}, Next: to("twice")}, loop("twice", 2, "take"), takes("take", "got", "none"),
			core.Fragment{ID: "got", Class: core.FetchFragment, Next: to("finish")}, core.Fragment{ID: "finish", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("take")},
			core.Fragment{ID: "none", Class: core.NoFetchFragment, Next: to("each")},
			core.Fragment{ID: "each", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(2), Body: "work", Gathered: true}, Next: to("twice")}, cpu("work", .001, "each"))
		m.Queues = []core.Queue{{ID: "list", Capacity: core.Unbounded}}
		m.Sinks = []core.Sink{{ID: "done"}}
		if _, err := m.Lookup("graphs/g/fragments/each/iterations"); err == nil {
			t.Error("its number of iterations can be set")
		}
		if got := makespan(t, m); math.Abs(got-.001*float64(tasks)) > 1e-9 {
			t.Errorf("%d tasks take %v s, want 1 ms each", tasks, got)
		}
	}
}
