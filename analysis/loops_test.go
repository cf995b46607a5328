package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// loopsOf returns the exact loops of a graph: mean iterations by fragment.
func loopsOf(m *core.Model, graph string) map[string]float64 {
	out := map[string]float64{}
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if g.ID == graph && f.Loop != nil {
				out[f.ID] = f.Loop.Count.Expectation()
			}
		}
	}
	return out
}

// producer is a program whose main thread sends n tasks to one worker.
func producer(n int) *script {
	s := newScript()
	s.channel(1, 4)
	main := s.thread("main", nil, 0)
	worker := s.thread("worker", main, 10)
	for range n {
		main.compute(500).does(trace.OpSend, "send", 1, 1, 0)
		worker.now = max(worker.now, main.now)
		worker.does(trace.OpReceive, "receive", 1, 1, 0).compute(9000)
	}
	main.compute(500).does(trace.OpClose, "close", 1, 0, 0)
	worker.does(trace.OpReceive, "receive", 1, 0, 0)
	main.ends()
	worker.ends()
	return s
}

// "In our experiments such mispredictions occurred if the loop performed an
// initial population of the program's queues with tasks … If the loop
// contains the c_out node, the model explicitly simulates it. Otherwise the
// loop is represented as a cycle in the PCG" (§4.3.1). The worker's loop ends
// when the queue is closed: a cycle.
func TestALoopThatPopulatesAQueueIsSimulatedExactly(t *testing.T) {
	t.Parallel()
	m, _ := producer(37).build(t, trail.Options{})
	loops := loopsOf(m, "main")
	if len(loops) != 1 {
		t.Fatalf("exact loops of main: %v, want one", loops)
	}
	for id, n := range loops {
		if n != 37 {
			t.Errorf("loop %q makes %g iterations, the program made 37", id, n)
		}
	}
	if loops := loopsOf(m, "worker"); len(loops) != 0 {
		t.Errorf("the worker takes tasks until the queue is closed, but has exact loops %v", loops)
	}
}

// A thread that works until it is told to stop, and asks in every round, does
// so in the simulation, too: how often it goes round is decided by the thread
// that closes the channel.
func TestALoopThatPollsAChannelIsLeftWhenItIsClosed(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(1, 0)
	main := s.thread("main", nil, 0)
	background := s.thread("background", main, 10)
	for range 20 {
		background.does(trace.OpTryReceive, "poll", 1, 0, 0).does(trace.OpSleep, "sleep", 0, 0, 1_000_000).compute(1000)
	}
	main.compute(background.now).does(trace.OpClose, "close", 1, 0, 0)
	background.now = main.now
	background.does(trace.OpTryReceive, "poll", 1, 2, 0).ends()
	main.now = background.now + 10
	main.ends()
	m, _ := s.build(t, trail.Options{})
	if loops := loopsOf(m, "background"); len(loops) != 0 {
		t.Errorf("exact loops of a thread that polls: %v", loops)
	}
	outcomes := 0
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Sync != nil && f.Sync.OnTimeout != "" && len(f.Next) == 1 && f.Next[0].To != f.Sync.OnTimeout {
				outcomes++
			}
		}
	}
	if outcomes != 1 {
		t.Errorf("%d polls that go on when nothing is there and leave when the channel is closed, want one", outcomes)
	}
}

// "The execution flow may take different paths depending on the availability
// of the task in the queue. To account for this fetch and nofetch virtual
// nodes are inserted after each c_in node in the PCG" (§4.3.1).
func TestEveryFetchFromAQueueHasItsTwoVirtualSuccessors(t *testing.T) {
	t.Parallel()
	m, _ := producer(5).build(t, trail.Options{})
	for _, g := range m.Graphs {
		class := map[string]core.FragmentClass{}
		for _, f := range g.Fragments {
			class[f.ID] = f.Class
		}
		for _, f := range g.Fragments {
			if f.Class != core.InFragment {
				continue
			}
			got := map[core.FragmentClass]bool{}
			for _, e := range f.Next {
				got[class[e.To]] = true
			}
			if !got[core.FetchFragment] || !got[core.NoFetchFragment] || len(got) != 2 {
				t.Errorf("successors of %q: %v, want fetch and nofetch", f.ID, got)
			}
		}
	}
}

// "If a loop that performs exactly n iterations is represented as a cycle …
// the number of iterations X … will rather be a random variable that follows
// a geometric distribution with mean n" (§4.3.1). So numbers of iterations
// that do follow that law need no exact loop, and constant ones do.
func TestOnlyGeometricIterationsAreRightAsACycle(t *testing.T) {
	t.Parallel()
	const n = 20
	random := rand.New(rand.NewPCG(1, 2))
	var constant, geometric []int64
	for range 2000 {
		constant = append(constant, n)
		k := int64(1)
		for random.Float64() > 1.0/n {
			k++
		}
		geometric = append(geometric, k)
	}
	sum := 0.0
	for _, k := range geometric {
		sum += float64(k)
	}
	// The mean of the law is n; its standard error here 20/√2000 = 0.45.
	if mean := sum / float64(len(geometric)); math.Abs(mean-n) > 2 {
		t.Fatalf("the sample of the geometric law has mean %g, want %d ± 2", mean, n)
	}
	if !trail.Regular(constant) {
		t.Error("a loop of always 20 iterations is not seen as a counted one")
	}
	if trail.Regular(geometric) {
		t.Error("a loop left with probability 1/20 is seen as a counted one")
	}
}

// for 6 steps { for 4 tasks { send }; wait }: both loops come back to the send.
func TestLoopsThatShareAHeaderAreToldApart(t *testing.T) {
	t.Parallel()
	s := newScript()
	a := s.thread("main", nil, 0)
	for range 6 {
		for range 4 {
			a.compute(1000).does(trace.OpStat, "send", 0, 0, 5_000_000)
		}
		a.compute(1000).does(trace.OpStat, "wait", 0, 0, 5_000_000)
	}
	a.ends()
	m, _ := s.build(t, trail.Options{})
	got := map[float64]int{}
	for _, n := range loopsOf(m, "main") {
		got[n]++
	}
	if got[6] != 1 || got[4] != 1 || len(got) != 2 {
		t.Errorf("iterations of the exact loops: %v, want one of 6 and one of 4", got)
	}
}

// for i in 10 { lock; if i == 9 { unlock; stop }; unlock }: the last iteration
// is left in the middle. In the model it must not be possible to leave others
// there, or the thread would lock again what it holds.
func TestAnIterationThatIsBrokenOffIsNotOneOfTheLoop(t *testing.T) {
	t.Parallel()
	s := newScript()
	a := s.thread("main", nil, 0)
	for range 9 {
		a.compute(1000).does(trace.OpLock, "lock", 1, 0, 0)
		a.compute(1000).does(trace.OpUnlock, "unlock", 1, 0, 0)
	}
	a.compute(1000).does(trace.OpLock, "lock", 1, 0, 0)
	a.compute(1000).does(trace.OpUnlock, "unlock and stop", 1, 0, 0)
	a.ends()
	m, _ := s.build(t, trail.Options{})
	for id, n := range loopsOf(m, "main") {
		if n != 9 {
			t.Errorf("loop %q makes %g iterations, want the 9 whole ones", id, n)
		}
	}
	for _, f := range m.Graphs[0].Fragments {
		if len(f.Next) > 1 {
			t.Errorf("fragment %q has a random choice %v, but the program has none", f.ID, f.Next)
		}
	}
}

// for 6 directories { list; for 4 files { read; decode }; leave } with a return from
// the middle of the first file of the last one: the inner loop that ends there never
// went round, and is none. A loop of the model has a body.
func TestALoopThatNeverWentRoundIsNone(t *testing.T) {
	t.Parallel()
	directories(func(a *actor, last bool) {
		for range 4 {
			a.compute(1000).does(trace.OpStat, "read", 0, 0, 5_000_000)
			if last {
				break
			}
			a.compute(1000).does(trace.OpStat, "decode", 0, 0, 5_000_000)
		}
	}).build(t, trail.Options{}) // which fails if the model is not valid
}

// for 6 directories { list; for 4 files { read }; leave } with a return after the
// files of the last one: the inner loop that ends there belongs to the broken
// iteration. If it did not, every inner loop would be the last with probability
// 1/6, and the makespan would follow a geometric law.
func TestALoopThatEndsInABrokenIterationBelongsToIt(t *testing.T) {
	t.Parallel()
	s := directories(func(a *actor, _ bool) {
		for range 4 {
			a.compute(1000).does(trace.OpStat, "read", 0, 0, 5_000_000)
		}
	})
	m, _ := s.build(t, trail.Options{})
	for _, f := range m.Graphs[0].Fragments {
		if f.Class == core.LoopFragment && len(f.Next) != 1 {
			t.Errorf("after loop %q there is a random choice %v, but the program has none", f.ID, f.Next)
		}
	}
}

// directories is a thread that does something with the files of 6 directories, and
// returns after those of the last one.
func directories(files func(a *actor, last bool)) *script {
	s := newScript()
	a := s.thread("main", nil, 0)
	for i := range 6 {
		a.compute(1000).does(trace.OpStat, "list", 0, 0, 5_000_000)
		files(a, i == 5)
		if i < 5 {
			a.compute(1000).does(trace.OpStat, "leave", 0, 0, 5_000_000)
		}
	}
	a.compute(1000).does(trace.OpStat, "report", 0, 0, 5_000_000)
	a.ends()
	return s
}

// A function with a loop that is called twice goes round as often in each call, and
// what is done between the calls is done once, in its place.
func TestALoopOfAFunctionThatIsCalledTwiceIsNoLoopOfAll(t *testing.T) {
	t.Parallel()
	const filled, lock = 1, 2
	s := newScript()
	s.channel(filled, -1)
	s.trace.Objects = append(s.trace.Objects, trace.Object{ID: lock, Kind: "mutex", Site: -1})
	main := s.thread("main", nil, 0)
	worker := s.thread("worker", main, 10)
	fill := func() {
		for range 6 {
			main.does(trace.OpSend, "fill", filled, 1, 10)
			worker.does(trace.OpReceive, "receive", filled, 1, 10).compute(100_000)
		}
	}
	fill()
	main.compute(1000).does(trace.OpLock, "between", lock, 0, 10).compute(500_000).does(trace.OpUnlock, "after", lock, 0, 10)
	fill()
	main.does(trace.OpClose, "close", filled, 0, 10).compute(1000)
	worker.does(trace.OpReceive, "receive", filled, 2, 10).ends()
	main.does(trace.OpJoin, "join", 0, 0, max(0, worker.now-main.now)).ends()
	m, _ := s.build(t, trail.Options{Threshold: -1})
	var counts []float64
	for _, f := range m.Graphs[0].Fragments {
		if f.Class == core.LoopFragment {
			counts = append(counts, f.Loop.Count.Value)
		}
	}
	slices.Sort(counts)
	if !slices.Equal(counts, []float64{1, 6, 6}) {
		t.Errorf("main's loops have counts %v, want 6 in each call, and one call before the last", counts)
	}
}
