package normalise

import (
	"maps"
	"slices"

	"tierscope/analysis/trace"
)

// lazy is a channel that is made by who asks for it first, such as that of a context: threads use it that its maker did
// not start.
type lazy struct {
	thread, record int   // where it was made
	users          []int // threads, each once
}

// place is before a record of a thread.
type place struct{ thread, record int }

// startedBefore returns the trace in which lazy channels are made by who started all that use them, before the first of
// these; at places of which each channel has a moment of its own there.
func startedBefore(t *trace.Trace) *trace.Trace {
	k := kinOf(t)
	edits := map[int][]edit{}
	for _, all := range lazilyMade(t, k) {
		places := k.before(t, all)
		moments := map[place]bool{}
		for _, p := range places {
			moments[p] = true
		}
		if len(moments) < len(all) {
			continue
		}
		for i, p := range places {
			l := all[i]
			made, at := t.Threads[l.thread].Records[l.record], t.Threads[p.thread].Records[p.record]
			at.Op, at.Object, at.Arg, at.Value = made.Op, made.Object, made.Arg, 0
			edits[l.thread] = append(edits[l.thread], edit{l.record, l.record + 1, nil})
			edits[p.thread] = append(edits[p.thread], edit{p.record, p.record, []trace.Record{at}})
		}
	}
	if len(edits) == 0 {
		return t
	}
	return edited(t, edits)
}

// lazilyMade returns the channels of each place where several are made, of which at least one is lazy.
func lazilyMade(t *trace.Trace, k kin) (out [][]lazy) {
	all := map[uint64]*lazy{}
	sites := map[int32][]uint64{}
	for i := range t.Threads {
		for j, r := range t.Threads[i].Records {
			if r.Op == trace.OpMake && !r.End && all[r.Object] == nil {
				all[r.Object] = &lazy{thread: i, record: j, users: []int{i}}
				sites[r.Site] = append(sites[r.Site], r.Object)
			}
		}
	}
	for i := range t.Threads {
		rs := t.Threads[i].Records
		for j := range rs {
			object, on := channelOf(rs, j)
			if l := all[object]; on && l != nil && i != l.thread && i != l.users[len(l.users)-1] {
				l.users = append(l.users, i)
			}
		}
	}
	for _, site := range slices.Sorted(maps.Keys(sites)) {
		var of []lazy
		foreign := false
		for _, object := range sites[site] {
			l := *all[object]
			foreign = foreign || k.common(l.users) != l.thread
			of = append(of, l)
		}
		if foreign && len(of) > 1 {
			out = append(out, of)
		}
	}
	return out
}

// before returns where who started all users of a channel starts the first of them, or uses it itself, of those channels of which somebody did.
func (k kin) before(t *trace.Trace, all []lazy) map[int]place {
	type wanted struct {
		objects  map[uint64]int   // channels
		children map[uint64][]int // channels that these threads, or whom they started, use
	}
	of := map[int]wanted{} // by thread
	for i, l := range all {
		by := k.common(l.users)
		if by < 0 {
			continue
		}
		w, known := of[by]
		if !known {
			w = wanted{map[uint64]int{}, map[uint64][]int{}}
			of[by] = w
		}
		w.objects[t.Threads[l.thread].Records[l.record].Object] = i
		for _, u := range l.users {
			if child := k.up(u, k.depth[by]+1); u != by {
				id := uint64(t.Threads[child].ID)
				w.children[id] = append(w.children[id], i)
			}
		}
	}
	places := map[int]place{} // by channel
	for by, w := range of {
		for j, r := range t.Threads[by].Records {
			at := func(i int) {
				if _, found := places[i]; !found {
					places[i] = place{by, j}
				}
			}
			switch i, used := w.objects[r.Object]; {
			case r.End:
			case used:
				at(i)
			case r.Op == trace.OpSpawn:
				for _, i := range w.children[r.Value] {
					at(i)
				}
			}
		}
	}
	return places
}
