package analysis

import (
	"cmp"
	"slices"
)

// A loop of a thread group: a strongly connected part of the transitions
// between operations, with the node through which it is entered. Loops nest:
// without the transitions into the header, the strongly connected parts of
// what is left are the inner loops (Steensgaard 1993). As Moseley et al. 2007
// do, loops are found in the executed transitions, not in the program's text,
// and iterations are counted for every entry.
type loop struct {
	header  *node
	members map[*node]bool
	depth   int // 1: outermost
	outer   *loop
	inner   []*loop
	entries []iteration
	exact   bool // simulated with its count, not as a cycle
}

// iteration is one run through a loop: from the step at which it was entered
// to the step after the last one inside.
type iteration struct {
	seq         *sequence
	first, past int
	heads       []int // steps at which iterations begin
	ended       bool  // left, not cut off by the end of the recording
	broken      bool  // left from the middle of the last iteration
}

// count is the number of iterations of one entry; one that was broken off in
// the middle does not count.
func (it iteration) count() int64 {
	if it.broken {
		return int64(len(it.heads)) - 1
	}
	return int64(len(it.heads))
}

// findLoops returns the outermost loops of the sequences of a group.
func findLoops(seqs []*sequence) []*loop {
	next := map[*node]map[*node]int64{}
	var order []*node
	position := map[*node]int{}
	seen := func(n *node) {
		if _, ok := position[n]; !ok {
			position[n] = len(order)
			order = append(order, n)
			next[n] = map[*node]int64{}
		}
	}
	for _, q := range seqs {
		for i := range q.steps {
			seen(q.steps[i].node)
			if i > 0 {
				next[q.steps[i-1].node][q.steps[i].node]++
			}
		}
	}
	forest := nest(order, next, nil)
	for _, q := range seqs {
		walkLoops(q, forest)
	}
	for _, l := range forest {
		l.splitShared()
	}
	for _, outer := range forest {
		for _, l := range outer.all() {
			l.findBroken()
		}
	}
	return forest
}

// splitShared tells loops apart that share a header, which strongly connected
// parts cannot: "for steps { for workers { send }; wait }" comes back to the
// send from the send and from the wait. A transition back to the header
// closes an outer loop if it comes after regular numbers of others, less
// variable than if it were a branch taken at random; or if all runs are of one length,
// the last included, which the end of the loop ends: a function with a loop that is called
// twice.
func (l *loop) splitShared() {
	for _, in := range l.inner {
		in.splitShared()
	}
	var latches []*node
	for _, e := range l.entries {
		for k := 1; k < len(e.heads); k++ {
			if n := e.seq.steps[e.heads[k]-1].node; !slices.Contains(latches, n) {
				latches = append(latches, n)
			}
		}
	}
	var inner *loop
	var best []int64
	for _, b := range latches {
		if in, runs := l.runsUntil(b); len(latches) > 1 && (regular(runs) || in.sameLength()) && len(runs) >= len(l.entries) && (inner == nil || variation(runs) < variation(best)) {
			inner, best = in, runs
		}
	}
	if inner == nil {
		return
	}
	rest := []*loop{inner}
	for _, in := range l.inner {
		if inner.members[in.header] {
			in.outer = inner
			in.deepen()
			inner.inner = append(inner.inner, in)
		} else { // it comes after the runs: "for steps { for workers { send }; for workers { receive } }"
			rest = append(rest, in)
		}
	}
	l.entries, l.inner = inner.outer.entries, rest
	inner.outer, inner.depth = l, l.depth+1
}

// deepen moves a loop and those inside it a level down.
func (l *loop) deepen() {
	for _, in := range l.all() {
		in.depth++
	}
}

// runsUntil groups the iterations of l into runs that end with a transition
// from b to the header. It returns the loop inside the runs, whose outer loop
// has the runs as iterations, and the lengths of all complete runs.
func (l *loop) runsUntil(b *node) (*loop, []int64) {
	outer := &loop{header: l.header, members: l.members}
	inner := &loop{header: l.header, members: map[*node]bool{}, outer: outer}
	var runs []int64
	// Nodes of the inner loop: those of iterations that do not end at b.
	last := func(e iteration, k int) bool {
		return k+1 == len(e.heads) || e.seq.steps[e.heads[k+1]-1].node == b
	}
	for _, e := range l.entries {
		for k := range e.heads {
			if last(e, k) {
				continue
			}
			for i := e.heads[k]; i < e.heads[k+1]; i++ {
				inner.members[e.seq.steps[i].node] = true
			}
		}
	}
	for _, e := range l.entries {
		o := iteration{seq: e.seq, first: e.first, past: e.past, ended: e.ended}
		start := 0
		for k := range e.heads {
			if !last(e, k) {
				continue
			}
			o.heads = append(o.heads, e.heads[start])
			stop := e.past
			if k+1 < len(e.heads) {
				stop = e.heads[k+1]
			}
			in := iteration{seq: e.seq, first: e.heads[start], heads: e.heads[start : k+1], past: stop, ended: stop < e.past || e.ended}
			for i := e.heads[k]; i < stop; i++ {
				if !inner.members[e.seq.steps[i].node] {
					in.past, in.ended = i, true
					break
				}
			}
			inner.entries = append(inner.entries, in)
			if k+1 < len(e.heads) { // ended by b, not by the end of the loop
				runs = append(runs, int64(k+1-start))
			}
			start = k + 1
		}
		outer.entries = append(outer.entries, o)
	}
	return inner, runs
}

// findBroken marks the entries whose last iteration ended at a place from
// which no other iteration went back to the header.
func (l *loop) findBroken() {
	latches := map[*node]bool{}
	for _, e := range l.entries {
		for k := 1; k < len(e.heads); k++ {
			latches[e.seq.steps[e.heads[k]-1].node] = true
		}
	}
	for i := range l.entries {
		e := &l.entries[i]
		e.broken = e.ended && e.past > e.first && !latches[e.seq.steps[e.past-1].node]
	}
}

// regular reports whether numbers of iterations vary so much less than the
// geometric law, which a cycle of the graph would give them, that the loop is
// a counted one. One number says nothing.
func regular(ns []int64) bool {
	if len(ns) < 2 {
		return false
	}
	mean, variance := meanAndVariance(ns)
	return mean > 1 && variance < mean*(mean-1)/2
}

// sameLength reports whether all entries of a loop have one number of iterations, more
// than one.
func (l *loop) sameLength() bool {
	n := len(l.entries[0].heads)
	return n > 1 && len(l.entries) > 1 && !slices.ContainsFunc(l.entries, func(e iteration) bool { return !e.ended || len(e.heads) != n })
}

// variation is the squared coefficient of variation.
func variation(ns []int64) float64 {
	mean, variance := meanAndVariance(ns)
	return variance / (mean * mean)
}

func meanAndVariance(ns []int64) (mean, variance float64) {
	var sum, squares float64
	for _, n := range ns {
		sum += float64(n)
		squares += float64(n) * float64(n)
	}
	mean = sum / float64(len(ns))
	return mean, squares/float64(len(ns)) - mean*mean
}

// nest returns the loops among nodes.
func nest(nodes []*node, next map[*node]map[*node]int64, outer *loop) []*loop {
	in := map[*node]bool{}
	for _, n := range nodes {
		in[n] = true
	}
	header := (*node)(nil)
	if outer != nil {
		header = outer.header
	}
	var loops []*loop
	for _, part := range components(nodes, next, in, header) {
		if len(part) == 1 && (next[part[0]][part[0]] == 0 || part[0] == header) {
			continue
		}
		l := &loop{members: map[*node]bool{}, outer: outer, depth: 1}
		if outer != nil {
			l.depth = outer.depth + 1
		}
		for _, n := range part {
			l.members[n] = true
		}
		l.header = entryOf(part, next, l.members)
		if len(part) > 1 {
			l.inner = nest(part, next, l)
		}
		loops = append(loops, l)
	}
	return loops
}

// entryOf returns the member that is entered most often from outside; nodes
// are in order of first execution, so the first one wins a draw.
func entryOf(part []*node, next map[*node]map[*node]int64, members map[*node]bool) *node {
	entered := map[*node]int64{}
	for from, tos := range next {
		if members[from] {
			continue
		}
		for to, n := range tos {
			if members[to] {
				entered[to] += n
			}
		}
	}
	best := part[0]
	for _, n := range part {
		if entered[n] > entered[best] {
			best = n
		}
	}
	return best
}

// components returns the strongly connected components of the nodes, each in
// the order of nodes, without the transitions into header (Tarjan 1972).
func components(nodes []*node, next map[*node]map[*node]int64, in map[*node]bool, header *node) [][]*node {
	index, low := map[*node]int{}, map[*node]int{}
	on := map[*node]bool{}
	position := map[*node]int{}
	for i, n := range nodes {
		position[n] = i
	}
	var stack []*node
	var parts [][]*node
	var visit func(v *node)
	visit = func(v *node) {
		index[v] = len(index) + 1
		low[v] = index[v]
		stack = append(stack, v)
		on[v] = true
		var ws []*node
		for w := range next[v] {
			if in[w] && w != header {
				ws = append(ws, w)
			}
		}
		slices.SortFunc(ws, func(a, b *node) int { return cmp.Compare(position[a], position[b]) })
		for _, w := range ws {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if on[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] != index[v] {
			return
		}
		var part []*node
		for {
			w := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			on[w] = false
			part = append(part, w)
			if w == v {
				break
			}
		}
		slices.SortFunc(part, func(a, b *node) int { return cmp.Compare(position[a], position[b]) })
		parts = append(parts, part)
	}
	for _, n := range nodes {
		if index[n] == 0 {
			visit(n)
		}
	}
	slices.SortFunc(parts, func(a, b []*node) int { return cmp.Compare(position[a[0]], position[b[0]]) })
	return parts
}

// walkLoops records the entries of all loops in a sequence.
func walkLoops(q *sequence, forest []*loop) {
	var active []*loop
	open := map[*loop]*iteration{}
	leave := func(depth, past int, ended bool) {
		for len(active) > depth {
			l := active[len(active)-1]
			it := open[l]
			it.past, it.ended = past, ended
			l.entries = append(l.entries, *it)
			delete(open, l)
			active = active[:len(active)-1]
		}
	}
	for i := range q.steps {
		n := q.steps[i].node
		for d, l := range active {
			if !l.members[n] {
				leave(d, i, true)
				break
			}
			// A new iteration of l ends everything inside it.
			if n == l.header {
				leave(d+1, i, true)
				open[l].heads = append(open[l].heads, i)
			}
		}
		for {
			level := forest
			if len(active) > 0 {
				level = active[len(active)-1].inner
			}
			l := loopWith(level, n)
			if l == nil || len(active) > 0 && n == active[len(active)-1].header {
				break
			}
			active = append(active, l)
			open[l] = &iteration{seq: q, first: i, heads: []int{i}}
		}
	}
	leave(0, len(q.steps), !q.cut)
}

func loopWith(level []*loop, n *node) *loop {
	for _, l := range level {
		if l.members[n] {
			return l
		}
	}
	return nil
}

// all returns l and the loops inside it, outer ones first.
func (l *loop) all() []*loop {
	ls := []*loop{l}
	for _, in := range l.inner {
		ls = append(ls, in.all()...)
	}
	return ls
}
