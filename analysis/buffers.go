package analysis

import (
	"cmp"
	"slices"

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
// condition, the side that brings is the one with which the number of items is
// never negative. It returns the queues found.
func findBuffers(rs []*resource, gs []*group, nodes *nodeTable) []*resource {
	var found []*resource
	for _, empty := range rs {
		if empty.kind != core.Condition || empty.monitor == nil || len(empty.objects) != 1 {
			continue
		}
		b := bufferOf(empty, rs)
		if b == nil {
			continue
		}
		for _, g := range gs {
			nodes.scope = g.name
			for _, q := range g.seqs {
				b.replace(q, nodes)
			}
		}
		for at := range b.brings {
			b.queue.madeIn = append(b.queue.madeIn, at.at.place.Function)
		}
		found = append(found, b.queue)
	}
	return found
}

// buffer is a home-made task queue.
type buffer struct {
	queue       *resource
	lock        *resource
	empty, full *resource // conditions; full is nil without a bound
	puts, takes map[*sequence]map[int]bool
	brings      map[side]bool
}

// stay is one region under the lock of a buffer.
type stay struct {
	seq   *sequence
	group *group
	region
	signals, waits map[*resource]bool
}

// side is a place of the program at which the threads of a group come to the
// buffer, to bring or to take.
type side struct {
	group *group
	at    *node // operation on the lock
}

func (s *stay) side() side { return side{s.group, s.seq.steps[s.first].node} }

// bufferOf returns the buffer whose takers wait for empty, nil if it is none.
func bufferOf(empty *resource, rs []*resource) *buffer {
	b := &buffer{lock: empty.monitor, empty: empty, puts: map[*sequence]map[int]bool{}, takes: map[*sequence]map[int]bool{}}
	for _, full := range rs {
		if full.kind == core.Condition && full != empty && full.monitor == b.lock {
			if b.full != nil {
				return nil
			}
			b.full = full
		}
	}
	stays := staysUnder(b.lock)
	brings, ok := b.sides(stays)
	if !ok {
		return nil
	}
	b.brings = brings
	set := func(of map[*sequence]map[int]bool, s *stay, v bool) {
		if of[s.seq] == nil {
			of[s.seq] = map[int]bool{}
		}
		of[s.seq][s.first] = v
	}
	puts, takes, got := int64(0), int64(0), int64(0)
	for i := range stays {
		s := &stays[i]
		switch put, ok := brings[s.side()]; {
		case ok && put:
			puts++
			set(b.puts, s, true)
		case ok:
			takes++
			gets := b.full == nil || s.signals[b.full]
			set(b.takes, s, gets)
			if gets {
				got++
			}
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
		_, capacity = itemsIn(stays, func(s *stay) int {
			switch {
			case b.puts[s.seq][s.first]:
				return 1
			case b.takes[s.seq][s.first]:
				return -1
			}
			return 0
		})
	}
	at := b.firstPut(stays)
	b.queue = &resource{id: "queue " + shortPlace(at), kind: core.Channel, task: true, capacity: capacity,
		place: at, objects: empty.objects, together: 1, scope: core.PerProgram}
	if room != nil {
		b.queue.limited = room.place
	}
	return b
}

// firstPut returns the place where the first thing is brought.
func (b *buffer) firstPut(stays []stay) Frame {
	for i := range stays {
		if s := &stays[i]; b.puts[s.seq][s.first] {
			return s.seq.steps[s.first].node.place
		}
	}
	return b.empty.place
}

// waitForRoom returns the operation with which threads waited for room, nil if
// none had to.
func (b *buffer) waitForRoom(stays []stay) *node {
	for i := range stays {
		s := &stays[i]
		if b.full == nil || !b.puts[s.seq][s.first] || !s.waits[b.full] {
			continue
		}
		for j := s.first; j <= s.last; j++ {
			if x := &s.seq.steps[j]; x.node.op == OpCondWait && x.lock == b.full {
				return x.node
			}
		}
	}
	return nil
}

// mostSides is how many sides are tried in all combinations.
const mostSides = 8

// sides returns the places that come to the buffer, true for those that bring
// something. A place that is executed only once says that nothing more comes.
func (b *buffer) sides(stays []stay) (brings map[side]bool, ok bool) {
	var order []side
	times, waits, signals := map[side]int{}, map[side]bool{}, map[side]bool{}
	for i := range stays {
		s := &stays[i]
		at := s.side()
		if times[at]++; times[at] == 1 {
			order = append(order, at)
		}
		waits[at] = waits[at] || s.waits[b.empty]
		signals[at] = signals[at] || s.signals[b.empty]
	}
	brings = map[side]bool{}
	var both []side
	putters, takers := map[*group]int64{}, map[*group]int64{}
	for _, at := range order {
		switch {
		case times[at] < 2 || !waits[at] && !signals[at]:
			continue
		case waits[at] && signals[at]:
			both = append(both, at)
		}
		if brings[at] = signals[at]; signals[at] {
			putters[at.group]++
		}
		if waits[at] {
			takers[at.group]++
		}
	}
	if len(both) == 0 {
		return brings, len(putters) > 0 && len(takers) > 0 && disjoint(putters, takers)
	}
	if b.full != nil || len(brings) < 2 || len(brings) > mostSides {
		return nil, false
	}
	b.full = b.empty
	order = slices.DeleteFunc(order, func(at side) bool { _, in := brings[at]; return !in })
	least := 0
	for mask := 1; mask+1 < 1<<len(order); mask++ {
		try, puts, takes := map[side]bool{}, map[*group]int64{}, map[*group]int64{}
		for i, at := range order {
			if try[at] = mask&(1<<i) != 0; try[at] {
				puts[at.group]++
			} else {
				takes[at.group]++
			}
		}
		fewest, most := itemsIn(stays, func(s *stay) int {
			switch put, in := try[s.side()]; {
			case !in || !s.signals[b.empty]:
				return 0
			case put:
				return 1
			}
			return -1
		})
		if disjoint(puts, takes) && fewest >= 0 && (least == 0 || most < least) {
			least, brings = most, try
		}
	}
	return brings, least > 0
}

// itemsIn returns the least and the largest number of items in a buffer to
// which each stay adds change items when it ends.
func itemsIn(stays []stay, change func(*stay) int) (fewest, most int) {
	type event struct {
		at int64
		by int
	}
	var es []event
	for i := range stays {
		if by := change(&stays[i]); by != 0 {
			es = append(es, event{stays[i].seq.steps[stays[i].last].start, by})
		}
	}
	slices.SortFunc(es, func(a, c event) int { return cmp.Compare(a.at, c.at) })
	n := 0
	for _, e := range es {
		n += e.by
		fewest, most = min(fewest, n), max(most, n)
	}
	return fewest, most
}

// lastGetNothing marks the last stay of n threads: they find the queue closed.
func (b *buffer) lastGetNothing(n int64) {
	for _, at := range b.takes {
		if n <= 0 {
			return
		}
		last := -1
		for i := range at {
			last = max(last, i)
		}
		at[last] = false
		n--
	}
}

// staysUnder returns the regions under a lock with the conditions that are
// used in them. A signal directly after the release belongs to its region.
func staysUnder(lock *resource) []stay {
	var out []stay
	done := map[*sequence]bool{}
	for _, u := range lock.uses {
		if done[u.seq] {
			continue
		}
		done[u.seq] = true
		for _, r := range u.seq.regions() {
			if r.lock != lock {
				continue
			}
			s := stay{seq: u.seq, group: u.group, region: r, signals: map[*resource]bool{}, waits: map[*resource]bool{}}
			for i := r.first; i <= r.last+1 && i < len(u.seq.steps); i++ {
				x := &u.seq.steps[i]
				switch x.node.op {
				case OpSignal, OpBroadcast:
					s.signals[x.lock] = true
				case OpCondWait:
					s.waits[x.lock] = true
				}
			}
			out = append(out, s)
		}
	}
	return out
}

// replace puts sends and receives in the place of stays, and a close in that
// of a broadcast to the takers.
func (b *buffer) replace(q *sequence, nodes *nodeTable) {
	past := map[int]int{} // first step of a stay → last
	for _, r := range q.regions() {
		_, take := b.takes[q][r.first]
		if r.lock == b.lock && (take || b.puts[q][r.first]) {
			past[r.first] = r.last
		}
	}
	steps := q.steps
	until := -1
	q.rewrite(func(i int, s step) []step {
		condition := s.lock == b.empty || b.full != nil && s.lock == b.full
		last, begins := past[i]
		switch {
		case begins:
			until = last
			op := OpReceive
			s.result = 0
			if b.puts[q][i] {
				op = OpSend
			}
			if b.puts[q][i] || b.takes[q][i] {
				s.result = 1
			}
			s.node = nodes.of(op, s.node.site)
			s.lock, s.object, s.end = b.queue, b.queue.objects[0].id, steps[last].end
			return []step{s}
		case i <= until:
			return nil
		case condition && s.node.op == OpBroadcast && s.lock == b.empty:
			s.node = nodes.of(OpClose, s.node.site)
			s.lock = b.queue
			return []step{s}
		case condition:
			return nil
		}
		return []step{s}
	})
}

// findBuffers recognises home-made queues.
func (b *build) findBuffers() {
	if queues := findBuffers(b.resources, b.groups, b.nodes); queues != nil {
		b.resources = append(b.resources, queues...)
		b.collectUses()
	}
}
