package simulation

import (
	"slices"

	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/processor"
	"tierscope/simulation/resource"
)

// requestTypes are the types of disk requests; a model names no others.
var requestTypes = []string{"read", "metadata", "readahead", "write", "flush"}

// nobody is the owner of a request that no thread waits for.
const nobody int32 = -1

// ioState is the progress of a thread's I/O fragment.
type ioState struct {
	group   int      // of requests, the next to issue
	left    int      // requests of the present group that come after the one that the thread waits for
	pending int      // requests of the present group that the thread waits for
	ring    des.Time // CPU time of the doorbell that it rings, 0: it rings none
}

// diskState is a disk at run time, with its accounts.
type diskState struct {
	*resource.Disk
	waiting level
	serving level
	busy    level // 1 while the device has a request: the time that the kernel counts as busy
	served  int64
	waited  des.Time
	used    des.Time
}

func (r *replica) makeDisks(seed, replication uint64) {
	r.disks = make([]diskState, len(r.program.disks))
	for i := range r.disks {
		stream := func(purpose string) des.Stream {
			return des.NewStream(seed, replication, hashOf(purpose, r.diskStream[i]))
		}
		alarm := r.NewAlarm(onDisk, int32(i))
		r.disks[i].Disk = resource.NewDisk(&r.Engine, alarm, r.program.disks[i], requestTypes, stream("service"), stream("order"))
	}
}

// diskEvent: the service of a request ends, or it arrives.
func (r *replica) diskEvent(disk int32) {
	d := &r.disks[disk]
	q, complete := d.Ring()
	r.accountDisk(d)
	if !complete {
		return
	}
	d.served++
	d.waited += q.Wait
	d.used += q.Service
	if q.Owner == nobody {
		return
	}
	th, now := r.threads[q.Owner], r.Now()
	if th.io.pending--; th.io.pending > 0 {
		return
	}
	if r.tape != nil {
		r.tape.served(r, q.Owner, q.Service)
	}
	if th.io.ring > 0 { // it still tells the device of it
		return
	}
	if th.task != none { // what the last one did not wait for its service it waited in the queue
		x, service := &r.tasks[th.task], min(q.Service, now-th.since)
		x.spent[inDiskService] += service
		x.spent[inDiskWait] += now - th.since - service
		x.varied = true
	}
	th.since = now
	if r.goesOnAtCore(th) {
		th.io.ring = 1
		work, _ := r.ringing(th)
		r.processor.Submit(q.Owner, work, processor.Device)
	} else if work, computes := r.nextGroup(q.Owner, th); computes {
		r.processor.Submit(q.Owner, work, processor.Device)
	} else if th.io.pending == 0 { // it waits for something else
		r.processor.LetGo(q.Owner)
	}
}

// goesOnAtCore reports whether a thread whose requests are complete needs a core to ask for more: it is the thread that does so, in the
// kernel. A goroutine has no P there, and hardly waits for a core.
func (r *replica) goesOnAtCore(th *thread) bool {
	return r.cpu.Policy != core.GoScheduler && (th.io.left > 0 || th.io.group < len(r.steps[th.at].def.requests))
}

// nextGroup lets a thread whose requests are complete go on.
func (r *replica) nextGroup(t int32, th *thread) (work des.Time, computes bool) {
	switch {
	case r.issue(t, th, r.steps[th.at].def):
		return r.ringing(th)
	case r.finished:
		return 0, false
	case r.core == none:
		return r.toCore(t, th)
	}
	return r.walk(t, th)
}

func (r *replica) accountDisk(d *diskState) {
	d.waiting.set(r.Now(), d.Waiting())
	d.serving.set(r.Now(), d.InFlight())
	d.busy.set(r.Now(), min(1, d.InFlight()))
}

// submitIO executes an I/O fragment: its groups of requests one after the
// other, the requests of a group at once. It reports whether the thread waits.
func (r *replica) submitIO(t int32, th *thread, f *fragment) bool {
	th.io.group, th.io.left = 0, 0
	return r.issue(t, th, f)
}

// issue issues the next groups, until the thread has to wait for one, or leaves
// the fragment. It reports whether the thread waits.
func (r *replica) issue(t int32, th *thread, f *fragment) bool {
	for {
		q, k := r.nextRequests(th, f)
		switch {
		case q == nil:
			r.leave(t, th)
			return false
		case k == 0: // a cache hit
			continue
		case k > r.limits.requests:
			r.fail("fragment %q of graph %q makes %d requests at once, and %d are possible", f.id, r.graphs[f.graph].id, k, r.limits.requests)
			return true
		case q.inTurn:
			th.io.left, k = k-1, 1
		}
		owner := nobody
		if q.waits {
			owner = t
			th.io.pending = k
			th.state, th.since = inDiskWait, r.Now()
		}
		d := &r.disks[f.object]
		for range k {
			d.Submit(owner, q.kind, q.bytes.Draw(&r.random[f.stream]))
		}
		r.accountDisk(d)
		if q.waits {
			if th.io.ring = r.doorbell(th, f.object, k); th.io.ring == 0 {
				r.processor.Keep(r.core, t)
			}
			return true
		}
	}
}

// nextRequests returns what a thread asks for next, and how many: what is left of those that it asks for in turn, or another group; nil:
// nothing.
func (r *replica) nextRequests(th *thread, f *fragment) (q *request, k int) {
	switch {
	case th.io.left > 0:
		return &f.requests[th.io.group-1], th.io.left
	case th.io.group == len(f.requests):
		return nil, 0
	}
	q = &f.requests[th.io.group]
	if k = q.fixed; k < 0 {
		k = r.requests(&r.steps[th.at], th.io.group)
	}
	th.io.group++
	return q, k
}

// doorbell is the CPU time that telling a disk of k requests costs the thread that has
// just submitted them.
func (r *replica) doorbell(th *thread, disk int32, k int) des.Time {
	rings := r.program.disks[disk].Doorbell
	if len(rings) == 0 {
		return 0
	}
	d := &r.disks[disk]
	work := 0.0
	for n := d.Waiting() + d.InFlight(); k > 0; n, k = n-1, k-1 {
		work += rings[min(n, len(rings))-1]
	}
	return des.Time(1e9*work/th.speedUp + 0.5)
}

// ringing is what a thread that waits computes: it rings the doorbell of the disk that
// it waits for.
func (r *replica) ringing(th *thread) (work des.Time, computes bool) {
	if th.io.ring == 0 {
		return 0, false
	}
	th.unusual |= rings
	th.state, th.since = inReady, r.Now()
	return th.io.ring, true
}

// rung ends the ring of a thread, which waits unless its requests are complete.
func (r *replica) rung(t int32, th *thread) (work des.Time, computes bool) {
	th.unusual &^= rings
	th.io.ring = 0
	if th.io.pending > 0 {
		th.state, th.since = inDiskWait, r.Now()
		r.processor.Keep(r.core, t)
		return 0, false
	}
	return r.nextGroup(t, th)
}

func (r *replica) restartDisks() {
	for i := range r.disks {
		d := &r.disks[i]
		d.waiting.restart(r.Now())
		d.serving.restart(r.Now())
		d.busy.restart(r.Now())
		d.served, d.waited, d.used = 0, 0, 0
	}
}

func (r *replica) tallyDisks(t *tallies, now des.Time, seconds float64) {
	for i := range r.program.disks {
		def, d := &r.program.disks[i], &r.disks[i]
		of, n := "disk/"+def.ID, float64(d.served)
		t.add("U", of, "mean", "1", d.busy.integral(now), seconds)
		t.add("N", of, "mean", "requests", d.serving.integral(now), seconds)
		t.add("Q", of, "mean", "requests", d.waiting.integral(now), seconds)
		t.add("W", of, "mean", "s", d.waited.Seconds(), n)
		t.add("S", of, "mean", "s", d.used.Seconds(), n)
	}
}

// typeOf returns the number of a request type.
func typeOf(name string) int32 { return int32(slices.Index(requestTypes, name)) }
