package analysis

import "fmt"

// chooseGroups decides which groups get a graph: those that do something in
// the phase that is modelled. What a helper computes is charged to the thread
// that started it.
func (b *build) chooseGroups() {
	of := threadsOf(b.groups)
	helper := map[int64]int64{}
	for _, g := range b.groups {
		if g.kind != GroupHelper {
			continue
		}
		for _, q := range g.seqs {
			for j := range q.steps {
				helper[q.thread.ID] += q.steps[j].gap
				b.phaseCPU += q.steps[j].gap
			}
		}
	}
	for _, g := range b.groups {
		switch g.kind {
		case GroupRuntime, GroupHelper:
			continue
		}
		cpu, steps := int64(0), 0
		for _, q := range g.seqs {
			for i := range q.steps {
				s := &q.steps[i]
				if s.node.op == OpSpawn && of[int64(s.value)] != nil && of[int64(s.value)].kind == GroupHelper && i+1 < len(q.steps) {
					q.steps[i+1].gap += helper[int64(s.value)]
				}
				cpu += s.gap
				b.phaseCPU += s.gap
				if !s.open && s.node.virtual == "" {
					steps++
				}
			}
		}
		switch {
		case g.kind == GroupTimer:
		case b.server && g.kind == GroupConnection && len(g.seqs) == 0:
		case b.server && b.hasConnections() && acceptsInPhase(g): // requests enter by themselves
		case b.server && steps == 0:
		case len(g.seqs) == 0 || cpu == 0 && steps == 0:
		default:
			b.modelled = append(b.modelled, g)
		}
	}
	for _, g := range b.modelled {
		b.reportOf(g).Modelled = true
	}
	if len(b.modelled) == 0 {
		b.err = fmt.Errorf("%w: no thread of the program did anything between probes; was it instrumented, and did it run long enough?", ErrNoWork)
	}
}

func (b *build) reportOf(g *group) *GroupReport {
	for i := range b.reports {
		if b.reports[i].Name == g.name {
			return &b.reports[i]
		}
	}
	panic("analysis: group " + g.name + " has no report")
}

func (b *build) isModelled(g *group) bool {
	for _, m := range b.modelled {
		if m == g {
			return true
		}
	}
	return false
}

// isSpawned reports whether a group's threads come into being by spawn
// fragments.
func (b *build) isSpawned(g *group) bool {
	if !b.isModelled(g) || g.kind == GroupConnection || g.parent == nil || !b.isModelled(g.parent) || g.lazy && b.starters(g) > 1 {
		return false
	}
	if !b.server {
		return true
	}
	for _, th := range g.threads {
		if th.Born >= b.t.WorkStart {
			return true
		}
	}
	return false
}

// starters is how many threads have started some of group g.
func (b *build) starters(g *group) int {
	by := map[int64]bool{}
	for _, th := range g.threads {
		by[th.Parent] = true
	}
	return len(by)
}
