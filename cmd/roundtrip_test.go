package cmd_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
	"tierscope/simulation"
	"tierscope/simulation/des"
)

// The round trip: simulate a model while an observer writes down what probes
// in a real program would have reported, build a model of that trace, and get
// the same model back. It joins the two halves of the program, which do not
// know each other.

// tape writes the trace of a simulated program.
type tape struct {
	fragments map[string]*core.Fragment
	sites     map[string]int32
	objects   map[string]uint64
	kinds     map[string]core.LockKind
	trace     *trace.Trace
	current   map[int32]int        // simulated thread → index in trace.Threads
	used      map[int32]int64      // CPU so far
	ran       map[string]bool      // fragments that were executed
	chooses   map[int32]*core.Sync // of threads that have just left a select, try or once
}

const objectSpace = 1000 // instances of one lock have consecutive numbers

func newTape(m *core.Model) *tape {
	p := &tape{fragments: map[string]*core.Fragment{}, sites: map[string]int32{}, objects: map[string]uint64{},
		kinds: map[string]core.LockKind{}, current: map[int32]int{}, used: map[int32]int64{}, chooses: map[int32]*core.Sync{}, ran: map[string]bool{},
		trace: &trace.Trace{Program: m.Name, Language: "simulated", Cores: m.CPU.Cores, Overhead: math.NaN()}}
	for i := range m.Graphs {
		g := &m.Graphs[i]
		for j := range g.Fragments {
			f := &g.Fragments[j]
			key := g.ID + "/" + f.ID
			p.fragments[key] = f
			p.sites[key] = p.site("main."+g.ID, j+1)
		}
	}
	for i, pool := range m.Pools {
		if pool.Kind == core.SpawnPool {
			p.sites["pool/"+pool.ID] = p.site("main.main", 1000+i)
		}
	}
	object := func(id, kind string, capacity int, elem int64) {
		n := uint64(len(p.objects)+1) * objectSpace
		p.objects[id] = n
		p.trace.Objects = append(p.trace.Objects, trace.Object{ID: n, Kind: kind, Capacity: int64(capacity), Elem: elem, Site: -1})
	}
	for _, q := range m.Queues {
		object(q.ID, "chan", q.Capacity, 8)
		p.kinds[q.ID] = core.Channel
	}
	for _, l := range m.Locks {
		object(l.ID, string(l.Kind), max(l.Capacity, l.Permits, l.Parties), 0)
		p.kinds[l.ID] = l.Kind
	}
	return p
}

func (p *tape) site(function string, line int) int32 {
	p.trace.Sites = append(p.trace.Sites, trace.Site{Frames: []trace.Frame{{Function: function, File: "model.go", Line: line}}})
	return int32(len(p.trace.Sites) - 1)
}

// op returns the operation that a probe would have reported for a fragment.
func (p *tape) op(f *core.Fragment) trace.Op {
	switch f.Class {
	case core.InFragment:
		return trace.OpReceive
	case core.OutFragment:
		if _, queue := p.objects[f.Out.To]; queue {
			return trace.OpSend
		}
	case core.DelayFragment:
		return trace.OpSleep
	case core.JoinFragment:
		return trace.OpJoin
	case core.SyncFragment:
		return p.syncOp(f.Sync)
	}
	return trace.OpNone
}

func (p *tape) syncOp(s *core.Sync) trace.Op {
	if s.Op == core.Select {
		return trace.OpSelect
	}
	if s.OnTimeout != "" && s.Op != core.Do { // a try
		return map[core.SyncOp]trace.Op{core.Enter: trace.OpTryLock, core.EnterRead: trace.OpTryRLock,
			core.Send: trace.OpTrySend, core.Receive: trace.OpTryReceive}[s.Op]
	}
	if p.kinds[s.Lock] == core.Semaphore {
		return map[core.SyncOp]trace.Op{core.Enter: trace.OpAcquire, core.Exit: trace.OpRelease}[s.Op]
	}
	if p.kinds[s.Lock] == core.Barrier {
		return trace.OpBarrier
	}
	return map[core.SyncOp]trace.Op{
		core.Enter: trace.OpLock, core.Exit: trace.OpUnlock, core.EnterRead: trace.OpRLock, core.ExitRead: trace.OpRUnlock,
		core.Add: trace.OpAdd, core.CountDown: trace.OpDone, core.Await: trace.OpWaitGroup,
		core.Send: trace.OpSend, core.Receive: trace.OpReceive, core.Close: trace.OpClose,
		core.Do: trace.OpOnce, core.Done: trace.OpUnlock, // as Go's Once does, which is a lock inside
		core.Wait: trace.OpCondWait, core.Notify: trace.OpSignal, core.NotifyAll: trace.OpBroadcast,
	}[s.Op]
}

func (p *tape) ThreadStarted(at des.Time, t int32, pool string, parent int32) {
	th := trace.Thread{ID: int64(len(p.trace.Threads) + 1), Start: "main." + pool, Creator: -1, Born: int64(at)}
	if parent >= 0 {
		th.Creator = p.sites["pool/"+pool]
		owner := &p.trace.Threads[p.current[parent]]
		th.Parent = owner.ID
		owner.Records = append(owner.Records, trace.Record{Time: int64(at), CPU: p.used[parent], Site: th.Creator, Op: trace.OpSpawn, Value: uint64(th.ID)})
	}
	p.current[t] = len(p.trace.Threads)
	p.used[t] = 0
	p.trace.Threads = append(p.trace.Threads, th)
}

func (p *tape) ThreadEnded(at des.Time, t int32) {
	p.trace.Threads[p.current[t]].Ended = int64(at)
	p.trace.End = max(p.trace.End, int64(at))
}

func (p *tape) record(at des.Time, t int32, x simulation.FragmentRun, end bool) {
	f := p.fragments[x.Graph+"/"+x.Fragment]
	op := p.op(f)
	if op == trace.OpNone {
		return
	}
	r := trace.Record{Time: int64(at), CPU: p.used[t], Site: p.sites[x.Graph+"/"+x.Fragment], Op: op, End: end}
	if x.Object != "" {
		r.Object = p.objects[x.Object] + uint64(x.Instance)
	}
	if f.Sync != nil {
		r.Arg = int64(max(f.Sync.N, 1))
	}
	switch {
	case end && op == trace.OpReceive:
		r.Arg = 1
		if x.Failed {
			r.Arg = 0
		}
	case f.Sync != nil && (op == trace.OpSelect || f.Sync.OnTimeout != ""):
		if op == trace.OpSelect {
			r.Arg = p.offer(f.Sync)
		}
		if end {
			r.Arg = 1
			p.chooses[t] = f.Sync
		}
	}
	th := &p.trace.Threads[p.current[t]]
	if op == trace.OpJoin {
		p.joins(th, r, f.Join.Pool)
		return
	}
	if end && (op == trace.OpUnlock || op == trace.OpRUnlock || op == trace.OpRelease) {
		r.Object = th.Records[len(th.Records)-1].Object // when it ends, the thread holds nothing any more
	}
	th.Records = append(th.Records, r)
}

// joins writes a join of every thread of a pool, one after the other, when
// all have ended.
func (p *tape) joins(by *trace.Thread, r trace.Record, pool string) {
	if !r.End {
		return
	}
	for _, child := range p.trace.Threads {
		if child.Start == "main."+pool {
			r.Value = uint64(child.ID)
			r.End = false
			by.Records = append(by.Records, r)
			r.End = true
			by.Records = append(by.Records, r)
		}
	}
}

// offer returns the index of what a select offers.
func (p *tape) offer(s *core.Sync) int64 {
	var o trace.Offer
	for _, c := range s.Cases {
		o.Cases = append(o.Cases, trace.Case{Object: p.objects[c.Lock], Send: c.Op == core.Send})
	}
	for i, other := range p.trace.Offers {
		if slices.Equal(o.Cases, other.Cases) {
			return int64(i)
		}
	}
	p.trace.Offers = append(p.trace.Offers, o)
	return int64(len(p.trace.Offers) - 1)
}

// chose completes the record of a select, try or once with the outcome, which the
// next fragment tells.
func (p *tape) chose(t int32, next string) {
	s := p.chooses[t]
	if s == nil {
		return
	}
	delete(p.chooses, t)
	rs := p.trace.Threads[p.current[t]].Records
	if next == s.OnTimeout {
		end := &rs[len(rs)-1]
		end.Arg = 0
		if s.Op == core.Do {
			unlock, unlocked := *end, *end
			unlock.Op, unlocked.Op, unlock.End = trace.OpUnlock, trace.OpUnlock, false
			p.trace.Threads[p.current[t]].Records = append(rs, unlock, unlocked)
		}
	}
	for i, c := range s.Cases {
		if c.To == next {
			end := &rs[len(rs)-1]
			end.Arg, end.Object = int64(i), p.objects[c.Lock]
		}
	}
}

// forgetUntried takes out of m what no thread came to: the trace cannot show the
// case of a select that was never taken, or a try that never failed.
func (p *tape) forgetUntried(m *core.Model) {
	for i := range m.Graphs {
		g := &m.Graphs[i]
		tried := func(to string) bool { return p.ran[g.ID+"/"+to] }
		for j := range g.Fragments {
			f := &g.Fragments[j]
			if !tried(f.ID) {
				f.Next, f.Sync = nil, nil
			}
			if s := f.Sync; s != nil {
				s.Cases = slices.DeleteFunc(s.Cases, func(c core.SelectCase) bool { return !tried(c.To) })
				if s.OnTimeout != "" && !tried(s.OnTimeout) {
					s.OnTimeout = ""
				}
			}
		}
	}
}

func (p *tape) FragmentStarted(at des.Time, t int32, x simulation.FragmentRun) {
	p.ran[x.Graph+"/"+x.Fragment] = true
	p.chose(t, x.Fragment)
	p.record(at, t, x, false)
}

func (p *tape) FragmentEnded(at des.Time, t int32, x simulation.FragmentRun) {
	p.used[t] += int64(x.CPU)
	p.record(at, t, x, true)
}

// failer is what *testing.T and *rapid.T have in common.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Fatal(args ...any)
}

// rebuilt simulates m and builds a model of what was observed.
func rebuilt(t failer, m core.Model, seed uint64) *core.Model {
	return modelOf(t, observed(t, &m, seed))
}

// observed simulates m, which comes to an end.
func observed(t failer, m *core.Model, seed uint64) *tape {
	p := newTape(m)
	if _, err := simulation.Observe(context.Background(), *m, seed, 3600, p); err != nil {
		t.Fatal(err)
	}
	for i := range p.trace.Threads {
		if p.trace.Threads[i].Ended == 0 {
			t.Fatalf("model %+v: thread %s did not end: the generated model deadlocks", m, p.trace.Threads[i].Start)
		}
	}
	return p
}

// modelOf builds a model of what was observed.
func modelOf(t failer, p *tape) *core.Model {
	got, _, err := analysis.Build(trail.Input{Trace: p.trace}, trail.Options{Threshold: -1})
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Validate(); err != nil {
		t.Fatalf("the rebuilt model is not valid: %v", err)
	}
	return got
}

// Fragments of test models.

func cpu(id string, mean float64, to ...core.Edge) core.Fragment {
	return core.Fragment{ID: id, Class: core.CPUFragment, Next: to,
		Demand: core.Distribution{Kind: core.Uniform, Min: 0.9 * mean, Max: 1.1 * mean}}
}

func locked(id, lock string, op core.SyncOp, to ...core.Edge) core.Fragment {
	return core.Fragment{ID: id, Class: core.SyncFragment, Sync: &core.Sync{Lock: lock, Op: op}, Next: to}
}

func edge(to string) core.Edge { return core.Edge{To: to, Probability: 1} }

func constant(v float64) core.Distribution {
	return core.Distribution{Kind: core.Constant, Value: v}
}

// pooled is a program whose main thread starts a pool, sends it tasks, closes
// the queue and waits for the end. body is what a worker does with a task; it
// leads to "done".
func pooled(workers, cores, tasks int, locks []core.Lock, body []core.Fragment) core.Model {
	main := core.Graph{ID: "main", Entry: "start", Fragments: []core.Fragment{
		cpu("start", 1e-3, edge("spawn")),
		{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "worker"}, Next: []core.Edge{edge("each")}},
		{ID: "each", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(float64(tasks)), Body: "make"}, Next: []core.Edge{edge("close")}},
		cpu("make", 1e-5, edge("send")),
		{ID: "send", Class: core.OutFragment, Out: &core.Out{To: "tasks", New: true}, Next: []core.Edge{edge("each")}},
		{ID: "close", Class: core.SyncFragment, Sync: &core.Sync{Lock: "tasks", Op: core.Close}, Next: []core.Edge{edge("join")}},
		{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "worker"}},
	}}
	worker := core.Graph{ID: "worker", Entry: "get", Fragments: append([]core.Fragment{
		{ID: "get", Class: core.InFragment, In: &core.In{Queue: "tasks"}, Next: []core.Edge{edge("got"), edge("nothing")}},
		{ID: "got", Class: core.FetchFragment, Next: []core.Edge{edge(body[0].ID)}},
		{ID: "nothing", Class: core.NoFetchFragment},
		{ID: "done", Class: core.OutFragment, Out: &core.Out{To: "out"}, Next: []core.Edge{edge("get")}},
	}, body...)}
	return core.Model{Name: "round trip", Classes: []core.Class{{ID: "task"}},
		Queues: []core.Queue{{ID: "tasks", Capacity: 10}}, Sinks: []core.Sink{{ID: "out"}},
		Pools:  []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}, {ID: "worker", Kind: core.SpawnPool, Graph: "worker", Size: workers}},
		Graphs: []core.Graph{main, worker}, Locks: locks, CPU: core.CPU{Cores: cores, Policy: core.ProcessorSharing}}
}

// transition is a way from one operation to the next, with its probability
// and the mean CPU time between.
type transition struct{ probability, cpu float64 }

// transitions describes a graph by its operations alone, whatever nodes lie
// between. line names an operation.
func transitions(g *core.Graph, line func(*core.Fragment) int) map[[2]int]transition {
	by := map[string]*core.Fragment{}
	for i := range g.Fragments {
		by[g.Fragments[i].ID] = &g.Fragments[i]
	}
	out := map[[2]int]transition{}
	for i := range g.Fragments {
		from := line(&g.Fragments[i])
		if from == 0 {
			continue
		}
		var follow func(f *core.Fragment, p, used float64)
		follow = func(f *core.Fragment, p, used float64) {
			next := f.Next
			if s := f.Sync; s != nil { // which of these it is, the lock decides
				if s.OnTimeout != "" {
					next = append(slices.Clip(next), core.Edge{To: s.OnTimeout, Probability: 1})
				}
				for _, c := range s.Cases {
					next = append(slices.Clip(next), core.Edge{To: c.To, Probability: 1})
				}
			}
			for _, e := range next {
				to := by[e.To]
				probability := e.Probability
				if f.Class == core.InFragment {
					// The queue decides; the trace has as many of each as it has.
					probability = 1
				}
				if n := line(to); n != 0 {
					key := [2]int{from, n}
					if f.Class == core.NoFetchFragment {
						continue
					}
					t := out[key]
					t.cpu = (t.cpu*t.probability + used*p*probability) / (t.probability + p*probability)
					t.probability += p * probability
					out[key] = t
					continue
				}
				more := 0.0
				if to.Class == core.CPUFragment {
					more = to.Demand.Expectation()
				}
				follow(to, p*probability, used+more)
			}
		}
		follow(&g.Fragments[i], 1, 0)
	}
	return out
}

// compare reports how the worker's graph of a rebuilt model differs from the
// original: missing and invented transitions, probabilities outside 4.5
// standard errors of n executions, demands off by more than 2 %.
func compare(t failer, want, got *core.Model, tasks int) {
	t.Helper()
	wantGraph, gotGraph := &want.Graphs[1], (*core.Graph)(nil)
	for i := range got.Graphs {
		if got.Graphs[i].ID == "worker" {
			gotGraph = &got.Graphs[i]
		}
	}
	if gotGraph == nil {
		t.Fatalf("no pool is called worker in %+v", got.Pools)
	}
	index := map[string]int{}
	for i := range wantGraph.Fragments {
		switch f := &wantGraph.Fragments[i]; f.Class {
		case core.InFragment, core.SyncFragment, core.DelayFragment:
			index[f.ID] = i + 1
		}
	}
	w := transitions(wantGraph, func(f *core.Fragment) int { return index[f.ID] })
	g := transitions(gotGraph, func(f *core.Fragment) int {
		switch f.Class {
		case core.InFragment, core.SyncFragment, core.DelayFragment:
			return f.Origin.Line
		}
		return 0
	})
	for k, a := range w {
		b, ok := g[k]
		if !ok {
			t.Errorf("transition %s → %s (p = %.3g) is missing", wantGraph.Fragments[k[0]-1].ID, wantGraph.Fragments[k[1]-1].ID, a.probability)
			continue
		}
		// Every operation of a body is executed with probability ≥ 1/4.
		if e := 4.5 * math.Sqrt(a.probability*(1-a.probability)/(float64(tasks)/4)); math.Abs(a.probability-b.probability) > e+1e-9 {
			t.Errorf("transition %s → %s: p = %.4g, want %.4g ± %.2g", wantGraph.Fragments[k[0]-1].ID, wantGraph.Fragments[k[1]-1].ID, b.probability, a.probability, e)
		}
		if math.Abs(a.cpu-b.cpu) > 0.02*a.cpu+1e-9 {
			t.Errorf("CPU between %s and %s: %.4g s, want %.4g s", wantGraph.Fragments[k[0]-1].ID, wantGraph.Fragments[k[1]-1].ID, b.cpu, a.cpu)
		}
	}
	for k, b := range g {
		if _, ok := w[k]; !ok {
			t.Errorf("transition %v (p = %.3g) does not exist in the original", k, b.probability)
		}
	}
}

// One body for every kind of lock: the model comes back with the same
// transitions, demands, kind of lock and parameter.
func TestEveryKindOfLockSurvivesTheRoundTrip(t *testing.T) {
	t.Parallel()
	const tasks = 1200
	region := func(enter, exit core.SyncOp) []core.Fragment {
		return []core.Fragment{cpu("before", 2e-3, edge("enter")), locked("enter", "L", enter, edge("inside")),
			cpu("inside", 1e-3, edge("exit")), locked("exit", "L", exit, edge("after")), cpu("after", 1e-3, edge("done"))}
	}
	cases := []struct {
		name      string
		lock      core.Lock
		body      []core.Fragment
		parameter func(core.Lock) int
	}{
		{"mutex", core.Lock{ID: "L", Kind: core.Mutex}, region(core.Enter, core.Exit), func(core.Lock) int { return 0 }},
		{"read-write lock", core.Lock{ID: "L", Kind: core.RWLock}, []core.Fragment{
			{ID: "choose", Class: core.DispatchFragment, Next: []core.Edge{{To: "read", Probability: 0.75}, {To: "write", Probability: 0.25}}},
			locked("read", "L", core.EnterRead, edge("reading")), cpu("reading", 1e-3, edge("read end")), locked("read end", "L", core.ExitRead, edge("after")),
			locked("write", "L", core.Enter, edge("writing")), cpu("writing", 2e-3, edge("write end")), locked("write end", "L", core.Exit, edge("after")),
			cpu("after", 1e-3, edge("done"))}, func(core.Lock) int { return 0 }},
		{"semaphore", core.Lock{ID: "L", Kind: core.Semaphore, Permits: 2}, region(core.Enter, core.Exit), func(l core.Lock) int { return l.Permits }},
		{"striped mutex", core.Lock{ID: "L", Kind: core.Mutex, Instances: 4}, region(core.Enter, core.Exit), func(l core.Lock) int { return l.Instances }},
		{"channel of tokens", core.Lock{ID: "L", Kind: core.Channel, Capacity: 2}, region(core.Send, core.Receive), func(l core.Lock) int { return l.Capacity }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := pooled(4, 2, tasks, []core.Lock{c.lock}, c.body)
			got := rebuilt(t, m, 7)
			compare(t, &m, got, tasks)
			if len(got.Locks) != 1 {
				t.Fatalf("%d locks came back, want 1: %+v", len(got.Locks), got.Locks)
			}
			if l := got.Locks[0]; l.Kind != c.lock.Kind || c.parameter(l) != c.parameter(c.lock) {
				t.Errorf("lock came back as %s with parameter %d, want %s with %d", l.Kind, c.parameter(l), c.lock.Kind, c.parameter(c.lock))
			}
		})
	}
}

// Threads that go through rounds together: the barrier comes back with its
// parties, the number of rounds as an exact loop.
func TestABarrierAndItsRoundsSurviveTheRoundTrip(t *testing.T) {
	t.Parallel()
	const workers, rounds = 4, 25
	m := core.Model{Name: "rounds",
		Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}, {ID: "worker", Kind: core.SpawnPool, Graph: "worker", Size: workers}},
		Graphs: []core.Graph{
			{ID: "main", Entry: "spawn", Fragments: []core.Fragment{
				{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "worker"}, Next: []core.Edge{edge("join")}},
				{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "worker"}}}},
			{ID: "worker", Entry: "rounds", Fragments: []core.Fragment{
				{ID: "rounds", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(rounds), Body: "compute"}},
				cpu("compute", 1e-3, edge("meet")),
				locked("meet", "B", core.Await, edge("rounds"))}},
		},
		Locks: []core.Lock{{ID: "B", Kind: core.Barrier, Parties: workers}}, CPU: core.CPU{Cores: 2, Policy: core.ProcessorSharing}}
	got := rebuilt(t, m, 3)
	if len(got.Locks) != 1 || got.Locks[0].Kind != core.Barrier || got.Locks[0].Parties != workers {
		t.Errorf("locks came back as %+v, want one barrier of %d parties", got.Locks, workers)
	}
	a, err := simulation.Run(context.Background(), m, nil, simulation.Options{Replications: 5})
	if err != nil {
		t.Fatal(err)
	}
	b, err := simulation.Run(context.Background(), *got, nil, simulation.Options{Replications: 5})
	if err != nil {
		t.Fatal(err)
	}
	// 25 rounds of 4 × 1 ms on 2 cores: 50 ms, and a little for the slowest.
	for _, r := range []*simulation.Result{a, b} {
		if T, ok := r.Find("T program mean"); !ok || math.Abs(T.Estimate.Mean-0.0515) > 0.0025 {
			t.Errorf("makespan: %+v, want 0.0515 ± 0.0025 s", T.Estimate)
		}
	}
}
