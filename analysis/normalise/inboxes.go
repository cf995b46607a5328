package normalise

import (
	"cmp"
	"maps"
	"slices"

	"tierscope/analysis/trace"
)

// A thread may have a lock, a condition and a flag of its own, with which others give it work, one thing at a time, and learn
// that it is done:
//
//	worker: lock; while nothing is to do { wait };  work; it is done; signal;  unlock
//	give:   lock; it has something to do; signal; unlock
//	await:  lock; while it is not done { wait }; unlock
//
// Nothing is counted: who is signalled twice finds one thing to do. So a message to the thread is the first signal since it last
// found something, and a message from it is its first signal since it was given that. What shows such a lock is that the thread
// never finds something that nobody gave it, and that nobody waits for it in vain.

// inbox is such a lock.
type inbox struct {
	trace   *trace.Trace
	lock    uint64
	events  []*lockEvent // by when they happen
	broken  bool         // it is used in other ways
	waitsAt trace.Frame  // its owner, for something to do
	finds   []found      // of its owner: that it has something to do
	given   []*lockEvent
	learned []found // by others: that it is done
	done    []*lockEvent
	// Its owner waits for something else for so long, of so long a time, ns.
	elsewhere, span int64
}

// found is what a message ends: an entry, a wait, or an entry and the wait that follows.
type found struct{ first, last *lockEvent }

// inboxes finds the locks with which threads are given work, one each: all of those whose owners wait at the same place, or none. Where all of
// them are queues (monitors.go), and nobody awaits anything, they are left to be that.
func inboxes(t *trace.Trace) (all []*inbox) {
	others, more := map[trace.Frame]bool{}, map[trace.Frame]bool{}
	type use struct{ owners, elsewhere, span int64 }
	uses := map[trace.Frame]use{}
	candidates := map[*inbox][]owned{}
	locks := locksWithConditions(t)
	for _, b := range locks {
		candidates[b] = b.candidates()
		for _, c := range candidates[b] {
			u := uses[c.waitsAt]
			uses[c.waitsAt] = use{u.owners + 1, u.elsewhere + c.elsewhere, u.span + c.span}
		}
	}
	for _, b := range locks {
		of := slices.DeleteFunc(candidates[b], func(c owned) bool {
			return float64(uses[c.waitsAt].elsewhere) > negligible*float64(uses[c.waitsAt].span)
		})
		if len(of) > 0 {
			b.isOf(slices.MaxFunc(of, func(x, y owned) int { return cmp.Compare(uses[x.waitsAt].owners, uses[y.waitsAt].owners) }))
			all = append(all, b)
			continue
		}
		for _, thread := range b.waiters() {
			others[b.waitPlaces(thread)[0]] = true
		}
	}
	if len(all) == 0 {
		return nil
	}
	queues := map[uint64]bool{}
	for _, m := range queueLocks(t) {
		queues[m.object] = true
	}
	for _, b := range all {
		more[b.waitsAt] = more[b.waitsAt] || !queues[b.lock] || len(b.learned) > 0
	}
	return slices.DeleteFunc(all, func(b *inbox) bool { return others[b.waitsAt] || !more[b.waitsAt] })
}

// owned is an inbox that is a thread's, which waits there for something to do, and elsewhere for so long, of so long a time, ns.
type owned struct {
	thread          int
	waitsAt         trace.Frame
	elsewhere, span int64
}

// candidates are who may own the lock: most often one thread, which may wait for something else in the middle of its work, too.
func (b *inbox) candidates() (all []owned) {
	for _, thread := range b.waiters() {
		for _, place := range b.waitPlaces(thread) {
			if c := (owned{thread: thread, waitsAt: place}); b.isOf(c) && !b.counts() {
				c.elsewhere, c.span = b.elsewhere, b.span
				all = append(all, c)
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

// counts reports whether the owner, who waits again without leaving the lock, may wait for several to come and count them: it computes less
// in between than it takes to wake it.
func (b *inbox) counts() bool {
	computes, times := int64(0), int64(0)
	for i, f := range b.finds {
		if i > 0 && f.last.again {
			computes += b.computed(b.finds[i-1].last, f.last)
			times++
		}
	}
	return times > 0 && computes < times*b.trace.Wake()
}

// computed is what a thread computes between two of its events, ns of CPU.
func (b *inbox) computed(from, to *lockEvent) int64 {
	rs := b.trace.Threads[from.thread].Records
	return rs[to.record].CPU - rs[from.past-1].CPU
}

// waiters lists the threads that were started by others and wait for conditions of the lock: the two that do so most often, since of the two
// sides one is the owner.
func (b *inbox) waiters() (ts []int) {
	times := map[int]int{}
	for _, e := range b.events {
		if e.op == trace.OpCondWait && b.trace.Threads[e.thread].Parent != 0 {
			times[e.thread]++
		}
	}
	ts = slices.SortedFunc(maps.Keys(times), func(x, y int) int { return cmp.Or(cmp.Compare(times[y], times[x]), cmp.Compare(x, y)) })
	return ts[:min(2, len(ts))]
}

// isOf reports whether the lock is that of a thread, and finds out who gives it work and who learns that it is done.
func (b *inbox) isOf(c owned) bool {
	b.finds, b.given, b.learned, b.done = nil, nil, nil, nil
	owner := c.thread
	b.waitsAt = c.waitsAt
	p, ok := b.places(owner)
	if !ok {
		return false
	}
	var pending, told *lockEvent
	waited := 0
	for _, e := range b.events {
		waits := e.op == trace.OpCondWait
		f := found{e, e}
		if waits && e.after != nil {
			f.first = e.after
		}
		switch own := e.thread == owner; {
		case e.op == trace.OpLock && e.waits || (waits || e.op == trace.OpLock) && e.until == 0: // the wait counts, or it did not end
		case own && waits && e.place != b.waitsAt:
		case own && (waits || e.op == trace.OpLock && p.enters[e.place]):
			if pending == nil {
				return false
			}
			if waits {
				waited++
			}
			b.finds, b.given, pending = append(b.finds, f), append(b.given, pending), nil
		case own && e.signals():
			if told == nil {
				told = e
			}
		case e.signals():
			if pending == nil && p.gives[e.place] {
				pending, told = e, nil
			}
		case !own && (waits || e.op == trace.OpLock && p.awaits[e.place]):
			if told != nil {
				b.learned, b.done, told = append(b.learned, f), append(b.done, told), nil
			} else if waits {
				return false
			}
		}
	}
	return len(b.finds) > 1 && waited > 0
}
