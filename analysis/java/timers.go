package java

import (
	"math"
	"time"

	"tierscope/analysis/trace"
)

// The thread of a java.util.Timer looks for the task that is next, again and again, and waits under the monitor of its queue
// until its time has come. To a model that is a worker of an executor: it receives a task when it runs it. Tasks come as those
// with a delay of a scheduled executor do; those that are repeated come from nobody, as there.

// Types of the Java library.
const (
	timer     = "java/util/Timer"
	taskQueue = "java/util/TaskQueue" // of a Timer
	timerTask = "java/util/TimerTask"
)

// timerCall is what a call of a method of Timer says of the task that it is given.
type timerCall struct {
	after   int64 // ns; math.MaxInt32: until a date, which a hit does not hold
	repeats bool
}

// timerKnowledge is what calls of Timer mean. The queue's are probed where a Timer adds and its thread looks for what is next.
var timerKnowledge = []meaning{
	{timer, "schedule", "(L" + timerTask + ";J)", trace.OpNone, 0, 2, ""},
	{timer, "schedule", "(L" + timerTask + ";Ljava/util/Date;)", trace.OpNone, 0, 0, ""},
	{timer, "schedule", "(L" + timerTask + ";JJ)", trace.OpNone, 0, 0, "repeated"},
	{timer, "schedule", "(L" + timerTask + ";Ljava/util/Date;J)", trace.OpNone, 0, 0, "repeated"},
	{timer, "scheduleAtFixedRate", "", trace.OpNone, 0, 0, "repeated"},
	{taskQueue, "add", "", trace.OpSend, 0, 1, "executor"},
	{taskQueue, "getMin", "", trace.OpReceive, 0, 0, "executor"},
	{taskQueue, "clear", "", trace.OpClose, 0, 0, "executor"},
}

// ofTimer reports whether a call inside the JDK is one of a Timer or its thread.
func (b *body) ofTimer(m *meaning) bool {
	switch m.op {
	case trace.OpReceive:
		return b.editor.name == "java/util/TimerThread"
	case trace.OpSend, trace.OpClose:
		return b.editor.name == timer
	default:
		return false
	}
}

// tellsTimer keeps what a call of Timer says until the task is added.
func (t *jthread) tellsTimer(p *probe, arg int32) {
	if p.owner != timer {
		return
	}
	t.timer = timerCall{repeats: p.kind == "repeated", after: math.MaxInt32}
	if p.arg > 0 {
		t.timer.after = int64(arg) * time.Millisecond.Nanoseconds()
	}
}

// takeTimers makes of all looks of a timer's thread for its next task one, which ends when a task begins: without one if the
// thread ends before.
func (d *decoder) takeTimers(hits []hit24) []hit24 {
	looks := func(p *probe) bool { return p.owner == taskQueue && p.op == trace.OpReceive }
	var kept []hit24
	from, last := -1, -1 // in hits: where it began to look, and what it found last
	for i := range hits {
		h := &hits[i]
		p := &d.in.probes[min(int(h.probe), len(d.in.probes)-1)]
		switch {
		case looks(p) && kept == nil:
			kept = append(make([]hit24, 0, len(hits)), hits[:i]...)
			fallthrough
		case looks(p):
			if from < 0 && !h.end {
				from = i
				kept = append(kept, *h)
			}
			if h.end {
				last = i
			}
		case kept != nil:
			if begins := p.entry && !h.end; from >= 0 && last > from && (begins || p.op == trace.OpThreadEnd) {
				found := hits[last]
				found.time, found.cpu, found.ready = h.time, h.cpu, h.ready
				if !begins {
					found.arg = 0
				}
				kept, from = append(kept, found), -1
			}
			kept = append(kept, *h)
		}
	}
	if kept == nil {
		return hits
	}
	return kept
}
