package analysis_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/pools"
	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// tape is a trace in the making: what probes would have recorded of a program whose
// operations take no CPU time.
type tape struct {
	trace.Trace
	sites map[string]int32
}

func newTape() *tape {
	return &tape{Trace: trace.Trace{Program: "tape", Runtime: runtimes.Go(), Cores: 2}, sites: map[string]int32{}}
}

// thread is one of its threads; now and cpu in ns.
type thread struct {
	*tape
	at       int
	now, cpu int64
}

func (p *tape) site(function, name string) int32 {
	i, ok := p.sites[function+" "+name]
	if !ok {
		i = int32(len(p.Sites))
		p.sites[function+" "+name] = i
		p.Sites = append(p.Sites, trace.Site{Frames: []trace.Frame{{Function: function, File: "main.go", Line: int(i) + 1}}})
	}
	return i
}

// starts begins a thread, by a statement of parent unless that is nil.
func (p *tape) starts(function string, parent *thread) *thread {
	th := trace.Thread{ID: int64(len(p.Threads) + 1), Start: "main." + function, Creator: -1}
	a := &thread{tape: p, at: len(p.Threads)}
	if parent != nil {
		a.now = parent.now
		th.Born, th.Parent, th.Creator = parent.now, p.Threads[parent.at].ID, p.site(p.Threads[parent.at].Start, "go "+function)
		parent.record(trace.OpSpawn, "go "+function, false, 0, 0, uint64(th.ID))
	}
	p.Threads = append(p.Threads, th)
	return a
}

func (a *thread) record(op trace.Op, name string, end bool, object uint64, arg int64, value uint64) {
	th := &a.Threads[a.at]
	th.Records = append(th.Records, trace.Record{Time: a.now, CPU: a.cpu, Site: a.site(th.Start, name), Op: op, End: end, Object: object, Arg: arg, Value: value})
}

func (a *thread) compute(ns int64) *thread {
	a.now, a.cpu = a.now+ns, a.cpu+ns
	return a
}

// does executes an operation with an argument and a result that waits for so long.
func (a *thread) does(op trace.Op, name string, object uint64, arg, result, wait int64) *thread {
	a.record(op, name, false, object, arg, 0)
	a.now += wait
	a.record(op, name, true, object, result, 0)
	return a
}

func (a *thread) ends() {
	a.Threads[a.at].Ended = a.now + 1
	a.End = max(a.End, a.now+1)
}

// object says what a constructor was told.
func (p *tape) object(id uint64, kind string, capacity int64) {
	p.Objects = append(p.Objects, trace.Object{ID: id, Kind: kind, Capacity: capacity, Elem: 8, Site: -1})
}

// build builds the model, with everything that is insignificant.
func (p *tape) build(t *testing.T) *core.Model {
	t.Helper()
	m, _, err := analysis.Build(trail.Input{Trace: &p.Trace}, trail.Options{Threshold: -1})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil {
		t.Fatalf("the model is not valid: %v", err)
	}
	return m
}

// "Parameters of locks and queues are obtained from the arguments passed to
// constructors and initializers of these locks and queues … Queues and their
// parameters are obtained in the same manner" (§4.3.2): a queue of 7 tasks, and three
// permits, of which two threads never need more than two.
func TestParametersOfLocksAndQueuesAreThoseOfTheirConstructors(t *testing.T) {
	t.Parallel()
	const tasks, permits, queue, semaphore = 20, 3, 1, 2
	p := newTape()
	p.object(queue, "chan", 7)
	p.object(semaphore, "semaphore", permits)
	main := p.starts("main", nil)
	workers := []*thread{p.starts("worker", main), p.starts("worker", main)}
	for i := range tasks {
		main.compute(1000).does(trace.OpSend, "send", queue, 0, 1, 0)
		w := workers[i%2]
		w.now = max(w.now, main.now)
		w.does(trace.OpReceive, "receive", queue, 0, 1, 0).does(trace.OpAcquire, "acquire", semaphore, 1, 1, 500).compute(50_000).does(trace.OpRelease, "release", semaphore, 1, 1, 0)
	}
	main.now = max(main.now, workers[0].now, workers[1].now)
	main.does(trace.OpClose, "close", queue, 0, 0, 0)
	for _, w := range workers {
		w.now = main.now
		w.does(trace.OpReceive, "receive", queue, 0, 0, 0).ends()
	}
	main.ends()
	m := p.build(t)
	if len(m.Queues) != 1 || m.Queues[0].Capacity != 7 {
		t.Errorf("queues %+v, want one with room for 7", m.Queues)
	}
	i := slices.IndexFunc(m.Locks, func(l core.Lock) bool { return l.Kind == core.Semaphore })
	if i < 0 || m.Locks[i].Permits != permits {
		t.Errorf("locks %+v, want a semaphore with %d permits", m.Locks, permits)
	}
}

// "The lock ID lid is obtained from the reference to the lock … it is matched to the
// lid returned by the lock constructor. The type of synchronization operation optype is
// inferred from the signature of the called function" (§4.3.2): one mutex taken at two
// places is one lock, another object another one, and what is taken for reading is a
// read-write lock.
func TestALockIsKnownByItsReferenceAndTypedByItsOperations(t *testing.T) {
	t.Parallel()
	const accounts, log, table = 11, 12, 13
	p := newTape()
	main := p.starts("main", nil)
	var workers []*thread
	for range 3 {
		workers = append(workers, p.starts("worker", main))
	}
	stay := func(w *thread, object uint64, enter, exit trace.Op, name string) {
		w.does(enter, name+" enter", object, 0, 0, 30_000).compute(40_000).does(exit, name+" exit", object, 0, 0, 0).compute(5_000)
	}
	for range 10 {
		for _, w := range workers {
			stay(w, accounts, trace.OpLock, trace.OpUnlock, "deposit")
			stay(w, accounts, trace.OpLock, trace.OpUnlock, "withdraw")
			stay(w, log, trace.OpLock, trace.OpUnlock, "write")
			stay(w, table, trace.OpRLock, trace.OpRUnlock, "look up")
			stay(w, table, trace.OpLock, trace.OpUnlock, "update")
		}
	}
	for _, w := range workers {
		w.ends()
		main.now = max(main.now, w.now)
	}
	main.ends()
	m := p.build(t)
	kinds := map[core.LockKind]int{}
	kind := map[string]core.LockKind{}
	for _, l := range m.Locks {
		kinds[l.Kind]++
		kind[l.ID] = l.Kind
	}
	if want := map[core.LockKind]int{core.Mutex: 2, core.RWLock: 1}; fmt.Sprint(kinds) != fmt.Sprint(want) {
		t.Errorf("locks by kind %v, want %v", kinds, want)
	}
	got := map[string]int{}
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Sync != nil && f.Sync.Lock != "" {
				got[fmt.Sprintf("%v of %v", f.Sync.Op, kind[f.Sync.Lock])]++
			}
		}
	}
	want := map[string]int{"enter of mutex": 3, "exit of mutex": 3, "enter_read of rwlock": 1, "exit_read of rwlock": 1, "enter of rwlock": 1, "exit of rwlock": 1}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("operations %v, want %v", got, want)
	}
}

// "Among all CFs executed during the startup phase, only the CFs that are required to
// build a semantically correct model (c_in, c_out, and c_sync CFs that perform complex
// synchronization operations …) are incorporated into the model. Remaining CFs are
// considered as insignificant" (§4.3.1): startup computes for 5 ms and puts three tokens
// into a channel of four, without which no request could be answered. Ours: what
// startup's operations left behind is made anew at the start, not what they waited for.
func TestStartupLeavesWhatTheWorkPhaseNeeds(t *testing.T) {
	t.Parallel()
	const requests, tokens, connections = 1, 2, 7
	p := newTape()
	p.object(requests, "chan", 16)
	p.object(tokens, "chan", 4)
	p.WorkStart, p.WorkEnd = 6_000_000, 20_000_000
	main := p.starts("main", nil)
	workers := []*thread{p.starts("worker", main), p.starts("worker", main)}
	main.compute(5_000_000)
	for range 3 {
		main.does(trace.OpSend, "fill", tokens, 0, 1, 0)
	}
	main.now = p.WorkStart + 1000
	for i := 0; main.now < p.WorkEnd; i++ {
		main.does(trace.OpAccept, "accept", connections, 0, 0, 100_000).compute(10_000).does(trace.OpSend, "send", requests, 0, 1, 0)
		w := workers[i%2]
		w.now = max(w.now, main.now)
		w.does(trace.OpReceive, "receive", requests, 0, 1, 0).does(trace.OpReceive, "take a token", tokens, 0, 1, 2_000).compute(60_000).does(trace.OpSend, "give it back", tokens, 0, 1, 0)
	}
	for _, a := range append(workers, main) {
		a.ends()
	}
	m := p.build(t)
	longest, put := 0.0, 0.0
	for _, g := range m.Graphs {
		rounds := map[string]float64{} // by body
		for _, f := range g.Fragments {
			if f.Class == core.CPUFragment {
				longest = max(longest, f.Demand.Expectation())
			}
			if f.Loop != nil {
				rounds[f.Loop.Body] = f.Loop.Count.Expectation()
			}
		}
		for _, f := range g.Fragments {
			if f.Sync != nil && f.Sync.Op == core.Send && rounds[f.ID] > 0 {
				put += rounds[f.ID]
			}
		}
	}
	if longest > 61e-6 {
		t.Errorf("the model computes for %.3g s at a time; a request takes 60 µs, only startup more", longest)
	}
	if math.Abs(put-3) > 1e-9 {
		t.Errorf("%g tokens are in the channel when work begins, want the 3 of startup", put)
	}
}

// "To start using the model the analyst must specify the model's configuration
// parameters (the numbers of threads in the thread pools, intensity of the workload,
// sizes of the queues, the numbers of CPU cores etc)" (§4.4): each is a parameter that has
// the value of the run.
func TestPoolsQueuesCoresAndLoadAreParameters(t *testing.T) {
	t.Parallel()
	const queue, connections = 1, 7
	p := newTape()
	p.object(queue, "chan", 5)
	main := p.starts("main", nil)
	workers := []*thread{p.starts("worker", main), p.starts("worker", main), p.starts("worker", main)}
	p.WorkStart, p.WorkEnd = 1000, 30_000_000
	main.now = 2000
	for i := 0; main.now < p.WorkEnd; i++ {
		main.does(trace.OpAccept, "accept", connections, 0, 0, 90_000).compute(10_000).does(trace.OpSend, "send", queue, 0, 1, 0)
		w := workers[i%3]
		w.now = max(w.now, main.now)
		w.does(trace.OpReceive, "receive", queue, 0, 1, 0).compute(80_000)
	}
	for _, a := range append(workers, main) {
		a.ends()
	}
	m := p.build(t)
	values := map[string]float64{} // by path
	for _, q := range m.Parameters {
		for _, to := range q.Targets {
			values[to.Path] = q.Default
		}
	}
	for _, want := range []struct {
		path  string
		value float64
		near  float64
	}{{"pools/worker/size", 3, 0}, {"queues/" + m.Queues[0].ID + "/capacity", 5, 0}, {"cpu/cores", 2, 0}, {"sources/clients/rate_per_s", 1e4, 500}} {
		got, ok := values[want.path]
		if !ok || math.Abs(got-want.value) > want.near {
			t.Errorf("%s is %g (a parameter: %t), want %g; all: %v", want.path, got, ok, want.value, values)
		}
	}
}

// "After merging, the tuples T1…Tm represent the thread pools detected in the program"
// (§4.1): four workers share two places, some of them were seen alone at rare ones, and
// main is at a place of its own.
func TestMergedTuplesAreTheThreadPools(t *testing.T) {
	t.Parallel()
	leaf := func(counts map[int64]int64) trace.TrieNode { return trace.TrieNode{Parent: 0, Counts: counts} }
	pools := pools.MergeTuples(pools.Tuples(&trace.Samples{Trie: []trace.TrieNode{
		{Parent: -1},
		leaf(map[int64]int64{1: 400}),
		leaf(map[int64]int64{2: 900, 3: 1100, 4: 1000, 5: 1000}),
		leaf(map[int64]int64{5: 200, 4: 210, 3: 190, 2: 200}),
		leaf(map[int64]int64{3: 4}),
		leaf(map[int64]int64{2: 3, 5: 3}),
	}}))
	if got, want := fmt.Sprint(pools), "[{[2 3 4 5] 4810} {[1] 400}]"; got != want {
		t.Errorf("pools %s, want %s", got, want)
	}
}
