package analysis

// bags makes a bag of tasks of every tree of threads. The numbers of threads
// that each thread of a tree starts are a branching process to a graph of
// probabilities: its mean is near one, so that trees would die out at once or
// grow without end. But the size of the tree is that of the work, as the
// number of iterations of an exact loop is. So whoever starts the root of a
// tree starts all of it, one thread for every one of the run, and the threads
// start none of their own kind. What is lost is the order: that a branch
// cannot be worked on before its parent got to it.
func (b *build) bags() {
	for _, g := range b.groups {
		if !g.tree {
			continue
		}
		parent := map[int64]int64{}
		for _, th := range g.threads {
			parent[th.ID] = th.Parent
		}
		size := map[int64]int64{} // of the tree, by its root
		for _, th := range g.threads {
			root := th.ID
			for _, inside := parent[parent[root]]; inside; _, inside = parent[parent[root]] {
				root = parent[root]
			}
			size[root]++
		}
		for _, starter := range b.groups {
			for _, q := range starter.seqs {
				q.startTrees(parent, size, starter == g)
			}
		}
		b.assume("pool " + g.name + ": its threads start each other; the model starts as many as the run had at once, so where the work branches slowly it is too fast")
	}
}

// startTrees lets the spawns of roots start whole trees, and takes the spawns
// inside of trees out. The trees that one thread starts are taken to be
// equally large: which branch had how many does not matter, their sum does.
func (q *sequence) startTrees(member, size map[int64]int64, inside bool) {
	roots, sum := int64(0), int64(0)
	is := func(s *step) bool {
		_, ok := member[int64(s.value)]
		return ok && s.node.op == OpSpawn && s.node.virtual == ""
	}
	for i := range q.steps {
		if is(&q.steps[i]) {
			roots++
			sum += size[int64(q.steps[i].value)]
		}
	}
	started := int64(0)
	q.rewrite(func(_ int, s step) []step {
		switch {
		case !is(&s):
			return []step{s}
		case inside:
			return nil
		}
		s.starts = sum*(started+1)/roots - sum*started/roots
		started++
		return []step{s}
	})
}
