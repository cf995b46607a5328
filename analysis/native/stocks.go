package native

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// stocks makes semaphores of stocks of things that threads take and others bring back: buffers, connections,
// which hold a reader back:
//
//	take:  lock; while none is left { wait }; remove from the list, or make one; unlock
//	bring: lock; add to the list; signal; unlock
//
// They are a lock, a condition and a list, as a queue is. But in a queue nothing can be taken that was not
// brought before; of a stock more is out at any time than was brought back. Its permits are the most that were
// out at a time, which whoever had to wait found out: nobody waits while there are others.
func stocks(t *trace.Trace) {
	edits := map[int][]edit{}
	all := sections(t)
	for _, lock := range locks(t) {
		s := stockOf(all[lock])
		if s == nil {
			continue
		}
		id := uint64(len(t.Objects) + 1)
		t.Objects = append(t.Objects, trace.Object{ID: id, Kind: "semaphore", Capacity: s.permits, Site: t.Objects[lock-1].Site})
		for _, take := range s.takes {
			edits[take.thread] = append(edits[take.thread], take.as(t, trace.OpAcquire, id, 1, 1, 0))
		}
		for _, bring := range s.brings {
			edits[bring.thread] = append(edits[bring.thread], bring.as(t, trace.OpRelease, id, 1, 1, 0))
		}
	}
	apply(t, edits)
}

// locks lists the mutexes of a trace.
func locks(t *trace.Trace) (ids []uint64) {
	for i := range t.Objects {
		if t.Objects[i].Kind == "mutex" {
			ids = append(ids, t.Objects[i].ID)
		}
	}
	return ids
}

// stock is a stock of things.
type stock struct {
	takes, brings []*section
	permits       int64
}

// stockOf tells what takes from what brings back: who never waits for the condition but signals it; what does neither, such
// as who empties the stock in the end, stays what it is. nil: it is no stock.
func stockOf(ss []*section) *stock {
	if len(conditionsOf(ss)) != 1 {
		return nil
	}
	waits, signals := map[trace.Frame]bool{}, map[trace.Frame]bool{}
	for _, s := range ss {
		waits[s.place] = waits[s.place] || len(s.waits) > 0
		signals[s.place] = signals[s.place] || len(s.signals) > 0
	}
	var found stock
	out := int64(0)
	for _, s := range ss {
		switch {
		case !waits[s.place] && !signals[s.place]:
			continue
		case s.others:
			return nil
		case waits[s.place]: // and may signal how many are left
			out++
			found.takes = append(found.takes, s)
			found.permits = max(found.permits, out)
		default:
			out--
			found.brings = append(found.brings, s)
		}
		if out < 0 {
			return nil // brought before it was taken: a queue
		}
	}
	if len(found.brings) < 2 || found.permits < 2 {
		return nil
	}
	for _, s := range found.takes {
		if len(s.waits) > 0 && found.outAt(s.waited) < found.permits {
			return nil // who waits while others are left waits for something else
		}
	}
	return &found
}

// outAt is how many were out at a time, ns.
func (s *stock) outAt(at int64) int64 {
	past := func(ss []*section) int64 {
		n, _ := slices.BinarySearchFunc(ss, at, func(s *section, at int64) int { return cmp.Compare(s.left, at) })
		return int64(n)
	}
	return past(s.takes) - past(s.brings)
}
