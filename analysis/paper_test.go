package analysis

import (
	"fmt"
	"strings"
	"testing"
)

// The example of Tarvo & Reiss 2014, §4.3 and Figure 3: a thread fetches a
// task (probes 10, 11), enters a synchronized region (27, 28), reads a file by
// a library function (10205, 10206, called at 500), leaves the region (6, 7)
// and reads another file by the same function (called at 502).
func paperTrace() *Trace {
	op := func(function string, line int) Frame { return Frame{Function: function, Line: line} }
	run := op("run", 1)
	sites := []Site{
		{Frames: []Frame{op("take", 10), run}},
		{Frames: []Frame{op("enter", 27), run}},
		{Frames: []Frame{op("read", 10205), op("run", 500)}},
		{Frames: []Frame{op("exit", 6), run}},
		{Frames: []Frame{op("read", 10205), op("run", 502)}},
	}
	const queue, monitor, file1, file2 = 7683745, 87235467, 1872565, 32748998
	hit := func(t int64, site int32, op Op, end bool, object uint64) Record {
		return Record{Time: t, CPU: t - 11345231, Site: site, Op: op, End: end, Object: object}
	}
	return &Trace{Sites: sites, Threads: []Thread{{ID: 1, Born: 11345231, Records: []Record{
		hit(11345231, 0, OpReceive, false, queue), hit(11387461, 0, OpReceive, true, queue),
		hit(11391365, 1, OpLock, false, monitor), hit(11392132, 1, OpLock, true, monitor),
		hit(11396190, 2, OpFileRead, false, file1), hit(19756012, 2, OpFileRead, true, file1),
		hit(19873872, 3, OpUnlock, false, monitor), hit(19873991, 3, OpUnlock, true, monitor),
		hit(19923752, 4, OpFileRead, false, file2), hit(25576572, 4, OpFileRead, true, file2),
	}}}}
}

// fragmentsOf writes the code fragments of a sequence in the paper's notation
// ⟨prefix, start probe, end probe⟩. In paperTrace an operation's start probe
// is its line, its end probe the next number, and the entry library probe is
// the line of the call.
func fragmentsOf(q *sequence) []string {
	var out []string
	for i, s := range q.steps {
		if s.node.virtual != "" {
			continue
		}
		if i > 0 && q.steps[i-1].node.virtual == "" {
			out = append(out, fmt.Sprintf("⟨%d, %d⟩", q.steps[i-1].node.place.Line+1, s.node.place.Line))
		}
		prefix := ""
		for _, c := range s.node.context {
			_, line, _ := strings.Cut(c, ":")
			prefix += line + ", "
		}
		out = append(out, fmt.Sprintf("⟨%s%d, %d⟩", prefix, s.node.place.Line, s.node.place.Line+1))
	}
	return out
}

func sequencesOf(t *Trace, library Library) ([]*sequence, *nodeTable) {
	nodes := newNodeTable(t.Sites, library)
	var lost unmatched
	var qs []*sequence
	for i := range t.Threads {
		qs = append(qs, nodes.sequenceOf(&t.Threads[i], 0, &lost))
	}
	return qs, nodes
}

// "The resulting sequence of probe IDs in the trace is 10, 11, 27, 28, 500,
// 10205, 10206, 501, 6, 7, 502, 10205, 10206, 503. The corresponding sequence
// of CF is ⟨10, 11⟩, ⟨11, 27⟩, …, ⟨502, 10205, 10206⟩" (§4.3.1). The exit
// library probes 501 and 503 only end the prefix.
func TestFragmentsInLibrariesCarryTheLibraryCallsAsPrefix(t *testing.T) {
	t.Parallel()
	qs, _ := sequencesOf(paperTrace(), LibraryOf([]string{"read"}))
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
		library  Library
		vertices int // operations and computations of Figure 4
		cyclic   bool
	}{
		// Bottom of Figure 4: ⟨10205, 10206⟩ is one node with two ways on.
		{"no library known", LibraryOf(nil), 8, true},
		// Top of Figure 4: a chain of nine.
		{"read is a library function", LibraryOf([]string{"read"}), 9, false},
		{"whole calling context", EveryFunction, 9, false},
	} {
		qs, _ := sequencesOf(paperTrace(), c.library)
		g := newPCG()
		g.add(qs[0].steps[1:])
		if len(g.vertices) != c.vertices {
			t.Errorf("%s: %d nodes, want %d", c.name, len(g.vertices), c.vertices)
		}
		if got := isCyclic(g); got != c.cyclic {
			t.Errorf("%s: graph has a cycle: %v, want %v", c.name, got, c.cyclic)
		}
	}
}

func isCyclic(g *pcg) bool {
	state := map[*vertex]int{}
	var visit func(v *vertex) bool
	visit = func(v *vertex) bool {
		switch state[v] {
		case 1:
			return true
		case 2:
			return false
		}
		state[v] = 1
		for w := range v.next {
			if visit(w) {
				return true
			}
		}
		state[v] = 2
		return false
	}
	for _, v := range g.vertices {
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
	qs, _ := sequencesOf(paperTrace(), LibraryOf([]string{"read"}))
	g := newPCG()
	g.add(qs[0].steps[1:])
	want := []int64{11391365 - 11387461, 11396190 - 11392132, 19873872 - 19756012, 19923752 - 19873991}
	var got []int64
	for _, v := range g.vertices {
		if v.isCPU() {
			got = append(got, v.cpu)
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
	a, b, c := &node{key: "a"}, &node{key: "b"}, &node{key: "c"}
	g := newPCG()
	var steps []step
	for _, n := range []*node{a, b, a, b, a, c, a, b} {
		steps = append(steps, step{node: n})
	}
	g.add(steps)
	v := g.byKey[vertexKey{a, nil}]
	for _, e := range []struct {
		to *node
		p  float64
	}{{b, 0.75}, {c, 0.25}} {
		if got := v.probability(g.byKey[vertexKey{e.to, nil}]); got != e.p {
			t.Errorf("p(a, %s) = %g, want %g", e.to.key, got, e.p)
		}
	}
}
