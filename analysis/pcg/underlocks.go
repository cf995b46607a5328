package pcg

import (
	"slices"
	"strings"

	"tierscope/analysis/trail"
)

// UnderLocks makes nodes of their own of operations that threads execute now
// holding some locks and now others, as code that is called from inside a critical
// section and from outside of it:
//
//	lock(a); f(); unlock(a)        f()
//
// In a graph that forgets where a thread came from, it would go from one f to what
// follows the other, release what it does not hold, or keep for ever what it does. With a
// node for each set of locks no path through the graph can.
func UnderLocks(tr *trail.Trail) {
	for _, g := range tr.Modelled {
		under := map[*trail.Node]string{}
		split := map[*trail.Node]bool{}
		for _, q := range g.Sequences {
			exclusions(q, func(i int, locks string) {
				n := q.Steps[i].Node
				if before, seen := under[n]; seen && before != locks {
					split[n] = true
				}
				under[n] = locks
			})
		}
		if len(split) == 0 {
			continue
		}
		for _, q := range g.Sequences {
			exclusions(q, func(i int, locks string) {
				q.Steps[i].Node = underLocks(tr.Nodes, q.Steps[i].Node, locks, split)
			})
		}
	}
}

// exclusions calls f for every step with the locks that keep other threads out and that the
// thread holds before it.
func exclusions(q *trail.Sequence, f func(i int, locks string)) {
	q.Held(func(i int, locks []*trail.Resource) {
		var ids []string
		for _, l := range locks {
			if l.Kind.Exclusive() {
				ids = append(ids, l.ID)
			}
		}
		slices.Sort(ids)
		f(i, strings.Join(slices.Compact(ids), "\x00"))
	})
}

// underLocks returns the copy of n that stands for its executions while the locks are
// held, if n or the node that it belongs to is split.
func underLocks(t *trail.NodeTable, n *trail.Node, locks string, split map[*trail.Node]bool) *trail.Node {
	if n == t.Begin || n == t.End || locks == "" || !split[n] && (n.Of == nil || !split[n.Of]) {
		return n
	}
	return t.Copy(n, "under\x00"+locks, func(of *trail.Node) *trail.Node { return underLocks(t, of, locks, split) })
}
