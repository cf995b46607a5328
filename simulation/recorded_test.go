package simulation

import (
	"slices"
	"strings"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// visits executes one replication and returns how often each fragment was executed.
func visits(t *testing.T, m core.Model, replication uint64) map[string]int64 {
	t.Helper()
	r := mustCompile(t, m).replica(1, replication, 0, nil)
	r.advance(t.Context(), des.Never)
	if r.defect != "" {
		t.Fatal(r.defect)
	}
	out := map[string]int64{}
	for i, f := range r.fragments {
		out[f.id] = r.steps[i].count
	}
	return out
}

// taken returns transitions that were observed so many times, the last one last.
func taken(transitions ...core.Edge) []core.Edge {
	sum := 0.0
	for _, e := range transitions {
		sum += float64(e.Count)
	}
	for i := range transitions {
		transitions[i].Probability = float64(transitions[i].Count) / sum
	}
	transitions[len(transitions)-1].Last = true
	return transitions
}

// walkers is a run in which four threads went through two cycles, one inside the
// other: a 1000 times and from there 300 times to b, which went to itself 700 times.
func walkers(n int) core.Model {
	a, b, end := cpu("a", 1e-6), cpu("b", 1e-6), core.Fragment{ID: "end", Class: core.DispatchFragment}
	a.Next = taken(core.Edge{To: "a", Count: 696}, core.Edge{To: "b", Count: 300}, core.Edge{To: "end", Count: 4})
	b.Next = taken(core.Edge{To: "b", Count: 700}, core.Edge{To: "a", Count: 300})
	return threads(n, 2, core.Fragment{ID: "begin", Class: core.DispatchFragment, Next: to("a")}, a, b, end)
}

// A run that ends by itself executes every fragment as often as the recorded one
// did, whichever thread does so.
func TestAReplicationRepeatsTheRecordedRun(t *testing.T) {
	t.Parallel()
	for replication := range uint64(50) {
		v := visits(t, walkers(4), replication)
		if v["a"] != 1000 || v["b"] != 1000 || v["end"] != 4 {
			t.Fatalf("replication %d: %v", replication, v)
		}
	}
}

// With other numbers of threads it does as much per thread on average.
func TestTwiceTheThreadsDoTwiceTheWork(t *testing.T) {
	t.Parallel()
	for replication := range uint64(50) {
		if v := visits(t, walkers(8), replication); v["a"] != 2000 || v["b"] != 2000 {
			t.Fatalf("replication %d: %v", replication, v)
		}
	}
}

// Iterations and demands repeat the recorded ones too.
func TestIterationsAddUpToTheRecordedOnes(t *testing.T) {
	t.Parallel()
	l := loop("loop", 0, "body", "end")
	l.Loop.Count = core.Distribution{Kind: core.Discrete, Values: []float64{1, 10, 709}, Weights: []float64{.5, .25, .25}, Samples: 4}
	m := threads(4, 2, core.Fragment{ID: "begin", Class: core.DispatchFragment, Next: to("loop")}, l,
		cpu("body", 1e-6, "loop"), core.Fragment{ID: "end", Class: core.DispatchFragment})
	for replication := range uint64(50) {
		if v := visits(t, m, replication); v["body"] != 721 {
			t.Fatalf("replication %d: %v", replication, v)
		}
	}
}

// Probabilities that an analyst has changed are drawn anew: no round of counts is repeated.
func TestChangedProbabilitiesAreDrawnAnew(t *testing.T) {
	t.Parallel()
	m := walkers(4)
	next := m.Graphs[0].Fragments[2].Next
	next[0].Probability, next[1].Probability = .5, .5
	seen := map[int64]bool{}
	for replication := range uint64(5) {
		seen[visits(t, m, replication)["b"]] = true
	}
	if len(seen) < 2 {
		t.Errorf("each of five replications executed b %v times", seen)
	}
}

// What decides how many threads of its own kind a thread starts is drawn anew: the
// tree would end at once when the first draw says so. Of the 31 threads of a binary
// tree 15 had two children.
func TestATreeOfThreadsIsDrawnAnew(t *testing.T) {
	t.Parallel()
	m := threads(1, 2,
		core.Fragment{ID: "begin", Class: core.DispatchFragment, Next: taken(core.Edge{To: "start", Count: 15}, core.Edge{To: "end", Count: 16})},
		core.Fragment{ID: "start", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "child", Count: constant(2)}, Next: to("end")},
		core.Fragment{ID: "end", Class: core.DispatchFragment})
	m.Pools = append(m.Pools, core.Pool{ID: "child", Kind: core.SpawnPool, Graph: m.Pools[0].Graph, Size: 2})
	p := mustCompile(t, m)
	if !p.graphs[0].begets {
		t.Error("a thread that starts threads of its own kind begets them")
	}
	if slices.ContainsFunc(p.replica(1, 0, 0, nil).steps, func(s step) bool { return s.cards != nil }) {
		t.Error("its choices are drawn without replacement")
	}
	if q := mustCompile(t, walkers(4)); q.graphs[0].begets {
		t.Error("a thread that starts none begets none")
	}
}

// A run without an end is drawn anew.
func TestAnEndlessRunIsDrawnAnew(t *testing.T) {
	t.Parallel()
	m := station(50, 1, 0, core.Distribution{Kind: core.Empirical, Values: []float64{0, 1}, Probabilities: []float64{0, 1}, Samples: 10})
	for _, s := range mustCompile(t, m).replica(1, 0, 0, nil).steps {
		if s.cards != nil {
			t.Error("an endless run has something that is drawn without replacement")
		}
	}
}

// route notes the fragments that threads execute.
type route struct {
	diary
	to []string
}

func (r *route) FragmentStarted(_ des.Time, _ int32, f FragmentRun) { r.to = append(r.to, f.Fragment) }

// What one thread has done it does again in the same order: transitions, and how often
// loops go round. An order that is not that of the counts, because an analyst has changed
// something, is none.
func TestOneThreadsOrderIsKept(t *testing.T) {
	t.Parallel()
	l := loop("loop", 0, "body", "choice")
	l.Loop.Count = core.Distribution{Kind: core.Discrete, Values: []float64{1, 3}, Weights: []float64{.75, .25}, Samples: 4}
	l.Loop.Order = []core.Streak{{Value: 1, Times: 2}, {Value: 3, Times: 1}, {Value: 1, Times: 1}}
	choice := core.Fragment{ID: "choice", Class: core.DispatchFragment,
		Next:  taken(core.Edge{To: "again", Count: 2}, core.Edge{To: "loop", Count: 1}, core.Edge{To: "end", Count: 1}),
		Order: []core.Streak{{Value: 0, Times: 2}, {Value: 1, Times: 1}, {Value: 2, Times: 1}}}
	m := threads(1, 1, l, cpu("body", 1e-6, "loop"), choice, core.Fragment{ID: "again", Class: core.DispatchFragment, Next: to("loop")},
		core.Fragment{ID: "end", Class: core.DispatchFragment})
	const want = "loop body loop choice again loop body loop choice again loop body loop body loop body loop choice loop body loop choice end"
	for seed := range uint64(5) {
		var r route
		if _, err := Observe(t.Context(), m, seed, 1, &r); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.to, " "); got != want {
			t.Errorf("seed %d:\n%s, want\n%s", seed, got, want)
		}
	}
	m.Graphs[0].Fragments[2].Order[0].Times = 3
	for _, s := range mustCompile(t, m).replica(1, 0, 0, nil).steps {
		if s.cards != nil && s.cards.order != nil {
			t.Error("an order that is not that of the counts is taken for one")
		}
	}
}
