package pools

import (
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// ThreadTrees makes a bag of tasks of every tree of threads. The numbers of threads
// that each thread of a tree starts are a branching process to a graph of
// probabilities: its mean is near one, so that trees would die out at once or
// grow without end. But the size of the tree is that of the work, as the
// number of iterations of an exact loop is. So whoever starts the root of a
// tree starts all of it, one thread for every one of the run, and the threads
// start none of their own kind. What is lost is the order: that a branch
// cannot be worked on before its parent got to it.
func ThreadTrees(tr *trail.Trail) {
	for _, g := range tr.Pools {
		if !g.Tree {
			continue
		}
		parent := map[int64]int64{}
		for _, th := range g.Threads {
			parent[th.ID] = th.Parent
		}
		size := map[int64]int64{} // of the tree, by its root
		for _, th := range g.Threads {
			root := th.ID
			for _, inside := parent[parent[root]]; inside; _, inside = parent[parent[root]] {
				root = parent[root]
			}
			size[root]++
		}
		for _, starter := range tr.Pools {
			for _, q := range starter.Sequences {
				startTrees(q, parent, size, starter == g)
			}
		}
		tr.Assume("pool " + g.Name + ": its threads start each other; the model starts as many as the run had at once, so where the work branches slowly it is too fast")
	}
}

// startTrees lets the spawns of roots start whole trees, and takes the spawns
// inside of trees out. The trees that one thread starts are taken to be
// equally large: which branch had how many does not matter, their sum does.
func startTrees(q *trail.Sequence, member, size map[int64]int64, inside bool) {
	roots, sum := int64(0), int64(0)
	is := func(s *trail.Step) bool {
		_, ok := member[int64(s.Value)]
		return ok && s.Node.Op == trace.OpSpawn && s.Node.Virtual == ""
	}
	for i := range q.Steps {
		if is(&q.Steps[i]) {
			roots++
			sum += size[int64(q.Steps[i].Value)]
		}
	}
	started := int64(0)
	q.Rewrite(func(_ int, s trail.Step) []trail.Step {
		switch {
		case !is(&s):
			return []trail.Step{s}
		case inside:
			return nil
		}
		s.Starts = sum*(started+1)/roots - sum*started/roots
		started++
		return []trail.Step{s}
	})
}
