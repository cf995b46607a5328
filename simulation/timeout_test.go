package simulation

import (
	"math"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// operation is an operation on a lock; the zero value is none.
type operation struct {
	lock string
	op   core.SyncOp
}

// wait is an operation that blocks, and what another thread does to let it
// block and, 100 ms later, go on.
type wait struct {
	name          string
	locks         []core.Lock
	before, after []operation // of the other thread, at 0 and at 100 ms
	first         []operation // of the thread that waits, before it does
	op            operation
	monitor       string
	leave, late   []operation // of the thread that waits: after success, and after giving up
}

func waits() []wait {
	var out []wait
	exclusive := func(name string, l core.Lock, take, leave core.SyncOp) {
		l.ID = "L"
		out = append(out, wait{name: name, locks: []core.Lock{l}, before: []operation{{"L", core.Enter}}, after: []operation{{"L", core.Exit}}, op: operation{"L", take}, leave: []operation{{"L", leave}}})
	}
	for _, f := range []core.Fairness{core.Fair, core.Barging, core.GoMutex} {
		exclusive("mutex "+string(f), core.Lock{Kind: core.Mutex, Fairness: f}, core.Enter, core.Exit)
		if f != core.GoMutex {
			exclusive("monitor "+string(f), core.Lock{Kind: core.Monitor, Fairness: f}, core.Enter, core.Exit)
			exclusive("semaphore "+string(f), core.Lock{Kind: core.Semaphore, Permits: 1, Fairness: f}, core.Enter, core.Exit)
		}
	}
	for _, p := range []core.Preference{core.GoRW, core.JavaFair, core.JavaUnfair, core.ReadFirst} {
		exclusive("write lock "+string(p), core.Lock{Kind: core.RWLock, Preference: p}, core.Enter, core.Exit)
		exclusive("read lock "+string(p), core.Lock{Kind: core.RWLock, Preference: p}, core.EnterRead, core.ExitRead)
	}
	meeting := func(name string, l core.Lock, op, answer core.SyncOp, before ...operation) {
		l.ID = "L"
		out = append(out, wait{name: name, locks: []core.Lock{l}, before: before, after: []operation{{"L", answer}}, op: operation{"L", op}})
	}
	meeting("barrier", core.Lock{Kind: core.Barrier, Parties: 2}, core.Await, core.Await)
	meeting("latch", core.Lock{Kind: core.Latch, Permits: 1}, core.Await, core.CountDown)
	meeting("phaser", core.Lock{Kind: core.Phaser, Parties: 2}, core.Await, core.Arrive)
	meeting("park", core.Lock{Kind: core.Park}, core.ParkOp, core.Unpark)
	meeting("exchanger", core.Lock{Kind: core.Exchanger}, core.Exchange, core.Exchange)
	meeting("receive", core.Lock{Kind: core.Channel}, core.Receive, core.Send)
	meeting("send, hand-off", core.Lock{Kind: core.Channel}, core.Send, core.Receive)
	meeting("send to a full channel", core.Lock{Kind: core.Channel, Capacity: 1}, core.Send, core.Receive, operation{"L", core.Send})
	meeting("take", core.Lock{Kind: core.BlockingQueue, Capacity: core.Unbounded}, core.Receive, core.Send)
	meeting("put into a full blocking queue", core.Lock{Kind: core.BlockingQueue, Capacity: 1}, core.Send, core.Receive, operation{"L", core.Send})
	for _, notify := range []core.SyncOp{core.Notify, core.NotifyAll} {
		out = append(out,
			wait{name: "condition, " + string(notify), locks: []core.Lock{{ID: "L", Kind: core.Mutex}, {ID: "C", Kind: core.Condition}},
				after: []operation{{"L", core.Enter}, {"C", notify}, {"L", core.Exit}}, first: []operation{{"L", core.Enter}}, op: operation{"C", core.Wait}, monitor: "L",
				leave: []operation{{"L", core.Exit}}, late: []operation{{"L", core.Exit}}},
			wait{name: "monitor, " + string(notify), locks: []core.Lock{{ID: "L", Kind: core.Monitor}},
				after: []operation{{"L", core.Enter}, {"L", notify}, {"L", core.Exit}}, first: []operation{{"L", core.Enter}, {"L", core.Enter}}, op: operation{"L", core.Wait},
				leave: []operation{{"L", core.Exit}, {"L", core.Exit}}, late: []operation{{"L", core.Exit}, {"L", core.Exit}}})
	}
	return out
}

// program is a thread that waits from 1 ms on, at most for the given time and,
// if it gives up, sleeps 2 ms more, beside another that lets it go on at 100 ms.
func (w wait) program(timeout core.Distribution) core.Model {
	chain := func(prefix string, steps []operation, next string) []core.Fragment {
		var out []core.Fragment
		for i, s := range steps {
			f := syncOp(prefix+decimal(i), s.lock, s.op)
			if i+1 < len(steps) {
				f.Next = to(prefix + decimal(i+1))
			} else if next != "" {
				f.Next = to(next)
			}
			out = append(out, f)
		}
		return out
	}
	start := func(prefix string, steps []operation, next string) string {
		if len(steps) > 0 {
			return prefix + "0"
		}
		return next
	}
	waiting := core.Fragment{ID: "wait", Class: core.SyncFragment, Sync: &core.Sync{Lock: w.op.lock, Op: w.op.op, Monitor: w.monitor, Timeout: timeout, OnTimeout: "nap"}, Next: to(start("leave", w.leave, "end"))}
	nap := sleep("nap", .002)
	if len(w.late) > 0 {
		nap.Next = to("late0")
	}
	mine := append([]core.Fragment{sleep("s", .001, start("first", w.first, "wait")), waiting, nap, {ID: "end", Class: core.DispatchFragment}}, chain("first", w.first, "wait")...)
	mine = append(mine, chain("leave", w.leave, "end")...)
	mine = append(mine, chain("late", w.late, "end")...)
	other := append([]core.Fragment{sleep("nap", .100, start("after", w.after, "end")), {ID: "end", Class: core.DispatchFragment}}, chain("before", w.before, "nap")...)
	other = append(other, chain("after", w.after, "end")...)
	m := threads(1, 2, mine...)
	m.Locks = w.locks
	m.Pools = append(m.Pools, core.Pool{ID: "other", Graph: "h", Size: 1})
	m.Graphs = append(m.Graphs, core.Graph{ID: "h", Entry: start("before", w.before, "nap"), Fragments: other})
	return m
}

// Every operation that blocks can be tried, given a time, or waited for: a try
// goes on at once, a timeout after its time, and a wait when the other thread
// lets it, after 100 ms. Costs are zero, so that the times are exact.
func TestEveryWaitCanBeTriedTimedOrEndured(t *testing.T) {
	t.Parallel()
	for _, w := range waits() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range []struct {
				timeout core.Distribution
				want    float64 // s
				why     string
			}{
				{constant(0), .003, "1 ms, a try that fails, 2 ms"},
				{constant(.010), .013, "1 ms, 10 ms of waiting, 2 ms"},
				{constant(.500), .100, "until the other thread lets it go on"},
			} {
				p := mustCompile(t, w.program(c.timeout))
				r := p.replica(1, 0, 0, nil)
				r.advance(t.Context(), des.Never)
				if o := r.observe(); len(o.Warnings) > 0 || !o.Ended || math.Abs(o.Makespan-c.want) > 5e-9 {
					t.Errorf("timeout %v s: T = %v s (ended %t, warnings %q), want %v s: %s", c.timeout.Value, o.Makespan, o.Ended, o.Warnings, c.want, c.why)
				}
			}
		})
	}
}

// A thread that waits for others, or for room in a queue, gives up as well.
func TestJoinsAndSendsTimeOut(t *testing.T) {
	t.Parallel()
	join := with(threads(1, 1,
		core.Fragment{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "child", Count: constant(2)}, Next: to("join")},
		core.Fragment{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "child", Timeout: constant(.010)}, Next: to("s")}, sleep("s", .002)), func(m *core.Model) {
		m.Pools = append(m.Pools, core.Pool{ID: "child", Kind: core.SpawnPool, Graph: "c"})
		m.Graphs = append(m.Graphs, core.Graph{ID: "c", Entry: "s", Fragments: []core.Fragment{sleep("s", .100)}})
	})
	send := with(threads(1, 1,
		core.Fragment{ID: "out1", Class: core.OutFragment, Out: &core.Out{To: "q", New: true}, Next: to("out2")},
		core.Fragment{ID: "out2", Class: core.OutFragment, Out: &core.Out{To: "q", New: true, Timeout: constant(.010)}, Next: to("s")}, sleep("s", .002)), func(m *core.Model) {
		m.Queues = []core.Queue{{ID: "q", Capacity: 1}}
		m.Pools = append(m.Pools, core.Pool{ID: "server", Graph: "server", Size: 1})
		m.Sinks = []core.Sink{{ID: "done"}}
		m.Graphs = append(m.Graphs, core.Graph{ID: "server", Entry: "busy", Fragments: []core.Fragment{sleep("busy", 1, "in"),
			{ID: "in", Class: core.InFragment, In: &core.In{Queue: "q"}, Next: to("fetch")}, {ID: "fetch", Class: core.FetchFragment, Next: to("out")},
			{ID: "out", Class: core.OutFragment, Out: &core.Out{To: "done"}}}})
	})
	for name, m := range map[string]core.Model{"join": join, "send": send} {
		r := mustCompile(t, m).replica(1, 0, 0, nil)
		r.advance(t.Context(), des.Never)
		if o := r.observe(); math.Abs(o.Makespan-.012) > 5e-9 {
			t.Errorf("%s: T = %v s (warnings %q), want 10 ms of waiting and 2 ms", name, o.Makespan, o.Warnings)
		}
	}
}
