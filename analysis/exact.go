package analysis

import (
	"fmt"

	"tierscope/core"
)

// exactLoops puts loop fragments where a cycle of the graph would be wrong.
// "If a loop that performs exactly n iterations is represented as a cycle in
// a PCG, then the number of iterations X will … follow a geometric
// distribution with mean n … If the loop contains the c_out node, the model
// explicitly simulates it. Otherwise the loop is represented as a cycle in
// the PCG" (Tarvo & Reiss 2014, §4.3.1). We simulate every loop exactly whose
// number of iterations varies less than the geometric law would, too.
func (b *build) exactLoops() {
	for _, g := range b.modelled {
		forest := findLoops(g.seqs)
		b.forests[g] = forest
		for _, outer := range forest {
			for _, l := range outer.all() {
				l.exact = l.isExact()
			}
		}
		for _, q := range g.seqs {
			q.insertLoops(forest, b.nodes)
		}
	}
}

// isExact decides how a loop is simulated. A loop that ends because a queue
// gave nothing ends by itself in the simulation.
func (l *loop) isExact() bool {
	var sum, squares, n float64
	out := false
	for _, e := range l.entries {
		if !e.ended {
			continue
		}
		c := float64(e.count())
		sum, squares, n = sum+c, squares+c*c, n+1
		for i := e.first; i <= e.past && i < len(e.seq.steps); i++ {
			x := e.seq.steps[i].node
			if i == e.past && x.class != core.NoFetchFragment {
				break
			}
			if x.class == core.OutFragment && x.virtual == "" || x.class == core.SpawnFragment {
				out = true
			}
			if x.class == core.NoFetchFragment {
				return false
			}
		}
	}
	if n == 0 || 2*n < float64(len(l.entries)) {
		return false
	}
	mean := sum / n
	if mean <= 1 {
		return false
	}
	variance := squares/n - mean*mean
	return out || variance < mean*(mean-1)/2
}

// insertLoops puts the node of an exact loop before every iteration and after
// the last one, and "iterate" at the beginning of the body.
func (q *sequence) insertLoops(forest []*loop, nodes *nodeTable) {
	before := map[int][]*node{}
	for _, outer := range forest {
		for _, l := range outer.all() { // outer loops first
			if !l.exact {
				continue
			}
			n := nodes.virtual(levelName("loop", l.depth), l.header, core.LoopFragment)
			it := nodes.virtual(levelName("iterate", l.depth), l.header, core.DispatchFragment)
			n.loop, it.loop = l, l
			for _, e := range l.entries {
				if e.seq != q {
					continue
				}
				for _, h := range e.heads {
					before[h] = append(before[h], n, it)
				}
				if e.ended && e.past < len(q.steps) {
					before[e.past] = append([]*node{n}, before[e.past]...)
				}
			}
		}
	}
	if len(before) == 0 {
		return
	}
	q.rewrite(func(i int, s step) []step {
		var by []step
		for _, n := range before[i] {
			by = append(by, mark(n, &s))
		}
		return append(by, s)
	})
}

// levelName tells loops with the same header apart.
func levelName(name string, depth int) string {
	if depth == 1 {
		return name
	}
	return fmt.Sprintf("%s %d", name, depth)
}
