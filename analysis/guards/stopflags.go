package guards

import (
	"fmt"
	"path"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
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
	// toldRounds is the fewest rounds in all. Theory: that a wait ends within the last of n
	// equal rounds has the probability 1/n by chance.
	toldRounds = 8

	// toldEarly is by which part of a loop's time who waits for the clock may come late: it
	// waits from the start. Convention, sensitivity none.
	toldEarly = 0.1
)

// StopFlags puts the channels in.
func StopFlags(tr *trail.Trail) {
	if tr.Server {
		return
	}
	tr.Timed = tr.Timed || closedByClock(tr)
	joined := joins(tr)
	for _, g := range tr.Pools {
		if seen(tr, g, joined) {
			joined = joins(tr) // steps have moved
		}
	}
	if tr.Input.Facts == nil || len(tr.Input.Facts.Stops) == 0 {
		return
	}
	waits := waiters(tr)
	for _, g := range tr.Pools {
		if !asksSomewhere(tr, g) {
			continue
		}
		for _, outer := range trail.FindLoops(g.Sequences) {
			for _, l := range outer.All() {
				if stop := stopOf(tr, l); stop != nil && tell(tr, g, l, stop, waits) {
					waits = waiters(tr) // steps have moved
					break
				}
			}
		}
	}
}

// asksSomewhere reports whether a function with such a loop is among those that
// started the pool's operations.
func asksSomewhere(tr *trail.Trail, g *trail.Pool) bool {
	seen := map[int32]bool{}
	for _, q := range g.Sequences {
		for i := range q.Steps {
			site := q.Steps[i].Node.Site
			if seen[site] {
				continue
			}
			seen[site] = true
			for _, f := range trace.FramesAt(tr.Trace.Sites, site) {
				if slices.ContainsFunc(tr.Input.Facts.Stops, func(s trace.Stop) bool { return s.Frame.Function == f.Function }) {
					return true
				}
			}
		}
	}
	return false
}

// waiters returns the waits for other threads, by object.
func waiters(tr *trail.Trail) map[uint64][]waiter {
	by := map[uint64][]waiter{}
	for _, g := range tr.Pools {
		for _, q := range g.Sequences {
			for i := range q.Steps {
				if s := &q.Steps[i]; s.Node.Op == trace.OpWaitGroup || s.Node.Op == trace.OpReceive {
					by[s.Object] = append(by[s.Object], waiter{g, q, i})
				}
			}
		}
	}
	return by
}

// stopOf returns the scan's loop that l is, nil if it is none that is told to stop.
func stopOf(tr *trail.Trail, l *trail.Loop) *trace.Stop {
	for i := range tr.Input.Facts.Stops {
		if s := &tr.Input.Facts.Stops[i]; tr.Within(l, s.Frame) {
			return s
		}
	}
	return nil
}

// told is an entry of a loop with who waited for its thread afterwards.
type told struct {
	it       trail.Iteration
	from, to int64 // ns: after the last time that it was told to go on, before it was told to stop
	waiter   waiter
}

// waiter is a step that waits.
type waiter struct {
	group *trail.Pool
	seq   *trail.Sequence
	step  int
}

func (w waiter) of() *trail.Step { return &w.seq.Steps[w.step] }

// tell makes the loop ask a channel if in the run it was left when somebody began to
// wait for its thread, or at one time by all its threads.
func tell(tr *trail.Trail, g *trail.Pool, l *trail.Loop, stop *trace.Stop, waits map[uint64][]waiter) bool {
	var all []told
	rounds := 0
	for _, e := range l.Entries {
		t, ok := toldAt(e, waits)
		if !ok {
			return false
		}
		all = append(all, t)
		rounds += len(e.Heads)
	}
	if rounds < toldRounds {
		return false
	}
	at := map[waiter]int64{}
	for _, t := range all {
		w := t.waiter.of()
		first := &t.it.Seq.Steps[t.it.Heads[0]]
		if stop.Clock {
			if w.Start > first.Start+int64(toldEarly*float64(t.to-first.Start)) {
				return false
			}
			if u, ok := at[t.waiter]; !ok || t.to < u {
				at[t.waiter] = t.to
			}
			continue
		}
		if w.Start < t.from || w.Start > t.to {
			return false
		}
		at[t.waiter] = w.Start
	}
	for _, t := range all {
		if when := at[t.waiter]; when < t.from {
			return false // told to go on after another one was told to stop
		}
	}
	connect(tr, g, all, at)
	tr.Timed = true
	f := stop.Frame
	by := "who waits for its threads"
	if stop.Clock {
		by = "the clock"
	}
	tr.Assume(fmt.Sprintf("pool %s: its loop at %s:%d is ended by %s", g.Name, path.Base(f.File), f.Line, by))
	return true
}

// lastRound is when a loop may have been told to stop: in its last round.
func lastRound(e trail.Iteration) told {
	t := told{it: e, from: e.Seq.Thread.Born, to: e.Seq.Thread.Ended}
	if h := e.Heads[len(e.Heads)-1]; h > 0 {
		t.from = e.Seq.Steps[h-1].End
	}
	if e.Past < len(e.Seq.Steps) {
		t.to = e.Seq.Steps[e.Past].Start
	}
	return t
}

// toldAt finds out when a loop was told to stop, and by whom its thread was awaited.
func toldAt(e trail.Iteration, waits map[uint64][]waiter) (told, bool) {
	t := lastRound(e)
	if !e.Ended {
		return t, false
	}
	for i := e.Past; i < len(e.Seq.Steps); i++ {
		s := &e.Seq.Steps[i]
		if s.Node.Op != trace.OpDone && s.Node.Op != trace.OpSend && s.Node.Op != trace.OpClose {
			continue
		}
		for _, w := range waits[s.Object] {
			if x := w.of(); x.Start <= s.End && x.End >= s.Start {
				t.waiter = w
				return t, true
			}
		}
	}
	return t, false
}

// connect makes the entries ask a channel of each waiter, which closes it at the time.
func connect(tr *trail.Trail, g *trail.Pool, all []told, at map[waiter]int64) {
	object := uint64(0)
	for _, o := range tr.Trace.Objects {
		object = max(object, o.ID)
	}
	t := *tr.Trace
	t.Objects = slices.Clone(t.Objects)
	tr.Trace = &t
	before := map[*trail.Sequence]map[int][]trail.Step{}
	insert := func(q *trail.Sequence, i int, s ...trail.Step) {
		if before[q] == nil {
			before[q] = map[int][]trail.Step{}
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
			t.Objects = append(t.Objects, trace.Object{ID: id, Kind: "chan", Site: -1})
			insert(x.waiter.seq, x.waiter.step, closes(tr, x.waiter, at[x.waiter], id)...)
		}
		q := x.it.Seq
		tr.Nodes.Scope = g.Name
		ask := tr.Nodes.Of(trace.OpTryReceive, q.Steps[x.it.Heads[0]].Node.Site)
		for _, h := range x.it.Heads {
			insert(q, h, asked(ask, &q.Steps[h], id, 0))
		}
		if x.it.Past < len(q.Steps) {
			insert(q, x.it.Past, asked(ask, &q.Steps[x.it.Past], id, 2))
		} else {
			insert(q, x.it.Past, trail.Step{Node: ask, Start: x.to, End: x.to, Object: id, Result: 2})
		}
	}
	for q, steps := range before {
		n := len(q.Steps)
		q.Rewrite(func(i int, s trail.Step) []trail.Step { return append(steps[i], s) })
		q.Steps = append(q.Steps, steps[n]...)
	}
}

// asked is a step that asks before the computation before s.
func asked(ask *trail.Node, s *trail.Step, object uint64, result int64) trail.Step {
	at := s.Start - s.GapWall
	return trail.Step{Node: ask, Start: at, End: at, Object: object, Result: result}
}

// closes are the steps that close a channel at a time, before or in a wait that is
// shortened by as much.
func closes(tr *trail.Trail, w waiter, at int64, object uint64) []trail.Step {
	s := w.of()
	tr.Nodes.Scope = w.group.Name
	end := trail.Step{Node: tr.Nodes.Of(trace.OpClose, s.Node.Site), Start: max(at, s.Start), End: max(at, s.Start), Object: object}
	if at <= s.Start {
		end.Gap, end.GapWall, s.Gap, s.GapWall = s.Gap, s.GapWall, 0, 0
		return []trail.Step{end}
	}
	sleep := trail.Step{Node: tr.Nodes.Of(trace.OpSleep, s.Node.Site), Start: s.Start, End: at, Arg: at - s.Start, Off: at - s.Start, Gap: s.Gap, GapWall: s.GapWall}
	s.Gap, s.GapWall, s.Start = 0, 0, at
	s.End = max(s.End, at)
	return []trail.Step{sleep, end}
}
