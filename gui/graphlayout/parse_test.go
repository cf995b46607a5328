package graphlayout

import (
	"context"
	"testing"
)

func TestAnAnswerThatIsNotALayoutIsAnError(t *testing.T) {
	t.Parallel()
	g := Graph{Nodes: []Node{{10, 10}, {10, 10}}, Edges: []Edge{{From: 0, To: 1}}}
	for _, plain := range []string{
		"",
		"graph 1 2 2\nnode 0 1 1 1 1\nstop",
		"graph 1 2 2\nnode 0 1 1\nnode 7 1 1\n",
		"graph 1 2 2\nnode 0 1 1 1 1\nnode 1 x 1 1 1\n",
		"graph 1 2 2\nnode 0 1 1\nnode 1 1 1\nedge 0 1 4 1 1\n",
	} {
		if _, err := parse(plain, g); err == nil {
			t.Errorf("%q was accepted", plain)
		}
	}
}

// A window that is open for days lays out thousands of graphs.
func TestOldLayoutsAreForgotten(t *testing.T) {
	t.Parallel()
	runs := 0
	l := &Layouter{layout: map[string]*Layout{}, run: func(ctx context.Context, dot string) (string, error) {
		runs++
		return "graph 1 1 1\nnode 0 0.5 0.5 1 1 \"\" solid box black white\nstop\n", nil
	}}
	one := func(width float32) {
		if _, err := l.Layout(t.Context(), Graph{Nodes: []Node{{W: width, H: 10}}}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 200 {
		one(float32(10 + i))
	}
	if n := len(l.layout); n > mostLayouts {
		t.Errorf("%d layouts are kept, want %d at most", n, mostLayouts)
	}
	one(209)
	one(10)
	if runs != 201 {
		t.Errorf("%d layouts were made, want 201: the latest is known, the first is not any more", runs)
	}
}
