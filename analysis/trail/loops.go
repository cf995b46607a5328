package trail

import (
	"cmp"
	"maps"
	"path"
	"slices"

	"gonum.org/v1/gonum/stat"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// Loop is one of a pool: a strongly connected part of the transitions
// between operations, with the node through which it is entered. Loops nest:
// without the transitions into the header, the strongly connected parts of
// what is left are the inner loops (Steensgaard 1993). As Moseley et al. 2007
// do, loops are found in the executed transitions, not in the program's text,
// and iterations are counted for every entry.
type Loop struct {
	Header  *Node
	Members map[*Node]bool
	Depth   int // 1: outermost
	outer   *Loop
	Inner   []*Loop
	Entries []Iteration
	Exact   bool // simulated with its count, not as a cycle
	// Gathered: it goes round once for each task that its thread has taken since it was left last.
	Gathered bool
	Limited  bool      // what a resource does may end it before it has gone round as often as its count says
	Drains   bool      // it goes round until a queue has nothing more
	Enter    *Node     // of a limited loop: through it whoever has left it comes back
	Deadline *Deadline // of a limited loop, for the timer that breaks it off; nil: that runs while its thread waits
}

// Deadline is when a timer goes off that runs on while its thread does something else.
type Deadline struct {
	First *Node   // the timer runs from when this is done first; nil: from where the loop is entered
	After float64 // s, mean
}

// Iteration is one run through a loop: from the step at which it was entered
// to the step after the last one inside.
type Iteration struct {
	Seq         *Sequence
	First, Past int
	Heads       []int   // steps at which iterations begin, as they were numbered when the loop was found
	Begun       []int64 // ns, when they began
	Entered     *Node   // the operation at First
	Ended       bool    // left, not cut off by the end of the recording
	Broken      bool    // left from the middle of the last iteration
}

// Date notes when the iterations of a loop began and at which operations it was entered, before steps are put in or taken out.
func (l *Loop) Date() {
	for i := range l.Entries {
		e := &l.Entries[i]
		e.Entered, e.Begun = e.Seq.Steps[e.First].Node, make([]int64, len(e.Heads))
		for k, at := range e.Heads {
			e.Begun[k] = e.Seq.Steps[at].Start
		}
	}
}

// Count is the number of iterations of one entry; one that was broken off in
// the middle does not count.
func (it Iteration) Count() int64 {
	if it.Broken {
		return int64(len(it.Heads)) - 1
	}
	return int64(len(it.Heads))
}

// FindLoops returns the outermost loops of the sequences of a pool.
func FindLoops(seqs []*Sequence) []*Loop {
	next := map[*Node]map[*Node]int64{}
	var order []*Node
	position := map[*Node]int{}
	seen := func(n *Node) {
		if _, ok := position[n]; !ok {
			position[n] = len(order)
			order = append(order, n)
			next[n] = map[*Node]int64{}
		}
	}
	for _, q := range seqs {
		for i := range q.Steps {
			seen(q.Steps[i].Node)
			if i > 0 {
				next[q.Steps[i-1].Node][q.Steps[i].Node]++
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
		for _, l := range outer.All() {
			l.findBroken()
			l.Drains, l.Limited = l.drains(), l.limited()
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
// twice; or if each of them ends where a queue has nothing more; or if none is longer than those that nothing broke off.
func (l *Loop) splitShared() {
	for _, in := range l.Inner {
		in.splitShared()
	}
	var latches []*Node
	for _, e := range l.Entries {
		for k := 1; k < len(e.Heads); k++ {
			if n := e.Seq.Steps[e.Heads[k]-1].Node; !slices.Contains(latches, n) {
				latches = append(latches, n)
			}
		}
	}
	var inner *Loop
	var best []int64
	for _, ends := range endings(latches) {
		in, runs := l.runsUntil(ends)
		in.findBroken()
		counted := in.limited() || len(ends) == 1 && (in.drains() || Regular(runs) || in.sameLength())
		if counted && len(runs) >= len(l.Entries) && (inner == nil || Variation(runs) < Variation(best)) {
			inner, best = in, runs
		}
	}
	if inner == nil {
		return
	}
	rest := []*Loop{inner}
	for _, in := range l.Inner {
		if inner.Members[in.Header] {
			in.outer = inner
			in.deepen()
			inner.Inner = append(inner.Inner, in)
		} else { // it comes after the runs: "for steps { for workers { send }; for workers { receive } }"
			rest = append(rest, in)
		}
	}
	l.Entries, l.Inner = inner.outer.Entries, rest
	inner.outer, inner.Depth = l, l.Depth+1
}

// endings are the sets of latches of which each may end runs of iterations: each of them, and all but one.
func endings(latches []*Node) (sets [][]*Node) {
	if len(latches) < 2 {
		return nil
	}
	for i, n := range latches {
		sets = append(sets, []*Node{n})
		if len(latches) > 2 {
			sets = append(sets, slices.Delete(slices.Clone(latches), i, i+1))
		}
	}
	return sets
}

// deepen moves a loop and those inside it a level down.
func (l *Loop) deepen() {
	for _, in := range l.All() {
		in.Depth++
	}
}

// runsUntil groups the iterations of l into runs that end with a transition
// from one of some nodes to the header. It returns the loop inside the runs, whose outer loop
// has the runs as iterations, and the lengths of all complete runs.
func (l *Loop) runsUntil(ends []*Node) (*Loop, []int64) {
	outer := &Loop{Header: l.Header, Members: l.Members}
	inner := &Loop{Header: l.Header, Members: map[*Node]bool{}, outer: outer}
	var runs []int64
	// Nodes of the inner loop: those of iterations that do not end there.
	last := func(e Iteration, k int) bool {
		return k+1 == len(e.Heads) || slices.Contains(ends, e.Seq.Steps[e.Heads[k+1]-1].Node)
	}
	for _, e := range l.Entries {
		for k := range e.Heads {
			if last(e, k) {
				continue
			}
			for i := e.Heads[k]; i < e.Heads[k+1]; i++ {
				inner.Members[e.Seq.Steps[i].Node] = true
			}
		}
	}
	for _, in := range l.Inner { // a loop that goes round in it does so whole, though a node of it may have been in the last round only
		if inner.Members[in.Header] {
			maps.Copy(inner.Members, in.Members)
		}
	}
	for _, e := range l.Entries {
		o := Iteration{Seq: e.Seq, First: e.First, Past: e.Past, Ended: e.Ended}
		start := 0
		for k := range e.Heads {
			if !last(e, k) {
				continue
			}
			o.Heads = append(o.Heads, e.Heads[start])
			stop := e.Past
			if k+1 < len(e.Heads) {
				stop = e.Heads[k+1]
			}
			in := Iteration{Seq: e.Seq, First: e.Heads[start], Heads: e.Heads[start : k+1], Past: stop, Ended: stop < e.Past || e.Ended}
			for i := e.Heads[k]; i < stop; i++ {
				if !inner.Members[e.Seq.Steps[i].Node] {
					in.Past, in.Ended = i, true
					break
				}
			}
			inner.Entries = append(inner.Entries, in)
			if k+1 < len(e.Heads) { // not ended by the end of the loop
				runs = append(runs, int64(k+1-start))
			}
			start = k + 1
		}
		outer.Entries = append(outer.Entries, o)
	}
	return inner, runs
}

// findBroken marks the entries whose last iteration ended at a place from
// which no other iteration went back to the header.
func (l *Loop) findBroken() {
	latches := map[*Node]bool{}
	for _, e := range l.Entries {
		for k := 1; k < len(e.Heads); k++ {
			latches[e.Seq.Steps[e.Heads[k]-1].Node] = true
		}
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		e.Broken = e.Ended && e.Past > e.First && !latches[e.Seq.Steps[e.Past-1].Node]
	}
}

// Regular reports whether numbers of iterations vary so much less than the
// geometric law, which a cycle of the graph would give them, that the loop is
// a counted one. One number says nothing.
func Regular(ns []int64) bool {
	if len(ns) < 2 {
		return false
	}
	mean, variance := MeanAndVariance(ns)
	return mean > 1 && variance < mean*(mean-1)/2
}

// sameLength reports whether all entries of a loop have one number of iterations, more
// than one.
func (l *Loop) sameLength() bool {
	n := len(l.Entries[0].Heads)
	return n > 1 && len(l.Entries) > 1 && !slices.ContainsFunc(l.Entries, func(e Iteration) bool { return !e.Ended || len(e.Heads) != n })
}

// fewestFull is how many runs of one length show that it is the longest there may be. Theory: of runs that end by chance after each
// iteration, ten in a row with one length of two or more, and none longer, are one in a thousand.
const fewestFull = 10

// limited reports whether a loop goes round so many times, or less often if something breaks it off, as who fills a batch does until it is
// old enough: all entries that are not broken off (findBroken) are of one length, and the others are shorter.
func (l *Loop) limited() bool {
	full, most, cut := 0, int64(0), int64(-1)
	for _, e := range l.Entries {
		switch {
		case !e.Ended:
		case e.Broken:
			cut = max(cut, e.Count())
		case full > 0 && e.Count() != most:
			return false
		default:
			full, most = full+1, e.Count()
		}
	}
	return full >= fewestFull && most > 1 && 0 <= cut && cut < most
}

// drains reports whether a loop goes round until a queue has nothing more, which none of its complete iterations finds.
func (l *Loop) drains() bool {
	ends := 0
	for _, e := range l.Entries {
		switch {
		case !e.Ended:
		case e.Past >= len(e.Seq.Steps) || e.Seq.Steps[e.Past].Node.Class != core.NoFetchFragment:
			return false
		default:
			ends++
		}
	}
	return ends > 0
}

// Variation is the squared coefficient of variation.
func Variation(ns []int64) float64 {
	mean, variance := MeanAndVariance(ns)
	return variance / (mean * mean)
}

// MeanAndVariance are those of numbers.
func MeanAndVariance(ns []int64) (mean, variance float64) {
	xs := make([]float64, len(ns))
	for i, n := range ns {
		xs[i] = float64(n)
	}
	return stat.PopMeanVariance(xs, nil)
}

// nest returns the loops among nodes.
func nest(nodes []*Node, next map[*Node]map[*Node]int64, outer *Loop) []*Loop {
	in := map[*Node]bool{}
	for _, n := range nodes {
		in[n] = true
	}
	header := (*Node)(nil)
	if outer != nil {
		header = outer.Header
	}
	var loops []*Loop
	for _, part := range components(nodes, next, in, header) {
		if len(part) == 1 && (next[part[0]][part[0]] == 0 || part[0] == header) {
			continue
		}
		l := &Loop{Members: map[*Node]bool{}, outer: outer, Depth: 1}
		if outer != nil {
			l.Depth = outer.Depth + 1
		}
		for _, n := range part {
			l.Members[n] = true
		}
		l.Header = entryOf(part, next, l.Members)
		if len(part) > 1 {
			l.Inner = nest(part, next, l)
		}
		loops = append(loops, l)
	}
	return loops
}

// entryOf returns the member that is entered most often from outside; nodes
// are in order of first execution, so the first one wins a draw.
func entryOf(part []*Node, next map[*Node]map[*Node]int64, members map[*Node]bool) *Node {
	entered := map[*Node]int64{}
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
func components(nodes []*Node, next map[*Node]map[*Node]int64, in map[*Node]bool, header *Node) [][]*Node {
	index, low := map[*Node]int{}, map[*Node]int{}
	on := map[*Node]bool{}
	position := map[*Node]int{}
	for i, n := range nodes {
		position[n] = i
	}
	var stack []*Node
	var parts [][]*Node
	var visit func(v *Node)
	visit = func(v *Node) {
		index[v] = len(index) + 1
		low[v] = index[v]
		stack = append(stack, v)
		on[v] = true
		var ws []*Node
		for w := range next[v] {
			if in[w] && w != header {
				ws = append(ws, w)
			}
		}
		slices.SortFunc(ws, func(a, b *Node) int { return cmp.Compare(position[a], position[b]) })
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
		var part []*Node
		for {
			w := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			on[w] = false
			part = append(part, w)
			if w == v {
				break
			}
		}
		slices.SortFunc(part, func(a, b *Node) int { return cmp.Compare(position[a], position[b]) })
		parts = append(parts, part)
	}
	for _, n := range nodes {
		if index[n] == 0 {
			visit(n)
		}
	}
	slices.SortFunc(parts, func(a, b []*Node) int { return cmp.Compare(position[a[0]], position[b[0]]) })
	return parts
}

// walkLoops records the entries of all loops in a sequence.
func walkLoops(q *Sequence, forest []*Loop) {
	var active []*Loop
	open := map[*Loop]*Iteration{}
	leave := func(depth, past int, ended bool) {
		for len(active) > depth {
			l := active[len(active)-1]
			it := open[l]
			it.Past, it.Ended = past, ended
			l.Entries = append(l.Entries, *it)
			delete(open, l)
			active = active[:len(active)-1]
		}
	}
	for i := range q.Steps {
		n := q.Steps[i].Node
		for d, l := range active {
			if !l.Members[n] {
				leave(d, i, true)
				break
			}
			// A new iteration of l ends everything inside it.
			if n == l.Header {
				leave(d+1, i, true)
				open[l].Heads = append(open[l].Heads, i)
			}
		}
		for {
			level := forest
			if len(active) > 0 {
				level = active[len(active)-1].Inner
			}
			l := LoopWith(level, n)
			if l == nil || len(active) > 0 && n == active[len(active)-1].Header {
				break
			}
			active = append(active, l)
			open[l] = &Iteration{Seq: q, First: i, Heads: []int{i}}
		}
	}
	leave(0, len(q.Steps), !q.Cut)
}

// LoopWith returns the loop of one level that a node is in; nil: none.
func LoopWith(level []*Loop, n *Node) *Loop {
	for _, l := range level {
		if l.Members[n] {
			return l
		}
	}
	return nil
}

// All returns l and the loops inside it, outer ones first.
func (l *Loop) All() []*Loop {
	ls := []*Loop{l}
	for _, in := range l.Inner {
		ls = append(ls, in.All()...)
	}
	return ls
}

// Within reports whether the scan's loop at a place is this one: the place is in a
// function that was being executed in it.
func (tr *Trail) Within(l *Loop, at trace.Frame) bool {
	return slices.ContainsFunc(trace.FramesAt(tr.Trace.Sites, l.Header.Site), func(f trace.Frame) bool {
		return f.Function == at.Function && path.Base(f.File) == path.Base(at.File)
	})
}
