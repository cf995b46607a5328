package simulation

import (
	"slices"

	"tierscope/simulation/des"
	"tierscope/simulation/resource"
)

// requestTypes are the types of disk requests; a model names no others.
var requestTypes = []string{"read", "metadata", "readahead", "write", "flush"}

// nobody is the owner of a request that no thread waits for.
const nobody int32 = -1

// ioState is the progress of a thread's I/O fragment.
type ioState struct {
	group   int // of requests, the next to issue
	pending int // requests of the present group that the thread waits for
}

// diskState is a disk at run time, with its accounts.
type diskState struct {
	*resource.Disk
	alarm   des.Alarm
	waiting level
	serving level
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
		r.disks[i].alarm = r.NewAlarm(onDisk, int32(i))
		r.disks[i].Disk = resource.NewDisk(r, int32(i), r.program.disks[i], requestTypes, stream("service"), stream("order"))
	}
}

// Alarm implements resource.DiskHost.
func (r *replica) Alarm(disk int32, at des.Time) {
	r.Set(r.disks[disk].alarm, at)
}

// diskEvent: the service of a request ends.
func (r *replica) diskEvent(disk int32) {
	d := &r.disks[disk]
	d.Ring()
	r.accountDisk(d)
}

// Served implements resource.DiskHost.
func (r *replica) Served(disk int32, q resource.Request) {
	d := &r.disks[disk]
	d.served++
	d.waited += q.Wait
	d.used += q.Service
	if q.Owner == nobody {
		return
	}
	th := r.threads[q.Owner]
	if th.io.pending--; th.io.pending > 0 {
		return
	}
	if r.tape != nil {
		r.tape.served(r, q.Owner, q.Service)
	}
	if th.task != none { // what the last one did not wait for its service it waited in the queue
		spent := &r.tasks[th.task].spent
		service := min(q.Service, r.Now()-th.since)
		spent[inDiskService] += service
		spent[inDiskWait] += r.Now() - th.since - service
	}
	th.since = r.Now()
	r.Resume(resource.Thread(q.Owner), resource.Granted, resource.NoItem)
}

func (r *replica) accountDisk(d *diskState) {
	d.waiting.set(r.Now(), d.Waiting())
	d.serving.set(r.Now(), d.InFlight())
}

// submitIO executes an I/O fragment: its groups of requests one after the
// other, the requests of a group at once. It reports whether the thread waits.
func (r *replica) submitIO(t int32, th *thread, f *fragment) bool {
	th.io.group = 0
	return r.issue(t, th, f)
}

// issue issues the next groups, until the thread has to wait for one.
func (r *replica) issue(t int32, th *thread, f *fragment) bool {
	d := &r.disks[f.object]
	random := &r.random[f.stream]
	for th.io.group < len(f.requests) {
		q := &f.requests[th.io.group]
		th.io.group++
		k := q.fixed
		if k < 0 {
			k = q.count.Count(random)
		}
		if k == 0 { // a cache hit
			continue
		}
		owner := nobody
		if q.waits {
			owner = t
			th.io.pending = k
			th.state, th.since = inDiskWait, r.Now()
		}
		for range k {
			d.Submit(owner, q.kind, q.bytes.Draw(random))
		}
		r.accountDisk(d)
		if q.waits {
			return true
		}
	}
	r.leave(t, th)
	return false
}

func (r *replica) restartDisks() {
	for i := range r.disks {
		d := &r.disks[i]
		d.waiting.restart(r.Now())
		d.serving.restart(r.Now())
		d.served, d.waited, d.used = 0, 0, 0
	}
}

func (r *replica) tallyDisks(t *tallies, now des.Time, seconds float64) {
	for i := range r.program.disks {
		def, d := &r.program.disks[i], &r.disks[i]
		of, n := "disk/"+def.ID, float64(d.served)
		t.add("U", of, "mean", "1", d.serving.integral(now), seconds*float64(max(1, def.Depth)))
		t.add("Q", of, "mean", "requests", d.waiting.integral(now), seconds)
		t.add("W", of, "mean", "s", d.waited.Seconds(), n)
		t.add("S", of, "mean", "s", d.used.Seconds(), n)
	}
}

// typeOf returns the number of a request type.
func typeOf(name string) int32 { return int32(slices.Index(requestTypes, name)) }
