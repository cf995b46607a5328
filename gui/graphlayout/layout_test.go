package graphlayout_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"tierscope/gui/graphlayout"
	"tierscope/gui/graphlayout/layouttest"
)

// callGraph is a random graph of the shape of a call graph: branches that
// rejoin within a dozen fragments, a few loops back, one and a half edges per
// node, and one edge from the end to the beginning, as of a server's loop.
func callGraph(n int) graphlayout.Graph {
	r := rand.New(rand.NewPCG(1, 1))
	g := graphlayout.Graph{}
	for range n {
		g.Nodes = append(g.Nodes, graphlayout.Node{120, 34})
	}
	near := func(i int) int { return max(0, i-1-r.IntN(12)) }
	for i := 1; i < n; i++ {
		g.Edges = append(g.Edges, graphlayout.Edge{From: near(i), To: i, W: 30, H: 12})
		if r.Float64() < 0.4 {
			g.Edges = append(g.Edges, graphlayout.Edge{From: near(i), To: i, W: 30, H: 12})
		}
		if r.Float64() < 0.1 {
			g.Edges = append(g.Edges, graphlayout.Edge{From: i, To: near(i), W: 30, H: 12})
		}
	}
	g.Edges = append(g.Edges, graphlayout.Edge{From: n - 1, To: 0, W: 30, H: 12})
	return g
}

func checkPlaced(t *testing.T, g graphlayout.Graph, l *graphlayout.Layout) {
	t.Helper()
	for i, p := range l.Nodes {
		n := g.Nodes[i]
		if p.X < n.W/2-1 || p.Y < n.H/2-1 || p.X > l.W-n.W/2+1 || p.Y > l.H-n.H/2+1 {
			t.Errorf("node %d at %v leaves the %v×%v picture", i, p, l.W, l.H)
		}
		for j := range i {
			q, m := l.Nodes[j], g.Nodes[j]
			if abs(p.X-q.X) < (n.W+m.W)/2-0.5 && abs(p.Y-q.Y) < (n.H+m.H)/2-0.5 {
				t.Errorf("nodes %d at %v and %d at %v overlap", i, p, j, q)
			}
		}
	}
	for i, e := range l.Edges {
		if len(e.Points) < 4 || len(e.Points)%3 != 1 {
			t.Fatalf("edge %d has %d points, want 3k+1", i, len(e.Points))
		}
		from, to := l.Nodes[g.Edges[i].From], l.Nodes[g.Edges[i].To]
		if first := e.Points[0]; abs(first.X-from.X) > 70 || abs(first.Y-from.Y) > 70 {
			t.Errorf("edge %d starts at %v, far from its node at %v", i, first, from)
		}
		if last := e.Points[len(e.Points)-1]; abs(last.X-to.X) > 80 || abs(last.Y-to.Y) > 80 {
			t.Errorf("edge %d ends at %v, far from its node at %v", i, last, to)
		}
	}
}

func abs(x float32) float32 { return max(x, -x) }

func TestNodesDoNotOverlapAndEdgesMeetTheirNodes(t *testing.T) {
	t.Parallel()
	g := callGraph(40)
	l, err := layouttest.New(t).Layout(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	checkPlaced(t, g, l)
}

// A chain a→b→c runs to the right or down, as asked.
func TestDirectionIsWhereTheEdgesLead(t *testing.T) {
	t.Parallel()
	chain := graphlayout.Graph{Nodes: []graphlayout.Node{{60, 30}, {60, 30}, {60, 30}}, Edges: []graphlayout.Edge{{From: 0, To: 1}, {From: 1, To: 2}}}
	for _, dir := range []graphlayout.Direction{graphlayout.LeftRight, graphlayout.TopDown} {
		chain.Direction = dir
		l, err := layouttest.New(t).Layout(t.Context(), chain)
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < 3; i++ {
			a, b := l.Nodes[i-1], l.Nodes[i]
			if dir == graphlayout.LeftRight && b.X-a.X < 60 || dir == graphlayout.TopDown && b.Y-a.Y < 30 {
				t.Errorf("%s: node %d at %v does not follow %v", dir, i, b, a)
			}
		}
	}
}

// A layouter that remembers on disk needs no program for what was laid out before.
func TestLayoutsAreRememberedOnDisk(t *testing.T) {
	t.Parallel()
	g, dir := callGraph(15), t.TempDir()
	want, err := graphlayout.New(layouttest.Program(t), dir).Layout(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	got, err := graphlayout.New("/nonexistent", dir).Layout(t.Context(), g)
	if err != nil {
		t.Fatalf("from the folder: %v", err)
	}
	if fmt.Sprint(*got) != fmt.Sprint(*want) {
		t.Errorf("from the folder: %v, laid out: %v", *got, *want)
	}
	if _, err := graphlayout.New("/nonexistent", dir).Layout(t.Context(), callGraph(16)); err == nil {
		t.Error("another graph was laid out by a program that does not exist")
	}
}

func TestACancelledLayoutEndsWithTheContextsError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := layouttest.New(t).Layout(ctx, callGraph(10)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want it to wrap %v", err, context.Canceled)
	}
}

// A graph whose edges jump over the whole picture costs Graphviz minutes
// unless it is told to stop improving.
func BenchmarkLayoutOfLongJumps(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	g := callGraph(300)
	for i := 2; i < 300; i += 4 {
		g.Edges = append(g.Edges, graphlayout.Edge{From: r.IntN(i), To: i, W: 30, H: 12})
	}
	for b.Loop() {
		if _, err := layouttest.New(b).Layout(b.Context(), g); err != nil {
			b.Fatal(err)
		}
	}
}

// The live heap before and after 200 different layouts, in the process of the
// window; Graphviz itself lives and dies with its child process.
func BenchmarkMemoryOfRelayouts(b *testing.B) {
	l := graphlayout.New(layouttest.Program(b), b.TempDir())
	live := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / 1024
	}
	round := 0
	layout := func(n int) {
		for range n {
			round++
			g := callGraph(30)
			g.Nodes[0].W += float32(round) // another graph
			if _, err := l.Layout(b.Context(), g); err != nil {
				b.Fatal(err)
			}
		}
	}
	layout(32) // as many as are kept in memory
	before := live()
	for b.Loop() {
		layout(200)
	}
	b.ReportMetric(live()-before, "KiB-grown")
}

func BenchmarkLayout(b *testing.B) {
	for _, n := range []int{30, 300, 1000} {
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) {
			g := callGraph(n)
			for b.Loop() {
				if _, err := layouttest.New(b).Layout(b.Context(), g); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
