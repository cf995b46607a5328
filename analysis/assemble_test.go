package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/assemble"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Of the transitions out of a fragment the one that was taken last is marked, in the
// order in which threads are laid over each other; a loop's way to its body is none
// of its exits. With one successor there is nothing to choose.
func TestTheLastTransitionIsMarked(t *testing.T) {
	t.Parallel()
	at := func(key string) *trail.Node { return &trail.Node{Key: key, Class: core.DispatchFragment} }
	a, b, c, d := at("a"), at("b"), at("c"), at("d")
	g := trail.NewPCG()
	for _, walk := range [][]*trail.Node{{a, b, a, c, d}, {a, c, a, b, d}} {
		var steps []trail.Step
		for _, n := range walk {
			steps = append(steps, trail.Step{Node: n})
		}
		g.Add(steps)
	}
	asm := &assemble.Assembly{G: &trail.Pool{Name: "g"}, Pcg: g}
	graph := asm.Graph()
	last := func(n *trail.Node, want func(*trail.Vertex) bool) *trail.Node {
		v := g.ByKey[trail.VertexKey{From: n, To: nil}]
		for _, e := range asm.Edges(v, want) {
			for w, id := range asm.Ids {
				if e.Last && id == e.To {
					return w.Key.From
				}
			}
		}
		return nil
	}
	all := func(*trail.Vertex) bool { return true }
	for _, x := range []struct {
		of, want *trail.Node
		among    func(*trail.Vertex) bool
	}{
		{a, b, all},
		{b, d, all},
		{c, a, all},
		{d, nil, all},
		{b, nil, func(w *trail.Vertex) bool { return w.Key.From != a }},
	} {
		if got := last(x.of, x.among); got != x.want {
			t.Errorf("last transition out of %s: got %v, want %v", x.of.Key, got, x.want)
		}
	}
	if len(graph.Fragments) != 4 {
		t.Errorf("%d fragments, want 4", len(graph.Fragments))
	}
}

// What one thread has done is kept in its order, in streaks; what several have done side
// by side has none.
func TestOneThreadsTransitionsHaveAnOrder(t *testing.T) {
	t.Parallel()
	at := func(key string) *trail.Node { return &trail.Node{Key: key, Class: core.DispatchFragment} }
	a, b, c := at("a"), at("b"), at("c")
	var steps []trail.Step
	for _, n := range []*trail.Node{a, b, a, b, a, c, a, b, c} {
		steps = append(steps, trail.Step{Node: n})
	}
	g := trail.NewPCG()
	g.Add(steps)
	graph := (&assemble.Assembly{G: &trail.Pool{Name: "g"}, Pcg: g}).Graph()
	want := []core.Streak{{Value: 0, Times: 2}, {Value: 1, Times: 1}, {Value: 0, Times: 1}}
	if got := graph.Fragments[0].Order; !slices.Equal(got, want) {
		t.Errorf("order of the transitions out of a: %v, want %v", got, want)
	}
	g.Add(steps)
	if got := (&assemble.Assembly{G: &trail.Pool{Name: "g"}, Pcg: g}).Graph().Fragments[0].Order; got != nil {
		t.Errorf("two threads' transitions have the order %v", got)
	}
}

// An order that is no shorter than the recording is not kept.
func TestALongOrderIsNotKept(t *testing.T) {
	t.Parallel()
	values := make([]int64, 2*assemble.MostStreaks)
	for i := range values {
		values[i] = int64(i % 2)
	}
	if assemble.Streaks(values[:assemble.MostStreaks]) == nil || assemble.Streaks(values) != nil {
		t.Error("the limit of streaks is not kept")
	}
}
