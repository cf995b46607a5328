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
// a condition that the other one signals once for every stay under the lock.
// It returns the queues found.
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
}

// stay is one region under the lock of a buffer.
type stay struct {
	seq   *sequence
	group *group
	region
	signals, waits map[*resource]bool
}

// bufferOf returns the buffer whose takers wait for empty, nil if it is none.
func bufferOf(empty *resource, rs []*resource) *buffer {
	b := &buffer{lock: empty.monitor, empty: empty, puts: map[*sequence]map[int]bool{}, takes: map[*sequence]map[int]bool{}}
	stays := staysUnder(b.lock)
	takers, putters := map[*group]int64{}, map[*group]int64{}
	for _, s := range stays {
		if s.waits[empty] {
			takers[s.group]++
		}
		if s.signals[empty] {
			putters[s.group]++
		}
	}
	if len(takers) == 0 || len(putters) == 0 || !disjoint(takers, putters) {
		return nil
	}
	for _, full := range rs {
		if full.kind == core.Condition && full != empty && full.monitor == b.lock {
			if b.full != nil {
				return nil
			}
			b.full = full
		}
	}
	type event struct {
		at  int64
		put bool
	}
	var es []event
	puts, takes, got := int64(0), int64(0), int64(0)
	for _, s := range stays {
		switch {
		case s.signals[empty] && putters[s.group] > 0:
			puts++
			mark := b.puts[s.seq]
			if mark == nil {
				mark = map[int]bool{}
				b.puts[s.seq] = mark
			}
			mark[s.first] = true
			es = append(es, event{s.seq.steps[s.last].start, true})
		case takers[s.group] > 0:
			takes++
			mark := b.takes[s.seq]
			if mark == nil {
				mark = map[int]bool{}
				b.takes[s.seq] = mark
			}
			mark[s.first] = s.signals[b.full] || b.full == nil
		}
	}
	if b.full == nil {
		b.lastGetNothing(takes - puts)
	}
	for _, s := range stays {
		if b.takes[s.seq][s.first] {
			got++
			es = append(es, event{s.seq.steps[s.last].start, false})
		}
	}
	if puts < 2 || got > puts || takes < puts {
		return nil
	}
	slices.SortFunc(es, func(a, c event) int { return cmp.Compare(a.at, c.at) })
	n, most := 0, 0
	for _, e := range es {
		if n--; e.put {
			n += 2
		}
		most = max(most, n)
	}
	capacity := core.Unbounded
	if b.full != nil && len(usesOf(b.full, OpCondWait)) > 0 {
		capacity = most
	}
	b.queue = &resource{id: "queue " + shortPlace(empty.place), kind: core.Channel, task: true, capacity: capacity,
		place: empty.place, objects: empty.objects, together: 1, scope: core.PerProgram}
	return b
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
				case OpSignal:
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

func usesOf(r *resource, op Op) []use {
	var us []use
	for _, u := range r.uses {
		if u.seq.steps[u.step].node.op == op {
			us = append(us, u)
		}
	}
	return us
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
