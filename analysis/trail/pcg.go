package trail

import (
	"cmp"
	"iter"
	"slices"

	"tierscope/core"
)

// PCG is the probabilistic call graph of a pool as counts: the
// executions of all its threads laid over each other. Its vertices are
// operations and the computations between them.
type PCG struct {
	Vertices []*Vertex // in order of first appearance; the first is the entry
	ByKey    map[VertexKey]*Vertex
	taken    int // transitions
	Walks    int // threads
}

// VertexKey identifies a code fragment: an operation (to is nil), or the
// computation between two operations.
type VertexKey struct{ From, To *Node }

// Vertex is a code fragment with what all its executions have in common.
type Vertex struct {
	Key     VertexKey
	index   int
	Count   int64
	Next    map[*Vertex]int64 // observed transitions
	Latest  map[*Vertex]int   // number of the latest transition to each, among all of the graph
	Trail   []*Vertex         // successors in their order, of a graph that one thread has walked
	Wall    int64             // ns, sum over the executions
	CPU     int64             // ns of CPU
	sys     int64             // ns in system calls
	Samples []int64           // ns of one execution each: CPU of a computation, time off the core of a delay
	Args    []int64           // of operations
	Lock    *Resource         // of an operation on one
	Sends   bool              // of a select with one outcome: it sends
	Starts  []int64           // threads that each execution of a spawn starts, tasks that it shares out
	timers  []int64           // of a select: ns until a timer ended it
	Uses    [][]DiskRequest   // of an I/O fragment: the requests of each execution
}

// IsCPU reports whether it is a computation.
func (k VertexKey) IsCPU() bool { return k.To != nil }

// IsCPU reports whether v is a computation.
func (v *Vertex) IsCPU() bool { return v.Key.IsCPU() }

// Index is the place of v among the vertices of its graph.
func (v *Vertex) Index() int { return v.index }

// FoundNothing reports whether a fetch has found its queue empty. If not, nobody knows what
// the thread would do then.
func (v *Vertex) FoundNothing() bool {
	for w := range v.Next {
		if w.Key.From.Class == core.NoFetchFragment {
			return true
		}
	}
	return false
}

// Probability returns p(v, w) by equation (1) of Tarvo & Reiss 2014, §4.3.1:
// count(v, w) divided by the number of all transitions out of v.
func (v *Vertex) Probability(w *Vertex) float64 {
	var sum int64
	for _, n := range v.Next {
		sum += n
	}
	if sum == 0 {
		return 0
	}
	return float64(v.Next[w]) / float64(sum)
}

// Successors returns the successors of v in a fixed order: most frequent
// first.
func (v *Vertex) Successors() []*Vertex {
	ws := make([]*Vertex, 0, len(v.Next))
	for w := range v.Next {
		ws = append(ws, w)
	}
	slices.SortFunc(ws, func(a, b *Vertex) int {
		return cmp.Or(cmp.Compare(v.Next[b], v.Next[a]), cmp.Compare(a.index, b.index))
	})
	return ws
}

// NewPCG returns an empty graph.
func NewPCG() *PCG { return &PCG{ByKey: map[VertexKey]*Vertex{}} }

func (g *PCG) vertex(k VertexKey) *Vertex {
	v := g.ByKey[k]
	if v == nil {
		v = &Vertex{Key: k, index: len(g.Vertices), Next: map[*Vertex]int64{}, Latest: map[*Vertex]int{}}
		g.Vertices = append(g.Vertices, v)
		g.ByKey[k] = v
	}
	return v
}

// Visit is one execution of a vertex: of an operation, or of the computation before it.
type Visit struct {
	Key  VertexKey
	Step *Step // the operation
}

// Visits are the executions of vertices that steps are, in their order. A computation without any CPU time
// is left out when quiet: reduction has folded it into another one.
func Visits(steps []Step) iter.Seq[Visit] {
	return func(yield func(Visit) bool) {
		for i := range steps {
			s := &steps[i]
			if i > 0 && (s.Gap > 0 || s.GapWall > 0) && !s.Folded && !yield(Visit{VertexKey{steps[i-1].Node, s.Node}, s}) {
				return
			}
			if !yield(Visit{VertexKey{s.Node, nil}, s}) {
				return
			}
		}
	}
}

// Add lays one sequence over the graph.
func (g *PCG) Add(steps []Step) {
	var last *Vertex
	g.Walks++
	follow := func(v *Vertex) {
		v.Count++
		if last != nil {
			g.taken++
			last.Next[v]++
			last.Latest[v] = g.taken
			if g.Walks == 1 {
				last.Trail = append(last.Trail, v)
			}
		}
		last = v
	}
	// A thread that has what it waited for may still wait for a core. The
	// simulation counts that in what the thread computes next, so here too.
	ready := int64(0)
	for x := range Visits(steps) {
		v, s := g.vertex(x.Key), x.Step
		follow(v)
		if v.IsCPU() {
			v.CPU += s.Gap
			v.Wall += s.GapWall + ready
			ready = 0
			v.Samples = append(v.Samples, s.Gap)
			continue
		}
		v.CPU += s.CPU
		v.sys += s.sys
		v.Wall += max(s.Wall()-s.Ready, 0)
		ready += min(s.Ready, s.Wall())
		if s.Node.Class == core.DelayFragment {
			v.Samples = append(v.Samples, s.Wait)
		}
		if s.Node.Class == core.IOFragment {
			v.Uses = append(v.Uses, s.Requests)
		}
		v.Args = append(v.Args, s.Arg)
		if s.Node.Class == core.SpawnFragment || s.Starts > 0 {
			v.Starts = append(v.Starts, max(s.Starts, 1))
		}
		if s.Lock != nil {
			v.Lock, v.Sends = s.Lock, s.Sends
			if s.Lock.Timer || s.TimedOut {
				v.timers = append(v.timers, s.Wall())
			}
		}
	}
}

// Edges returns the number of edges.
func (g *PCG) Edges() int {
	n := 0
	for _, v := range g.Vertices {
		n += len(v.Next)
	}
	return n
}

// CpuTime returns the CPU time of all computations, ns.
func (g *PCG) CpuTime() int64 {
	var sum int64
	for _, v := range g.Vertices {
		if v.IsCPU() {
			sum += v.CPU
		}
	}
	return sum
}

// TimedOut reports whether a receive ended because its time was up.
func (v *Vertex) TimedOut() bool { return v.Key.From.Class == core.InFragment && len(v.timers) > 0 }

// Timeout returns the mean time in seconds after which a timer ended a
// select, or a receive got nothing.
func (v *Vertex) Timeout() float64 {
	sum := 0.0
	for _, t := range v.timers {
		sum += float64(t)
	}
	return sum / max(1, float64(len(v.timers))) * 1e-9
}

// CountGroup lays the sequences of a pool's threads over each other.
func CountGroup(g *Pool) *PCG {
	p := NewPCG()
	for _, q := range g.Sequences {
		if len(q.Steps) > 0 {
			p.Add(q.Steps)
		}
	}
	return p
}
