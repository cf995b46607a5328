package analysis

import (
	"fmt"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// The example of Tarvo & Reiss 2014, §4.3 and Figure 3: a thread fetches a
// task (probes 10, 11), enters a synchronized region (27, 28), reads a file by
// a library function (10205, 10206, called at 500), leaves the region (6, 7)
// and reads another file by the same function (called at 502).
func paperTrace() *trace.Trace {
	op := func(function string, line int) trace.Frame { return trace.Frame{Function: function, Line: line} }
	run := op("run", 1)
	sites := []trace.Site{
		{Frames: []trace.Frame{op("take", 10), run}},
		{Frames: []trace.Frame{op("enter", 27), run}},
		{Frames: []trace.Frame{op("read", 10205), op("run", 500)}},
		{Frames: []trace.Frame{op("exit", 6), run}},
		{Frames: []trace.Frame{op("read", 10205), op("run", 502)}},
	}
	const queue, monitor, file1, file2 = 7683745, 87235467, 1872565, 32748998
	hit := func(t int64, site int32, op trace.Op, end bool, object uint64) trace.Record {
		return trace.Record{Time: t, CPU: t - 11345231, Site: site, Op: op, End: end, Object: object}
	}
	return &trace.Trace{Cores: 1, Sites: sites, Threads: []trace.Thread{{ID: 1, Born: 11345231, Records: []trace.Record{
		hit(11345231, 0, trace.OpReceive, false, queue), hit(11387461, 0, trace.OpReceive, true, queue),
		hit(11391365, 1, trace.OpLock, false, monitor), hit(11392132, 1, trace.OpLock, true, monitor),
		hit(11396190, 2, trace.OpFileRead, false, file1), hit(19756012, 2, trace.OpFileRead, true, file1),
		hit(19873872, 3, trace.OpUnlock, false, monitor), hit(19873991, 3, trace.OpUnlock, true, monitor),
		hit(19923752, 4, trace.OpFileRead, false, file2), hit(25576572, 4, trace.OpFileRead, true, file2),
	}}}}
}

// fragmentsOf writes the code fragments of a sequence in the paper's notation
// ⟨prefix, start probe, end probe⟩. In paperTrace an operation's start probe
// is its line, its end probe the next number, and the entry library probe is
// the line of the call.
func fragmentsOf(q *trail.Sequence) []string {
	var out []string
	for i, s := range q.Steps {
		if s.Node.Virtual != "" {
			continue
		}
		if i > 0 && q.Steps[i-1].Node.Virtual == "" {
			out = append(out, fmt.Sprintf("⟨%d, %d⟩", q.Steps[i-1].Node.Place.Line+1, s.Node.Place.Line))
		}
		prefix := ""
		for _, c := range s.Node.Context {
			_, line, _ := strings.Cut(c, ":")
			prefix += line + ", "
		}
		out = append(out, fmt.Sprintf("⟨%s%d, %d⟩", prefix, s.Node.Place.Line, s.Node.Place.Line+1))
	}
	return out
}

func sequencesOf(t *trace.Trace, library trail.Library) ([]*trail.Sequence, *trail.NodeTable) {
	nodes := trail.NewNodeTable(t.Sites, library)
	var lost trail.Unmatched
	var qs []*trail.Sequence
	for i := range t.Threads {
		qs = append(qs, nodes.SequenceOf(&t.Threads[i], 0, &lost))
	}
	return qs, nodes
}

// "The resulting sequence of probe IDs in the trace is 10, 11, 27, 28, 500,
// 10205, 10206, 501, 6, 7, 502, 10205, 10206, 503. The corresponding sequence
// of CF is ⟨10, 11⟩, ⟨11, 27⟩, …, ⟨502, 10205, 10206⟩" (§4.3.1). The exit
// library probes 501 and 503 only end the prefix.
func TestFragmentsInLibrariesCarryTheLibraryCallsAsPrefix(t *testing.T) {
	t.Parallel()
	qs, _ := sequencesOf(paperTrace(), trail.LibraryOf([]string{"read"}))
	got := strings.Join(fragmentsOf(qs[0]), ", ")
	want := "⟨10, 11⟩, ⟨11, 27⟩, ⟨27, 28⟩, ⟨28, 10205⟩, ⟨500, 10205, 10206⟩, ⟨10206, 6⟩, ⟨6, 7⟩, ⟨7, 10205⟩, ⟨502, 10205, 10206⟩"
	if got != want {
		t.Errorf("fragments of the paper's example:\ngot  %s\nwant %s", got, want)
	}
}

// "However, both I/O operations will eventually call the same read() I/O API
// that contains an ⟨10205, 10206⟩ I/O CF. As a result, the generated PCG will
// contain a loop in it (see Figure 4, bottom)" (§4.3.1).
func TestWithoutLibraryContextTheGraphHasAFalseLoop(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		library  trail.Library
		vertices int // operations and computations of Figure 4
		cyclic   bool
	}{
		// Bottom of Figure 4: ⟨10205, 10206⟩ is one node with two ways on.
		{"no library known", trail.LibraryOf(nil), 8, true},
		// Top of Figure 4: a chain of nine.
		{"read is a library function", trail.LibraryOf([]string{"read"}), 9, false},
		{"whole calling context", trail.EveryFunction, 9, false},
	} {
		qs, _ := sequencesOf(paperTrace(), c.library)
		g := trail.NewPCG()
		g.Add(qs[0].Steps[1:])
		if len(g.Vertices) != c.vertices {
			t.Errorf("%s: %d nodes, want %d", c.name, len(g.Vertices), c.vertices)
		}
		if got := isCyclic(g); got != c.cyclic {
			t.Errorf("%s: graph has a cycle: %v, want %v", c.name, got, c.cyclic)
		}
	}
}

func isCyclic(g *trail.PCG) bool {
	state := map[*trail.Vertex]int{}
	var visit func(v *trail.Vertex) bool
	visit = func(v *trail.Vertex) bool {
		switch state[v] {
		case 1:
			return true
		case 2:
			return false
		}
		state[v] = 1
		for w := range v.Next {
			if visit(w) {
				return true
			}
		}
		state[v] = 2
		return false
	}
	for _, v := range g.Vertices {
		if visit(v) {
			return true
		}
	}
	return false
}

// "Two coincident probe hits in the trace form a pair … the end probe ID of
// one pair becomes the start probe ID of the next pair" (§4.3): the
// computation ⟨11, 27⟩ of Figure 3 lasts from 11387461 to 11391365.
func TestComputationsAreBetweenEndAndStartProbes(t *testing.T) {
	t.Parallel()
	qs, _ := sequencesOf(paperTrace(), trail.LibraryOf([]string{"read"}))
	g := trail.NewPCG()
	g.Add(qs[0].Steps[1:])
	want := []int64{11391365 - 11387461, 11396190 - 11392132, 19873872 - 19756012, 19923752 - 19873991}
	var got []int64
	for _, v := range g.Vertices {
		if v.IsCPU() {
			got = append(got, v.CPU)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("CPU times of the computations of Figure 3: got %v ns, want %v ns", got, want)
	}
}

// Equation (1): p(sᵢ, sⱼ) = count(sᵢ, sⱼ) / Σₗ count(sᵢ, sₗ). A thread that
// goes from a to b three times and from a to c once has p = 3/4 and 1/4.
func TestTransitionProbabilitiesAreRelativeCounts(t *testing.T) {
	t.Parallel()
	a, b, c := &trail.Node{Key: "a"}, &trail.Node{Key: "b"}, &trail.Node{Key: "c"}
	g := trail.NewPCG()
	var steps []trail.Step
	for _, n := range []*trail.Node{a, b, a, b, a, c, a, b} {
		steps = append(steps, trail.Step{Node: n})
	}
	g.Add(steps)
	v := g.ByKey[trail.VertexKey{From: a, To: nil}]
	for _, e := range []struct {
		to *trail.Node
		p  float64
	}{{b, 0.75}, {c, 0.25}} {
		if got := v.Probability(g.ByKey[trail.VertexKey{From: e.to, To: nil}]); got != e.p {
			t.Errorf("p(a, %s) = %g, want %g", e.to.Key, got, e.p)
		}
	}
}
