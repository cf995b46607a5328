package simulation

import (
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
	"tierscope/simulation/variate"
)

// ioState is the progress of a thread's I/O fragment.
type ioState struct {
	group   int // of requests, the next to issue
	pending int // requests that the thread waits for
	issued  des.Time
	service des.Time // of the request completed last
}

type diskState struct {
	laws    variate.Sampler
	queue   []int32
	busy    int
	random  des.Stream
	waiting level
	serving level
	served  int64
	waited  float64
	used    float64
}

func (r *replica) makeDisks(seed, index uint64) {
	r.disks = make([]diskState, len(r.program.disks))
	for i := range r.disks {
		r.disks[i].random = des.NewStream(seed, index, r.diskStream[i])
		r.disks[i].laws = variate.Compile(r.program.disks[i].Service[0].Rows[0].Time, 1)
	}
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
	for i := range r.disks {
		d, of, n := &r.disks[i], "disk/"+r.program.disks[i].ID, float64(r.disks[i].served)
		t.add("U", of, "mean", "", d.serving.integral(now), seconds)
		t.add("Q", of, "mean", "requests", d.waiting.integral(now), seconds)
		t.add("W", of, "mean", "s", d.waited*1e-9, n)
		t.add("S", of, "mean", "s", d.used*1e-9, n)
	}
}

func (r *replica) submitIO(t int32, th *thread, f *fragment) bool {
	d := &r.disks[f.object]
	th.state, th.since = inDiskWait, r.Now()
	th.io.issued = r.Now()
	if d.busy > 0 {
		d.queue = append(d.queue, t)
		d.waiting.add(r.Now(), 1)
		return true
	}
	r.serveDisk(f.object, t)
	return true
}

func (r *replica) serveDisk(disk, t int32) {
	d := &r.disks[disk]
	th := r.threads[t]
	d.busy = 1
	d.serving.add(r.Now(), 1)
	wait := r.Now() - th.io.issued
	d.waited += float64(wait)
	th.io.service = d.laws.Time(&d.random)
	r.After(th.io.service, onDisk, t)
}

func (r *replica) diskEvent(t int32) {
	th := r.threads[t]
	disk := r.fragments[th.at].object
	d := &r.disks[disk]
	d.busy = 0
	d.serving.add(r.Now(), -1)
	d.served++
	d.used += float64(th.io.service)
	r.charge(th)
	if th.task != none {
		spent := &r.tasks[th.task].spent
		spent[inDiskWait] -= th.io.service
		spent[inDiskService] += th.io.service
	}
	if len(d.queue) > 0 {
		next := d.queue[0]
		d.queue = d.queue[1:]
		d.waiting.add(r.Now(), -1)
		r.serveDisk(disk, next)
	}
	r.Resume(resource.Thread(t), resource.Granted, resource.NoItem)
}

func (r *replica) ioCompleted(t int32, th *thread, f *fragment) bool {
	r.leave(t, th)
	return false
}
