package java

import (
	"math"
	"slices"

	"tierscope/analysis/trace"
)

// A task that a ScheduledExecutorService or a Timer is given with a delay (schedule) is in nobody's way until its time has come. To a
// model a thread is started for each, which sleeps so long and submits it then:
//
//	caller:  spawn          thread:  sleep, send          worker:  receive, run, …
//
// Tasks that are repeated (scheduleAtFixedRate, scheduleWithFixedDelay) are submitted once and come back by themselves: those
// stay sleeps of the worker that does them.

// delayedTask is what a call of schedule submitted.
type delayedTask struct {
	parent int64
	send   trace.Record // its begin, at the time of the call
	task   uint64       // identity of what a worker receives
	after  int64        // ns
	start  string       // function of its thread
}

// threadOfDelay is above the numbers of all threads: + number of the task.
const threadOfDelay = 1 << 40

// delays starts the thread of a task that is submitted with a delay, and reports whether that is all that the submission is.
func (d *decoder) delays(t *jthread, p *probe, send trace.Record, task int32) bool {
	call, by := timerCall{after: t.after}, scheduledPool
	switch {
	case p.owner == taskQueue:
		call, by = t.timer, timer
	case p.meaning.name != delayedExecute:
		return false
	}
	if call.after <= 0 || call.repeats {
		return call.repeats
	}
	start := send
	start.Op, start.Object, start.Arg, start.Value = trace.OpSpawn, 0, 0, uint64(threadOfDelay+len(d.delayed))
	d.emit(t, start)
	d.delayed = append(d.delayed, delayedTask{t.ID, send, uint64(uint32(task)), call.after, by + ".schedule"})
	t.after = 0
	return true
}

// finishDelays writes what the threads of tasks with a delay do. One that no worker ever received was cancelled, and is left out.
func (d *decoder) finishDelays() {
	if len(d.delayed) == 0 {
		return
	}
	received := map[uint64]int64{}
	for _, t := range d.thread {
		for _, r := range t.Records {
			if r.Op == trace.OpReceive && r.End && r.Arg == 1 {
				received[r.Value] = r.Time
			}
		}
	}
	cancelled := map[uint64]bool{}
	for i, s := range d.delayed {
		id := threadOfDelay + int64(i)
		at, ok := received[s.task]
		if !ok {
			cancelled[uint64(id)] = true
			continue
		}
		child := d.threadOf(id)
		child.Name, child.Start, child.System = "delay", s.start, false
		child.Parent, child.Creator, child.Born = s.parent, s.send.Site, s.send.Time
		child.sleepAndSend(s, at)
	}
	for _, t := range d.thread {
		t.Records = slices.DeleteFunc(t.Records, func(r trace.Record) bool { return r.Op == trace.OpSpawn && cancelled[r.Value] })
	}
}

// sleepAndSend writes the records of the thread of a task that a worker received at a time, ns.
func (t *jthread) sleepAndSend(s delayedTask, received int64) {
	if s.after == math.MaxInt32 { // or more: a hit holds no longer one
		s.after = received - s.send.Time
	}
	over := max(s.send.Time, min(s.send.Time+s.after, received))
	sleep := trace.Record{Time: s.send.Time, Site: s.send.Site, Op: trace.OpSleep, Arg: s.after}
	awake := sleep
	awake.Time, awake.End, awake.Arg = over, true, 0
	send := trace.Record{Time: over, Site: s.send.Site, Op: trace.OpSend, Object: s.send.Object}
	sent := send
	sent.End, sent.Arg, sent.Value = true, 1, s.task
	t.Ended = over
	t.Records = append(t.Records, sleep, awake, send, sent, trace.Record{Time: over, Site: -1, Op: trace.OpThreadEnd})
}
