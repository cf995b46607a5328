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

// isExact decides how a loop is simulated. A loop that is left because of what
// a resource does (a queue that is closed, another case of a select, a try
// that fails) is left for the same reason in the simulation.
func (l *loop) isExact() bool {
	var counts []int64
	out, more := false, false
	for _, e := range l.entries {
		if !e.ended {
			continue
		}
		counts = append(counts, e.count())
		more = more || len(e.heads) > 1 // one that was broken off may be the second
		if l.leftByResource(e) {
			return false
		}
		for i := e.first; i < e.past; i++ {
			x := e.seq.steps[i].node
			if x.class == core.OutFragment && x.virtual == "" || x.class == core.SpawnFragment {
				out = true
			}
		}
	}
	if len(counts) == 0 || 2*len(counts) < len(l.entries) {
		return false
	}
	return more && (out || regular(counts) || len(counts) == 1)
}

// leftByResource reports whether an entry ended with an outcome that no
// complete iteration had.
func (l *loop) leftByResource(e iteration) bool {
	last := len(e.heads) - 1
	usual, got := map[*node]bool{}, map[*node]bool{}
	for i := e.first; i < e.heads[last]; i++ {
		s := &e.seq.steps[i]
		usual[s.node] = true
		got[s.node] = got[s.node] || s.succeeded()
	}
	for i := e.heads[last]; i <= e.past && i < len(e.seq.steps); i++ {
		s := &e.seq.steps[i]
		x := s.node
		if x.class == core.NoFetchFragment {
			return true
		}
		if usual[x] && !got[x] && tries(x.op) && s.lock != nil && s.succeeded() {
			return true // as a poll of a channel that tells the thread to stop
		}
		outcome := x.caseLock != nil || x.virtual == "default"
		if outcome && last > 0 && !usual[x] && l.members[x.of] {
			return true
		}
	}
	return false
}

// insertLoops puts the node of an exact loop before every iteration and after
// the last one, and "iterate" at the beginning of the body. An iteration that
// was broken off in the middle is not one of the loop: its fragments become
// nodes of their own after the loop. Otherwise the simulated loop could be
// left, or gone through again, in the middle of a region.
func (q *sequence) insertLoops(forest []*loop, nodes *nodeTable) {
	type inserted struct {
		n      *node
		l      *loop
		closes bool // the loop, and so belongs to the iteration of an outer one that ends here
	}
	before := map[int][]inserted{}
	last := map[int][]*loop{} // loops of which the step is in a broken last iteration, outer ones first
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
				for k, h := range e.heads {
					before[h] = append(before[h], inserted{n, l, false})
					if !e.broken || k+1 < len(e.heads) {
						before[h] = append(before[h], inserted{it, l, false})
						continue
					}
					for i := h; i < e.past; i++ {
						last[i] = append(last[i], l)
					}
				}
				if e.ended && !e.broken && e.past < len(q.steps) {
					before[e.past] = append([]inserted{{n, l, true}}, before[e.past]...)
				}
			}
		}
	}
	if len(before) == 0 {
		return
	}
	q.rewrite(func(i int, s step) []step {
		var by []step
		for _, x := range before[i] {
			n, at := x.n, i
			if x.closes {
				at--
			}
			for _, l := range last[at] {
				if l != x.l && l.depth < x.l.depth {
					n = nodes.inLast(n, l)
				}
			}
			by = append(by, mark(n, &s))
		}
		for _, l := range last[i] {
			s.node = nodes.inLast(s.node, l)
		}
		return append(by, s)
	})
}

// inLast returns the copy of n that stands for its execution in a broken last
// iteration of l.
func (t *nodeTable) inLast(n *node, l *loop) *node {
	if n == t.end || n == t.begin {
		return n
	}
	return t.copyOf(n, "last\x00"+levelName(l.header.key, l.depth), func(of *node) *node { return t.inLast(of, l) })
}

// copyOf returns the copy of n for some of its executions, which like tells from other copies;
// the node that n belongs to is what belongs makes of it.
func (t *nodeTable) copyOf(n *node, like string, belongs func(of *node) *node) *node {
	key := n.key + "\x00" + like
	c := t.byKey[key]
	if c == nil {
		c = new(node)
		*c = *n
		c.key, c.copied = key, n
		t.byKey[key] = c
		if n.of != nil {
			c.of = belongs(n.of)
		}
	}
	return c
}

// levelName tells loops with the same header apart.
func levelName(name string, depth int) string {
	if depth == 1 {
		return name
	}
	return fmt.Sprintf("%s %d", name, depth)
}
