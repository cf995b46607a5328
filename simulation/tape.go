package simulation

import (
	"fmt"

	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
	"tierscope/simulation/timeline"
)

// tape records the timeline of a replication. It looks at everything after
// every event, and writes down what has changed: states that last no time leave
// no trace in a timeline anyhow, and the simulation itself knows nothing of it.
// Only what a thread does on a core is told by the processor, when it is over.
type tape struct {
	*timeline.Recording
	spans     int
	restarted bool
	began     des.Time
	sharing   bool  // cores are shared: ready is running
	actor     int32 // thread that goes on without a core, or none
	threads   []threadLane
	cores     []int32 // lanes
	locks     []int32 // lanes of objects that have an owner, or none
	waiting   []int32 // counters, by object
	disks     [][2]int32
	labels    []fragmentLabels
}

// threadLane is the lane of a thread's number; threads of another pool that get
// the number later have another lane.
type threadLane struct{ lane, pool int32 }

// fragmentLabels are what to write on a span: what the thread works at, and
// what it waits for, and how where that is a lock or another synchronization.
type fragmentLabels struct {
	work, wait int32
	meets      timeline.State
}

// record begins a recording of at most spans spans.
func (r *replica) record(spans int) {
	r.tape = &tape{spans: spans, sharing: r.cpu.Policy == core.ProcessorSharing}
	r.tape.begin(r)
	r.processor.Spans(func(c, t int32, from, to des.Time) {
		if r.tape != nil && r.tape.Recording.Recording() {
			r.tape.ran(r, c, t, from, to)
		}
	})
}

// begin makes the tracks of an empty recording.
func (p *tape) begin(r *replica) {
	*p = tape{Recording: timeline.New(p.spans), spans: p.spans, sharing: p.sharing, restarted: p.restarted, began: r.Now(), actor: none}
	for i := range r.cpu.Cores {
		p.cores = append(p.cores, p.Lane(timeline.Cores, fmt.Sprintf("core %d", i)))
	}
	for i := range r.program.objects {
		def := &r.program.objects[i]
		lane, group, text := none, timeline.Locks, def.id+" waiting"
		if def.isQueue {
			group, text = timeline.Queues, def.id
		} else if owned(def) {
			lane = p.Lane(timeline.Locks, def.id)
		}
		p.locks = append(p.locks, lane)
		p.waiting = append(p.waiting, p.Counter(group, text))
	}
	for _, d := range r.program.disks {
		p.disks = append(p.disks, [2]int32{p.Counter(timeline.Disks, d.ID+" queue"), p.Counter(timeline.Disks, d.ID+" in flight")})
	}
	for i := range r.fragments {
		f := &r.fragments[i]
		work := p.Label(f.id)
		l := fragmentLabels{work, work, timeline.SignalWait}
		switch f.op {
		case opLock, opIn, opSend, opNew, opClose, opMake:
			if f.object != none {
				l.wait = p.Label(r.program.objects[f.object].id)
				if def := &r.program.objects[f.object]; def.lock.Kind.Held() && f.lockOp != resource.Wait {
					l.meets = timeline.LockWait
				}
			}
		case opIO:
			l.wait = p.Label(r.program.disks[f.object].ID)
		case opJoin, opSpawn:
			l.wait = p.Label(r.program.pools[f.object].id)
		case opCPU, opDispatch, opMark, opDelay, opSelect, opFinish, opLoop:
		}
		p.labels = append(p.labels, l)
	}
}

// owned reports whether a lock has an owner, and only one copy to show.
func owned(def *objectDef) bool {
	return !scoped(def.scope) && def.stripes == 1 && def.lock.Kind.Owned()
}

// lane returns the lane of a thread.
func (p *tape) lane(r *replica, t int32) int32 {
	for int(t) >= len(p.threads) {
		p.threads = append(p.threads, threadLane{none, none})
	}
	x, th := &p.threads[t], r.threads[t]
	if x.lane == none || x.pool != th.pool {
		var text string
		if th.burden != none {
			text = r.program.background[th.burden].ID
		} else {
			text = r.program.pools[th.pool].id
		}
		*x = threadLane{p.Lane(timeline.Threads, fmt.Sprintf("%s #%d", text, t)), th.pool}
	}
	return x.lane
}

// woke notes through whom a thread goes on: the one that goes on itself, or whose burst has ended.
func (p *tape) woke(r *replica, t int32) {
	by := p.actor
	if by == none && r.core != none {
		by = r.burst
	}
	if by != none && by != t && p.shows(r, t) && p.shows(r, by) {
		p.Woke(p.lane(r, t), r.Now(), p.lane(r, by))
	}
}

// shows reports whether a thread is one of the program's.
func (p *tape) shows(r *replica, t int32) bool {
	return r.threads[t].source == none && r.threads[t].burden == none
}

// look writes down what has changed in an event.
func (p *tape) look(r *replica) {
	now := r.Now()
	p.actor = none
	for t, th := range r.threads {
		switch {
		case !p.shows(r, int32(t)):
		case th.at != none:
			s, label := p.state(th)
			p.Set(p.lane(r, int32(t)), now, s, label, r.taskNumber(th))
		case t < len(p.threads) && p.threads[t].lane != none:
			p.Clear(p.threads[t].lane, now)
		}
	}
	for i := range r.objects {
		o := &r.objects[i]
		p.Count(p.waiting[i], now, int64(o.waiting.value))
		if p.locks[i] != none {
			p.owner(r, i, now)
		}
	}
	for i := range r.disks {
		p.Count(p.disks[i][0], now, int64(r.disks[i].Waiting()))
		p.Count(p.disks[i][1], now, int64(r.disks[i].InFlight()))
	}
}

// state is what a thread that exists does, and what is written on it.
func (p *tape) state(th *thread) (timeline.State, int32) {
	l := p.labels[th.at]
	switch th.state {
	case inReady, inCPU:
		if p.sharing {
			return timeline.Running, l.work
		}
		return timeline.Ready, l.work
	case inLock:
		return l.meets, l.wait
	case inDiskWait, inDiskService:
		return timeline.DiskWait, l.wait
	case inDelay:
		return timeline.Delay, l.work
	case inQueue:
		return timeline.QueueWait, l.wait
	default: // inOther
		if th.waiting || th.sending != none {
			return timeline.QueueWait, l.wait
		}
		return timeline.Other, l.wait
	}
}

// owner shows the thread that holds a lock.
func (p *tape) owner(r *replica, object int, now des.Time) {
	held := none
	r.copies[r.objects[object].first].lock.Holders(func(t resource.Thread) bool {
		held = int32(t)
		return false
	})
	if held == none {
		p.Clear(p.locks[object], now)
		return
	}
	text := "outside"
	if p.shows(r, held) {
		text = p.Lanes[p.lane(r, held)].Name
	}
	p.Set(p.locks[object], now, timeline.Running, p.Label(text), r.taskNumber(r.threads[held]))
}

// ran shows a thread on a core. Its end is the present, so what follows is
// written later.
func (p *tape) ran(r *replica, c, t int32, from, to des.Time) {
	if from = max(from, p.began); from >= to {
		return
	}
	th := r.threads[t]
	lane, label := p.lane(r, t), int32(0)
	switch {
	case th.burden != none:
		label = p.Label(r.program.background[th.burden].ID)
	case th.at != none:
		label = p.labels[th.at].work
	}
	task := r.taskNumber(th)
	p.Set(p.cores[c], from, timeline.Running, p.Label(p.Lanes[lane].Name), task)
	p.Clear(p.cores[c], to)
	p.Set(lane, from, timeline.Running, label, task)
	if th.burden != none {
		p.Clear(lane, to)
		return
	}
	p.Set(lane, to, timeline.Ready, label, task)
}

// served shows the service of the request that a thread waited for last, which goes on.
func (p *tape) served(r *replica, t int32, service des.Time) {
	th := r.threads[t]
	p.actor = t
	if from := r.Now() - service; from >= max(th.since, p.began) {
		p.Set(p.lane(r, t), from, timeline.DiskService, p.labels[th.at].wait, r.taskNumber(th))
	}
}

// taskNumber is the number of the task that a thread works on.
func (r *replica) taskNumber(th *thread) int64 {
	if th.task == none {
		return timeline.NoTask
	}
	return r.tasks[th.task].number
}
