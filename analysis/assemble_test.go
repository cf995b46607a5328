package analysis

import (
	"slices"
	"testing"

	"tierscope/core"
)

// Of the transitions out of a fragment the one that was taken last is marked, in the
// order in which threads are laid over each other; a loop's way to its body is none
// of its exits. With one successor there is nothing to choose.
func TestTheLastTransitionIsMarked(t *testing.T) {
	t.Parallel()
	at := func(key string) *node { return &node{key: key, class: core.DispatchFragment} }
	a, b, c, d := at("a"), at("b"), at("c"), at("d")
	g := newPCG()
	for _, walk := range [][]*node{{a, b, a, c, d}, {a, c, a, b, d}} {
		var steps []step
		for _, n := range walk {
			steps = append(steps, step{node: n})
		}
		g.add(steps)
	}
	asm := &assembly{g: &group{name: "g"}, pcg: g}
	graph := asm.graph()
	last := func(n *node, want func(*vertex) bool) *node {
		v := g.byKey[vertexKey{n, nil}]
		for _, e := range asm.edges(v, want) {
			for w, id := range asm.ids {
				if e.Last && id == e.To {
					return w.key.from
				}
			}
		}
		return nil
	}
	all := func(*vertex) bool { return true }
	for _, x := range []struct {
		of, want *node
		among    func(*vertex) bool
	}{
		{a, b, all},
		{b, d, all},
		{c, a, all},
		{d, nil, all},
		{b, nil, func(w *vertex) bool { return w.key.from != a }},
	} {
		if got := last(x.of, x.among); got != x.want {
			t.Errorf("last transition out of %s: got %v, want %v", x.of.key, got, x.want)
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
	at := func(key string) *node { return &node{key: key, class: core.DispatchFragment} }
	a, b, c := at("a"), at("b"), at("c")
	var steps []step
	for _, n := range []*node{a, b, a, b, a, c, a, b, c} {
		steps = append(steps, step{node: n})
	}
	g := newPCG()
	g.add(steps)
	graph := (&assembly{g: &group{name: "g"}, pcg: g}).graph()
	want := []core.Streak{{Value: 0, Times: 2}, {Value: 1, Times: 1}, {Value: 0, Times: 1}}
	if got := graph.Fragments[0].Order; !slices.Equal(got, want) {
		t.Errorf("order of the transitions out of a: %v, want %v", got, want)
	}
	g.add(steps)
	if got := (&assembly{g: &group{name: "g"}, pcg: g}).graph().Fragments[0].Order; got != nil {
		t.Errorf("two threads' transitions have the order %v", got)
	}
}

// An order that is no shorter than the recording is not kept.
func TestALongOrderIsNotKept(t *testing.T) {
	t.Parallel()
	values := make([]int64, 2*mostStreaks)
	for i := range values {
		values[i] = int64(i % 2)
	}
	if streaks(values[:mostStreaks]) == nil || streaks(values) != nil {
		t.Error("the limit of streaks is not kept")
	}
}
