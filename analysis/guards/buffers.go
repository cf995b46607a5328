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
// never negative (sides.go). Or there was something before they began (stocked.go). It returns the queues found.
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
		b.findEnd(gs)
		for _, g := range gs {
			nodes.Scope = g.Name
			for _, q := range g.Sequences {
				b.replace(q, nodes)
				b.fill(q, nodes)
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
	empty, full *trail.Resource                  // conditions; full is nil without a bound
	puts        map[*trail.Sequence]map[int]int  // how much is brought, by the first step of the stay
	takes       map[*trail.Sequence]map[int]bool // whether something is got
	brings      map[side]bool
	counted     bool                    // each signal is for one thing that is brought
	stock       int64                   // what was there before the takers began
	lastPut     int64                   // ns: who wakes the takers before has brought something
	end         int64                   // ns: when the takers are woken, after the last put, as no more comes; 0: they are not
	done        map[*trail.Sequence]int // stay in which a thread says that it has brought all
	close       int32                   // site at which the last of them wakes the takers
	alone       *trail.Sequence         // the only taker: who tells it that no more comes is another thread
}

// bufferOf returns the buffer whose takers wait for empty, nil if it is none.
func bufferOf(empty *trail.Resource, rs []*trail.Resource) *buffer {
	stays := empty.Monitor.Stays()
	var full *trail.Resource
	for _, x := range rs {
		if x.Kind == core.Condition && x != empty && x.Monitor == empty.Monitor && saysRoom(x, empty, stays) {
			if full != nil {
				return nil
			}
			full = x
		}
	}
	for _, sides := range []func(*buffer, []trail.Stay) (map[side]bool, bool){(*buffer).sides, (*buffer).stocked} {
		b := &buffer{lock: empty.Monitor, empty: empty, full: full, puts: map[*trail.Sequence]map[int]int{}, takes: map[*trail.Sequence]map[int]bool{}}
		if brings, ok := sides(b, stays); ok && b.count(stays, brings) {
			b.findDone(stays)
			b.becomesQueue(stays)
			return b
		}
	}
	return nil
}

// count notes what each stay brings or takes; false: that is not what a buffer does.
func (b *buffer) count(stays []trail.Stay, brings map[side]bool) bool {
	b.brings = brings
	puts, takes, got := b.stock, int64(0), int64(0)
	put := func(s *trail.Stay, n int) {
		puts += int64(n)
		if n > 0 {
			b.lastPut = max(b.lastPut, s.Enters().Start)
		}
		if b.puts[s.Sequence] == nil {
			b.puts[s.Sequence] = map[int]int{}
		}
		b.puts[s.Sequence][s.First] = n
	}
	for i := range stays {
		s := &stays[i]
		switch brings, ok := brings[sideOf(s)]; {
		case ok && brings && b.counted:
			put(s, signals(s, b.empty))
		case ok && brings:
			put(s, 1)
		case ok:
			takes++
			gets := b.full == nil || s.Signals[b.full]
			if b.takes[s.Sequence] == nil {
				b.takes[s.Sequence] = map[int]bool{}
			}
			b.takes[s.Sequence][s.First] = gets
			if gets {
				got++
			}
		}
	}
	for i := range stays {
		s := &stays[i]
		if _, known := brings[sideOf(s)]; !known && puts < takes && len(b.takes) > 1 && signals(s, b.empty) > 0 {
			put(s, 1) // at a place that is executed only once: who says that nothing more comes wakes all
		}
	}
	if k := b.atATime(stays, puts, takes); k > 1 {
		puts *= k
		b.bringsSeveral(int(k))
	}
	if b.full == nil && takes-puts > int64(len(b.takes)) {
		return false // more stays took nothing than there are threads that could end
	}
	if b.full == nil || got < puts && takes >= puts {
		got = puts
		b.lastGetNothing(takes - puts)
	}
	return puts >= 2 && got <= puts && takes >= puts && !b.takesAhead(stays)
}

// takesAhead reports whether more was taken than had been brought, and was there before, beyond one thing of each thread that takes: the threads use
// up what there was before, such as the places of a window, and the others bring that back.
func (b *buffer) takesAhead(stays []trail.Stay) bool {
	fewest, _ := b.items(stays)
	return int64(fewest)+b.stock < -int64(len(b.takes))
}

// items are the least and the largest number of things that were there, beyond those before.
func (b *buffer) items(stays []trail.Stay) (fewest, most int) {
	return itemsIn(stays, func(s *trail.Stay) int {
		if b.takes[s.Sequence][s.First] {
			return -1
		}
		return b.puts[s.Sequence][s.First]
	})
}

// becomesQueue makes the queue.
func (b *buffer) becomesQueue(stays []trail.Stay) {
	capacity := core.Unbounded
	room := b.waitForRoom(stays)
	if room != nil {
		_, capacity = b.items(stays)
	}
	at := b.firstPut(stays)
	if len(b.takes) == 1 {
		for q := range b.takes {
			b.alone = q
		}
	}
	b.queue = &trail.Resource{ID: "queue " + trace.ShortPlace(at), Kind: core.Channel, Task: true, Capacity: capacity,
		Place: at, Objects: b.empty.Objects, Together: 1, Scope: core.PerProgram}
	if room != nil {
		b.queue.Limited = room.Place
	}
}

// signals is how often a thread signals a condition in a stay, each time to one of those who wait.
func signals(s *trail.Stay, c *trail.Resource) (n int) {
	for i := s.First; i < min(s.Last+2, len(s.Sequence.Steps)); i++ {
		if x := &s.Sequence.Steps[i]; x.Lock == c && x.Node.Op == trace.OpSignal {
			n++
		}
	}
	return n
}

// firstPut returns the place where the first thing is brought.
func (b *buffer) firstPut(stays []trail.Stay) trace.Frame {
	for i := range stays {
		if s := &stays[i]; b.puts[s.Sequence][s.First] > 0 {
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
		if b.full == nil || b.puts[s.Sequence][s.First] == 0 || !s.Waits[b.full] {
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

// FindBuffers recognises home-made queues.
func FindBuffers(tr *trail.Trail) {
	tr.Resources = append(tr.Resources, findBuffers(tr.Resources, tr.Pools, tr.Nodes)...)
}
