package analysis

import (
	"math"
	"testing"

	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

func fragments(m *core.Model, class core.FragmentClass) []core.Fragment {
	var fs []core.Fragment
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Class == class {
				fs = append(fs, f)
			}
		}
	}
	return fs
}

// tree is func walk(n) { for child := range n { go walk(child) } } on a binary tree of
// seven threads.
func tree() *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	var walk func(parent *actor, depth int) *actor
	walk = func(parent *actor, depth int) *actor {
		a := s.thread("walk", parent.compute(1000), parent.now)
		if parent != main {
			// The go statement is the same one at every depth, under one more call.
			root := s.trace.Threads[1].Creator
			frames := append([]trace.Frame{}, s.trace.Sites[root].Frames...)
			for range depth {
				frames = append(frames, trace.Frame{Function: "main.walk", File: "main.go", Line: 1})
			}
			s.trace.Sites = append(s.trace.Sites, trace.Site{Frames: frames})
			s.trace.Threads[a.id].Creator = int32(len(s.trace.Sites) - 1)
		}
		a.compute(50_000)
		if depth < 3 {
			walk(a, depth+1)
			walk(a, depth+1)
		}
		a.ends()
		return a
	}
	walk(main, 1)
	main.compute(1_000_000).ends()
	return s
}

// A binary tree of seven threads is seven threads, and none of them starts another one.
func TestATreeOfThreadsIsStartedAsOftenAsInTheRun(t *testing.T) {
	t.Parallel()
	m, _ := tree().build(t, trail.Options{})
	if len(m.Pools) != 2 {
		t.Fatalf("pools %v, want main and walk", m.Pools)
	}
	spawns := fragments(m, core.SpawnFragment)
	if len(spawns) != 1 || spawns[0].Spawn.Count.Value != 7 {
		t.Errorf("spawns %v, want one of the 1 + 2 + 4 threads of the tree", spawns)
	}
}

// func sort(a) { go sort(left); go sort(right) }: the threads of one statement
// descend from those of the other. They are one tree all the same, of 2 + 4 + 8
// threads below main.
func TestThreadsOfTwoPlacesThatStartEachOtherAreOneTree(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	place := map[string]int32{}
	for _, half := range []string{"left", "right"} {
		place[half] = s.site("main.sort", "go "+half)
	}
	var sort func(parent *actor, depth int)
	sort = func(parent *actor, depth int) {
		for _, half := range []string{"left", "right"} {
			a := s.thread(half, parent.compute(1000), parent.now)
			s.trace.Threads[a.id].Creator = place[half]
			a.compute(50_000)
			if depth < 3 {
				sort(a, depth+1)
			}
			a.ends()
		}
	}
	sort(main, 1)
	main.compute(1_000_000).ends()
	m, _ := s.build(t, trail.Options{})
	if len(m.Pools) != 2 {
		t.Fatalf("pools %v, want main and one for the tree", m.Pools)
	}
	started := 0.0
	for _, f := range fragments(m, core.SpawnFragment) {
		started += f.Spawn.Count.Expectation()
	}
	if started != 14 {
		t.Errorf("main starts %g threads, want the 14 of the tree", started)
	}
}

// func sort(a, depth) { if depth > 0 { go sort(left, depth−1) }; sort(right, depth−1) }, of which the compiler put a copy
// into main: no thread descends from one of its own place, but from one that executes the same function.
func TestThreadsThatExecuteTheFunctionOfTheirParentAreATree(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	start := func(parent *actor, place string) *actor {
		a := s.thread("sort", parent.compute(1000), parent.now)
		s.trace.Threads[a.id].Creator = s.site("main.sort", place)
		return a
	}
	first := start(main, "in main")
	second := start(first, "in sort")
	third := start(main, "deeper in main")
	for _, a := range []*actor{second, first, third} {
		a.compute(50_000).ends()
	}
	main.compute(1_000_000).ends()
	m, _ := s.build(t, trail.Options{})
	if len(m.Pools) != 2 {
		t.Errorf("pools %v, want main and one for the tree", m.Pools)
	}
}

// indices is two threads that do for { mu.Lock(); i := next; next++; mu.Unlock(); if i >= 6 { return }; work(i) }
func indices() *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	for w, items := range []int{4, 2} {
		a := s.thread("worker", main, int64(w*100))
		for i := range items + 1 {
			a.does(trace.OpLock, "lock", 1, 0, 10).does(trace.OpUnlock, "unlock", 1, 0, 10)
			if i < items {
				a.compute(int64(400_000 / items))
			}
		}
		a.ends()
		main.now = max(main.now, a.now)
	}
	main.compute(1000).ends()
	return s
}

func TestACounterThatThreadsTakeIndicesFromIsAQueue(t *testing.T) {
	t.Parallel()
	m, _ := indices().build(t, trail.Options{})
	if len(m.Queues) != 1 || len(m.Locks) != 0 {
		t.Fatalf("queues %v, locks %v, want the counter as a queue", m.Queues, m.Locks)
	}
	var shared float64
	for _, f := range fragments(m, core.OutFragment) {
		if f.Out.To == m.Queues[0].ID {
			shared += f.Out.Count.Value
		}
	}
	if shared != 6 {
		t.Errorf("%g tasks are shared out, want 6", shared)
	}
	if ins := fragments(m, core.InFragment); len(ins) != 1 || ins[0].In.Queue != m.Queues[0].ID || ins[0].In.Timeout.IsZero() {
		t.Errorf("c_in fragments %v, want one that tries the queue", ins)
	}
}

// One thread computes after each of its stays behind a mutex (after a collection
// fmt gets a new list of free printers that way). Nobody is there to share with.
func TestTheLockOfASingleThreadIsNoCounter(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	a := s.thread("worker", main, 0)
	for range 6 {
		a.does(trace.OpLock, "lock", 1, 0, 10).does(trace.OpUnlock, "unlock", 1, 0, 10).compute(100_000)
	}
	a.does(trace.OpLock, "lock", 1, 0, 10).does(trace.OpUnlock, "unlock", 1, 0, 10).ends()
	main.now = a.now
	main.compute(1000).ends()
	if m, _ := s.build(t, trail.Options{}); len(m.Queues) != 0 {
		t.Errorf("queues %v, want none", m.Queues)
	}
}

// for range 3 { work(); mu.Lock(); sum += x; mu.Unlock() }: results are
// collected, nothing is taken.
func TestALockThatCollectsResultsIsNoQueue(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	for w := range 2 {
		a := s.thread("worker", main, int64(w*100))
		for range 3 {
			a.compute(100_000).does(trace.OpLock, "lock", 1, 0, 10).does(trace.OpUnlock, "unlock", 1, 0, 10)
		}
		a.ends()
		main.now = max(main.now, a.now)
	}
	main.compute(1000).ends()
	if m, _ := s.build(t, trail.Options{}); len(m.Queues) != 0 {
		t.Errorf("queues %v, want none", m.Queues)
	}
}

// A list of two places behind a mutex, with conditions for full and empty.
func TestAMutexWithTwoConditionsIsABoundedQueue(t *testing.T) {
	t.Parallel()
	const lock, notEmpty, notFull = 1, 2, 3
	s := newScript()
	s.trace.Objects = []trace.Object{{ID: notEmpty, Kind: "cond", Site: -1, Parent: lock}, {ID: notFull, Kind: "cond", Site: -1, Parent: lock}}
	main := s.thread("main", nil, 0)
	producer := s.thread("producer", main, 1)
	consumer := s.thread("consumer", main, 2)
	put := func(waits bool) {
		producer.compute(10_000).does(trace.OpLock, "lock", lock, 0, 10)
		if waits {
			producer.does(trace.OpCondWait, "full", notFull, 0, 50_000)
		}
		producer.does(trace.OpSignal, "signal", notEmpty, 0, 10).does(trace.OpUnlock, "unlock", lock, 0, 10)
	}
	take := func(waits bool) {
		consumer.does(trace.OpLock, "lock", lock, 0, 10)
		if waits {
			consumer.does(trace.OpCondWait, "empty", notEmpty, 0, 50_000)
		}
		consumer.does(trace.OpSignal, "signal", notFull, 0, 10).does(trace.OpUnlock, "unlock", lock, 0, 10).compute(10_000)
	}
	put(false)
	consumer.now = max(consumer.now, producer.now+1000)
	take(true)
	for range 5 {
		producer.now = max(producer.now, consumer.now)
		put(false)
		put(true)
		consumer.now = producer.now + 1000
		take(false)
		take(false)
	}
	consumer.ends()
	producer.ends()
	main.now = consumer.now
	main.compute(1000).ends()
	m, _ := s.build(t, trail.Options{})
	if len(m.Queues) != 1 || m.Queues[0].Capacity != 2 || len(m.Locks) != 0 {
		t.Fatalf("queues %v, locks %v, want one queue of two places", m.Queues, m.Locks)
	}
	if ins := fragments(m, core.InFragment); len(ins) != 1 {
		t.Errorf("c_in fragments %v, want one", ins)
	}
}

// Two pools report to one wait group: who waits for it waits for both.
func TestAWaitGroupOfTwoPoolsIsAJoinOfEach(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	for _, pool := range []string{"force", "collision"} {
		for range 2 {
			a := s.thread(pool, main, main.now)
			a.compute(100_000).does(trace.OpDone, "done", 1, 0, 10)
			a.ends()
		}
	}
	main.does(trace.OpWaitGroup, "wait", 1, 0, 100_000).compute(1000).ends()
	m, _ := s.build(t, trail.Options{})
	if joins := fragments(m, core.JoinFragment); len(joins) != 2 || joins[0].Join.Pool == joins[1].Join.Pool {
		t.Errorf("joins %v, want one of each pool", joins)
	}
}

// A channel is made for each piece of work; the thread that was started for
// it has no task by which the simulation could find it again.
func TestChannelsPerPieceOfWorkBecomeOneWhereTheirUsersHaveNoTask(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	s.site("main.main", "make")
	receive := func(id uint64) {
		for range 2 {
			main.compute(200_000).does(trace.OpReceive, "receive", id, 1, 10)
		}
	}
	for id := uint64(1); id <= 6; id++ { // two at a time
		s.trace.Objects = append(s.trace.Objects, trace.Object{ID: id, Kind: "chan", Capacity: 2, Elem: 8, Site: 0})
		a := s.thread("compress", main, main.now)
		for range 2 {
			a.compute(100_000).does(trace.OpSend, "send", id, 1, 10)
		}
		a.ends()
		if id > 1 {
			receive(id - 1)
		}
	}
	receive(6)
	main.compute(1000).ends()
	m, _ := s.build(t, trail.Options{})
	if len(m.Locks) != 1 {
		t.Errorf("locks %v, want one channel", m.Locks)
	}
	for _, l := range m.Locks {
		if l.Kind == core.Channel && l.Scope == core.PerTask {
			t.Errorf("channel %v per task, though no thread has a task", l)
		}
	}
}

// For every block a thread computes a result and sends it through a channel of its own; the writer
// takes it and closes the channel, and main waits for the end of the last one. The writer must
// not take what it tells main for the result of the next block.
func TestTheEndsOfChannelsAreToldByAnotherOne(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	s.site("main.main", "make")
	writer := s.thread("write", main, 0)
	for id := uint64(1); id <= 6; id++ {
		s.trace.Objects = append(s.trace.Objects, trace.Object{ID: id, Kind: "chan", Elem: 8, Site: 0})
		a := s.thread("compress", main.compute(100_000), main.now)
		a.compute(200_000)
		writer.now = max(writer.now, a.now)
		a.does(trace.OpSend, "send", id, 1, 10).ends()
		writer.does(trace.OpReceive, "receive", id, 1, 10).compute(50_000).does(trace.OpClose, "close", id, 0, 0)
	}
	main.does(trace.OpReceive, "flush", 6, 0, writer.now-main.now).compute(1000)
	writer.ends()
	main.ends()
	m, _ := s.build(t, trail.Options{})
	results, ends := map[string]bool{}, map[string]bool{}
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Sync != nil && (g.ID == "compress" || g.ID == "write" && f.Sync.Op == core.Receive) {
				results[f.Sync.Lock] = true
			} else if f.Sync != nil {
				ends[f.Sync.Lock] = true
			}
		}
	}
	for l := range ends {
		if results[l] || len(ends) > 1 || len(results) != 1 {
			t.Errorf("results go through %v, ends through %v", results, ends)
		}
	}
	if len(ends) == 0 {
		t.Error("nobody tells main")
	}
}

// Twice the GOGC, half the collections: 40 ms of work between two of them
// instead of 20 ms.
func TestCollectionsAreInverseToGOGC(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.trace.Runtime = runtimes.Go()
	s.trace.GC = []trace.Collection{{Start: 10_000_000, End: 11_000_000, CPU: 1_000_000}, {Start: 30_000_000, End: 31_000_000, CPU: 1_000_000}}
	main := s.thread("main", nil, 0)
	for range 2 {
		main.compute(20_000_000).does(trace.OpLock, "lock", 1, 0, 10).does(trace.OpUnlock, "unlock", 1, 0, 10)
	}
	main.ends()
	m, _ := s.build(t, trail.Options{})
	m2, err := m.With(map[string]float64{"GOGC": 200})
	if err != nil {
		t.Fatal(err)
	}
	if was, is := m.Background[0].Interval.Value, m2.Background[0].Interval.Value; math.Abs(was-.02) > 1e-6 || math.Abs(is-.04) > 1e-6 {
		t.Errorf("a collection every %g s of work with GOGC 100, every %g s with 200, want 0.02 and 0.04", was, is)
	}
}

// Two threads take turns at 12 pieces of work each: with three threads there
// are 24/3 for each, and with two what the run had.
func TestAParameterAtTheValueOfTheRunChangesNothing(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	for range 2 {
		a := s.thread("worker", main, 0)
		for range 12 {
			a.compute(100_000).does(trace.OpLock, "lock", 1, 0, 10).compute(50_000).does(trace.OpUnlock, "unlock", 1, 0, 10)
		}
		a.ends()
		main.now = max(main.now, a.now)
	}
	main.compute(1000).ends()
	m, _ := s.build(t, trail.Options{Threshold: -1})
	for threads, want := range map[float64]float64{2: 12, 3: 8} {
		m2, err := m.With(map[string]float64{"worker-threads": threads})
		if err != nil {
			t.Fatal(err)
		}
		loops := fragments(&m2, core.LoopFragment)
		if len(loops) != 1 || math.Abs(loops[0].Loop.Count.Expectation()-want) > 1e-9 {
			t.Errorf("with %g threads the loops are %v, want one of %g iterations", threads, loops, want)
		}
	}
}

// Two threads meet at one barrier and then at another, which were both made at one place, round after round: in the model they meet
// at one.
func TestBarriersOfTheSameThreadsAreOne(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	s.site("main.main", "make")
	for id := uint64(1); id <= 2; id++ {
		s.trace.Objects = append(s.trace.Objects, trace.Object{ID: id, Kind: "barrier", Capacity: 2, Site: 0})
	}
	a, b := s.thread("worker", main, 0), s.thread("worker", main, 0)
	for range 5 {
		for id := uint64(1); id <= 2; id++ {
			a.compute(100_000).does(trace.OpBarrier, "await", id, 0, 10)
			b.compute(100_000).does(trace.OpBarrier, "await", id, 0, 10)
		}
	}
	a.ends()
	b.ends()
	main.compute(2_000_000).ends()
	m, _ := s.build(t, trail.Options{})
	if len(m.Locks) != 1 || m.Locks[0].Kind != core.Barrier || m.Locks[0].Scope != core.PerProgram && m.Locks[0].Scope != "" || m.Locks[0].Parties != 2 {
		t.Errorf("locks %+v, want one barrier of 2 for the program", m.Locks)
	}
}
