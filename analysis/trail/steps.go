package trail

import (
	"tierscope/analysis/trace"
	"tierscope/core"
)

// Made is the virtual node that makes an object for a call.
const Made = "make"

// OnceDone is the virtual node at the end of the function of a Once.
const OnceDone = "once-done"

// Answered is the virtual node at the end of a write to a client, until it is known which of them is the last for a task.
const Answered = "answered"

// Permits is how many permits of a semaphore each execution of an operation takes
// or gives back; 0: now more, now fewer.
func (v *Vertex) Permits() int {
	for _, n := range v.Args {
		if n != v.Args[0] {
			return 0
		}
	}
	return max(1, int(v.Args[0]))
}

// Fetched reports whether the thread has a new task when it gets here.
func (n *Node) Fetched() bool { return n.Class == core.FetchFragment || n.Fetches }

// ChannelOp returns Send, Receive or Close for an operation on a channel, for
// a select that of the case chosen.
func ChannelOp(s *Step) core.SyncOp {
	switch s.Node.Op {
	case trace.OpSend, trace.OpTrySend:
		if !s.Succeeded() {
			return ""
		}
		return core.Send
	case trace.OpReceive, trace.OpTryReceive, trace.OpAccept:
		return core.Receive
	case trace.OpClose:
		return core.Close
	case trace.OpSelect:
		if s.Sends {
			return core.Send
		}
		if s.Result >= 0 {
			return core.Receive
		}
	}
	return ""
}

// Received reports whether a receive got something.
func (s *Step) Received() bool {
	switch s.Node.Op {
	case trace.OpReceive, trace.OpTryReceive:
		return s.Result == 1 && !s.Open
	}
	return !s.Open && !s.FoundClosed()
}

// FoundClosed reports whether a select took the case of a channel because that was
// closed: it received no value, on a channel whose values are told apart.
func (s *Step) FoundClosed() bool {
	return s.Node.Op == trace.OpSelect && s.Result >= 0 && !s.Sends && s.Value == 0 && s.Lock != nil && s.Lock.Numbered
}

// FetchesTasks reports whether threads of a pool take tasks from a queue.
func FetchesTasks(g *Pool) bool {
	for _, q := range g.Sequences {
		for i := range q.Steps {
			if s := &q.Steps[i]; s.Lock != nil && s.Lock.Task && ChannelOp(s) == core.Receive {
				return true
			}
		}
	}
	return false
}

// oversleep is how much longer than it asked for a thread sleeps on a core that
// has nothing else to do, in ns: twice the timer slack of Linux, 50 µs (prctl(2),
// PR_SET_TIMERSLACK). What is more it was waiting for a core, which is for the
// simulation to find out.
const oversleep = 100_000

// Blocked returns how long a step waited off the core for something outside
// the model: a device, the network, a timer. What was recorded ends when the
// thread runs again; the simulated CPU charges that wake-up itself, so its mean,
// wake ns, is taken off. A stay off the core that is nearer to none than to a
// wake-up was none: another program had the core.
func (s *Step) Blocked(wake int64) int64 {
	off := s.Off
	if s.Node.Op == trace.OpSleep && s.Arg > 0 {
		off = min(off, s.Arg+oversleep)
	}
	if off < max(trace.Slack, wake/2) {
		return 0
	}
	return max(off-wake, 1)
}

// Reads reports whether an operation had to do with a disk.
func (s *Step) Reads() bool { return s.Read > 0 || len(s.Requests) > 0 }
