package simulation

import (
	"fmt"

	"tierscope/core"
)

// limits bound what a replication may take of the machine. A model that goes beyond
// one of them is stopped, and the result says which.
type limits struct {
	threads    int // alive at a time, beside those of pools of a fixed size
	tasks      int // in the system at a time, beside users of closed sources and batches
	objects    int // copies of locks and queues, beside those that the model names
	items      int // in all queues and channels together
	requests   int // of one I/O fragment
	pending    int // events
	standstill int // events, or threads that wake each other, without time passing
}

// usualLimits are far beyond any program, and within a gigabyte or two each.
var usualLimits = limits{
	threads:    1 << 17, // what Linux allows a machine of 16 GiB: threads-max = memory/(8·16 KiB)
	tasks:      1 << 20,
	objects:    1 << 21,
	items:      1 << 23,
	requests:   1 << 20,
	pending:    1 << 22,
	standstill: 5_000_000,
}

// of adds what the model itself asks for to the limits.
func (l limits) of(p *program) limits {
	for i := range p.pools {
		if p.pools[i].kind == coreFixed {
			l.threads += p.pools[i].size
		}
	}
	for i := range p.sources {
		switch s := &p.sources[i]; s.kind {
		case core.Closed:
			l.tasks += s.population
		case core.Batch:
			l.tasks += s.count
		case core.Poisson, core.Deterministic, core.Renewal, core.Replay:
		}
	}
	for i := range p.objects {
		l.objects += int(p.objects[i].stripes)
	}
	l.threads += len(p.sources) // each has a sender
	return l
}

// looksPerCheck is the number of looks at the cheap limits between two at those that
// take a walk through all objects or threads.
const looksPerCheck = 64

// look stops a replication that has exceeded its limits, or whose clock stands still,
// after each cancelEvery events.
func (r *replica) look() {
	if now := r.Now(); now != r.lastLook {
		r.lastLook, r.still = now, 0
	} else if r.still += cancelEvery; r.still > r.limits.standstill {
		r.fail("the clock stands still: more than %d events happen at %s without time passing; give a time to what goes round (think time, service or delay)",
			r.limits.standstill, now)
	}
	if r.exceeds() {
		return
	}
	if r.looks++; r.looks%looksPerCheck == 0 {
		r.checkItems()
		r.checkMain()
	}
}

// exceeds reports whether the replication has ended, and ends it if it holds too much.
func (r *replica) exceeds() bool {
	alive := len(r.threads) - len(r.idle) - len(r.dying)
	switch {
	case r.finished:
	case alive > r.limits.threads:
		r.fail("more than %d threads are alive at %s: threads are started faster than they end; give the pool that they belong to a limit", r.limits.threads, r.Now())
	case max(len(r.tasks), r.inSystem) > r.limits.tasks:
		r.fail("more than %d tasks are in the system at %s: bound the queue, or send fewer", r.limits.tasks, r.Now())
	case len(r.copies) > r.limits.objects:
		r.fail("more than %d locks and queues exist at %s: those of a scope are made faster than their owners end", r.limits.objects, r.Now())
	case r.Pending() > r.limits.pending:
		r.fail("more than %d events are pending at %s", r.limits.pending, r.Now())
	}
	return r.finished
}

// checkItems bounds what queues and channels hold.
func (r *replica) checkItems() {
	items := 0
	for i := range r.copies {
		if q := r.copies[i].queue; q != nil {
			items += q.Len()
		}
	}
	if items > r.limits.items {
		r.fail("more than %d items are in queues and channels at %s: they are sent faster than received; bound the channel", r.limits.items, r.Now())
	}
}

// affordable reports a configuration that asks for more than any machine has, before it is
// compiled. Each number is within the bounds of core.Model.Validate; their sum may not be.
func affordable(m *core.Model) error {
	threads, users, stripes, cached := 0, 0, 0, 0
	for i := range m.Pools {
		threads += m.Pools[i].Size
	}
	for i := range m.Sources {
		users += m.Sources[i].Population
		if m.Sources[i].Kind == core.Batch {
			users += m.Sources[i].Count
		}
	}
	for i := range m.Locks {
		stripes += m.Locks[i].Instances
	}
	for i := range m.Caches {
		cached += m.Caches[i].Items
	}
	for _, n := range []struct {
		what        string
		count, most int
	}{
		{"threads of all pools", threads, core.MostThreads},
		{"users and tasks of all closed and batch sources", users, usualLimits.pending},
		{"stripes of all locks", stripes, usualLimits.objects},
		{"objects of all caches", cached, usualLimits.items},
	} {
		if n.count > n.most {
			return fmt.Errorf("%d %s are beyond any machine; give at most %d together", n.count, n.what, n.most)
		}
	}
	return nil
}
