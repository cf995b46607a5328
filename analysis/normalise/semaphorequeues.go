package normalise

import (
	"slices"

	"tierscope/analysis/trace"
)

// Two semaphores that pass things on are a bounded queue:
//
//	put:  room.acquire();  lock; append; unlock; items.release()
//	take: items.acquire(); lock; remove; unlock; room.release()
//
// As semaphores they would say how many things there are, but not that what is taken is what was put: who ends the
// takers with a message for each (sentinels.go) would end as many as there were in the run. What shows them is that
// whoever acquires one releases the other one next, everywhere, that there are no items at first, and that there is room. The
// lock, which may be a third semaphore, is the queue's; where more is done under it, it stays.

// handOn is one thing that a thread puts or takes.
type handOn struct {
	stay        // from the semaphore that it acquires, the object, to the one that it releases
	release int // record
	inner   uint64
	more    bool // is done in between than to hold a lock
}

// semaphoreQueues returns the trace with queues in the place of such pairs.
func semaphoreQueues(t *trace.Trace) *trace.Trace {
	permits := map[uint64]int64{}
	for _, o := range t.Objects {
		if o.Kind == "semaphore" {
			permits[o.ID] = o.Capacity
		}
	}
	if len(permits) < 2 {
		return t
	}
	objects, edits := slices.Clone(t.Objects), map[int][]edit{}
	then, handOns := handedOn(t, permits)
	for _, room := range t.Objects {
		items, ok := then[room.ID]
		if !ok || then[items] != room.ID || permits[room.ID] < 1 || permits[items] != 0 {
			continue
		}
		q := trace.Object{ID: counterObject + uint64(len(objects)), Kind: "queue", Capacity: permits[room.ID], Elem: 8, Site: -1}
		first := int64(0)
		for _, p := range handOns {
			op := trace.OpSend
			switch p.object {
			case room.ID:
				if r := recordOf(t, p.begin()); q.Site < 0 || r.Time < first {
					q.Site, first = r.Site, r.Time
				}
			case items:
				op = trace.OpReceive
			default:
				continue
			}
			edits[p.thread] = append(edits[p.thread], p.through(t, op, q.ID)...)
		}
		objects = append(objects, q)
	}
	if len(edits) == 0 {
		return t
	}
	out := edited(t, edits)
	out.Objects = objects
	return out
}

// through returns what makes an operation on a queue of one thing that is handed on.
func (p *handOn) through(t *trace.Trace, op trace.Op, queue uint64) []edit {
	if !p.more {
		return []edit{{p.first, p.past, asOperation(t, &p.stay, op, 1, queue)}}
	}
	acquire := p.stay
	acquire.past = p.first + 2
	return []edit{{acquire.first, acquire.past, asOperation(t, &acquire, op, 1, queue)}, {p.release, p.past, nil}}
}

// handedOn finds, of every semaphore, the one that is always released after it is acquired, and where.
func handedOn(t *trace.Trace, permits map[uint64]int64) (then map[uint64]uint64, handOns []*handOn) {
	then = map[uint64]uint64{}
	torn := map[uint64]bool{}
	for i := range t.Threads {
		rs := t.Threads[i].Records
		var open *handOn
		for k := range rs {
			r := &rs[k]
			_, known := permits[r.Object]
			acquires, releases := known && r.Op == trace.OpAcquire, known && r.Op == trace.OpRelease
			switch {
			case known && r.Op == trace.OpMake:
			case known && !acquires && !releases || !r.End && (acquires || releases) && r.Arg != 1, // a try, or several at a time
				releases && open == nil:
				torn[r.Object] = true
			case acquires && open == nil:
				open = &handOn{stay: stay{thread: i, first: k, object: r.Object}}
			case open == nil || acquires && r.Object == open.object && r.End:
			case acquires && (open.inner == 0 || open.inner == r.Object):
				open.inner, torn[r.Object] = r.Object, true // a lock
			case releases && r.Object == open.inner:
				if r.End {
					open.inner = 0
				}
			case acquires:
				torn[r.Object], torn[open.object] = true, true
			case releases && !r.End:
				open.release = k
				if other, seen := then[open.object]; seen && other != r.Object || open.inner != 0 {
					torn[open.object] = true
				}
				then[open.object] = r.Object
			case releases:
				open.past = k + 1
				handOns, open = append(handOns, open), nil
			case r.Op != trace.OpLock && r.Op != trace.OpUnlock:
				open.more = true
			}
		}
		if open != nil {
			torn[open.object] = true
		}
	}
	for a, b := range then {
		if torn[a] || torn[b] || a == b {
			delete(then, a)
		}
	}
	return then, handOns
}
