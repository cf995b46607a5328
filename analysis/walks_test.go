package analysis

import (
	"fmt"
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// walks of a script, with what their numbers mean.
type walks struct {
	*core.Walks
	m *core.Model
}

func (s *script) walks(t *testing.T) walks {
	t.Helper()
	m, _ := s.build(t, trail.Options{Threshold: -1})
	w, err := core.UnpackWalks(m.Walks)
	if err != nil {
		t.Fatal(err)
	}
	return walks{w, m}
}

// of returns the moves of a thread that visit fragments for which want is true.
func (w walks) of(thread int, want func(*core.Fragment) bool) (ms []core.Move) {
	walk := &w.Threads[thread]
	graph := &w.Graphs[walk.Graph]
	for _, g := range w.m.Graphs {
		for _, m := range walk.Moves {
			if g.ID == graph.ID && want(g.Fragment(graph.Fragments[m.Fragment])) {
				ms = append(ms, m)
			}
		}
	}
	return ms
}

// does are the moves of a thread that are an operation.
func (w walks) does(thread int, op core.SyncOp) []core.Move {
	return w.of(thread, func(f *core.Fragment) bool { return f.Sync != nil && f.Sync.Op == op })
}

func (w walks) is(thread int, class core.FragmentClass) []core.Move {
	return w.of(thread, func(f *core.Fragment) bool { return f.Class == class })
}

// sends are the moves of a thread that put tasks into queues: one that is done goes to no object of the run.
func (w walks) sends(thread int) []core.Move {
	return slices.DeleteFunc(w.is(thread, core.OutFragment), func(m core.Move) bool { return m.Object < 0 })
}

func tokens(ms []core.Move) (out []int64) {
	for _, m := range ms {
		out = append(out, m.Token)
	}
	return out
}

func amounts(ms []core.Move) (out []int64) {
	for _, m := range ms {
		out = append(out, m.Amount)
	}
	return out
}

// A master gives each of three workers its part of every step through a channel of its
// own. The model has one queue for the three; the walks know who got which part: what
// worker w receives in step k is the 3k+w-th part, on its own channel. A close is none.
func TestAWalkKnowsWhichTaskAThreadGot(t *testing.T) {
	t.Parallel()
	w := relaxation().walks(t)
	sent := w.sends(0)
	if len(sent) != 15 {
		t.Fatalf("main sends %d parts, want 15", len(sent))
	}
	objects := map[int32]bool{}
	for worker := range 3 {
		got := w.is(worker+1, core.InFragment)
		if len(got) != 6 || got[5].Token != 0 {
			t.Fatalf("worker %d asks with %+v; want 5 parts and the close, which has no number", worker, got)
		}
		for k, m := range got[:5] {
			if from := sent[3*k+worker]; m.Token == 0 || m.Token != from.Token || m.Object != from.Object {
				t.Errorf("worker %d in step %d takes %+v, main sent it %+v", worker, k, m, from)
			}
		}
		objects[got[0].Object] = true
	}
	if len(objects) != 3 {
		t.Errorf("the workers receive from %d channels of the run, want 3", len(objects))
	}
}

// Where the trace tells values apart it is they that decide, not the order in which
// threads asked: the first worker asked first and got the second value.
func TestAValueIsKnownByItsIdentity(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(1, 2)
	main := s.thread("main", nil, 0)
	a, b := s.thread("worker", main, 10), s.thread("worker", main, 20)
	passes := func(x *actor, op trace.Op, at int64, value uint64) {
		x.hit(op, "jobs", false, 1, 0, 0)
		x.now = at
		x.hit(op, "jobs", true, 1, 1, value)
		x.compute(1000)
	}
	for round := range int64(3) {
		at, value := 10_000*(round+1), uint64(2*round+1)
		passes(main, trace.OpSend, at, value)
		passes(main, trace.OpSend, at+2000, value+1)
		passes(a, trace.OpReceive, at+2100, value+1)
		passes(b, trace.OpReceive, at+2200, value)
	}
	main.now = max(a.now, b.now)
	main.does(trace.OpClose, "close", 1, 0, 10)
	for _, x := range []*actor{a, b} {
		x.does(trace.OpReceive, "jobs", 1, 0, main.now-x.now)
		x.ends()
	}
	main.now = b.now
	main.ends()
	w := s.walks(t)
	sent := tokens(w.sends(0))
	if len(sent) != 6 {
		t.Fatalf("main sends %v, want 6 values", sent)
	}
	if want := []int64{sent[1], sent[3], sent[5], 0}; !slices.Equal(tokens(w.is(1, core.InFragment)), want) {
		t.Errorf("the first worker got %v of %v, want every second one", tokens(w.is(1, core.InFragment)), sent)
	}
}

// Eleven rounds are taken from a counter: main sends them, each has a number of its own and
// is taken once; the last try of each of the three finds nothing.
func TestSharesOfACounterAreTasks(t *testing.T) {
	t.Parallel()
	w := countdown(false).walks(t)
	sent := tokens(w.sends(0))
	if got := w.taken(t, 3); len(sent) != 11 || !slices.Equal(got, sent) {
		t.Errorf("main sends %v, the workers take %v, want the same 11", sent, got)
	}
}

// taken are what so many workers have taken, in ascending order; the last try of each found nothing.
func (w walks) taken(t *testing.T, workers int) (got []int64) {
	t.Helper()
	for worker := 1; worker <= workers; worker++ {
		tries := w.is(worker, core.InFragment)
		if last := tries[len(tries)-1]; last.Token != 0 {
			t.Errorf("worker %d leaves with task %d", worker, last.Token)
		}
		got = append(got, tokens(tries[:len(tries)-1])...)
	}
	slices.Sort(got)
	return got
}

// Six indices are shared out at once, by one move that has the number of the first: 4 and 2 are taken.
func TestTasksThatAreSharedOutAtOnceHaveNumbersInARow(t *testing.T) {
	t.Parallel()
	w := indices().walks(t)
	sent := w.sends(0)
	if len(sent) != 1 || sent[0].Amount != 6 {
		t.Fatalf("main sends %+v, want six tasks at once", sent)
	}
	want := []int64{0, 1, 2, 3, 4, 5}
	for i := range want {
		want[i] += sent[0].Token
	}
	if got := w.taken(t, 2); !slices.Equal(got, want) {
		t.Errorf("the workers take %v, want %v", got, want)
	}
}

// A waiter is woken by the broadcast of another thread while it waits, with the number of that
// event; its second wait ends by a time limit: it has its duration instead, 50 µs, though it signals others at
// that very moment. The lock that it holds is known.
func TestAWaitHasItsCauseOrItsTime(t *testing.T) {
	t.Parallel()
	const lock, changed = 1, 2
	s := newScript()
	s.trace.Objects = []trace.Object{{ID: changed, Kind: "cond", Site: -1, Parent: lock}}
	main := s.thread("main", nil, 0)
	waiter := s.thread("waiter", main, 1)
	waiter.compute(1000).does(trace.OpLock, "lock", lock, 0, 10).does(trace.OpCondWait, "wait", changed, 0, 80_000)
	main.compute(50_000).does(trace.OpLock, "tell", lock, 0, 10).does(trace.OpBroadcast, "changed", changed, 0, 10).does(trace.OpUnlock, "told", lock, 0, 10)
	waiter.compute(1000).does(trace.OpCondWait, "wait", changed, 0, 50_000).
		does(trace.OpSignal, "go on", changed, 0, 10).does(trace.OpUnlock, "unlock", lock, 0, 10).compute(1000).ends()
	main.now = waiter.now
	main.ends()
	w := s.walks(t)
	told, waits := w.does(0, core.NotifyAll), w.does(1, core.Wait)
	if len(told) != 1 || len(waits) != 2 {
		t.Fatalf("main tells %d times, the waiter waits %d times; want 1 and 2", len(told), len(waits))
	}
	if told[0].Token == 0 || waits[0].Token != told[0].Token || waits[0].Amount != 0 {
		t.Errorf("main raises event %d, the first wait is %+v; want that event and no time", told[0].Token, waits[0])
	}
	if waits[1].Token != 0 || waits[1].Amount != 50_000 {
		t.Errorf("the second wait is %+v, want no event and 50000 ns", waits[1])
	}
	entered := w.does(1, core.Enter)[0].Object
	if monitor := w.Objects[waits[0].Object].Monitor; monitor != entered {
		t.Errorf("the waiter holds object %d, want %d, which it entered", monitor, entered)
	}
}

// Each acquire has the permits that it took.
func TestAWalkKnowsHowManyPermitsWereTaken(t *testing.T) {
	t.Parallel()
	w := semaphore().walks(t)
	if got, want := amounts(w.does(0, core.Enter)), []int64{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("main takes %v permits, want %v", got, want)
	}
	for i := range 12 {
		if got := amounts(w.does(i+1, core.Exit)); !slices.Equal(got, []int64{int64(i)%3 + 1}) {
			t.Errorf("thread %d gives back %v", i, got)
		}
	}
}

// Computations and sleeps have their own times. A thread that lives when the recording ends has not ended.
func TestAWalkKnowsItsTimes(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	helper := s.thread("helper", main, 10)
	var want []int64
	for i := range int64(4) {
		helper.compute(10_000*(i+1)).does(trace.OpSleep, "sleep", 0, 0, 1_000_000*(i+1))
		want = append(want, 1_000_000*(i+1))
	}
	helper.compute(10_000)
	main.compute(20_000_000).ends()
	w := s.walks(t)
	if got := amounts(w.is(1, core.DelayFragment)); !slices.Equal(got, want) {
		t.Errorf("it slept %v ns, want %v", got, want)
	}
	if got := amounts(w.is(1, core.CPUFragment)); !slices.Equal(got[:4], []int64{10_000, 20_000, 30_000, 40_000}) {
		t.Errorf("it computed %v ns between, want 10, 20, 30 and 40 µs", got)
	}
	if !w.Threads[0].Ended || w.Threads[1].Ended {
		t.Errorf("main ended: %v, its helper: %v; want the first only", w.Threads[0].Ended, w.Threads[1].Ended)
	}
}

// The threads of a tree are started by whoever starts its root, in the model and so in the walks; they come
// after it, in the order of their births.
func TestWalksComeAfterWhoStartsThem(t *testing.T) {
	t.Parallel()
	w := tree().walks(t)
	if len(w.Threads) != 4 { // the four leaves left no records
		t.Fatalf("%d walks, want those of main and the three inner nodes", len(w.Threads))
	}
	starts := w.is(0, core.SpawnFragment)
	if len(starts) != 1 || starts[0].Amount != 7 {
		t.Errorf("main starts %+v, want all seven at once", starts)
	}
	for i, x := range w.Threads {
		if want := int32(min(i, 1)) - 1; x.Parent != want {
			t.Errorf("walk %d is of a thread that %d started, want %d", i, x.Parent, want)
		}
	}
}

// The graph is what the walks are laid over each other: visits, transitions and CPU times.
func TestTheWalksOfScriptsFoldToTheirGraphs(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*script{"relaxation": relaxation(), "countdown": countdown(false), "semaphore": semaphore(), "condition": oneCondition(true)} {
		w := s.walks(t)
		folded := w.Fold()
		for i := range w.m.Graphs {
			for _, d := range differences(&w.m.Graphs[i], folded[w.m.Graphs[i].ID]) {
				t.Errorf("%s: %s", name, d)
			}
		}
	}
}

// differences says where a graph has other counts than its walks.
func differences(g *core.Graph, f core.Folded) (out []string) {
	for i := range g.Fragments {
		x := &g.Fragments[i]
		if f.Visits[x.ID] != x.Observed.Count {
			out = append(out, fmt.Sprintf("%s is visited %d times, its walks do %d times", x.ID, x.Observed.Count, f.Visits[x.ID]))
		}
		if cpu := float64(f.Amount[x.ID]) * 1e-9; x.Class == core.CPUFragment && (cpu < 0.999999*x.Observed.MeanCPU*float64(x.Observed.Count) || cpu > 1.000001*x.Observed.MeanCPU*float64(x.Observed.Count)) {
			out = append(out, fmt.Sprintf("%s computes %g s, its walks %g s", x.ID, x.Observed.MeanCPU*float64(x.Observed.Count), cpu))
		}
		for _, e := range x.Next {
			if f.Next[x.ID][e.To] != e.Count {
				out = append(out, fmt.Sprintf("%s → %s is taken %d times, its walks do %d times", x.ID, e.To, e.Count, f.Next[x.ID][e.To]))
			}
		}
	}
	return out
}
