package analysis

import (
	"slices"
	"strings"

	"tierscope/core"
)

// splitByLocks makes nodes of their own of operations that threads execute now
// holding some locks and now others, as code that is called from inside a critical
// section and from outside of it:
//
//	lock(a); f(); unlock(a)        f()
//
// In a graph that forgets where a thread came from, it would go from one f to what
// follows the other, release what it does not hold, or keep for ever what it does. With a
// node for each set of locks no path through the graph can.
func (b *build) splitByLocks() {
	for _, g := range b.modelled {
		under := map[*node]string{}
		split := map[*node]bool{}
		for _, q := range g.seqs {
			q.exclusions(func(i int, locks string) {
				n := q.steps[i].node
				if before, seen := under[n]; seen && before != locks {
					split[n] = true
				}
				under[n] = locks
			})
		}
		if len(split) == 0 {
			continue
		}
		for _, q := range g.seqs {
			q.exclusions(func(i int, locks string) {
				q.steps[i].node = b.nodes.underLocks(q.steps[i].node, locks, split)
			})
		}
	}
}

// exclusions calls f for every step with the locks that keep other threads out and that the
// thread holds before it.
func (q *sequence) exclusions(f func(i int, locks string)) {
	q.held(func(i int, locks []*resource) {
		var ids []string
		for _, l := range locks {
			if l.kind == core.Mutex || l.kind == core.RWLock {
				ids = append(ids, l.id)
			}
		}
		slices.Sort(ids)
		f(i, strings.Join(slices.Compact(ids), "\x00"))
	})
}

// underLocks returns the copy of n that stands for its executions while the locks are
// held, if n or the node that it belongs to is split.
func (t *nodeTable) underLocks(n *node, locks string, split map[*node]bool) *node {
	if n == t.begin || n == t.end || locks == "" || !split[n] && (n.of == nil || !split[n.of]) {
		return n
	}
	return t.copyOf(n, "under\x00"+locks, func(of *node) *node { return t.underLocks(of, locks, split) })
}
