package guards

import (
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// replace puts sends and receives in the place of stays, and a close in that
// of a broadcast to the takers. What a thread does with other resources while it stays it does behind that.
func (b *buffer) replace(q *trail.Sequence, nodes *trail.NodeTable) {
	past := map[int]int{} // first step of a stay → last
	over := -1            // last step of the stay in which the thread says that it has brought all
	for _, r := range q.Regions() {
		if first, says := b.done[q]; says && r.Lock == b.lock && r.First == first {
			over = r.Last
		}
		_, take := b.takes[q][r.First]
		_, put := b.puts[q][r.First]
		if r.Lock == b.lock && (take || put) {
			past[r.First] = r.Last
		}
	}
	steps := q.Steps
	until := -1
	others := func(s *trail.Step) bool { return s.Lock != b.lock && s.Lock != b.empty && (b.full == nil || s.Lock != b.full) }
	q.Rewrite(func(i int, s trail.Step) []trail.Step {
		condition := s.Lock == b.empty || b.full != nil && s.Lock == b.full
		last, begins := past[i]
		switch {
		case begins:
			until = last
			var out []trail.Step
			n, put := b.puts[q][i]
			if k := slices.IndexFunc(steps[i:last+1], b.saysEnd); k >= 0 && (put && n == 0 || !put && !b.takes[q][i]) {
				b.closed = true
				out = append(out, b.closing(nodes, steps[i+k].Node.Site, &s))
			}
			s.End = steps[last].End
			if k := slices.IndexFunc(steps[i:last+1], func(s trail.Step) bool { return others(&s) }); k >= 0 {
				s.End = steps[i+k].Start
			}
			if put {
				return append(out, b.sends(nodes, s.Node.Site, &s, n)...)
			}
			s.Result = 0
			if b.takes[q][i] {
				s.Result = 1
			}
			s.Node = nodes.Of(trace.OpReceive, s.Node.Site)
			s.Lock, s.Object = b.queue, b.queue.Objects[0].ID
			return append(out, s)
		case i <= until && !others(&s):
			return nil
		case i == over:
			return []trail.Step{b.closing(nodes, b.close, &s), s}
		case q != b.alone && b.saysEnd(s):
			b.closed = true
			s.Node = nodes.Of(trace.OpClose, s.Node.Site)
			s.Lock = b.queue
			return []trail.Step{s}
		case condition:
			return nil
		}
		return []trail.Step{s}
	})
}

// closing is a step that closes the queue, before another one.
func (b *buffer) closing(nodes *trail.NodeTable, site int32, before *trail.Step) trail.Step {
	c := trail.Mark(nodes.Of(trace.OpClose, site), before)
	c.Lock, c.Object = b.queue, b.queue.Objects[0].ID
	return c
}

// saysEnd reports whether a step is the first that tells all who wait for items that no more come.
func (b *buffer) saysEnd(s trail.Step) bool {
	return b.done == nil && !b.closed && s.Lock == b.empty && s.Node.Op == trace.OpBroadcast && s.Start > b.lastPut
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
