package golang

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// A goroutine that a timer starts (time.AfterFunc) is one of who set the timer: it sleeps until its time has come, and then does what
// the function does.
//
//	time.AfterFunc(5 ms, retry)      →      go: sleep 5 ms, retry
//
// A timer that was stopped in time started none. Functions of the library's, such as the end of a context, stay the clock's.

// armed is a timer that is set.
type armed struct {
	at  *event
	due int64 // ns
}

// timers finds out which of the timers that were set started a goroutine.
func (d *decoder) timers() {
	d.fired = map[*event]uint64{}
	set := map[uint64][]armed{} // by function
	for i := range d.rec.events {
		e := &d.rec.events[i]
		if e.op != trace.OpSpawn {
			continue
		}
		if e.flags&flagTimer != 0 {
			set[e.object] = append(set[e.object], armed{e, d.time(e.ticks) + e.arg})
			continue
		}
		f := d.symbols[uint64(e.arg)+1]
		all := set[e.timer]
		if e.goid != 0 || len(all) == 0 || len(f) == 0 || f[len(f)-1].Std {
			continue
		}
		// The last that is due: those due before it were stopped, or have fired.
		slices.SortStableFunc(all, func(a, b armed) int { return cmp.Compare(a.due, b.due) })
		n, _ := slices.BinarySearchFunc(all, d.time(e.ticks)+early, func(a armed, now int64) int { return cmp.Compare(a.due, now) })
		if n > 0 {
			d.fired[all[n-1].at] = e.object
			set[e.timer] = all[n:]
		}
	}
}

// early is by how much, in ns, clocks that are read one after the other may say that a timer fired too early. Convention.
const early = 100_000

// arm begins the goroutine of a timer where that is set.
func (d *decoder) arm(e *event, child uint64, now int64) {
	c := d.thread(child)
	c.Born, c.Parent, c.Creator = now, int64(e.goid), d.site(e.site)
	c.Records = append(c.Records, trace.Record{Time: now, Op: trace.OpThreadBegin, Site: -1}, trace.Record{Time: now, Op: trace.OpSleep, Site: c.Creator, Arg: e.arg})
	c.open = 1
}

// fire ends its sleep.
func (d *decoder) fire(e *event, now int64) {
	c := d.thread(e.object)
	c.Records = append(c.Records, trace.Record{Time: now, Op: trace.OpSleep, End: true, Site: c.Creator})
	c.open = -1
	d.startsAs(c, e)
}

const microsecond = 1000 // ns

// set notes that the timer of a channel is set. How long until it sends was found out a little after the program had said so, in
// whole microseconds as nearly always.
func (o *objectTable) set(e *event, site int32, now int64) {
	i := o.find(objectKey{e.object, "chan"}, "chan")
	o.list[i].Sets = append(o.list[i].Sets, trace.Set{At: now, For: (e.arg + microsecond - 1) / microsecond * microsecond, Site: site})
}
