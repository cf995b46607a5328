package analysis

import (
	"fmt"
	"path"
	"slices"
)

// Threads that work until a variable tells them to stop, or until it is late enough,
// ask in every round and are told in the last one. No probe sees either. The scan
// knows the loops (Facts.Stops), the run who was waiting for the threads:
//
//	for !stop.Load() { … }                 stop.Store(true); threads.Wait()
//	for time.Since(began) < limit { … }    threads.Wait()
//
// The variable becomes a channel that who waits closes before the wait, or, with the
// clock, after it has slept so long; every round tries to receive from it. Otherwise
// threads would go round as often as in the run, whatever the others do.
const (
	toldRounds = 8   // fewest rounds in all: it is told in one of them by chance otherwise
	toldEarly  = 0.1 // of the loop's time: who waits for the clock does so from the start
)

// toldLoops puts the channels in.
func (b *build) toldLoops() {
	if b.in.Facts == nil || len(b.in.Facts.Stops) == 0 || b.server {
		return
	}
	waits := b.waits()
	for _, g := range b.groups {
		if !b.asksSomewhere(g) {
			continue
		}
		for _, outer := range findLoops(g.seqs) {
			for _, l := range outer.all() {
				if stop := b.stopOf(l); stop != nil && b.tell(g, l, stop, waits) {
					waits = b.waits() // steps have moved
					break
				}
			}
		}
	}
}

// asksSomewhere reports whether a function with such a loop is among those that
// started the group's operations.
func (b *build) asksSomewhere(g *group) bool {
	seen := map[int32]bool{}
	for _, q := range g.seqs {
		for i := range q.steps {
			site := q.steps[i].node.site
			if seen[site] {
				continue
			}
			seen[site] = true
			for _, f := range framesAt(b.t.Sites, site) {
				if slices.ContainsFunc(b.in.Facts.Stops, func(s Stop) bool { return s.Frame.Function == f.Function }) {
					return true
				}
			}
		}
	}
	return false
}

// waits returns the waits for other threads, by object.
func (b *build) waits() map[uint64][]waiter {
	by := map[uint64][]waiter{}
	for _, g := range b.groups {
		for _, q := range g.seqs {
			for i := range q.steps {
				if s := &q.steps[i]; s.node.op == OpWaitGroup || s.node.op == OpReceive {
					by[s.object] = append(by[s.object], waiter{g, q, i})
				}
			}
		}
	}
	return by
}

// stopOf returns the scan's loop that l is, nil if it is none that is told to stop.
func (b *build) stopOf(l *loop) *Stop {
	for i := range b.in.Facts.Stops {
		if s := &b.in.Facts.Stops[i]; b.within(l, s.Frame) {
			return s
		}
	}
	return nil
}

// told is an entry of a loop with who waited for its thread afterwards.
type told struct {
	it       iteration
	from, to int64 // ns: after the last time that it was told to go on, before it was told to stop
	waiter   waiter
}

// waiter is a step that waits.
type waiter struct {
	group *group
	seq   *sequence
	step  int
}

func (w waiter) of() *step { return &w.seq.steps[w.step] }

// tell makes the loop ask a channel if in the run it was left when somebody began to
// wait for its thread, or at one time by all its threads.
func (b *build) tell(g *group, l *loop, stop *Stop, waits map[uint64][]waiter) bool {
	var all []told
	rounds := 0
	for _, e := range l.entries {
		t, ok := toldAt(e, waits)
		if !ok {
			return false
		}
		all = append(all, t)
		rounds += len(e.heads)
	}
	if rounds < toldRounds {
		return false
	}
	at := map[waiter]int64{}
	for _, t := range all {
		w := t.waiter.of()
		first := &t.it.seq.steps[t.it.heads[0]]
		if stop.Clock {
			if w.start > first.start+int64(toldEarly*float64(t.to-first.start)) {
				return false
			}
			if u, ok := at[t.waiter]; !ok || t.to < u {
				at[t.waiter] = t.to
			}
			continue
		}
		if w.start < t.from || w.start > t.to {
			return false
		}
		at[t.waiter] = w.start
	}
	for _, t := range all {
		if when := at[t.waiter]; when < t.from {
			return false // told to go on after another one was told to stop
		}
	}
	b.connect(g, all, at)
	f := stop.Frame
	by := "who waits for its threads"
	if stop.Clock {
		by = "the clock"
	}
	b.assume(fmt.Sprintf("pool %s: its loop at %s:%d is ended by %s", g.name, path.Base(f.File), f.Line, by))
	return true
}

// toldAt finds out when a loop was told to stop, and by whom its thread was awaited.
func toldAt(e iteration, waits map[uint64][]waiter) (told, bool) {
	t := told{it: e, from: e.seq.thread.Born}
	if !e.ended || e.past >= len(e.seq.steps) {
		return t, false
	}
	if h := e.heads[len(e.heads)-1]; h > 0 {
		t.from = e.seq.steps[h-1].end
	}
	t.to = e.seq.steps[e.past].start
	for i := e.past; i < len(e.seq.steps); i++ {
		s := &e.seq.steps[i]
		if s.node.op != OpDone && s.node.op != OpSend && s.node.op != OpClose {
			continue
		}
		for _, w := range waits[s.object] {
			if x := w.of(); x.start <= s.end && x.end >= s.start {
				t.waiter = w
				return t, true
			}
		}
	}
	return t, false
}

// connect makes the entries ask a channel of each waiter, which closes it at the time.
func (b *build) connect(g *group, all []told, at map[waiter]int64) {
	object := uint64(0)
	for _, o := range b.t.Objects {
		object = max(object, o.ID)
	}
	t := *b.t
	t.Objects = slices.Clone(t.Objects)
	b.t = &t
	before := map[*sequence]map[int][]step{}
	insert := func(q *sequence, i int, s ...step) {
		if before[q] == nil {
			before[q] = map[int][]step{}
		}
		before[q][i] = append(before[q][i], s...)
	}
	channels := map[waiter]uint64{}
	for _, x := range all {
		id, known := channels[x.waiter]
		if !known {
			object++
			id = object
			channels[x.waiter] = id
			t.Objects = append(t.Objects, Object{ID: id, Kind: "chan", Site: -1})
			insert(x.waiter.seq, x.waiter.step, b.closes(x.waiter, at[x.waiter], id)...)
		}
		q := x.it.seq
		b.nodes.scope = g.name
		ask := b.nodes.of(OpTryReceive, q.steps[x.it.heads[0]].node.site)
		for _, h := range x.it.heads {
			insert(q, h, asked(ask, &q.steps[h], id, 0))
		}
		insert(q, x.it.past, asked(ask, &q.steps[x.it.past], id, 2))
	}
	for q, steps := range before {
		q.rewrite(func(i int, s step) []step { return append(steps[i], s) })
	}
}

// asked is a step that asks before the computation before s.
func asked(ask *node, s *step, object uint64, result int64) step {
	at := s.start - s.gapWall
	return step{node: ask, start: at, end: at, object: object, result: result}
}

// closes are the steps that close a channel at a time, before or in a wait that is
// shortened by as much.
func (b *build) closes(w waiter, at int64, object uint64) []step {
	s := w.of()
	b.nodes.scope = w.group.name
	end := step{node: b.nodes.of(OpClose, s.node.site), start: max(at, s.start), end: max(at, s.start), object: object}
	if at <= s.start {
		end.gap, end.gapWall, s.gap, s.gapWall = s.gap, s.gapWall, 0, 0
		return []step{end}
	}
	sleep := step{node: b.nodes.of(OpSleep, s.node.site), start: s.start, end: at, arg: at - s.start, off: at - s.start, gap: s.gap, gapWall: s.gapWall}
	s.gap, s.gapWall, s.start = 0, 0, at
	s.end = max(s.end, at)
	return []step{sleep, end}
}
