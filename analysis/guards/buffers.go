package guards

import (
	"cmp"
	"maps"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// findBuffers recognises task queues made of a mutex, condition variables and
// a list:
//
//	put:  lock; for full  { notFull.Wait() };  append; notEmpty.Signal(); unlock
//	take: lock; for empty { notEmpty.Wait() }; remove; notFull.Signal();  unlock
//
// Their state is a number that a graph of probabilities does not know: a
// thread would wait for a signal that nobody owes it. As with home-made
// barriers (barriers.go), the run shows what the queue is: one side waits for
// a condition that the other one signals. Where both sides wait for the same
// condition, or nobody had to wait for items, the side that brings is the one with which the number of items is
// never negative (sides.go). It returns the queues found.
func findBuffers(rs []*trail.Resource, gs []*trail.Pool, nodes *trail.NodeTable) []*trail.Resource {
	var found []*trail.Resource
	used := map[string]int{}
	for _, empty := range rs {
		if empty.Kind != core.Condition || empty.Monitor == nil || len(empty.Objects) != 1 {
			continue
		}
		b := bufferOf(empty, rs)
		if b == nil {
			continue
		}
		for _, g := range gs {
			nodes.Scope = g.Name
			for _, q := range g.Sequences {
				b.replace(q, nodes)
			}
		}
		for at := range b.brings {
			b.queue.MadeIn = append(b.queue.MadeIn, at.at.Place.Function)
		}
		b.queue.ID = trail.Numbered(used, b.queue.ID) // one function may put into each of several
		found = append(found, b.queue)
	}
	return found
}

// buffer is a home-made task queue.
type buffer struct {
	queue       *trail.Resource
	lock        *trail.Resource
	empty, full *trail.Resource // conditions; full is nil without a bound
	puts, takes map[*trail.Sequence]map[int]bool
	brings      map[side]bool
	lastPut     int64                   // ns: who wakes the takers before has brought something
	closed      bool                    // who wakes them again does not close it again
	done        map[*trail.Sequence]int // stay in which a thread says that it has brought all
	close       int32                   // site at which the last of them wakes the takers
	alone       *trail.Sequence         // the only taker: who tells it that no more comes is another thread
}

// bufferOf returns the buffer whose takers wait for empty, nil if it is none.
func bufferOf(empty *trail.Resource, rs []*trail.Resource) *buffer {
	b := &buffer{lock: empty.Monitor, empty: empty, puts: map[*trail.Sequence]map[int]bool{}, takes: map[*trail.Sequence]map[int]bool{}}
	stays := b.lock.Stays()
	for _, full := range rs {
		if full.Kind == core.Condition && full != empty && full.Monitor == b.lock && saysRoom(full, empty, stays) {
			if b.full != nil {
				return nil
			}
			b.full = full
		}
	}
	brings, ok := b.sides(stays)
	if !ok {
		return nil
	}
	b.brings = brings
	set := func(of map[*trail.Sequence]map[int]bool, s *trail.Stay, v bool) {
		if of[s.Sequence] == nil {
			of[s.Sequence] = map[int]bool{}
		}
		of[s.Sequence][s.First] = v
	}
	puts, takes, got := int64(0), int64(0), int64(0)
	for i := range stays {
		s := &stays[i]
		switch put, ok := brings[sideOf(s)]; {
		case ok && put:
			puts++
			b.lastPut = max(b.lastPut, s.Enters().Start)
			set(b.puts, s, true)
		case ok:
			takes++
			gets := b.full == nil || s.Signals[b.full]
			set(b.takes, s, gets)
			if gets {
				got++
			}
		}
	}
	for i := range stays {
		s := &stays[i]
		if _, known := brings[sideOf(s)]; !known && puts < takes && len(b.takes) > 1 && wakesOne(s, empty) {
			puts++ // at a place that is executed only once: who says that nothing more comes wakes all
			b.lastPut = max(b.lastPut, s.Enters().Start)
			set(b.puts, s, true)
		}
	}
	if b.full == nil && takes-puts > int64(len(b.takes)) {
		return nil // more stays took nothing than there are threads that could end
	}
	if b.full == nil || got < puts && takes >= puts {
		got = puts
		b.lastGetNothing(takes - puts)
	}
	if puts < 2 || got > puts || takes < puts {
		return nil
	}
	capacity := core.Unbounded
	room := b.waitForRoom(stays)
	if room != nil {
		_, capacity = itemsIn(stays, func(s *trail.Stay) int {
			switch {
			case b.puts[s.Sequence][s.First]:
				return 1
			case b.takes[s.Sequence][s.First]:
				return -1
			}
			return 0
		})
	}
	b.findDone(stays)
	at := b.firstPut(stays)
	if len(b.takes) == 1 {
		for q := range b.takes {
			b.alone = q
		}
	}
	b.queue = &trail.Resource{ID: "queue " + trace.ShortPlace(at), Kind: core.Channel, Task: true, Capacity: capacity,
		Place: at, Objects: empty.Objects, Together: 1, Scope: core.PerProgram}
	if room != nil {
		b.queue.Limited = room.Place
	}
	return b
}

// wakesOne reports whether a thread signals a condition in a stay, to one of those who wait.
func wakesOne(s *trail.Stay, c *trail.Resource) bool {
	return s.Signals[c] && slices.ContainsFunc(s.Sequence.Steps[s.First:min(s.Last+2, len(s.Sequence.Steps))], func(x trail.Step) bool {
		return x.Lock == c && x.Node.Op == trace.OpSignal
	})
}

// firstPut returns the place where the first thing is brought.
func (b *buffer) firstPut(stays []trail.Stay) trace.Frame {
	for i := range stays {
		if s := &stays[i]; b.puts[s.Sequence][s.First] {
			return s.Enters().Node.Place
		}
	}
	return b.empty.Place
}

// waitForRoom returns the operation with which threads waited for room, nil if
// none had to.
func (b *buffer) waitForRoom(stays []trail.Stay) *trail.Node {
	for i := range stays {
		s := &stays[i]
		if b.full == nil || !b.puts[s.Sequence][s.First] || !s.Waits[b.full] {
			continue
		}
		for j := s.First; j <= s.Last; j++ {
			if x := &s.Sequence.Steps[j]; x.Node.Op == trace.OpCondWait && x.Lock == b.full {
				return x.Node
			}
		}
	}
	return nil
}

// lastGetNothing marks the last stay of the n threads that come last: they find the queue closed.
func (b *buffer) lastGetNothing(n int64) {
	last := map[*trail.Sequence]int{}
	for q, at := range b.takes {
		last[q] = slices.Max(slices.Collect(maps.Keys(at)))
	}
	late := slices.SortedFunc(maps.Keys(last), func(p, q *trail.Sequence) int {
		return cmp.Or(cmp.Compare(q.Steps[last[q]].Start, p.Steps[last[p]].Start), cmp.Compare(p.Thread.ID, q.Thread.ID))
	})
	for _, q := range late[:min(int(max(n, 0)), len(late))] {
		b.takes[q][last[q]] = false
	}
}

// replace puts sends and receives in the place of stays, and a close in that
// of a broadcast to the takers.
func (b *buffer) replace(q *trail.Sequence, nodes *trail.NodeTable) {
	past := map[int]int{} // first step of a stay → last
	over := -1            // last step of the stay in which the thread says that it has brought all
	for _, r := range q.Regions() {
		if first, says := b.done[q]; says && r.Lock == b.lock && r.First == first {
			over = r.Last
		}
		_, take := b.takes[q][r.First]
		if r.Lock == b.lock && (take || b.puts[q][r.First]) {
			past[r.First] = r.Last
		}
	}
	steps := q.Steps
	until := -1
	q.Rewrite(func(i int, s trail.Step) []trail.Step {
		condition := s.Lock == b.empty || b.full != nil && s.Lock == b.full
		last, begins := past[i]
		switch {
		case begins:
			until = last
			op := trace.OpReceive
			s.Result = 0
			if b.puts[q][i] {
				op = trace.OpSend
			}
			if b.puts[q][i] || b.takes[q][i] {
				s.Result = 1
			}
			var out []trail.Step
			if k := slices.IndexFunc(steps[i:last+1], b.saysEnd); k >= 0 && op == trace.OpReceive && s.Result == 0 {
				b.closed = true
				out = append(out, b.closing(nodes, steps[i+k].Node.Site, &s))
			}
			s.Node = nodes.Of(op, s.Node.Site)
			s.Lock, s.Object, s.End = b.queue, b.queue.Objects[0].ID, steps[last].End
			return append(out, s)
		case i <= until:
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

// FindBuffers recognises home-made queues.
func FindBuffers(tr *trail.Trail) {
	tr.Resources = append(tr.Resources, findBuffers(tr.Resources, tr.Pools, tr.Nodes)...)
}
