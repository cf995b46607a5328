package settings

import (
	"fmt"
	"path"
	"slices"

	"tierscope/analysis/pcg"
	"tierscope/analysis/tasks"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// sharesStatically reports whether each thread of the pool does a fixed part
// of a fixed amount of work, so that more threads have less to do each. A
// pool that takes tasks from a queue shares dynamically: nothing has to
// change.
//
// A pool whose threads are sent messages does too, unless as many are sent as there
// are threads (partners) and the program divides something by their number.
func (s *solver) sharesStatically(q *quantity, g *trail.Pool, partners bool) bool {
	fetches := slices.ContainsFunc(g.Sequences, func(q *trail.Sequence) bool {
		return slices.ContainsFunc(q.Steps, func(s trail.Step) bool { return s.Node.Fetched() })
	})
	if s.tr.Options.Scaling == trail.ScalingWeak || g.Lazy && !waitsForConditions(g) || fetches && !partners {
		return false
	}
	if s.tr.Options.Scaling == trail.ScalingStrong {
		return true
	}
	var share bool
	var why string
	if u, ok := s.bringsOwn(q, g); ok {
		why = fmt.Sprintf(": every thread brings its own work, as a run with another %s showed (--scaling strong: a fixed amount is divided)", u.Name)
	} else if u, ok := s.dividedBy(q); ok {
		at := trace.ShortPlace(u.Frame)
		if u.Frame.File != "" {
			at = fmt.Sprintf("%s:%d", path.Base(u.Frame.File), u.Frame.Line)
		}
		share, why = true, fmt.Sprintf(": its work is divided by %s at %s", u.Name, at)
	} else if f := s.tr.Input.Facts; f != nil && slices.ContainsFunc(f.Repeats, func(f trace.Frame) bool { return trace.SamePlace(f, g.Place) }) {
		why = ": every thread brings its own work, as its loops count to what does not depend on how many threads there are (--scaling strong: a fixed amount is divided)"
	} else if l := s.roundsOfEach(g); l != nil {
		why = fmt.Sprintf(": every thread brings its own work, as each goes round as often as %s says, however far the others are (--scaling strong: a fixed amount is divided)", s.driver[l.path].by.Name)
	} else if fetches || takes(g) {
		why = ": each of its threads does as much for a message however many they are"
	} else {
		share, why = true, " takes no tasks from a queue: a fixed amount of work is assumed to be divided among its threads (--scaling weak: every thread brings its own)"
	}
	if !fetches && untilTold(s.tr, g) {
		share, why = false, " works until it is told to stop: every thread brings its own work"
	}
	s.tr.Assume("pool " + g.Name + why)
	return share
}

// waitsForConditions reports whether threads of a pool find their work by conditions: no queue shares it out.
func waitsForConditions(g *trail.Pool) bool {
	return slices.ContainsFunc(g.Sequences, func(q *trail.Sequence) bool {
		return slices.ContainsFunc(q.Steps, func(s trail.Step) bool { return s.Node.Op == trace.OpCondWait })
	})
}

// untilTold reports whether what a resource does ends the loops of the pool's
// threads, such as a channel that is closed: they have no amount of work to share.
func untilTold(tr *trail.Trail, g *trail.Pool) bool {
	return slices.ContainsFunc(tr.Forests[g], func(l *trail.Loop) bool {
		return slices.ContainsFunc(l.Entries, func(e trail.Iteration) bool { return e.Ended && pcg.LeftByResource(l, e) })
	})
}

// bringsOwn returns the setting with another number of which a run showed that threads of the pool have work of their own.
func (s *solver) bringsOwn(q *quantity, g *trail.Pool) (use, bool) {
	return s.also(q, trace.UseOwn, func(u use) bool { return trace.SamePlace(u.Frame, g.Place) })
}

// roundsOfEach returns a loop through which every thread of a pool goes once, as often as a setting says and apart from the others: were a
// fixed amount divided, each would go round less often than that, or all together in steps; nil: there is none.
func (s *solver) roundsOfEach(g *trail.Pool) *exactLoop {
	i := slices.IndexFunc(s.loops, func(l exactLoop) bool {
		q := s.driver[l.path]
		return l.of == g && g.Size() > 1 && l.loop.Depth == 1 && q != nil && q.by != nil && q.Default == l.times && len(l.loop.Entries) == len(g.Sequences) && !inStep(l.loop)
	})
	if i < 0 {
		return nil
	}
	return &s.loops[i]
}

// dividedBy returns where something is divided by the setting that decides the size
// of the pool, or counted in steps of it: evidence that the work is shared out.
func (s *solver) dividedBy(q *quantity) (use, bool) {
	anywhere := func(use) bool { return true }
	if u, ok := s.also(q, trace.UseDivisor, anywhere); ok {
		return u, true
	}
	return s.also(q, trace.UseStride, anywhere)
}

// also returns what else, of a kind, the setting decides that decides q.
func (s *solver) also(q *quantity, kind trace.UseKind, is func(use) bool) (use, bool) {
	for _, u := range s.in.uses[kind] {
		if q.setBy(u.setting) && is(u) {
			return u, true
		}
	}
	return use{}, false
}

// divides returns the targets that share the work of g out: outer loops whose
// rounds the threads go through together, or that a setting decides, stay as they
// are; other loops make fewer iterations, and what is outside of them takes less time, but for what one thread does for all.
// The rounds of a thread that was alone are what the setting says whether others would share them or not: they do.
func (s *solver) divides(g *trail.Pool) (ts []core.Target) {
	n, loops, serial := float64(g.Size()), s.dividedLoops(g, g.Size() == 1), serial(g)
	said := func(path string) bool { return s.driver[path] != nil }
	for i, v := range s.tr.Graphs[g].Vertices {
		f := &graphOf(s.m, g).Fragments[i]
		switch {
		case f.Class == core.LoopFragment && slices.Contains(loops, v.Key.From.Loop):
			t := core.Target{Path: fragment(g, f) + "/iterations", Factor: n * f.Loop.Count.Expectation(), Power: -1}
			if said(t.Path) {
				t.Factor, t.Multiplies = n, true
			}
			ts = append(ts, t)
		case f.Class == core.CPUFragment && !inside(v, loops) && !serial[v.Key]:
			ts = append(ts, core.Target{Path: fragment(g, f) + "/scale", Factor: n, Power: -1})
		}
	}
	return ts
}

// meetings are what threads do that go through a loop together.
var meetings = []trace.Op{trace.OpBarrier, trace.OpCondWait, trace.OpWaitGroup, trace.OpReceive, trace.OpSend, trace.OpSelect}

// dividedLoops returns the outermost exact loops of g that do not go round
// together with other threads and whose rounds no setting says, or one may say of a thread alone.
func (s *solver) dividedLoops(g *trail.Pool, alone bool) (out []*trail.Loop) {
	said := map[*trail.Loop]bool{}
	for _, l := range s.loops {
		said[l.loop] = !alone && s.driver[l.path] != nil
	}
	var visit func(l *trail.Loop)
	visit = func(l *trail.Loop) {
		if waits(l) {
			return
		}
		together := said[l]
		for n := range l.Members {
			// an out fragment brings tasks and waits for nobody in particular
			together = together || n.Class == core.SpawnFragment || n.Class == core.JoinFragment || n.Class != core.OutFragment && slices.Contains(meetings, n.Op)
		}
		if l.Exact && !l.Gathered && !l.Limited && (!together || !said[l] && !inStep(l)) {
			out = append(out, l)
			return
		}
		for _, in := range l.Inner {
			visit(in)
		}
	}
	for _, l := range s.tr.Forests[g] {
		visit(l)
	}
	return out
}

// waits reports whether a loop is nothing but a wait for others, that is tried again as often as it happens to be in vain.
func waits(l *trail.Loop) bool {
	for n := range l.Members {
		if n.Op != trace.OpPark && n.Op != trace.OpCondWait {
			return false
		}
	}
	return true
}

// inStep reports whether threads that meet others in a loop go through it together: whoever is ahead of another is so by fewer
// rounds than there are threads, as in a barrier or where each waits for its neighbours. Who waits for answers to
// what it asks itself is soon further ahead. Where one goes through the loop several times, or has rounds of its own in it, nobody knows.
func inStep(l *trail.Loop) bool {
	var begins [][]int64 // of rounds, by thread
	of := map[*trail.Sequence]bool{}
	for _, e := range l.Entries {
		if of[e.Seq] || len(e.Begun) == 1 && e.Entered != l.Header {
			return true
		}
		of[e.Seq] = true
		begins = append(begins, e.Begun)
	}
	n := len(begins)
	for _, fast := range begins {
		for _, slow := range begins {
			for k := 0; k+n < len(fast) && k < len(slow); k++ {
				if n > 1 && fast[k+n] < slow[k] {
					return false
				}
			}
		}
	}
	return true
}

// inside reports whether a computation is inside a divided loop.
func inside(v *trail.Vertex, loops []*trail.Loop) bool {
	for _, l := range loops {
		in := func(n *trail.Node) bool { return l.Members[n] || n.Loop == l || n.Of != nil && l.Members[n.Of] }
		if in(v.Key.From) && in(v.Key.To) {
			return true
		}
	}
	return false
}

// takes reports whether a thread of g takes what others send it, again and again.
func takes(g *trail.Pool) bool {
	for _, q := range g.Sequences {
		times := map[*trail.Resource]int{}
		for i := range q.Steps {
			s := &q.Steps[i]
			if s.Lock == nil || s.Lock.Timer || s.Lock.Kind != core.Channel || trail.ChannelOp(s) != core.Receive || !s.Received() {
				continue
			}
			if times[s.Lock]++; times[s.Lock] == 2 && tasks.CarriesData(s.Lock) && !sentBy(s.Lock, g) {
				return true
			}
		}
	}
	return false
}

// sentBy reports whether threads of g send to the channel.
func sentBy(r *trail.Resource, g *trail.Pool) bool {
	return slices.ContainsFunc(r.Uses, func(u trail.Use) bool { return u.Pool == g && trail.ChannelOp(u.Step()) == core.Send })
}
