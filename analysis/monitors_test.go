package analysis

import (
	"cmp"
	"slices"
	"testing"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// monitored is a queue made of a monitor (object 1) whose only condition (2) is for
// both sides: main puts six things and waits once because it is full; two
// workers take three each, and if takersWait wait once because it is empty. With early a
// worker takes something before it is put.
func monitored(early, takersWait bool) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	a, b := s.thread("worker", main, 0), s.thread("worker", main, 0)
	stay := func(who *actor, place string, at int64, waits bool) {
		who.now = max(who.now, at)
		who.does(trace.OpLock, place, 1, 0, 10)
		if waits {
			who.does(trace.OpCondWait, place+" waits", 2, 0, 400)
		}
		who.compute(50).does(trace.OpBroadcast, place+" notifies", 2, 0, 10).does(trace.OpUnlock, place+" leaves", 1, 0, 10)
	}
	first := int64(10_000)
	if early {
		first = 100
	}
	for i := range int64(6) {
		stay(main, "put", 2000+i*1000, i == 5)
	}
	for i := range int64(3) {
		for _, w := range []*actor{a, b} {
			stay(w, "take", first+i*2000, takersWait && i == 2)
			w.compute(1_000_000)
		}
	}
	a.ends()
	b.ends()
	main.does(trace.OpJoin, "join", 0, 0, 4_000_000)
	main.ends()
	return s
}

// A list under a monitor that is waited for on both sides, or by who puts alone, is a bounded queue:
// main sends, the workers receive, and the lock is gone.
func TestAListUnderAMonitorIsAQueue(t *testing.T) {
	t.Parallel()
	for name, takersWait := range map[string]bool{"both sides wait": true, "takers never wait": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			isAQueue(t, takersWait)
		})
	}
}

func isAQueue(t *testing.T, takersWait bool) {
	t.Helper()
	in := monitored(false, takersWait).trace
	out := normalise.MonitorQueues(in)
	if len(out.Objects) != 1 || out.Objects[0].Capacity != 6 {
		t.Fatalf("objects %+v, want one queue in which there were at most 6", out.Objects)
	}
	count, ended := map[trace.Op]int{}, map[trace.Op][]trace.Record{}
	for _, th := range out.Threads {
		for _, r := range th.Records {
			if !r.End {
				count[r.Op]++
			} else {
				ended[r.Op] = append(ended[r.Op], r)
			}
		}
	}
	for k := range ended[trace.OpSend] { // who leaves first has put the first, or taken it
		for _, rs := range ended {
			slices.SortFunc(rs, func(a, b trace.Record) int { return cmp.Compare(a.Time, b.Time) })
		}
		if sent, got := ended[trace.OpSend][k].Value, ended[trace.OpReceive][k].Value; sent == 0 || sent != got || k > 0 && sent == ended[trace.OpSend][k-1].Value {
			t.Errorf("the thing put as number %d is %x, the one taken %x", k, sent, got)
		}
	}
	if count[trace.OpSend] != 6 || count[trace.OpReceive] != 6 || count[trace.OpLock]+count[trace.OpUnlock]+count[trace.OpCondWait]+count[trace.OpBroadcast] != 0 {
		t.Errorf("operations %v, want 6 sends, 6 receives, and none on the monitor", count)
	}
	m, _ := monitored(false, takersWait).build(t, trail.Options{Threshold: -1})
	if len(m.Queues) != 1 || len(m.Locks) != 0 {
		t.Errorf("%d queues and %d locks, want 1 and 0", len(m.Queues), len(m.Locks))
	}
}

// A thread that has left a lock may lose its processor before it can say so. Here the last put ends for the recording after all takes; it was first all the same.
func TestWhoLeftAMonitorAndWasHeldUpWasThereFirst(t *testing.T) {
	t.Parallel()
	in := monitored(false, true).trace
	rs := in.Threads[0].Records
	last := 0
	for i, r := range rs {
		if r.Op == trace.OpUnlock && r.End {
			last = i
		}
	}
	for i := range rs[last:] {
		rs[last+i].Time = max(rs[last+i].Time, 20_000)
	}
	if out := normalise.MonitorQueues(in); len(out.Objects) != 1 {
		t.Errorf("objects %+v, want one queue", out.Objects)
	}
}

// interrupted is a server that is stopped while its two workers wait for more than the six things that they took; main has put others.
func interrupted(others int) *trace.Trace {
	s := newScript()
	main := s.thread("main", nil, 0)
	workers := []*actor{s.thread("worker", main, 0), s.thread("worker", main, 0)}
	stay := func(who *actor, place string, at int64, waits bool) {
		who.now = max(who.now, at)
		who.does(trace.OpLock, place, 1, 0, 10)
		if waits {
			who.does(trace.OpCondWait, place+" waits", 2, 0, 400)
		} else {
			who.compute(50).does(trace.OpSignal, place+" signals", 2, 0, 10)
		}
		who.does(trace.OpUnlock, place+" leaves", 1, 0, 10)
	}
	for i := range 6 + others {
		stay(main, "put", 2000+int64(i)*1000, false)
	}
	for i := range int64(3) {
		for _, w := range workers {
			stay(w, "take", 10_000+2000*i, true)
		}
	}
	main.now = 20_000
	main.does(trace.OpLock, "put", 1, 0, 10)
	for k := range workers {
		workers[k].does(trace.OpLock, "take", 1, 0, 10).does(trace.OpCondWait, "take waits", 2, 0, 400)
		th := &s.trace.Threads[k+1]
		th.Records = th.Records[:len(th.Records)-1]
	}
	return s.trace
}

// Who waits in a queue's lock for more when the recording ends receives without end. It may have been given something by then, not much.
func TestWhoWaitsInAMonitorWhenTheRecordingEndsReceives(t *testing.T) {
	t.Parallel()
	for others, queue := range map[int]bool{0: true, 2: true, 3: false} {
		out := normalise.MonitorQueues(interrupted(others))
		if queue != (len(out.Objects) == 1) {
			t.Errorf("with %d more than were taken there are the queues %+v, want one: %v", others, out.Objects, queue)
		}
		if !queue {
			continue
		}
		if last := out.Threads[0].Records[len(out.Threads[0].Records)-1]; last.Op != trace.OpSend || !last.End {
			t.Errorf("what the end cut off is %+v", last)
		}
		for _, th := range out.Threads[1:] {
			if last := th.Records[len(th.Records)-1]; last.Op != trace.OpReceive || last.End {
				t.Errorf("%s ends with %+v, want a receive that does not", th.Start, last)
			}
		}
	}
}

// mailbox is a list under a lock into which main puts six things and says behind it that there will be no more. The worker takes one, the three that
// were put meanwhile, and one twice, and computes 2 µs for each, before or after which it tells a latch, or nobody. What gathers waits until three are there.
func mailbox(tells string, gathers bool) *trace.Trace {
	s := newScript()
	main := s.thread("main", nil, 0)
	worker := s.thread("worker", main, 0)
	stay := func(who *actor, place string, at, wait int64) {
		who.now = max(who.now, at)
		who.does(trace.OpLock, place, 1, 0, 10)
		if wait > 0 {
			who.does(trace.OpCondWait, place+" waits", 2, 0, wait)
		}
		who.compute(20).does(trace.OpBroadcast, place+" notifies", 2, 0, 10).does(trace.OpUnlock, place+" leaves", 1, 0, 10)
	}
	for _, at := range []int64{2000, 3000, 4000, 5000, 12_000, 13_000} {
		stay(main, "put", at, 0)
	}
	main.now = 20_000
	main.does(trace.OpLock, "close", 1, 0, 10).does(trace.OpUnlock, "close leaves", 1, 0, 10).does(trace.OpBroadcast, "close notifies", 2, 0, 10)
	take := func(at, wait int64, n int) {
		stay(worker, "take", at, wait)
		for range n {
			if tells == "before" {
				worker.does(trace.OpDone, "tell", 7, 0, 10)
			}
			if worker.compute(2000); tells == "after" {
				worker.does(trace.OpDone, "tell", 7, 0, 10)
			}
		}
	}
	if gathers {
		take(1000, 3100, 3)
		take(10_500, 2600, 3)
	} else {
		take(1000, 1200, 1)
		take(6000, 0, 3)
		take(12_500, 0, 1)
		take(14_700, 0, 1)
	}
	take(17_500, 2600, 0)
	worker.ends()
	main.does(trace.OpJoin, "join", 0, 0, 1000)
	main.ends()
	return s.trace
}

// Who takes all that is there, and does something for each, takes one thing after the other from a queue, which is closed behind the last one.
func TestWhoTakesSeveralAtATimeTakesOneAfterTheOther(t *testing.T) {
	t.Parallel()
	for _, tells := range []string{"after", "before", "not"} {
		out := normalise.MonitorQueues(mailbox(tells, false))
		if len(out.Objects) != 1 || out.Objects[0].Capacity >= 0 {
			t.Fatalf("objects %+v, want one unbounded queue", out.Objects)
		}
		var got []int64
		var took []uint64
		closed := 0
		for _, th := range out.Threads {
			for _, r := range th.Records {
				if r.Op == trace.OpReceive && r.End {
					got, took = append(got, r.CPU), append(took, r.Value)
				}
				if r.Op == trace.OpClose && r.End {
					closed++
				}
			}
		}
		if len(got) != 7 || closed != 1 {
			t.Fatalf("the worker takes %d times, and the queue is closed %d times; want 7 and 1", len(got), closed)
		}
		for k := range got[1:] {
			if work := got[k+1] - got[k]; work < 1900 || work > 2100 || k < 5 && took[k+1] != took[k]+1 {
				t.Errorf("it tells %s: for thing %x it computes %d ns, then it takes %x", tells, took[k], work, took[k+1])
			}
		}
	}
	if in := mailbox("after", true); normalise.MonitorQueues(in) != in {
		t.Error("who waits until three are there was taken for one who takes what there is")
	}
}

// What is taken before it is put is something else, such as a permit.
func TestAMonitorFromWhichIsTakenFirstIsNoQueue(t *testing.T) {
	t.Parallel()
	if in := monitored(true, true).trace; normalise.MonitorQueues(in) != in {
		t.Error("a monitor was taken for a queue from which is taken before anything is put")
	}
}

// Three threads add to an atomic counter, and each ends when it gets a number
// beyond the twelve (0 to 11) for which there is work: 4, 3 and 5 tasks.
func counted12(beyondWork bool) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	next, done := int64(0), []int{4, 3, 5}
	var ws []*actor
	for range done {
		ws = append(ws, s.thread("worker", main, 0))
	}
	for len(ws) > 0 {
		for i, w := range ws {
			if done[i] > 0 {
				w.does(trace.OpCount, "next", 7, next, 10).compute(1_000_000)
				next++
			}
			done[i]--
		}
		if done[0] < 0 && done[1] < 0 && done[2] < 0 {
			break
		}
	}
	for _, w := range ws {
		number := next
		next++
		if !beyondWork { // what it gets is not larger than what was work
			number = 0
		}
		w.does(trace.OpCount, "next", 7, number, 10)
		w.ends()
	}
	main.does(trace.OpJoin, "join", 0, 0, 8_000_000)
	main.ends()
	return s
}

// A counter to which threads add until there is no work for its value is a
// queue that was filled before.
func TestAnAtomicCounterThatSharesOutWorkIsAQueue(t *testing.T) {
	t.Parallel()
	m, _ := counted12(true).build(t, trail.Options{Threshold: -1})
	if len(m.Queues) != 1 {
		t.Fatalf("%d queues, want 1: the counter", len(m.Queues))
	}
	sends := 0.0
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Class == core.LoopFragment && f.Loop != nil {
				sends += f.Loop.Count.Value
			}
		}
	}
	if sends != 12 {
		t.Errorf("main sends %g tasks, want 12", sends)
	}
	if m, _ := counted12(false).build(t, trail.Options{Threshold: -1}); len(m.Queues) != 0 {
		t.Errorf("%d queues for a counter whose last values are not beyond the others, want none", len(m.Queues))
	}
}

// A counter of what has been done hands out nothing, even if the last numbers went to
// different threads: each goes on as it did after the others.
func TestAnAtomicCounterOfWhatHasBeenDoneIsNoQueue(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.trace.Objects = append(s.trace.Objects, trace.Object{ID: 8, Kind: "mutex", Site: -1})
	main := s.thread("main", nil, 0)
	ws := []*actor{s.thread("worker", main, 0), s.thread("worker", main, 0)}
	for done := range int64(8) {
		w := ws[done%2]
		w.compute(1_000_000).does(trace.OpCount, "done", 7, done, 10).does(trace.OpLock, "lock", 8, 0, 10).compute(100).does(trace.OpUnlock, "unlock", 8, 0, 10)
	}
	for _, w := range ws {
		w.ends()
	}
	main.does(trace.OpJoin, "join", 0, 0, 8_000_000).ends()
	if m, _ := s.build(t, trail.Options{Threshold: -1}); len(m.Queues) != 0 {
		t.Errorf("%d queues, want none", len(m.Queues))
	}
}

// Two queues of one kind, whose takers are woken behind the lock: main puts six things into either, a worker takes those of one, and waits
// for the first. Of a single one package guards would find more.
func TestListsOfOneKindWhoseTakersAreWokenBehindTheLockAreQueues(t *testing.T) {
	t.Parallel()
	lists := func(n uint64) *trace.Trace {
		s := newScript()
		main := s.thread("main", nil, 0)
		for k := range n {
			lock, more := 1+2*k, 2+2*k
			w := s.thread("worker", main, 10+int64(k))
			for i := range int64(6) {
				put := int64(2000+i*1000) + int64(k)*300
				w.now = max(w.now, put-900)
				w.does(trace.OpLock, "take", lock, 0, 10)
				if i == 0 {
					w.does(trace.OpCondWait, "take waits", more, 0, 1100)
				} else {
					w.now = put + 200
				}
				w.does(trace.OpUnlock, "take leaves", lock, 0, 10)
			}
			w.ends()
		}
		for i := range int64(6) {
			for k := range n {
				main.now = int64(2000+i*1000) + int64(k)*300
				main.does(trace.OpLock, "put", 1+2*k, 0, 10).does(trace.OpUnlock, "put leaves", 1+2*k, 0, 10).does(trace.OpSignal, "put notifies", 2+2*k, 0, 10)
			}
		}
		main.ends()
		return s.trace
	}
	for n, want := range map[uint64]int{1: 0, 2: 2} {
		out := normalise.MonitorQueues(lists(n))
		left := 0
		for _, th := range out.Threads {
			for _, r := range th.Records {
				if r.Op == trace.OpSignal || r.Op == trace.OpLock {
					left++
				}
			}
		}
		if len(out.Objects) != want || (left == 0) != (want > 0) {
			t.Errorf("of %d lists %d queues, and %d records of locks and conditions", n, len(out.Objects), left)
		}
	}
}
