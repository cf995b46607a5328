package guards

import (
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// replace puts sends and receives in the place of stays, and a close in that
// of a broadcast to the takers. What a thread does with other resources while it stays, it does behind that, or
// before it if it waited after that.
func (b *buffer) replace(q *trail.Sequence, nodes *trail.NodeTable) {
	stays := map[int]trail.Region{} // by the step where its operation is to be
	over := -1                      // last step of the stay in which the thread says that it has brought all
	for _, r := range q.Regions() {
		if first, says := b.done[q]; says && r.Lock == b.lock && r.First == first {
			over = r.Last
		}
	}
	for _, r := range b.operations(q) {
		stays[b.operatesAt(q, r)] = r
	}
	steps := q.Steps
	within := make([]bool, len(steps))
	for _, r := range stays {
		for i := r.First; i <= r.Last; i++ {
			within[i] = true
		}
	}
	q.Rewrite(func(i int, s trail.Step) []trail.Step {
		r, operates := stays[i]
		switch {
		case operates:
			var out []trail.Step
			n, put := b.puts[q][r.First]
			got := b.takes[q][r.First]
			site := steps[r.First].Node.Site
			if k := slices.IndexFunc(steps[r.First:r.Last+1], b.saysEnd); k >= 0 {
				out = append(out, b.closing(nodes, steps[r.First+k].Node.Site, &s))
			}
			s.End = steps[r.Last].End
			if k := slices.IndexFunc(steps[i:r.Last+1], b.others); k >= 0 {
				s.End = steps[i+k].Start
			}
			if put {
				return append(out, b.sends(nodes, site, &s, n)...)
			}
			s.Result = 0
			if got {
				s.Result = 1
			}
			s.Node = nodes.Of(trace.OpReceive, site)
			s.Lock, s.Object = b.queue, b.queue.Objects[0].ID
			return append(out, s)
		case within[i] && !b.others(s):
			return nil
		case i == over:
			return []trail.Step{b.closing(nodes, b.close, &s), s}
		case b.saysEnd(s):
			s.Node = nodes.Of(trace.OpClose, s.Node.Site)
			s.Lock = b.queue
			return []trail.Step{s}
		case b.isCondition(s.Lock):
			return nil
		}
		return []trail.Step{s}
	})
}

func (b *buffer) isCondition(r *trail.Resource) bool {
	return r != nil && (r == b.empty || r == b.full)
}

// others reports whether a step is of other things than the queue's.
func (b *buffer) others(s trail.Step) bool { return s.Lock != b.lock && !b.isCondition(s.Lock) }

// operations are the stays of a thread in which it brings or takes.
func (b *buffer) operations(q *trail.Sequence) []trail.Region {
	return slices.DeleteFunc(slices.Clone(q.Regions()), func(r trail.Region) bool {
		_, takes := b.takes[q][r.First]
		_, puts := b.puts[q][r.First]
		return r.Lock != b.lock || !takes && !puts
	})
}

// operatesAt is the step of a stay that its operation takes the place of: the first, or, if the thread did something else before it
// waited there, the last such wait. Who wakes others and takes does so in this order: it might have to wait for what they bring.
func (b *buffer) operatesAt(q *trail.Sequence, r trail.Region) int {
	at, before, wakes := r.First, false, false
	for i := r.First; i <= r.Last; i++ {
		s := &q.Steps[i]
		before = before || b.others(*s)
		wakes = wakes || b.others(*s) && (s.Node.Op == trace.OpSignal || s.Node.Op == trace.OpBroadcast)
		if before && b.isCondition(s.Lock) && s.Node.Op == trace.OpCondWait {
			at = i
		}
	}
	if _, takes := b.takes[q][r.First]; takes && wakes && at == r.First {
		return r.Last
	}
	return at
}

// closing is a step that closes the queue, before another one.
func (b *buffer) closing(nodes *trail.NodeTable, site int32, before *trail.Step) trail.Step {
	c := trail.Mark(nodes.Of(trace.OpClose, site), before)
	c.Lock, c.Object = b.queue, b.queue.Objects[0].ID
	return c
}

// saysEnd reports whether a step is the first that tells all who wait for items that no more come.
func (b *buffer) saysEnd(s trail.Step) bool {
	return b.done == nil && s.Lock == b.empty && s.Node.Op == trace.OpBroadcast && s.Start == b.end
}

// findEnd finds when a thread first tells all who wait for items that no more come: after the last put, where it does not bring or get any
// itself. The only taker may do so where it gets nothing.
func (b *buffer) findEnd(gs []*trail.Pool) {
	for _, g := range gs {
		for _, q := range g.Sequences {
			within := map[int]int{} // first step of its operation on the queue, by step
			for _, r := range b.operations(q) {
				for i := r.First; i <= r.Last; i++ {
					within[i] = r.First
				}
			}
			for i := range q.Steps {
				s := &q.Steps[i]
				if s.Lock != b.empty || s.Node.Op != trace.OpBroadcast || s.Start <= b.lastPut || b.end != 0 && s.Start >= b.end {
					continue
				}
				if first, operates := within[i]; operates && (b.puts[q][first] > 0 || b.takes[q][first]) || !operates && q == b.alone {
					continue
				}
				b.end = s.Start
			}
		}
	}
}

// fill puts what was there before into the queue, before the first thread starts that takes.
func (b *buffer) fill(q *trail.Sequence, nodes *trail.NodeTable) {
	if b.stock == 0 {
		return
	}
	takers := map[int64]bool{}
	for t := range b.takes {
		takers[t.Thread.ID] = true
	}
	at := slices.IndexFunc(q.Steps, func(s trail.Step) bool {
		return s.Node.Op == trace.OpSpawn && s.Node.Virtual == "" && takers[int64(s.Value)]
	})
	if at < 0 {
		return
	}
	q.Rewrite(func(i int, s trail.Step) []trail.Step {
		if i != at {
			return []trail.Step{s}
		}
		n := int(b.stock)
		b.stock = 0
		filled := trail.Mark(nodes.Of(trace.OpSend, s.Node.Site), &s)
		return append(b.sends(nodes, s.Node.Site, &filled, n), s)
	})
}

// sends are n sends to the queue in the place of a step.
func (b *buffer) sends(nodes *trail.NodeTable, site int32, in *trail.Step, n int) (out []trail.Step) {
	s := *in
	for range n {
		if len(out) > 0 {
			s = trail.Step{Start: in.Start, End: in.Start}
		}
		s.Node, s.Lock, s.Object, s.Result = nodes.Of(trace.OpSend, site), b.queue, b.queue.Objects[0].ID, 1
		out = append(out, s)
	}
	return out
}
