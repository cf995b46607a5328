package native

import (
	"cmp"
	"maps"
	"slices"

	"tierscope/analysis/native/recorder"
	"tierscope/analysis/trace"
)

// result is what a future is waited for. Its place in memory is used again for others.
type result struct {
	number uint64
	done   int64 // ns
}

// results gives each result of a future a number in place of its address, and makes what threads do with it what they do with a
// latch: it is made, counts down once, and is waited for, also by those who do not have to wait.
//
//	set:  done, wake-up of those who wait       made at a place where another thread asked for room for it
//	get:  wait until it wakes them              get of one that is there: await
func (r *recording) results() {
	done := map[uint64][]result{} // by the address at which threads wait
	made := map[*hit]uint64{}
	room := map[uint64]*hit{}
	for _, h := range r.ofResults() {
		if h.op == recorder.Init {
			room[h.object] = h
			continue
		}
		n := uint64(len(made) + 1)
		made[cmp.Or(room[uint64(h.arg)], h)] = n
		delete(room, uint64(h.arg))
		done[h.object] = append(done[h.object], result{n, h.time})
	}
	for _, h := range room { // nobody ever has these
		h.op = trace.OpNone
	}
	if len(made) == 0 {
		return
	}
	places := r.gets(done)
	for _, id := range slices.Sorted(maps.Keys(r.threads)) {
		hits := r.threads[id].hits
		for i := range hits {
			h := &hits[i]
			if at, ok := places[h.context]; ok && h.op == trace.OpPark && len(done[h.object]) > 0 {
				h.context = at
			}
			switch at := done[h.object]; {
			case h.op == recorder.Init && trace.Op(h.arg) == trace.OpDone:
				h.object = made[h]
			case len(at) == 0:
			case h.op == trace.OpDone, h.op == trace.OpWaitGroup:
				h.object, h.arg = latest(at, h.time), 0
			case h.op == trace.OpUnpark:
				h.op = trace.OpNone
			case h.op == trace.OpPark && !h.end:
				waits(hits[i:], at)
			}
		}
	}
}

// gets returns the contexts in which threads ask for results that are there, by those in which they wait, in the library, for results:
// a call of std::future::get is both, at two addresses. Where callers ask for several results, it is not known which is which.
func (r *recording) gets(done map[uint64][]result) map[uint32]uint32 {
	asks, waits := map[callers]uint32{}, map[callers]uint32{}
	note := func(in map[callers]uint32, c callers, context uint32) {
		if was, known := in[c]; known && was != context {
			context = several
		}
		in[c] = context
	}
	for _, t := range r.threads {
		for i := range t.hits {
			switch h := &t.hits[i]; {
			case len(done[h.object]) == 0:
			case h.op == trace.OpWaitGroup:
				note(asks, r.callersOf(h.context, 1), h.context)
			case h.op == trace.OpPark:
				note(waits, r.callersOf(h.context, 2), h.context)
			}
		}
	}
	places := map[uint32]uint32{}
	for c, wait := range waits {
		if ask, known := asks[c]; known && ask != several && wait != several {
			places[wait] = ask
		}
	}
	return places
}

// callers are the return addresses of a context, innermost first, without those of the library and of the call.
type callers [depth - 2]uint64

const several = 1<<32 - 1 // contexts

// callersOf leaves the innermost addresses out.
func (r *recording) callersOf(context uint32, inner int) (c callers) {
	if int(context) < len(r.contexts) {
		ips := r.contexts[context]
		copy(c[:], ips[min(inner, len(ips)):])
	}
	return c
}

// ofResults lists the records of results that are made, and of those that are there, in the order of time.
func (r *recording) ofResults() (hits []*hit) {
	for _, id := range slices.Sorted(maps.Keys(r.threads)) {
		for i := range r.threads[id].hits {
			if h := &r.threads[id].hits[i]; h.op == trace.OpDone || h.op == recorder.Init && trace.Op(h.arg) == trace.OpDone {
				hits = append(hits, h)
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b *hit) int { return cmp.Compare(a.time, b.time) })
	return hits
}

// latest is the number of the last result by a time; 0: there is none.
func latest(at []result, time int64) uint64 {
	i, _ := slices.BinarySearchFunc(at, time+1, func(r result, t int64) int { return cmp.Compare(r.done, t) })
	if i == 0 {
		return 0
	}
	return at[i-1].number
}

// waits makes a wait for a result of that with which the records of a thread begin, and of those after it in which it goes on.
// One whose time is up before there is a result is a wait for something else.
func waits(hits []hit, at []result) {
	before, last, got := latest(at, hits[0].time), 0, false
	for i := 1; i < len(hits) && !got && hits[i].op == trace.OpPark && hits[i].object == hits[0].object; i++ {
		last, got = i, hits[i].end && (hits[i].arg != 0 || latest(at, hits[i].time) != before)
	}
	if last == 0 {
		return // until the program ended
	}
	op, number := trace.OpExternal, uint64(0)
	if got {
		op, number = trace.OpWaitGroup, latest(at, hits[last].time)
	}
	for i := 1; i < last; i++ {
		hits[i].op = trace.OpNone
	}
	for _, i := range []int{0, last} {
		hits[i].op, hits[i].object, hits[i].arg = op, number, 0
	}
}
