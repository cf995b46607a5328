package graphlayout

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// The test binary is its own child, as the application is.
func TestMain(m *testing.M) {
	if ran, err := Child(os.Args[1:], os.Stdin, os.Stdout); ran {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// callGraph is a random graph of the shape of a call graph: branches that
// rejoin within a dozen fragments, a few loops back, one and a half edges per
// node, and one edge from the end to the beginning, as of a server's loop.
func callGraph(n int) Graph {
	r := rand.New(rand.NewPCG(1, 1))
	g := Graph{}
	for range n {
		g.Nodes = append(g.Nodes, Node{120, 34})
	}
	near := func(i int) int { return max(0, i-1-r.IntN(12)) }
	for i := 1; i < n; i++ {
		g.Edges = append(g.Edges, Edge{From: near(i), To: i, W: 30, H: 12})
		if r.Float64() < 0.4 {
			g.Edges = append(g.Edges, Edge{From: near(i), To: i, W: 30, H: 12})
		}
		if r.Float64() < 0.1 {
			g.Edges = append(g.Edges, Edge{From: i, To: near(i), W: 30, H: 12})
		}
	}
	g.Edges = append(g.Edges, Edge{From: n - 1, To: 0, W: 30, H: 12})
	return g
}

func checkPlaced(t *testing.T, g Graph, l *Layout) {
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
	l, err := InProcess().Layout(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	checkPlaced(t, g, l)
}

// A chain a→b→c runs to the right or down, as asked.
func TestDirectionIsWhereTheEdgesLead(t *testing.T) {
	t.Parallel()
	chain := Graph{Nodes: []Node{{60, 30}, {60, 30}, {60, 30}}, Edges: []Edge{{From: 0, To: 1}, {From: 1, To: 2}}}
	for _, dir := range []Direction{LeftRight, TopDown} {
		chain.Direction = dir
		l, err := InProcess().Layout(t.Context(), chain)
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < 3; i++ {
			a, b := l.Nodes[i-1], l.Nodes[i]
			if dir == LeftRight && b.X-a.X < 60 || dir == TopDown && b.Y-a.Y < 30 {
				t.Errorf("%s: node %d at %v does not follow %v", dir, i, b, a)
			}
		}
	}
}

func TestTheChildProcessGivesTheSameLayoutAndItsCacheIsUsed(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	g, dir := callGraph(15), t.TempDir()
	want, err := InProcess().Layout(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	got, err := New(exe, dir).Layout(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(*got) != fmt.Sprint(*want) {
		t.Errorf("child process: %v, in process: %v", *got, *want)
	}
	// A layouter without a working program must find the layout on disk.
	cached, err := New("/nonexistent", dir).Layout(t.Context(), g)
	if err != nil {
		t.Fatalf("from the cache: %v", err)
	}
	if fmt.Sprint(*cached) != fmt.Sprint(*want) {
		t.Error("the cached layout differs")
	}
}

func TestACancelledLayoutEndsWithTheContextsError(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(exe, "").Layout(ctx, callGraph(10)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want it to wrap %v", err, context.Canceled)
	}
}

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

// A graph whose edges jump over the whole picture costs Graphviz minutes
// unless it is told to stop improving.
func BenchmarkLayoutOfLongJumps(b *testing.B) {
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	g := callGraph(300)
	for i := 2; i < 300; i += 4 {
		g.Edges = append(g.Edges, Edge{From: r.IntN(i), To: i, W: 30, H: 12})
	}
	for b.Loop() {
		if _, err := New(exe, "").Layout(b.Context(), g); err != nil {
			b.Fatal(err)
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

// The live heap before and after 200 different layouts, in the process of the
// window; Graphviz itself lives and dies with its child process.
func BenchmarkMemoryOfRelayouts(b *testing.B) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	l := New(self, b.TempDir())
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
	layout(mostLayouts)
	before := live()
	for b.Loop() {
		layout(200)
	}
	b.ReportMetric(live()-before, "KiB-grown")
}

func BenchmarkLayout(b *testing.B) {
	for _, n := range []int{30, 300, 1000} {
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) {
			exe, err := os.Executable()
			if err != nil {
				b.Fatal(err)
			}
			g := callGraph(n)
			for b.Loop() {
				if _, err := New(exe, "").Layout(b.Context(), g); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// While the package was initialised, TMPDIR was a folder of the user's own, where
// Graphviz is kept compiled; what the program starts later gets the one it had.
func TestTheFolderForTemporaryFilesIsWhatItWas(t *testing.T) {
	t.Parallel()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip("no folder for caches: ", err)
	}
	own := filepath.Join(cache, "tierscope")
	if os.TempDir() == own {
		t.Errorf("temporary files go to %s", own)
	}
	if _, err := os.Stat(filepath.Join(own, "go-graphviz")); err != nil && runtime.GOOS == "linux" {
		t.Errorf("Graphviz is not kept in the user's own folder: %v", err)
	}
}
