package normalise

import (
	"maps"
	"slices"

	"tierscope/analysis/trace"
)

// A thread may hold what it takes and pass it on in another order, as what is most urgent goes first or what has come first has to wait for
// others:
//
//	for { select { case r := <-requests: push(waiting, r); case workers <- first(waiting): pop(waiting) } }
//
// So what it passes on is not what it took last. What that is shows where things have an identity of their own, or in who answers: who sends a
// request and waits for the answer on a channel that nobody else uses has sent what led to the answer there. To a model, the thread passes
// each thing on as it gets it, and what it holds waits in the queue behind it, which is without bound.

// passing is a thing that a thread sends or takes.
type passing struct {
	begin  int // record; its end is the next one
	object uint64
	value  uint64 // 0: it took nothing, since there was no more
	sends  bool
}

// passings lists them, of a thread; what it tried in vain, or was told otherwise than by a channel, is none.
func passings(t *trace.Trace, thread int) (ps []passing) {
	rs := t.Threads[thread].Records
	for i := range rs {
		end, ended := trace.EndOf(rs, i)
		if rs[i].End || !ended {
			continue
		}
		switch r := &rs[i]; r.Op {
		case trace.OpSend:
			ps = append(ps, passing{i, r.Object, end.Value, true})
		case trace.OpReceive:
			ps = append(ps, passing{i, r.Object, end.Value, false})
		case trace.OpSelect:
			if r.Arg < 0 || r.Arg >= int64(len(t.Offers)) {
				continue
			}
			if cases := t.Offers[r.Arg].Cases; end.Arg >= 0 && end.Arg < int64(len(cases)) {
				ps = append(ps, passing{i, end.Object, end.Value, cases[end.Arg].Send})
			}
		}
	}
	return ps
}

// withoutBacklogs returns the trace in which who holds what it takes, and passes it on in another order, passes it on as it gets it.
func withoutBacklogs(t *trace.Trace) *trace.Trace {
	all := make([][]passing, len(t.Threads))
	for i := range t.Threads {
		all[i] = passings(t, i)
	}
	var causes map[uint64]uint64
	edits, unbound := map[int][]edit{}, map[uint64]bool{}
	for i, ps := range all {
		if !holds(ps) {
			continue
		}
		if causes == nil {
			causes = causesOf(all)
		}
		if later, to := passesOn(ps, causes); later != nil && !sentByOthers(all, i, to) {
			rs := t.Threads[i].Records
			edits[i] = []edit{{0, len(rs), atOnce(rs, ps, later)}}
			maps.Copy(unbound, to)
		}
	}
	if len(edits) == 0 {
		return t
	}
	out := edited(t, edits)
	out.Objects = slices.Clone(t.Objects)
	for i := range out.Objects {
		if o := &out.Objects[i]; unbound[o.ID] {
			o.Kind, o.Capacity = "queue", -1
		}
	}
	return out
}

// holds reports whether a thread takes something while it has not passed on what it took before, and does so later.
func holds(ps []passing) bool {
	has, held, passed := 0, 0, 0
	for _, p := range ps {
		switch {
		case p.sends:
			passed++
			has = max(0, has-1)
		case p.value != 0:
			if has++; has > 1 {
				held++
			}
		}
	}
	return held > 0 && passed > 1
}

// causesOf returns what led to what is answered: by the value of what who answers took last, that of what who waits for the answer sent last.
func causesOf(all [][]passing) map[uint64]uint64 {
	type channel struct {
		answers, waits int
		cause, effect  uint64 // what was sent before the wait, and what was taken before the answer
	}
	channels := map[uint64]*channel{}
	of := func(object uint64) *channel {
		if channels[object] == nil {
			channels[object] = &channel{}
		}
		return channels[object]
	}
	for _, ps := range all {
		took := uint64(0)
		for k, p := range ps {
			switch c := of(p.object); {
			case p.sends:
				c.answers++
				c.effect = took
			default:
				if c.waits++; k > 0 && ps[k-1].sends {
					c.cause = ps[k-1].value
				}
				took = p.value
			}
		}
	}
	causes, unclear := map[uint64]uint64{}, map[uint64]bool{}
	for _, c := range channels {
		if c.answers != 1 || c.waits != 1 || c.cause == 0 || c.effect == 0 {
			continue
		}
		if known := causes[c.effect]; known != 0 && known != c.cause {
			unclear[c.effect] = true
		}
		causes[c.effect] = c.cause
	}
	maps.DeleteFunc(causes, func(effect, _ uint64) bool { return unclear[effect] })
	return causes
}

// passesOn returns, for what a thread took, by its place, which of the things that it passed on later that is, if it took and passed on all of them, in
// another order, and to which channels; nil: it does otherwise, or it is not known.
func passesOn(ps []passing, causes map[uint64]uint64) (later map[int]int, to map[uint64]bool) {
	took := map[uint64]int{} // by value
	later, to = map[int]int{}, map[uint64]bool{}
	from := uint64(0)
	for k, p := range ps {
		if !p.sends {
			if from == 0 {
				from = p.object
			}
			if p.object != from {
				return nil, nil
			}
			took[p.value] = k
			continue
		}
		value, known := p.value, false
		if _, known = took[value]; !known {
			value = causes[p.value]
		}
		k0, ok := took[value]
		if _, again := later[k0]; !ok || again || value == 0 || p.object == from {
			return nil, nil
		}
		later[k0], to[p.object] = k, true
	}
	taken, inOrder, before := 0, true, -1
	for k, p := range ps {
		if p.sends || p.value == 0 {
			continue
		}
		taken++
		inOrder = inOrder && later[k] > before
		before = later[k]
	}
	if taken != len(later) || inOrder {
		return nil, nil
	}
	return later, to
}

// sentByOthers reports whether other threads send to a channel, too.
func sentByOthers(all [][]passing, thread int, to map[uint64]bool) bool {
	for i, ps := range all {
		if i != thread && slices.ContainsFunc(ps, func(p passing) bool { return p.sends && to[p.object] }) {
			return true
		}
	}
	return false
}

// atOnce returns the records of a thread in which it passes things on as it takes them. That there is no more it learns when it has passed on
// the last.
func atOnce(rs []trace.Record, ps []passing, later map[int]int) (out []trace.Record) {
	of := map[int]int{} // passing, by its first record
	for k, p := range ps {
		of[p.begin] = k
	}
	operation := func(begin, end trace.Record, p passing, op trace.Op) {
		for _, r := range []*trace.Record{&begin, &end} {
			r.Op, r.Object, r.Arg, r.Value = op, p.object, 0, 0
		}
		begin.End, end.End, end.Site, end.Value = false, true, begin.Site, p.value
		if p.sends || p.value != 0 {
			end.Arg = 1
		}
		out = append(out, begin, end)
	}
	closed := -1 // where it learned that there is no more
	last := 0    // record at the end of what was passed on
	learns := func() {
		if closed >= 0 {
			operation(rs[ps[closed].begin], rs[max(last, ps[closed].begin+1)], ps[closed], trace.OpReceive)
		}
		closed = -1
	}
	for i := 0; i < len(rs); i++ {
		k, is := of[i]
		switch {
		case !is:
			learns()
			out = append(out, rs[i])
			continue
		case ps[k].sends:
			last = i + 1
		case ps[k].value == 0:
			learns()
			closed = k
		default:
			learns()
			operation(rs[i], rs[i+1], ps[k], trace.OpReceive)
			s := later[k]
			at := rs[i+1]
			at.Site = rs[ps[s].begin].Site
			operation(at, at, ps[s], trace.OpSend)
		}
		i++ // its end
	}
	learns()
	return out
}
