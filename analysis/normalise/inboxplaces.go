package normalise

import (
	"slices"

	"tierscope/analysis/trace"
)

// inboxPlaces is where an inbox is used.
type inboxPlaces struct {
	enters map[trace.Frame]bool // by its owner, before it waits
	gives  map[trace.Frame]bool // where others signal, and it goes on
	awaits map[trace.Frame]bool // where others enter and wait, be it for the lock because the owner works under it
}

// negligible is how much of their time owners may wait for something else than to be given work, as for more of it. Convention, sensitivity
// none: computations of less than that are folded into others (pcg.DefaultThreshold).
const negligible = 0.03

// waitPlaces is where a thread waits for the condition of the lock, the most frequent place first.
func (b *inbox) waitPlaces(thread int) (all []trace.Frame) {
	times := map[trace.Frame]int{}
	for _, e := range b.events {
		if e.thread == thread && e.op == trace.OpCondWait {
			if times[e.place]++; times[e.place] == 1 {
				all = append(all, e.place)
			}
		}
	}
	slices.SortStableFunc(all, func(x, y trace.Frame) int { return times[y] - times[x] })
	return all
}

// places finds where an inbox is used. Its owner waits at one place, and enters at one place before that.
func (b *inbox) places(owner int) (p inboxPlaces, ok bool) {
	enters, gives, awaits := map[trace.Frame]bool{}, map[trace.Frame]bool{}, map[trace.Frame]bool{}
	var since []*lockEvent   // signals of others since the owner last waited
	var has, told *lockEvent // since when the owner has the lock, and its last signal after it has worked under it
	var elsewhere int64      // ns
	for _, e := range b.events {
		own := e.thread == owner
		switch {
		case own && (e.op == trace.OpLock || e.op == trace.OpCondWait):
			has = e
		case own && e.op == trace.OpUnlock:
			has = nil
		}
		switch {
		case e.op == trace.OpCondWait && own && e.place != b.waitsAt:
			elsewhere += e.when() - e.at
		case e.op == trace.OpCondWait && own:
			if e.after != nil {
				enters[e.after.place] = true
			}
			if k := slices.IndexFunc(since, func(s *lockEvent) bool { return s.at >= e.at }); k >= 0 {
				gives[since[k].place] = true
			}
			since = nil
		case e.op == trace.OpCondWait && e.after != nil:
			awaits[e.after.place] = true
		case e.signals() && own:
			if has != nil && b.computed(has, e) >= b.trace.Wake() {
				told = e
			}
		case e.signals():
			since = append(since, e)
		case e.op == trace.OpLock && !own && told != nil && e.at < told.at:
			awaits[e.place] = true
		}
	}
	b.elsewhere, b.span = elsewhere, b.events[len(b.events)-1].when()-b.events[0].at
	return inboxPlaces{enters, gives, awaits}, len(enters) <= 1 && len(gives) > 0
}
