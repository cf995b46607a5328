package java

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
)

// tape writes the records of a thread.
type tape struct {
	thread trace.Thread
	now    int64
}

func (p *tape) does(op trace.Op, object uint64, result int64) *tape {
	p.now += 1000
	r := trace.Record{Time: p.now, Site: 0, Op: op, Object: object}
	end := r
	end.Time, end.End, end.Arg = p.now+100, true, result
	p.thread.Records = append(p.thread.Records, r, end)
	return p
}

func (p *tape) at(ns int64) *tape { p.now = ns; return p }

// submitted is a program that submits two tasks to executor 1, each of which
// submits another one, with results 11 to 14. The worker does all of them. Main
// waits for some of the results; until 60 µs, when all is done.
func submitted(waitsFor ...uint64) *futures {
	main := &tape{thread: trace.Thread{ID: 1}}
	main.does(trace.OpAdd, 11, 0).does(trace.OpSend, 1, 1).does(trace.OpAdd, 12, 0).does(trace.OpSend, 1, 1)
	worker := &tape{thread: trace.Thread{ID: 2, Parent: 1, Ended: 60_000}}
	worker.at(10_000)
	for task, result := range []uint64{11, 12, 13, 14} {
		worker.does(trace.OpReceive, 1, 1)
		if task < 2 {
			worker.does(trace.OpAdd, result+2, 0).does(trace.OpSend, 1, 1)
		}
		worker.does(trace.OpDone, result, 0)
	}
	worker.does(trace.OpReceive, 1, 0)
	for i, o := range waitsFor {
		main.at(12_000 + int64(i)*1000)
		if o == waitsFor[len(waitsFor)-1] && len(waitsFor) > 1 {
			main.at(60_000)
		}
		main.does(trace.OpWaitGroup, o, 0)
	}
	f := &futures{trace: &trace.Trace{Sites: []trace.Site{{}}, Threads: []trace.Thread{main.thread, worker.thread}},
		executors: map[uint64]*executorUse{1: {latch: 99}}, results: map[uint64]bool{11: true, 12: true, 13: true, 14: true}}
	f.settle()
	return f
}

// operations lists those of a thread that begin, with their object.
func operations(th *trace.Thread) (ops []string) {
	for _, r := range th.Records {
		if !r.End {
			ops = append(ops, r.Op.String()+" "+map[uint64]string{1: "executor", 99: "left"}[r.Object])
		}
	}
	return ops
}

// Who waits for a result goes on when it is told, not when its task is over, which may be after that.
func TestATaskIsDoneWhenItTellsItsResult(t *testing.T) {
	t.Parallel()
	main := &tape{thread: trace.Thread{ID: 1}}
	main.does(trace.OpAdd, 11, 0).does(trace.OpSend, 1, 1).at(12_000).does(trace.OpWaitGroup, 11, 0)
	worker := &tape{thread: trace.Thread{ID: 2, Parent: 1, Ended: 60_000}}
	worker.at(10_000).does(trace.OpReceive, 1, 1).at(12_050).does(trace.OpDone, 11, 0).at(50_000).does(trace.OpReceive, 1, 0)
	f := &futures{trace: &trace.Trace{Sites: []trace.Site{{}}, Threads: []trace.Thread{main.thread, worker.thread}},
		executors: map[uint64]*executorUse{1: {latch: 99}}, results: map[uint64]bool{11: true}}
	f.settle()
	var at []int64
	for _, r := range f.trace.Threads[1].Records {
		if r.Op == trace.OpDone && r.Object == 99 && !r.End {
			at = append(at, r.Time)
		}
	}
	if !slices.Equal(at, []int64{13_050}) {
		t.Errorf("the task is done at %v ns, want 13050", at)
	}
}

// Waiting for all results is waiting until no task is left, and the tasks that
// tasks submitted are submitted by main, one after each of its own.
func TestWaitingForAllResultsIsWaitingUntilNoTaskIsLeft(t *testing.T) {
	t.Parallel()
	f := submitted(11, 12, 14)
	one := []string{"add left", "send executor"}
	want := slices.Concat(one, one, one, one, []string{"wait left", "wait left", "wait left"})
	if got := operations(&f.trace.Threads[0]); !slices.Equal(got, want) {
		t.Errorf("main: %q, want %q", got, want)
	}
	task := []string{"receive executor", "done left"}
	want = slices.Concat(task, task, task, task, []string{"receive executor"})
	if got := operations(&f.trace.Threads[1]); !slices.Equal(got, want) {
		t.Errorf("worker: %q, want %q", got, want)
	}
}

// Who waits for one result while three tasks are left, with one worker, waits
// for that result.
func TestWaitingForOneResultIsNotWaitingForAll(t *testing.T) {
	t.Parallel()
	f := submitted(11)
	if f.executors[1].drains {
		t.Error("a wait for the first of four results was taken for one for all")
	}
	got := operations(&f.trace.Threads[0])
	if n := len(got); got[n-1] != "wait " {
		t.Errorf("main: %q, want its last operation to wait for the result itself", got)
	}
	task, submits := []string{"receive executor", "done "}, []string{"receive executor", "add ", "send executor", "done "}
	want := slices.Concat(submits, submits, task, task, []string{"receive executor"})
	if got := operations(&f.trace.Threads[1]); !slices.Equal(got, want) {
		t.Errorf("worker: %q, want %q", got, want)
	}
}

// Two clients share an executor, and each waits for its own tasks. That it has all of them does not mean that nobody's are left, however
// few these are: the tasks are nobody's count, and stay futures, also those that a task of another executor submits for them. One who submits for both waits for all, and so does one who collects
// what both submitted: a task that has told its result is not left, though it is over later.
func TestClientsThatShareAnExecutorWaitForTheirOwnTasks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ shared, collects, relayed bool }{{}, {shared: true}, {collects: true}, {relayed: true}, {shared: true, relayed: true}} {
		one, other := &tape{thread: trace.Thread{ID: 1}}, &tape{thread: trace.Thread{ID: 2}}
		worker, second := &tape{thread: trace.Thread{ID: 3, Ended: 900_000}}, &tape{thread: trace.Thread{ID: 4, Ended: 900_000}}
		relay := &tape{thread: trace.Thread{ID: 5, Ended: 900_000}}
		task := uint64(100)
		f := &futures{trace: &trace.Trace{Sites: []trace.Site{{}}}, executors: map[uint64]*executorUse{1: {latch: 99}, 2: {latch: 98}}, results: map[uint64]bool{}}
		submit := func(p *tape, at int64, w *tape, done int64) uint64 {
			task++
			f.results[task] = true
			if c.relayed {
				p.at(at).does(trace.OpSend, 2, 1)
				p.thread.Records[len(p.thread.Records)-1].Value = task + 1000
				relay.at(at+200).does(trace.OpReceive, 2, 1)
				relay.thread.Records[len(relay.thread.Records)-1].Value = task + 1000
				p, at = relay, at+400
			}
			p.at(at).does(trace.OpSend, 1, 1)
			p.thread.Records[len(p.thread.Records)-1].Value = task
			w.at(at+1000).does(trace.OpReceive, 1, 1)
			w.thread.Records[len(w.thread.Records)-1].Value = task
			w.at(done).does(trace.OpDone, task, 0)
			return task
		}
		for round := range int64(8) {
			from, by := round*100_000, other
			if c.shared {
				by = one
			}
			first := submit(one, from, worker, from+20_000)
			last := submit(by, from+10_000, second, from+70_000) // is left when the first is done
			if c.collects {
				by = one
				one.at(from + 80_000)
			} else {
				one.at(from + 30_000)
			}
			one.does(trace.OpWaitGroup, first, 0)
			by.at(from+80_000).does(trace.OpWaitGroup, last, 0)
		}
		for _, p := range []*tape{one, other, worker, second, relay} {
			f.trace.Threads = append(f.trace.Threads, p.thread)
		}
		f.settle()
		if all := c.shared || c.collects; f.executors[1].drains != all {
			t.Errorf("%+v: waits are waits for all: %v, want %v", c, f.executors[1].drains, all)
		}
	}
}

// The loop of a server is one task that answers again and again: what it tells is no result of its own, and who waits for an answer does not
// wait until no task is left.
func TestWhatATaskAnswersIsNoResultOfItsOwn(t *testing.T) {
	t.Parallel()
	for answers, want := range map[uint64]bool{1: true, 2: true, 9: false} {
		main := &tape{thread: trace.Thread{ID: 1}}
		main.does(trace.OpSend, 1, 1)
		worker := &tape{thread: trace.Thread{ID: 2, Parent: 1, Ended: 900_000}}
		worker.at(2_000).does(trace.OpReceive, 1, 1)
		f := &futures{trace: &trace.Trace{Sites: []trace.Site{{}}}, executors: map[uint64]*executorUse{1: {latch: 99}}, results: map[uint64]bool{}}
		for n := range answers {
			f.results[11+n] = true
			at := 10_000 * int64(n+1)
			worker.at(at).does(trace.OpDone, 11+n, 0)
			main.at(at+2_000).does(trace.OpWaitGroup, 11+n, 0)
		}
		worker.at(800_000).does(trace.OpReceive, 1, 0)
		f.trace.Threads = []trace.Thread{main.thread, worker.thread}
		f.settle()
		if f.executors[1].drains != want {
			t.Errorf("%d answers: waits are waits for all: %v, want %v", answers, !want, want)
		}
	}
}
