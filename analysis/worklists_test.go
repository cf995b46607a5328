package analysis

import (
	"cmp"
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// crawler starts a thread for one link, and then more for each answer: so many.
func crawler(t *testing.T, more ...int) *core.Model {
	t.Helper()
	s := newScript()
	s.channel(1, 100)
	main := s.thread("main", nil, 0)
	var busy []*actor
	start := func(n int) {
		for range n {
			a := s.thread("crawl", main.compute(1_000), main.now)
			busy = append(busy, a)
		}
	}
	start(1)
	for _, n := range more {
		a := busy[0]
		busy = busy[1:]
		a.compute(1_000_000).does(trace.OpSend, "send", 1, 1, 0).ends()
		main.does(trace.OpReceive, "receive", 1, 1, max(0, a.now-main.now))
		start(n)
	}
	main.compute(1_000).ends()
	m, _ := s.build(t, trail.Options{})
	return m
}

// The first answer leads to 3 more threads, one of these to 2, the others to none: main starts 5
// before it waits for an answer.
func TestWhoStartsThreadsForWhatOthersFoundStartsAllAtOnce(t *testing.T) {
	t.Parallel()
	m := crawler(t, 3, 0, 2, 0, 0, 0)
	most := 0.0
	for _, f := range fragments(m, core.SpawnFragment) {
		most = max(most, f.Spawn.Count.Quantile(1))
	}
	if most != 5 {
		t.Errorf("main starts %g threads at a time, want the 5 for what was found", most)
	}
}

// Who starts one thread for each that is done never has more than one at a time.
func TestWhoStartsOneForOneKeepsTheirNumber(t *testing.T) {
	t.Parallel()
	m := crawler(t, 1, 1, 1, 1, 0)
	for _, f := range fragments(m, core.SpawnFragment) {
		if n := f.Spawn.Count.Quantile(1); n > 1 {
			t.Errorf("main starts %g threads at a time, want 1", n)
		}
	}
}

// A tree of threads each of which starts two more and then sends what it has found: taking their starts out
// leaves the operations on the channel elsewhere in their sequences.
func TestThreadsOfATreeThatSendAreFoundWhereTheyAre(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(1, 100)
	main := s.thread("main", nil, 0)
	found := 0
	var walk func(parent *actor, depth int)
	walk = func(parent *actor, depth int) {
		a := s.thread("walk", parent.compute(1_000), parent.now)
		if parent != main {
			s.trace.Threads[a.id].Creator = s.trace.Threads[1].Creator
		}
		for range 2 {
			if depth < 3 {
				walk(a, depth+1)
			}
		}
		a.compute(500_000).does(trace.OpSend, "send", 1, 1, 0).ends()
		main.now = max(main.now, a.now)
		found++
	}
	walk(main, 1)
	for range found {
		main.does(trace.OpReceive, "receive", 1, 1, 10)
	}
	main.compute(1_000).ends()
	m, _ := s.build(t, trail.Options{})
	if n := len(fragments(m, core.SpawnFragment)); n != 1 {
		t.Errorf("%d spawns, want one of the whole tree", n)
	}
}

// list is three threads that take 40 times from a channel, to which main sends first, always the one that is done first; given a
// number of takes so far, after says how often a thread sends until it takes the next.
func list(t *testing.T, first int, after func(take int) int) *core.Model {
	t.Helper()
	s := newScript()
	s.channel(1, 100)
	main := s.thread("main", nil, 0)
	var sent []int64 // when
	for range first {
		main.does(trace.OpSend, "send", 1, 0, 10)
		sent = append(sent, main.now)
	}
	workers := []*actor{}
	for range 3 {
		workers = append(workers, s.thread("work", main, main.now+10))
	}
	for take := 1; len(sent) > 0; take++ {
		a := workers[0]
		for _, other := range workers {
			if other.now < a.now {
				a = other
			}
		}
		a.does(trace.OpReceive, "receive", 1, 1, max(0, sent[0]-a.now)+10).compute(200_000)
		sent = sent[1:]
		for range after(take) {
			a.does(trace.OpSend, "send on", 1, 0, 10)
			sent = append(sent, a.now)
		}
	}
	slices.SortFunc(workers, func(a, b *actor) int { return cmp.Compare(b.now, a.now) })
	workers[0].does(trace.OpClose, "close", 1, 0, 0)
	for _, a := range workers {
		a.does(trace.OpReceive, "receive", 1, 0, max(0, workers[0].now-a.now)+10).ends()
	}
	main.now = workers[0].now + 20
	main.ends()
	m, _ := s.build(t, trail.Options{})
	return m
}

// What threads take from a channel to which they send what they find is tasks. Permits, of which they take two and give two
// back, are not.
func TestAWorklistIsAQueueToWhichItsTakersSend(t *testing.T) {
	t.Parallel()
	m := list(t, 2, func(take int) int {
		switch {
		case take > 18:
			return 0
		case take%3 == 0:
			return 1
		}
		return 2 + take%2
	})
	news := slices.DeleteFunc(fragments(m, core.OutFragment), func(f core.Fragment) bool { return !f.Out.New || f.Origin.Function != "main.work" })
	if len(m.Queues) != 1 || len(m.Locks) != 0 || len(news) == 0 {
		t.Errorf("%d queues, %d locks, %d places at which who takes sends new tasks; want the worklist as a queue", len(m.Queues), len(m.Locks), len(news))
	}
	s := newScript()
	s.channel(1, 100)
	main := s.thread("main", nil, 0)
	for range 6 {
		main.does(trace.OpSend, "send", 1, 0, 10)
	}
	for range 3 {
		a := s.thread("work", main, main.now+10)
		for range 10 {
			a.does(trace.OpReceive, "one", 1, 1, 10).does(trace.OpReceive, "two", 1, 1, 10).compute(200_000)
			a.does(trace.OpSend, "send one", 1, 0, 10).does(trace.OpSend, "send two", 1, 0, 10)
		}
		a.ends()
		main.now = max(main.now, a.now)
	}
	main.ends()
	if m, _ := s.build(t, trail.Options{}); len(m.Queues) != 0 || len(m.Locks) != 1 {
		t.Errorf("%d queues, %d locks; want the permits as a channel", len(m.Queues), len(m.Locks))
	}
}

// stack is three threads that share a list under a lock: each takes what was brought last, and brings two more where that is not deep.
// Who finds nothing waits on a condition; who is the last to, tells the others that all is done. The text calls the lock by a name.
func stack(t *testing.T, lock string) *core.Model {
	t.Helper()
	s := newScript()
	s.trace.Objects = append(s.trace.Objects, trace.Object{ID: 1, Kind: "mutex"}, trace.Object{ID: 2, Kind: "condition", Parent: 1})
	bring := func(a *actor) {
		a.does(trace.OpLock, "bring", 1, 0, 5).does(trace.OpUnlock, "brought", 1, 0, 1).hit(trace.OpSignal, "signal", false, 2, 0, 0)
	}
	main := s.thread("main", nil, 0)
	bring(main)
	var busy, idle []*actor
	for range 3 {
		busy = append(busy, s.thread("work", main, main.now+10))
	}
	list, brings := []int{0}, map[*actor][]int{} // how deep it is what is to be taken, and what each is about to bring
	took := func(a *actor) {
		depth := list[len(list)-1]
		list = list[:len(list)-1]
		a.does(trace.OpUnlock, "taken", 1, 0, 1).compute(100_000)
		if depth < 5 {
			brings[a] = []int{depth + 1, depth + 1}
		}
	}
	for len(busy) > 0 {
		slices.SortStableFunc(busy, func(a, b *actor) int { return cmp.Compare(a.now, b.now) })
		switch a := busy[0]; {
		case len(brings[a]) > 0:
			list, brings[a] = append(list, brings[a][0]), brings[a][1:]
			bring(a)
			a.compute(1_000)
			if len(idle) > 0 { // it takes it before others come
				b := idle[0]
				b.does(trace.OpCondWait, "wait", 2, 0, max(1, a.now-b.now))
				took(b)
				idle, busy = idle[1:], append(busy, b)
			}
		case len(list) > 0:
			a.does(trace.OpLock, "take", 1, 0, 5)
			took(a)
		default:
			a.does(trace.OpLock, "take", 1, 0, 5)
			idle, busy = append(idle, a), busy[1:]
		}
	}
	last := idle[2]
	last.hit(trace.OpBroadcast, "all done", false, 2, 0, 0)
	for _, a := range idle {
		if a != last {
			a.does(trace.OpCondWait, "wait", 2, 0, max(1, last.now-a.now))
		}
		a.does(trace.OpUnlock, "none taken", 1, 0, 1).ends()
		main.now = max(main.now, a.now)
	}
	main.ends()
	var sites []trace.FactSite
	for _, where := range s.trace.Sites {
		sites = append(sites, trace.FactSite{Frame: where.Frames[0], Op: trace.OpLock.String(), Name: lock})
	}
	m, _, err := Build(trail.Input{Trace: s.trace, Facts: &trace.Facts{Sites: sites}}, trail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A list under a lock whose takers bring more is a queue too, which who finds that all is done closes. It is called like the
// type that has the lock.
func TestAWorklistUnderALockIsAQueue(t *testing.T) {
	t.Parallel()
	m := stack(t, "parts.mu")
	closes := slices.ContainsFunc(fragments(m, core.SyncFragment), func(f core.Fragment) bool { return f.Sync.Op == core.Close })
	if len(m.Queues) != 1 || len(m.Locks) != 0 || !closes {
		t.Fatalf("%d queues, %d locks, closed: %t; want the list as a queue", len(m.Queues), len(m.Locks), closes)
	}
	if name := m.Queues[0].ID; name != "parts" {
		t.Errorf("the queue is %q, want parts", name)
	}
	if name := stack(t, "mu").Queues[0].ID; name != "queue of work" {
		t.Errorf("the queue under a lock in a variable is %q, want that of its takers", name)
	}
}
