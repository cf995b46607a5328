package settings

import (
	"fmt"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// dependent is a path that changes with the size of a pool.
type dependent struct {
	core.Target
	of      *quantity // the size
	counted bool      // its setting is what the program counts to there, or its threads are all who meet
}

// driveDependents gives each path that changes with the size of a pool to the only
// pool that may decide it, or the only one that the program counts to there, and the rounds that fill a channel to the
// capacity of that. Rounds of loops that another setting decides stay with that.
func (s *solver) driveDependents() {
	var ds []dependent
	for _, q := range s.quantities {
		for _, g := range q.pools {
			ds = append(ds, s.dependents(q, g)...)
		}
		ds = append(ds, s.fillers(q)...)
	}
	for _, d := range ds {
		rival := func(counted bool) bool {
			return slices.ContainsFunc(ds, func(o dependent) bool { return o.Path == d.Path && o.of != d.of && o.counted == counted })
		}
		switch has := s.driver[d.Path]; {
		case d.Multiplies:
			d.of.Targets = append(d.of.Targets, d.Target)
		case !d.counted && rival(true):
		case rival(d.counted):
			s.tr.Assume(fmt.Sprintf("%s: more than one pool had as many threads, so none is taken to decide it", d.Path))
		case has == nil || has.by != nil && d.of.setBy(has.by.setting):
			s.drive(d.of, d.Target)
		}
	}
}

// dependents returns what else changes with the size of pool g, which q stands for:
// barriers at which its threads meet, channels of which each of them has one, or that have room for one
// message of each, loops that go round once for each of them, and, if its work is shared out in equal parts,
// the work of each thread.
func (s *solver) dependents(q *quantity, g *trail.Pool) (ds []dependent) {
	add := func(t core.Target, counted bool) { ds = append(ds, dependent{t, q, counted}) }
	n := g.Size()
	each := func(id, path string) {
		switch r := resourceOf(s.tr, id); {
		case r.Gathered() && r.Capacity > 0 && r.Together == n && trail.UsedBy(r, g): // as many channels as threads, taken as one
			add(core.Target{Path: path, Factor: float64(r.Capacity)}, s.counts(q, r.Place.Function))
		case r.Kind == core.Channel && r.Capacity == n && oneOfEach(r, g):
			add(core.Target{Path: path}, true)
		}
	}
	for _, r := range s.tr.Resources {
		if r.Kind == core.Barrier && r.Parties >= n && meetAll(r, g) && trail.UsedBy(r, g) {
			add(core.Target{Path: "locks/" + r.ID + "/parties", Offset: float64(r.Parties - n)}, r.Parties == n)
		}
	}
	for _, l := range s.m.Locks {
		each(l.ID, "locks/"+l.ID+"/capacity")
	}
	for _, c := range s.m.Queues {
		if c.Capacity > 0 {
			each(c.ID, "queues/"+c.ID+"/capacity")
		}
	}
	partners, once := false, []dependent{}
	for _, l := range s.loops {
		met, added, counted := s.serves(l, q, g)
		if partners = partners || met; met || added {
			once = append(once, dependent{core.Target{Path: l.path}, q, counted})
		}
	}
	if s.sharesStatically(q, g, partners) {
		for _, t := range slices.Concat(s.divides(g), s.aside(q, g)) {
			add(t, false)
		}
	}
	return append(ds, once...)
}

// fillers returns the loops of which nobody says how often they go round that fill a channel which q gives so many places: with the connections or
// buffers that are taken out of it and brought back.
func (s *solver) fillers(q *quantity) (ds []dependent) {
	if q.use != trace.UseCapacity {
		return nil
	}
	for _, r := range s.tr.Resources {
		for _, l := range s.loops {
			if s.driver[l.path] == nil && r.Kind == core.Channel && float64(r.Capacity) == l.times && turns(q, r) && s.fills(l, r) {
				ds = append(ds, dependent{core.Target{Path: l.path}, q, false})
			}
		}
	}
	return ds
}

// turns reports whether the capacity of a resource is a target of q as it is.
func turns(q *quantity, r *trail.Resource) bool {
	return slices.ContainsFunc(q.Targets, func(t core.Target) bool {
		return (t.Path == "locks/"+r.ID+"/capacity" || t.Path == "queues/"+r.ID+"/capacity") && (t.Factor == 0 || t.Factor == 1)
	})
}

// fills reports whether each round of a loop puts one thing into each object of a channel, and things are brought back there.
func (s *solver) fills(l exactLoop, r *trail.Resource) bool {
	filled := int64(l.times) * int64(max(1, len(r.Objects)))
	fills := slices.ContainsFunc(s.tr.Graphs[l.of].Vertices, func(v *trail.Vertex) bool {
		n := v.Key.From
		return !v.IsCPU() && v.Lock == r && l.loop.Members[n] && n.Op == trace.OpSend && v.Count == filled
	})
	sent := int64(0)
	for _, u := range r.Uses {
		if trail.ChannelOp(u.Step()) == core.Send {
			sent++
		}
	}
	return fills && sent > filled
}

// oneOfEach reports whether each thread of a pool, of several, sends one message at most to each object of a channel, nobody else any, and
// all of them do to one at least.
func oneOfEach(r *trail.Resource, g *trail.Pool) bool {
	from := map[uint64]map[*trail.Sequence]bool{}
	for _, u := range r.Uses {
		s := u.Step()
		if trail.ChannelOp(s) != core.Send {
			continue
		}
		if u.Pool != g || from[s.Object][u.Sequence] {
			return false
		}
		if from[s.Object] == nil {
			from[s.Object] = map[*trail.Sequence]bool{}
		}
		from[s.Object][u.Sequence] = true
	}
	for _, senders := range from {
		if len(senders) == g.Size() && len(senders) > 1 {
			return true
		}
	}
	return false
}

// meetAll reports whether all threads of a pool meet at one object, if a barrier is known to be of objects: of a barrier for
// each pair of threads there are more with more threads, not larger ones.
func meetAll(r *trail.Resource, g *trail.Pool) bool {
	return len(r.Objects) == 0 || slices.ContainsFunc(r.Objects, func(o *trail.Object) bool {
		met := 0
		for _, t := range g.Threads {
			if o.Threads[t.ID] {
				met++
			}
		}
		return met >= g.Size()
	})
}

// serves reports whether a loop of others goes round once for each thread of pool g
// and sends it a message or receives one, or is that of who starts its threads in
// calls and adds each of them to a wait group; and whether the program counts to the
// setting of their number there.
func (s *solver) serves(l exactLoop, q *quantity, g *trail.Pool) (met, added, counted bool) {
	if l.of == g || l.times != float64(g.Size()) {
		return
	}
	for _, v := range s.tr.Graphs[l.of].Vertices {
		n := v.Key.From
		if v.IsCPU() || v.Lock == nil || v.Lock.Timer || !l.loop.Members[n] || !trail.UsedBy(v.Lock, g) {
			continue
		}
		here := s.counts(q, n.Place.Function)
		switch {
		case v.Lock.Kind == core.Channel && (n.Op == trace.OpSend || n.Op == trace.OpReceive) && g.Size() > 1 && (here || v.Lock.Gathered() && v.Lock.Together == g.Size()):
			met, counted = true, counted || here
		case v.Lock.Kind == core.Latch && n.Op == trace.OpAdd && g.Burst > 0:
			added, counted = true, counted || here
		}
	}
	return
}

// counts reports whether the setting of the size q is what loops of a function count
// to.
func (s *solver) counts(q *quantity, function string) bool {
	return slices.ContainsFunc(s.in.uses[trace.UseLoop], func(u use) bool {
		return !u.Loose && u.Frame.Function == function && q.setBy(u.setting)
	})
}

// setBy reports whether a setting, or a number of the machine, is what decides q.
func (q *quantity) setBy(x *setting) bool {
	return q.by != nil && q.by.setting == x || q.asked != nil && q.asked.setting == x
}
