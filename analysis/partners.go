package analysis

import (
	"slices"

	"tierscope/core"
)

// A thread may have a channel for each of its partners,
//
//	for step := range steps {
//		for w := range workers { work[w] <- part(step, w) }
//		for range workers { <-results }
//	}
//	for w := range workers { close(work[w]) }
//
// In the model these are one queue from which the partners take, as large as all
// of them, that is closed when the last one is.

// closedTogether reports whether r are several channels at a time of which each is
// closed once, after everything has been sent to any of them.
func (r *resource) closedTogether() bool {
	if r.scope != core.PerProgram || r.together < 2 || len(r.objects) != r.together {
		return false
	}
	closed := map[uint64]bool{}
	last, first := int64(0), int64(0)
	for _, u := range r.uses {
		switch s := u.of(); {
		case s.node.op == OpClose:
			if closed[s.object] {
				return false
			}
			closed[s.object] = true
			if first == 0 || s.start < first {
				first = s.start
			}
		case channelOp(s) == core.Send:
			last = max(last, s.start)
		}
	}
	return len(closed) == len(r.objects) && last < first
}

// closeOnce leaves only the last close of channels that are closed together.
func closeOnce(rs []*resource) (changed bool) {
	for _, r := range rs {
		if !r.task || r.together < 2 || r.scope != core.PerProgram {
			continue
		}
		var last *step
		for _, u := range r.uses {
			if s := u.of(); s.node.op == OpClose && (last == nil || s.start > last.start) {
				last = s
			}
		}
		if last == nil {
			continue
		}
		end := last.start
		seqs := map[*sequence]bool{}
		for _, u := range r.uses {
			seqs[u.seq] = true
		}
		for q := range seqs {
			q.rewrite(func(_ int, s step) []step {
				if s.lock == r && s.node.op == OpClose && s.start < end {
					return nil
				}
				return []step{s}
			})
		}
		changed = true
	}
	return changed
}

// gathered reports whether a channel of the model stands for several of the run
// that are used side by side, and is as large as all of them.
func (r *resource) gathered() bool {
	return r.kind == core.Channel && r.scope == core.PerProgram && r.together > 1
}

// room is the capacity of a channel in the model.
func (r *resource) room() int {
	if r.gathered() && r.capacity > 0 {
		return r.capacity * r.together
	}
	return max(r.capacity, core.Unbounded)
}

// resourceOf returns the resource that a lock or queue of the model stands for.
func (b *build) resourceOf(id string) *resource {
	i := slices.IndexFunc(b.resources, func(r *resource) bool { return r.id == id })
	return b.resources[i]
}

// partners returns the loops with which others do something for each thread of
// pool g: send it a message or receive one. They go round as often as there are
// threads: either there is a channel for each, or the scan says that the setting
// that decides the size of the pool is what they count to.
func (b *build) partners(m *core.Model, g *group) []core.Target {
	var ts []core.Target
	for _, graph := range m.Graphs {
		other := b.groupOf(graph.ID)
		if other == nil || other == g {
			continue
		}
		for i := range graph.Fragments {
			f := &graph.Fragments[i]
			if f.Loop == nil || f.Loop.Count.Kind != core.Constant || f.Loop.Count.Value != float64(g.size()) || g.size() < 2 {
				continue
			}
			if l := b.graphs[other].vertices[i].key.from.loop; b.meets(l, other, g) {
				ts = append(ts, core.Target{Path: "graphs/" + graph.ID + "/fragments/" + f.ID + "/iterations"})
			}
		}
	}
	return ts
}

// counted returns the loops in which whoever starts the threads of pool g in calls adds
// each of them to a wait group.
func (b *build) counted(m *core.Model, g *group) []core.Target {
	var ts []core.Target
	for _, graph := range m.Graphs {
		other := b.groupOf(graph.ID)
		if other == nil || other == g || g.burst == 0 {
			continue
		}
		for i := range graph.Fragments {
			f := &graph.Fragments[i]
			if f.Loop == nil || f.Loop.Count.Kind != core.Constant || f.Loop.Count.Value != float64(g.size()) {
				continue
			}
			l := b.graphs[other].vertices[i].key.from.loop
			if slices.ContainsFunc(b.graphs[other].vertices, func(v *vertex) bool {
				return !v.isCPU() && v.lock != nil && v.lock.kind == core.Latch && v.key.from.op == OpAdd && l.members[v.key.from] && usedBy(v.lock, g)
			}) {
				ts = append(ts, core.Target{Path: "graphs/" + graph.ID + "/fragments/" + f.ID + "/iterations"})
			}
		}
	}
	return ts
}

func (b *build) groupOf(graph string) *group {
	i := slices.IndexFunc(b.modelled, func(g *group) bool { return g.name == graph })
	if i < 0 {
		return nil
	}
	return b.modelled[i]
}

// meets reports whether a loop of another pool sends a message to each thread of g
// or receives one.
func (b *build) meets(l *loop, of, g *group) bool {
	for _, v := range b.graphs[of].vertices {
		n := v.key.from
		if v.isCPU() || v.lock == nil || v.lock.timer || v.lock.kind != core.Channel || !l.members[n] || !usedBy(v.lock, g) {
			continue
		}
		switch n.op {
		case OpSend, OpReceive:
			if v.lock.gathered() && v.lock.together == g.size() || b.countsTo(n.place, g) {
				return true
			}
		}
	}
	return false
}

// countsTo reports whether the setting that decides the size of pool g is what a
// loop of the function at a place counts to.
func (b *build) countsTo(at Frame, g *group) bool {
	if b.in.Facts == nil {
		return false
	}
	for _, s := range b.in.Facts.Inputs {
		starts, loops := false, false
		for _, u := range s.Uses {
			starts = starts || u.Kind == UseSpawn && samePlace(u.Frame, g.place)
			loops = loops || u.Kind == UseLoop && !u.Loose && u.Frame.Function == at.Function
		}
		if starts && loops {
			return true
		}
	}
	return false
}

// served reports whether a thread of g takes what others send it, again and again.
func served(g *group) bool {
	for _, q := range g.seqs {
		times := map[*resource]int{}
		for i := range q.steps {
			s := &q.steps[i]
			if s.lock == nil || s.lock.timer || s.lock.kind != core.Channel || channelOp(s) != core.Receive || !s.received() {
				continue
			}
			if times[s.lock]++; times[s.lock] == 2 && s.lock.carriesData() && !s.lock.sentBy(g) {
				return true
			}
		}
	}
	return false
}

// sentBy reports whether threads of g send to the channel.
func (r *resource) sentBy(g *group) bool {
	return slices.ContainsFunc(r.uses, func(u use) bool { return u.group == g && channelOp(u.of()) == core.Send })
}

// closeOnce leaves only the last close of channels that are closed together.
func (b *build) closeOnce() {
	if closeOnce(b.resources) {
		b.collectUses()
	}
}
