package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/ownership"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// makes lets a thread make a channel.
func (a *actor) makes(site string, id uint64, capacity int64) *actor {
	th := a.s.trace.Threads[a.id]
	a.s.trace.Objects = append(a.s.trace.Objects, trace.Object{ID: id, Kind: "chan", Capacity: capacity, Elem: 8, Site: a.s.site(th.Start, site), Time: a.now})
	a.hit(trace.OpMake, site, false, id, capacity, 0)
	return a
}

// each is a call of a function that makes a channel, starts two workers that
// share out what is in it, sends four items, closes it and waits for the
// workers with a wait group:
//
//	items := make(chan int, 4)
//	for range 2 { wg.Add(1); go func() { defer wg.Done(); for range items { … } }() }
//	for range 4 { items <- 1 }
//	close(items)
//	wg.Wait()
func (a *actor) each(worker string, items, wg uint64) {
	a.makes("make", items, 4)
	var ws []*actor
	for range 2 {
		a.compute(1_000).does(trace.OpAdd, "add", wg, 1, 0)
		ws = append(ws, a.s.thread(worker, a, a.now))
	}
	for range 4 {
		a.compute(1_000).does(trace.OpSend, "send", items, 1, 0)
	}
	a.does(trace.OpClose, "close", items, 0, 0)
	for _, w := range ws {
		w.now = a.now
		for range 2 {
			w.does(trace.OpReceive, "receive", items, 1, 0).compute(1_000_000)
		}
		w.does(trace.OpReceive, "receive", items, 0, 0).does(trace.OpDone, "done", wg, 0, 0)
		w.ends()
	}
	a.does(trace.OpWaitGroup, "wait", wg, 0, 2_010_000)
}

func scopes(m *core.Model) map[string]core.Scope {
	of := map[string]core.Scope{}
	for _, q := range m.Queues {
		of[q.ID] = q.Scope
	}
	for _, l := range m.Locks {
		of[l.ID] = l.Scope
	}
	return of
}

// Two threads call the function at the same time, three times each. Every call
// has a channel of its own, and two workers, however many calls there are.
func TestAChannelThatEveryCallMakesBelongsToTheCall(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	var callers []*actor
	for range 2 {
		callers = append(callers, s.thread("caller", main, main.now+1_000))
	}
	id := uint64(1)
	for range 3 {
		for _, c := range callers {
			c.each("worker", id, id+1)
			id += 2
		}
	}
	for _, c := range callers {
		c.ends()
	}
	main.now = callers[1].now
	main.ends()
	m, _ := s.build(t, trail.Options{})
	if of := scopes(m); len(of) != 1 || of[m.Queues[0].ID] != core.PerCall {
		t.Fatalf("locks and queues with their scopes: %v; want one queue of scope %q", of, core.PerCall)
	}
	i := slices.IndexFunc(m.Pools, func(p core.Pool) bool { return p.ID == "worker" })
	if m.Pools[i].Size != 2 {
		t.Errorf("a call starts %d workers, want 2: the other two are those of the other call", m.Pools[i].Size)
	}
	makes := 0
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Sync != nil && f.Sync.Op == core.Make {
				makes++
				if g.ID != "caller" {
					t.Errorf("a thread of pool %s makes the channel", g.ID)
				}
			}
		}
	}
	if makes == 0 {
		t.Error("nobody makes the channel")
	}
}

// A thread that has several channels at a time, and sends to each of them, does
// not use the one that it made last: this is an array, and no call's.
func TestAnArrayOfChannelsIsNoCalls(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	var ws []*actor
	for id := uint64(1); id <= 3; id++ {
		main.makes("make", id, 1)
		ws = append(ws, s.thread("worker", main, main.now+1_000))
	}
	for range 4 {
		for i, w := range ws {
			main.compute(10_000).does(trace.OpSend, "send", uint64(i+1), 1, 0)
			w.now = max(w.now, main.now)
			w.does(trace.OpReceive, "receive", uint64(i+1), 1, 0).compute(1_000_000)
		}
	}
	for _, w := range ws {
		w.ends()
		main.now = max(main.now, w.now)
	}
	main.ends()
	m, _ := s.build(t, trail.Options{})
	for id, scope := range scopes(m) {
		if scope == core.PerCall {
			t.Errorf("%s is taken for one of a call", id)
		}
	}
}

// The collector has freed the wait group of one function, and that of another
// one has its address. Who waits for the second one waits for the threads of
// the second function only.
func TestWhoWaitsForAWaitGroupWaitsForThoseOfItsRound(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	for i, worker := range []string{"first", "second"} {
		for range 2 {
			main.compute(1_000_000).each(worker, uint64(10+len(s.trace.Objects)), uint64(1+i/2))
		}
	}
	main.ends()
	m, _ := s.build(t, trail.Options{})
	for _, f := range m.Graphs[0].Fragments {
		if f.Join == nil {
			continue
		}
		for _, e := range f.Next {
			for _, to := range m.Graphs[0].Fragments {
				if to.ID == e.To && to.Join != nil {
					t.Errorf("after %s main waits for %s at once", f.Join.Pool, to.Join.Pool)
				}
			}
		}
	}
}

// Two requests have a wait group each, at the same address; each starts a worker that
// takes tasks from a channel of the call and is done. The worker has the wait group of
// the thread that started it, unless it uses another one.
func TestAWaitGroupOfARequestIsThatOfTheThreadThatStartsTheWorkers(t *testing.T) {
	t.Parallel()
	const waitGroup, other = 7, 8
	for name, c := range map[string]struct {
		done uint64
		want bool
	}{"its own": {waitGroup, true}, "another one": {other, false}} {
		tasks := &trail.Resource{Kind: core.Channel, Scope: core.PerCall}
		latch := &trail.Resource{Kind: core.Latch}
		request := &trail.Pool{Kind: trail.PoolPerConnection}
		worker := &trail.Pool{Kind: trail.PoolFixed}
		tr := &trail.Trail{Trace: &trace.Trace{Threads: []trace.Thread{{ID: 1}, {ID: 2, Parent: 1, Born: 20}, {ID: 3, Parent: 1, Born: 120}}}}
		does := func(g *trail.Pool, thread int, start int64, object uint64, op trace.Op, lock *trail.Resource) {
			q := &trail.Sequence{Thread: &tr.Trace.Threads[thread], Steps: []trail.Step{
				{Node: &trail.Node{Op: trace.OpReceive}, Lock: tasks, Object: 1, Start: start - 1},
				{Node: &trail.Node{Op: op}, Lock: lock, Object: object, Start: start},
			}}
			if g == request {
				q.Steps = q.Steps[1:]
			}
			latch.Uses = append(latch.Uses, trail.Use{Pool: g, Sequence: q, Index: len(q.Steps) - 1})
		}
		does(request, 0, 10, waitGroup, trace.OpAdd, latch)
		does(worker, 1, 30, waitGroup, trace.OpDone, latch)
		does(request, 0, 110, waitGroup, trace.OpAdd, latch)
		does(worker, 2, 130, c.done, trace.OpDone, latch)
		if got := ownership.StartedInCalls(tr, latch); got != c.want {
			t.Errorf("%s: belongs to the call: %v, want %v", name, got, c.want)
		}
	}
}

// for range 4 { next := make(chan int, 1); go func() { work(); <-prev; report(); next <- 0 }(); prev = next };
// <-prev: every thread waits for the one that was started before it, and main for the last.
func TestAChainOfChannelsKeepsItsOrder(t *testing.T) {
	t.Parallel()
	const threads, work = 4, 1_000_000
	s := newScript()
	main := s.thread("main", nil, 0)
	main.makes("first", 1, 1)
	main.does(trace.OpSend, "begin", 1, 1, 0)
	reported := int64(0)
	for id := uint64(2); id < 2+threads; id++ {
		main.compute(1_000).makes("next", id, 1)
		a := s.thread("worker", main, main.now+1_000)
		a.compute(work)
		a.does(trace.OpReceive, "wait", id-1, 1, max(0, reported-a.now)).does(trace.OpSend, "tell", id, 1, 0)
		reported = a.now
		a.ends()
	}
	main.does(trace.OpReceive, "last", 1+threads, 1, reported-main.now).ends()
	m, _ := s.build(t, trail.Options{})
	if of := scopes(m); len(of) != 1 || len(m.Locks) != 1 || of[m.Locks[0].ID] != core.PerCall {
		t.Fatalf("locks and queues with their scopes: %v; want one lock of scope %q", of, core.PerCall)
	}
	earlier := map[string]map[core.SyncOp]int{}
	for _, g := range m.Graphs {
		earlier[g.ID] = map[core.SyncOp]int{}
		for _, f := range g.Fragments {
			if f.Sync != nil && f.Sync.Op != core.Make {
				earlier[g.ID][f.Sync.Op] = f.Sync.Earlier
			}
		}
	}
	if w := earlier["worker"]; w[core.Receive] != 1 || w[core.Send] != 0 {
		t.Errorf("a worker receives from %d channels before the last and sends to %d before it, want 1 and 0", w[core.Receive], w[core.Send])
	}
	if e := earlier["main"]; e[core.Receive] != 0 || e[core.Send] != 0 {
		t.Errorf("main uses channels before the one that it made last: %v", e)
	}
}

// for range 3 { out := make(chan int); go stage(in, out); in = out }: each stage has the channel that was made
// before it was started, so that the stages are not started together after all channels.
func TestTheThreadsOfAChainAreStartedOneByOne(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	main.makes("first", 1, 1)
	var stages []*actor
	for id := uint64(2); id <= 4; id++ {
		main.compute(1_000).makes("out", id, 1)
		stages = append(stages, s.thread("stage", main, main.now+1_000))
	}
	main.does(trace.OpSend, "feed", 4, 1, 0) // the last one, as main has no other
	for range 5 {
		for i, a := range stages {
			id := uint64(i + 1)
			a.compute(100_000).does(trace.OpReceive, "in", id, 1, 10).does(trace.OpSend, "out", id+1, 1, 10)
			main.now = max(main.now, a.now)
		}
	}
	for _, a := range stages {
		a.now = main.now
		a.ends()
	}
	main.ends()
	m, _ := s.build(t, trail.Options{})
	for _, p := range m.Pools {
		if p.ID == "stage" && p.Kind != core.SpawnPool {
			t.Errorf("the stages are %s, want those that main starts", p.Kind)
		}
	}
	for _, f := range fragments(m, core.SpawnFragment) {
		if f.Spawn.Count.IsZero() || f.Spawn.Count.Quantile(1) != 1 {
			t.Errorf("main starts %v stages at a time, want one after each channel", f.Spawn.Count)
		}
	}
}
