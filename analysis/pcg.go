package analysis

import (
	"cmp"
	"slices"

	"tierscope/core"
)

// pcg is the probabilistic call graph of a thread group as counts: the
// executions of all its threads laid over each other. Its vertices are
// operations and the computations between them.
type pcg struct {
	vertices []*vertex // in order of first appearance; the first is the entry
	byKey    map[vertexKey]*vertex
	taken    int // transitions
	walks    int // threads
}

// vertexKey identifies a code fragment: an operation (to is nil), or the
// computation between two operations.
type vertexKey struct{ from, to *node }

// vertex is a code fragment with what all its executions have in common.
type vertex struct {
	key     vertexKey
	index   int
	count   int64
	next    map[*vertex]int64 // observed transitions
	latest  map[*vertex]int   // number of the latest transition to each, among all of the graph
	trail   []*vertex         // successors in their order, of a graph that one thread has walked
	wall    int64             // ns, sum over the executions
	cpu     int64             // ns of CPU
	sys     int64             // ns in system calls
	samples []int64           // ns of one execution each: CPU of a computation, time off the core of a delay
	args    []int64           // of operations
	lock    *resource         // of an operation on one
	sends   bool              // of a select with one outcome: it sends
	starts  []int64           // threads that each execution of a spawn starts, tasks that it shares out
	timers  []int64           // of a select: ns until a timer ended it
	uses    [][]diskRequest   // of an I/O fragment: the requests of each execution
}

// isCPU reports whether v is a computation.
func (v *vertex) isCPU() bool { return v.key.to != nil }

// foundNothing reports whether a fetch has found its queue empty. If not, nobody knows what
// the thread would do then.
func (v *vertex) foundNothing() bool {
	for w := range v.next {
		if w.key.from.class == core.NoFetchFragment {
			return true
		}
	}
	return false
}

// probability returns p(v, w) by equation (1) of Tarvo & Reiss 2014, §4.3.1:
// count(v, w) divided by the number of all transitions out of v.
func (v *vertex) probability(w *vertex) float64 {
	var sum int64
	for _, n := range v.next {
		sum += n
	}
	if sum == 0 {
		return 0
	}
	return float64(v.next[w]) / float64(sum)
}

// successors returns the successors of v in a fixed order: most frequent
// first.
func (v *vertex) successors() []*vertex {
	ws := make([]*vertex, 0, len(v.next))
	for w := range v.next {
		ws = append(ws, w)
	}
	slices.SortFunc(ws, func(a, b *vertex) int {
		return cmp.Or(cmp.Compare(v.next[b], v.next[a]), cmp.Compare(a.index, b.index))
	})
	return ws
}

func newPCG() *pcg { return &pcg{byKey: map[vertexKey]*vertex{}} }

func (g *pcg) vertex(k vertexKey) *vertex {
	v := g.byKey[k]
	if v == nil {
		v = &vertex{key: k, index: len(g.vertices), next: map[*vertex]int64{}, latest: map[*vertex]int{}}
		g.vertices = append(g.vertices, v)
		g.byKey[k] = v
	}
	return v
}

// add lays one sequence over the graph. A computation without any CPU time
// is left out when quiet: reduction has folded it into another one.
func (g *pcg) add(steps []step) {
	var last *vertex
	g.walks++
	follow := func(v *vertex) {
		v.count++
		if last != nil {
			g.taken++
			last.next[v]++
			last.latest[v] = g.taken
			if g.walks == 1 {
				last.trail = append(last.trail, v)
			}
		}
		last = v
	}
	// A thread that has what it waited for may still wait for a core. The
	// simulation counts that in what the thread computes next, so here too.
	ready := int64(0)
	for i := range steps {
		s := &steps[i]
		if i > 0 && (s.gap > 0 || s.gapWall > 0) && !s.folded {
			c := g.vertex(vertexKey{steps[i-1].node, s.node})
			follow(c)
			c.cpu += s.gap
			c.wall += s.gapWall + ready
			ready = 0
			c.samples = append(c.samples, s.gap)
		}
		v := g.vertex(vertexKey{s.node, nil})
		follow(v)
		v.cpu += s.cpu
		v.sys += s.sys
		v.wall += max(s.wall()-s.ready, 0)
		ready += min(s.ready, s.wall())
		if s.node.class == core.DelayFragment {
			v.samples = append(v.samples, s.wait)
		}
		if s.node.class == core.IOFragment {
			v.uses = append(v.uses, s.requests)
		}
		v.args = append(v.args, s.arg)
		if s.node.class == core.SpawnFragment || s.starts > 0 {
			v.starts = append(v.starts, max(s.starts, 1))
		}
		if s.lock != nil {
			v.lock, v.sends = s.lock, s.sends
			if s.lock.timer {
				v.timers = append(v.timers, s.wall())
			}
		}
	}
}

// edges returns the number of edges.
func (g *pcg) edges() int {
	n := 0
	for _, v := range g.vertices {
		n += len(v.next)
	}
	return n
}

// cpuTime returns the CPU time of all computations, ns.
func (g *pcg) cpuTime() int64 {
	var sum int64
	for _, v := range g.vertices {
		if v.isCPU() {
			sum += v.cpu
		}
	}
	return sum
}

// timeout returns the mean time in seconds after which a timer ended a
// select.
func (v *vertex) timeout() float64 {
	sum := 0.0
	for _, t := range v.timers {
		sum += float64(t)
	}
	return sum / max(1, float64(len(v.timers))) * 1e-9
}

// countGraphs counts the transitions of all groups of the model.
func (b *build) countGraphs() {
	for _, g := range b.modelled {
		b.graphs[g] = countGroup(g)
	}
}
