package java

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// An executor whose results are waited for is, to a model, a queue and a count
// of the tasks that are not done: whoever waits for all results waits until
// there are none.
//
//	main:    submit, submit, …, get, get, …        add, send, add, send, …, wait
//	worker:  receive, run, done, receive, …        receive, run, count down, receive, …
//
// That is exact where threads wait for all tasks, in one phase or in many,
// however they do it: by Future.get, invokeAll, CompletableFuture.join. Where
// they wait for some while others go on, the results stay latches of their own.
//
// There, tasks that tasks submit to their own executor are submitted by who began it
// (compare bags in package analysis): how many there are is a property of the
// work, and to a graph of probabilities it would be a branching process. Elsewhere they
// stay where they were: submitted by who began it, they would be done before anybody had made what they complete.

// futures is what a recording tells of the executors and of results.
type futures struct {
	trace     *trace.Trace
	executors map[uint64]*executorUse
	results   map[uint64]bool        // futures
	doneBy    map[uint64]currentTask // future → the task of an executor that completed it
	awaited   map[uint64]bool        // futures
	current   map[int64]currentTask  // thread → what it works on, during a pass over its records
}

type currentTask struct {
	executor uint64
	working  bool
	task     uint64 // what it received
}

// executorUse is how an executor was used.
type executorUse struct {
	latch   uint64
	events  []taskEvent // of its tasks
	workers int
	runs    []waitRun // of waits for its results
	roots   int       // tasks that other threads sent
	inner   int       // tasks that its own workers sent
	drains  bool      // waits are waits for all
	tasks   map[uint64]*sentTask
}

type taskEvent struct {
	time int64
	by   int // +1 sent, −1 done
}

// waitRun is a number of waits for results without a submission in between.
type waitRun struct{ end, thread int64 }

// settle rewrites the trace.
func (f *futures) settle() {
	f.completeOnce()
	f.current, f.doneBy, f.awaited = map[int64]currentTask{}, map[uint64]currentTask{}, map[uint64]bool{}
	for i := range f.trace.Threads {
		f.observe(&f.trace.Threads[i])
	}
	for i := range f.trace.Threads {
		f.waits(&f.trace.Threads[i])
	}
	any := false
	for _, e := range f.executors {
		e.drains = e.waitsForAll() && !e.serves()
		any = any || e.drains
	}
	if !any {
		return
	}
	for i := range f.trace.Threads {
		f.rewrite(&f.trace.Threads[i])
	}
	for _, e := range f.executors {
		if e.drains {
			f.trace.Objects = append(f.trace.Objects, trace.Object{ID: e.latch, Kind: "latch", Capacity: -1, Elem: -1, Site: -1})
		}
	}
}

// follow keeps track of the task of a thread.
func (f *futures) follow(th *trace.Thread, r *trace.Record) (ended bool, before currentTask) {
	before = f.current[th.ID]
	if f.executors[r.Object] == nil || r.Op != trace.OpReceive {
		return false, before
	}
	if !r.End {
		f.current[th.ID] = currentTask{executor: r.Object}
		return before.working, before
	}
	f.current[th.ID] = currentTask{r.Object, r.Arg == 1, r.Value}
	return false, before
}

// working is the task that a thread does; nil: none.
func (f *futures) working(th *trace.Thread) *sentTask {
	if in := f.current[th.ID]; in.working {
		return f.executors[in.executor].task(in.task)
	}
	return nil
}

// observe counts the tasks that a thread sends and does.
func (f *futures) observe(th *trace.Thread) {
	worker := map[uint64]bool{}
	for i := range th.Records {
		r := &th.Records[i]
		if ended, task := f.follow(th, r); ended {
			e := f.executors[task.executor]
			e.events = append(e.events, taskEvent{r.Time, -1})
			e.task(task.task).isOver(r.Time)
		}
		if e := f.executors[r.Object]; e != nil && r.Op == trace.OpReceive && !worker[r.Object] {
			worker[r.Object] = true
			e.workers++
		}
		if e := f.executors[r.Object]; e != nil && r.Op == trace.OpSend && !r.End {
			e.events = append(e.events, taskEvent{r.Time, +1})
			if f.current[th.ID].executor == r.Object {
				e.inner++
			} else {
				e.roots++
			}
		}
		if e := f.executors[r.Object]; e != nil && r.Op == trace.OpSend && r.End {
			e.task(r.Value).isSent(r.Time, th.ID, f.working(th))
		}
		if task := f.working(th); f.results[r.Object] && r.Op == trace.OpDone && !r.End && task != nil {
			f.doneBy[r.Object], task.told = f.current[th.ID], r.Time
		}
	}
	if task := f.current[th.ID]; task.working && th.Ended > 0 {
		f.executors[task.executor].events = append(f.executors[task.executor].events, taskEvent{th.Ended, -1})
	}
	delete(f.current, th.ID)
}

// waits finds the runs of waits of a thread.
func (f *futures) waits(th *trace.Thread) {
	open := map[uint64]*waitRun{}
	for i := range th.Records {
		r := &th.Records[i]
		if e := f.executors[r.Object]; e != nil && r.Op == trace.OpSend && open[r.Object] != nil {
			e.runs = append(e.runs, *open[r.Object])
			delete(open, r.Object)
		}
		if of, ok := f.doneBy[r.Object]; ok && r.Op == trace.OpWaitGroup && r.End {
			open[of.executor] = &waitRun{r.Time, th.ID}
			if !f.awaited[r.Object] {
				f.awaited[r.Object] = true
				f.executors[of.executor].task(of.task).answers++
			}
		}
	}
	for of, run := range open {
		f.executors[of].runs = append(f.executors[of].runs, *run)
	}
}

// serves reports whether tasks answer what others ask, again and again, as the loop of a server does that is a task: what it tells is no result of
// its own. A task has one, and a stage that follows it in its thread another.
func (e *executorUse) serves() bool {
	answers, tasks := 0, 0
	for _, t := range e.tasks {
		if t.answers > 0 && !t.several {
			answers, tasks = answers+t.answers, tasks+1
		}
	}
	return answers > 2*tasks
}

// exceptions is the share of runs of waits after which tasks may be left that
// nobody waited for.
const exceptions = 0.1

// waitsForAll reports whether after the waits for results no task was left. A
// result is there a little before its task is done. Of the tasks of others there is none then.
func (e *executorUse) waitsForAll() bool {
	if len(e.runs) == 0 {
		return false
	}
	slices.SortFunc(e.events, func(a, b taskEvent) int { return cmp.Compare(a.time, b.time) })
	slices.SortFunc(e.runs, func(a, b waitRun) int { return cmp.Compare(a.end, b.end) })
	at, left, violations := 0, 0, 0
	of := e.byThread()
	for _, run := range e.runs {
		for at < len(e.events) && e.events[at].time <= run.end {
			left += e.events[at].by
			at++
		}
		if left > e.workers || of.others(run) > 0 {
			violations++
		}
	}
	return float64(violations) <= exceptions*float64(len(e.runs))
}

// rewrite lets a thread count tasks and wait for all, where that is what it
// does.
func (f *futures) rewrite(th *trace.Thread) {
	var out []trace.Record
	sent := map[uint64]int{}
	type place struct {
		at int
		r  trace.Record
	}
	var told *place // where the present task last told a result, for which others may have waited
	done := func(task currentTask, r trace.Record) {
		p := place{len(out), r}
		if told != nil {
			p = *told
		}
		out, told = slices.Insert(out, p.at, f.pair(p.r, trace.OpDone, f.executors[task.executor].latch)...), nil
	}
	for _, r := range th.Records {
		ended, task := f.follow(th, &r)
		if ended && f.executors[task.executor].drains {
			done(task, r)
		}
		e := f.executors[r.Object]
		switch of, ours := f.doneBy[r.Object]; {
		case ours && f.executors[of.executor].drains:
			if r.Op == trace.OpDone && !r.End {
				told = &place{len(out), r}
			}
			if r.Op != trace.OpWaitGroup {
				continue
			}
			r.Object = f.executors[of.executor].latch
		case e != nil && e.drains && r.Op == trace.OpSend:
			if f.current[th.ID].executor == r.Object && e.roots > 0 {
				continue // who began it sends it
			}
			if !r.End {
				out = append(out, f.pair(r, trace.OpAdd, e.latch)...)
				break
			}
			out = append(out, r)
			n := sent[r.Object]
			sent[r.Object]++
			for range e.inner*(n+1)/max(e.roots, 1) - e.inner*n/max(e.roots, 1) {
				begin := r
				begin.End, begin.Arg = false, 0
				out = append(append(out, f.pair(begin, trace.OpAdd, e.latch)...), begin, r)
			}
			continue
		}
		out = append(out, r)
	}
	if task := f.current[th.ID]; task.working && th.Ended > 0 && f.executors[task.executor].drains && len(th.Records) > 0 {
		done(task, th.Records[len(th.Records)-1])
	}
	delete(f.current, th.ID)
	th.Records = out
}

// pair is an operation on the latch at the moment of r.
func (f *futures) pair(r trace.Record, op trace.Op, latch uint64) []trace.Record {
	r.Op, r.Object, r.Arg, r.Value, r.End = op, latch, 0, 0, false
	if op == trace.OpAdd {
		r.Arg = 1
	}
	end := r
	end.End = true
	return []trace.Record{r, end}
}

// latchOf is above all identities, conditions and threads: + identity of the
// executor.
const latchOf = 1 << 35
