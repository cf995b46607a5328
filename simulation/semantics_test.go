package simulation

import (
	"math"
	"strings"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// program under test: fixed pools that end, constant times, so that every
// number can be worked out by hand.
type story struct {
	name  string
	model core.Model
	key   string  // quantity, or "T" for the makespan
	want  float64 // s
	why   string
}

func cpu(id string, seconds float64, next ...string) core.Fragment {
	return fragmentTo(core.Fragment{ID: id, Class: core.CPUFragment, Demand: constant(seconds)}, next)
}

func sleep(id string, seconds float64, next ...string) core.Fragment {
	return fragmentTo(core.Fragment{ID: id, Class: core.DelayFragment, Delay: constant(seconds)}, next)
}

func syncOp(id, lock string, op core.SyncOp, next ...string) core.Fragment {
	return fragmentTo(core.Fragment{ID: id, Class: core.SyncFragment, Sync: &core.Sync{Lock: lock, Op: op}}, next)
}

// permits lets an operation on a semaphore take or give back n at a time.
func permits(f core.Fragment, n float64) core.Fragment {
	f.Sync.Permits = constant(n)
	return f
}

func loop(id string, n float64, body string, next ...string) core.Fragment {
	return fragmentTo(core.Fragment{ID: id, Class: core.LoopFragment, Loop: &core.Loop{Count: constant(n), Body: body}}, next)
}

func fragmentTo(f core.Fragment, next []string) core.Fragment {
	if len(next) > 0 {
		f.Next = to(next[0])
	}
	return f
}

// threads is a program of one pool whose threads walk the given fragments.
func threads(n, cores int, fragments ...core.Fragment) core.Model {
	return core.Model{
		Name: "threads", CPU: core.CPU{Cores: cores},
		Pools:  []core.Pool{{ID: "p", Graph: "g", Size: n, Main: true}},
		Graphs: []core.Graph{{ID: "g", Entry: fragments[0].ID, Fragments: fragments}},
	}
}

func with(m core.Model, change func(*core.Model)) core.Model {
	change(&m)
	return m
}

// batch is n tasks at time 0 for servers that take 10 ms for each.
func batch(n int, pool core.Pool) core.Model {
	m := station(1, 4, core.Unbounded, constant(.01))
	m.Sources[0] = core.Source{ID: "all", Kind: core.Batch, To: "q", Count: n}
	m.Pools[0] = pool
	return m
}

func TestEveryFragmentDoesWhatItSays(t *testing.T) {
	t.Parallel()
	locked := func(n, cores int, l core.Lock) core.Model {
		return with(threads(n, cores, syncOp("enter", "L", core.Enter, "work"), cpu("work", .010, "exit"), syncOp("exit", "L", core.Exit)),
			func(m *core.Model) { m.Locks = []core.Lock{l} })
	}
	spawning := func(limit int) core.Model {
		return with(threads(1, 4,
			core.Fragment{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "child", Count: constant(4)}, Next: to("join")},
			core.Fragment{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "child"}}), func(m *core.Model) {
			m.Pools = append(m.Pools, core.Pool{ID: "child", Kind: core.SpawnPool, Graph: "c", Limit: limit})
			m.Graphs = append(m.Graphs, core.Graph{ID: "c", Entry: "work", Fragments: []core.Fragment{cpu("work", .010)}})
		})
	}
	refused := func(timeout float64) core.Model {
		return with(threads(1, 4, loop("each", 4, "put"), core.Fragment{ID: "put", Class: core.OutFragment,
			Out: &core.Out{To: "q", New: true, Timeout: constant(timeout), OnTimeout: "own"}, Next: to("each")}, cpu("own", .003, "each")), func(m *core.Model) {
			m.Queues, m.Sinks = []core.Queue{{ID: "q", Capacity: 1}}, []core.Sink{{ID: "done"}}
			m.Pools = append(m.Pools, core.Pool{ID: "server", Graph: "s", Size: 1})
			m.Graphs = append(m.Graphs, core.Graph{ID: "s", Entry: "in", Fragments: []core.Fragment{
				{ID: "in", Class: core.InFragment, In: &core.In{Queue: "q"}, Next: to("got")}, {ID: "got", Class: core.FetchFragment, Next: to("work")},
				cpu("work", .010, "out"), {ID: "out", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("in")}}})
		})
	}
	taskPool := func(limit int) core.Model {
		m := batch(3, core.Pool{ID: "server", Graph: "server", Kind: core.TaskPool, From: "q", Limit: limit})
		m.Graphs[0].Fragments = m.Graphs[0].Fragments[2:]
		m.Graphs[0].Entry, m.Graphs[0].Fragments[1].Next = "work0", nil
		return m
	}
	timeout := func(id string, op core.Sync, otherwise string) core.Fragment {
		op.Timeout, op.OnTimeout = constant(.010), otherwise
		f := core.Fragment{ID: id, Class: core.SyncFragment, Sync: &op}
		if op.Op != core.Select {
			f.Next = to("got")
		}
		return f
	}
	contended := func(second core.Fragment) core.Model { // a thread that holds L for 30 ms, and one that comes after 1 ms
		return with(threads(1, 2, sleep("s", .001, "try"), second, syncOp("got", "L", core.Exit), sleep("late", .002)), func(m *core.Model) {
			m.Locks = []core.Lock{{ID: "L", Kind: core.Mutex}, {ID: "C", Kind: core.Channel}}
			m.Pools = append(m.Pools, core.Pool{ID: "holder", Graph: "h", Size: 1})
			m.Graphs = append(m.Graphs, core.Graph{ID: "h", Entry: "enter", Fragments: []core.Fragment{
				syncOp("enter", "L", core.Enter, "work"), cpu("work", .030, "exit"), syncOp("exit", "L", core.Exit, "end"), sleep("end", 1, "send"), syncOp("send", "C", core.Send)}})
		})
	}
	waking := core.CPU{Cores: 1, Policy: core.GoScheduler, WakeIdleCore: constant(.003)}
	spawn := func(id string, n float64, next string) core.Fragment {
		return core.Fragment{ID: id, Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "child", Count: constant(n)}, Next: to(next)}
	}
	starting := func(fragments ...core.Fragment) core.Model { // 1 ms, and what starts threads that compute for 10 ms
		fragments = append([]core.Fragment{cpu("begin", .001, fragments[0].ID)}, fragments...)
		fragments = append(fragments, core.Fragment{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "child"}})
		return with(threads(1, 2, fragments...), func(m *core.Model) {
			m.CPU = core.CPU{Cores: 2, Policy: core.GoScheduler, WakeIdleCore: constant(100e-6), WakeQueued: constant(30e-6)}
			m.Pools = append(m.Pools, core.Pool{ID: "child", Kind: core.SpawnPool, Graph: "child"})
			m.Graphs = append(m.Graphs, core.Graph{ID: "child", Entry: "w", Fragments: []core.Fragment{cpu("w", .010)}})
		})
	}
	beside := func(m *core.Model) { // another thread computes on the only core
		m.CPU = core.CPU{Cores: 1, Policy: core.RoundRobin, Quantum: constant(1)}
		m.Pools = append(m.Pools, core.Pool{ID: "other", Graph: "other", Size: 1})
		m.Graphs = append(m.Graphs, core.Graph{ID: "other", Entry: "work", Fragments: []core.Fragment{cpu("work", .010)}})
	}
	stories := []story{
		{"a delay", with(threads(1, 1, cpu("work", .010, "s"), sleep("s", .020, "rest"), cpu("rest", .010)), func(m *core.Model) {
			m.CPU = waking
		}), "T", .046, "3 ms to wake up, 10 ms, 20 ms off the core, 3 ms to wake up, 10 ms"},
		{"a delay of no time", with(threads(1, 1, cpu("work", .010, "s"), sleep("s", 0, "rest"), cpu("rest", .010)), func(m *core.Model) {
			m.CPU = waking
		}), "T", .023, "3 ms to wake up, 10 ms and 10 ms on the same core: it waited for nothing"},
		{"a lock with a timeout", contended(timeout("try", core.Sync{Lock: "L", Op: core.Enter}, "late")), "T", .013, "1 ms, 10 ms of waiting, 2 ms"},
		{"a try", with(contended(timeout("try", core.Sync{Lock: "L", Op: core.Enter}, "late")), func(m *core.Model) {
			m.Graphs[0].Fragments[1].Sync.Timeout = constant(0)
		}), "T", .003, "1 ms, no waiting, 2 ms"},
		{"a timeout on the way to a core", with(contended(timeout("try", core.Sync{Lock: "L", Op: core.Enter}, "late")), func(m *core.Model) {
			m.CPU = core.CPU{Cores: 2, Policy: core.RoundRobin, Quantum: constant(1)}
			m.Pools = append(m.Pools, core.Pool{ID: "other", Graph: "other", Size: 1})
			m.Graphs = append(m.Graphs, core.Graph{ID: "other", Entry: "nap", Fragments: []core.Fragment{sleep("nap", .002, "work"), cpu("work", .105)}})
			m.Locks[0].Fairness = core.Barging
			m.Graphs[1].Fragments[1].Demand = constant(.005)
			m.Graphs[1].Fragments[3] = cpu("end", .100, "send")
		}), "T", .107, "woken at 5 ms to compete, it has no core before 105 ms, as another one computes on the second; at 11 ms its time is up; 2 ms"},
		{"what takes no CPU time needs a core", with(threads(1, 1, sleep("a", .001, "b"), sleep("b", .002, "end"), cpu("end", .003)), beside), "T", .015, "awake at 1 ms, it can ask for the second sleep when the other one has computed for 10 ms"},
		{"who never computes needs none", with(threads(1, 1, sleep("a", .001, "b"), sleep("b", .002)), beside), "T", .003, "it is a clock, or a user"},
		{"a select with a timeout", contended(timeout("try", core.Sync{Op: core.Select, Cases: []core.SelectCase{{Lock: "C", Op: core.Receive, To: "got"}}}, "late")), "T", .013, "1 ms, 10 ms of waiting, 2 ms"},
		{"a select until the channel is closed", with(threads(1, 2, core.Fragment{ID: "select", Class: core.SyncFragment,
			Sync: &core.Sync{Op: core.Select, Cases: []core.SelectCase{{Lock: "C", Op: core.Receive, To: "got", Closed: "late"}}}},
			sleep("got", .003, "select"), sleep("late", .002)), func(m *core.Model) {
			m.Locks = []core.Lock{{ID: "C", Kind: core.Channel, Capacity: 2}}
			m.Pools = append(m.Pools, core.Pool{ID: "sender", Graph: "s", Size: 1})
			m.Graphs = append(m.Graphs, core.Graph{ID: "s", Entry: "first", Fragments: []core.Fragment{
				sleep("first", .010, "one"), syncOp("one", "C", core.Send, "two"), syncOp("two", "C", core.Send, "close"), syncOp("close", "C", core.Close)}})
		}), "T", .018, "10 ms of waiting, two items of 3 ms, 2 ms after the close"},
		{"a fetch with a timeout", with(threads(1, 1,
			core.Fragment{ID: "in", Class: core.InFragment, In: &core.In{Queue: "q", Timeout: constant(.010)}, Next: []core.Edge{{To: "fetch", Probability: 1}, {To: "none", Probability: 1}}},
			core.Fragment{ID: "fetch", Class: core.FetchFragment, Next: to("in")},
			core.Fragment{ID: "none", Class: core.NoFetchFragment, Next: to("late")}, sleep("late", .002)), func(m *core.Model) {
			m.Queues = []core.Queue{{ID: "q", Capacity: core.Unbounded}}
			m.Sources = []core.Source{{ID: "s", Kind: core.Batch, To: "q", Count: 3}}
		}), "T", .012, "three tasks of no time, 10 ms of waiting, 2 ms"},
		{"a loop", threads(1, 1, loop("l", 3, "b"), cpu("b", .010, "l")), "T", .030, "3 × 10 ms"},
		{"a loop in a loop", threads(1, 1, loop("o", 3, "i"), loop("i", 2, "b", "o"), cpu("b", .005, "i")), "T", .030, "3 × 2 × 5 ms: the inner count starts anew"},
		{"a loop of no iterations", threads(1, 1, loop("l", 0, "b", "end"), cpu("b", .010, "l"), cpu("end", .001)), "T", .001, "only the end"},
		{"a break", threads(1, 1, loop("o", 2, "i"), loop("i", 5, "b", "o"), cpu("b", .005, "o")), "T", .010,
			"the body leaves the inner loop at once, twice; the outer loop still counts"},
		{"a periodic delay", with(threads(1, 1, cpu("work", .004, "s"), sleep("s", .010, "rest"), cpu("rest", .003, "again"), sleep("again", .010)), func(m *core.Model) {
			m.Graphs[0].Fragments[1].Periodic, m.Graphs[0].Fragments[3].Periodic = true, true
		}), "T", .020, "until 10 ms, and from 13 until 20 ms"},
		{"the rest of a poll", with(threads(1, 2,
			core.Fragment{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "child", Count: constant(1)}, Next: to("work")}, cpu("work", .003, "join"),
			core.Fragment{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "child"}, Next: to("s")}, sleep("s", .010, "enter"),
			syncOp("enter", "L", core.Enter, "again"), sleep("again", .010, "exit"), syncOp("exit", "L", core.Exit)), func(m *core.Model) {
			m.Graphs[0].Fragments[3].Polled, m.Graphs[0].Fragments[5].Polled = true, true
			m.Locks = []core.Lock{{ID: "L", Kind: core.Mutex}}
			m.Pools = append(m.Pools, core.Pool{ID: "child", Kind: core.SpawnPool, Graph: "c"})
			m.Graphs = append(m.Graphs, core.Graph{ID: "c", Entry: "work", Fragments: []core.Fragment{cpu("work", .025)}})
		}), "T", .033, "looks from 3 ms on every 10 ms, sees at 33 ms what has ended at 25, and need not wait for the lock"},
		{"the rest of a poll for permits", with(threads(1, 2, syncOp("first", "L", core.Enter, "spawn"),
			core.Fragment{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "child", Count: constant(1)}, Next: to("work")}, cpu("work", .003, "enter"),
			syncOp("enter", "L", core.Enter, "s"), sleep("s", .010)), func(m *core.Model) {
			m.Graphs[0].Fragments[4].Polled = true
			m.Locks = []core.Lock{{ID: "L", Kind: core.Semaphore, Permits: 1}}
			m.Pools = append(m.Pools, core.Pool{ID: "child", Kind: core.SpawnPool, Graph: "c"})
			m.Graphs = append(m.Graphs, core.Graph{ID: "c", Entry: "work", Fragments: []core.Fragment{cpu("work", .020, "exit"), syncOp("exit", "L", core.Exit)}})
		}), "T", .023, "looks from 3 ms on every 10 ms, sees at 23 ms what is free at 20"},
		{"a delay needs no core", threads(5, 1, sleep("s", .010)), "T", .010, "all sleep at once"},
		{"threads share cores", threads(4, 2, cpu("w", .010)), "T", .020, "4 × 10 ms on 2 cores"},
		{"a mutex", locked(3, 3, core.Lock{ID: "L", Kind: core.Mutex}), "T", .030, "one after the other"},
		{"a barging mutex", locked(3, 3, core.Lock{ID: "L", Kind: core.Mutex, Fairness: core.Barging}), "T", .030, "one after the other"},
		{"Go's mutex", locked(3, 3, core.Lock{ID: "L", Kind: core.Mutex, Fairness: core.GoMutex}), "T", .030, "one after the other"},
		{"waits for a mutex", locked(3, 3, core.Lock{ID: "L", Kind: core.Mutex}), "E fragment/g/enter mean", .010, "(0 + 10 + 20)/3 ms"},
		{"a semaphore", locked(4, 4, core.Lock{ID: "L", Kind: core.Semaphore, Permits: 2}), "T", .020, "two at a time"},
		{"a semaphore of which two permits are taken", with(locked(4, 4, core.Lock{ID: "L", Kind: core.Semaphore, Permits: 5}), func(m *core.Model) {
			m.Graphs[0].Fragments[0].Sync.Permits, m.Graphs[0].Fragments[2].Sync.Permits = constant(2), constant(2)
		}), "T", .020, "two at a time, the fifth permit is no use to anybody"},
		{"permits that another thread gives back", with(threads(1, 4, permits(syncOp("enter", "L", core.Enter, "spawn"), 3),
			core.Fragment{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "child", Count: constant(1)}, Next: to("all")},
			permits(syncOp("all", "L", core.Enter), 4)), func(m *core.Model) {
			m.Locks = []core.Lock{{ID: "L", Kind: core.Semaphore, Permits: 4}}
			m.Pools = append(m.Pools, core.Pool{ID: "child", Kind: core.SpawnPool, Graph: "c"})
			m.Graphs = append(m.Graphs, core.Graph{ID: "c", Entry: "work", Fragments: []core.Fragment{
				cpu("work", .010, "exit"), permits(syncOp("exit", "L", core.Exit), 2)}})
		}), "T", .010, "the child gives back the three that its parent took, whatever it would have drawn"},
		{"a faster lock", locked(3, 3, core.Lock{ID: "L", Kind: core.Mutex, SpeedUp: 2}), "T", .015, "half the CPU time inside"},
		{"stripes with one weight", locked(3, 3, core.Lock{ID: "L", Kind: core.Mutex, Instances: 2, Weights: []float64{1, 0}}), "T", .030, "all use one stripe"},
		{"a lock per thread", locked(3, 3, core.Lock{ID: "L", Kind: core.Mutex, Scope: core.PerThread}), "T", .010, "nobody waits"},
		{"a lock per call", with(threads(2, 4, syncOp("make", "L", core.Make, "spawn"),
			core.Fragment{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "child", Count: constant(2)}, Next: to("join")},
			core.Fragment{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "child"}}), func(m *core.Model) {
			m.Locks = []core.Lock{{ID: "L", Kind: core.Mutex, Scope: core.PerCall}}
			m.Pools = append(m.Pools, core.Pool{ID: "child", Kind: core.SpawnPool, Graph: "c"})
			m.Graphs = append(m.Graphs, core.Graph{ID: "c", Entry: "enter", Fragments: []core.Fragment{
				syncOp("enter", "L", core.Enter, "work"), cpu("work", .010, "exit"), syncOp("exit", "L", core.Exit)}})
		}), "T", .020, "the two children of a call take turns, those of different calls do not"},
		{"a channel that every call closes", with(threads(1, 1, loop("l", 3, "make"), syncOp("make", "C", core.Make, "send"),
			syncOp("send", "C", core.Send, "work"), cpu("work", .010, "close"), syncOp("close", "C", core.Close, "l")), func(m *core.Model) {
			m.Locks = []core.Lock{{ID: "C", Kind: core.Channel, Capacity: 1, Scope: core.PerCall}}
		}), "T", .030, "3 × 10 ms: nothing is sent to the closed channel of the call before"},
		{"a chain of channels", with(threads(1, 4, syncOp("first", "C", core.Make, "begin"), syncOp("begin", "C", core.Send, "l"),
			loop("l", 3, "make"), syncOp("make", "C", core.Make, "spawn"),
			core.Fragment{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "child", Count: constant(1)}, Next: to("l")},
			syncOp("last", "C", core.Receive)), func(m *core.Model) {
			m.Graphs[0].Fragments[2].Next = to("last")
			m.Locks = []core.Lock{{ID: "C", Kind: core.Channel, Capacity: 1, Scope: core.PerCall}}
			m.Pools = append(m.Pools, core.Pool{ID: "child", Kind: core.SpawnPool, Graph: "c"})
			wait := syncOp("wait", "C", core.Receive, "work")
			wait.Sync.Earlier = 1
			m.Graphs = append(m.Graphs, core.Graph{ID: "c", Entry: "wait", Fragments: []core.Fragment{
				wait, cpu("work", .010, "tell"), syncOp("tell", "C", core.Send)}})
		}), "T", .030, "each of 3 children waits for the one before it, and who started them for the last"},
		{"spawn and join", spawning(0), "T", .010, "4 children on 4 cores"},
		{"a spawn beyond the limit waits", spawning(2), "T", .020, "2 children at a time"},
		{"a thread per task", taskPool(0), "R class/task mean", .010, "nobody waits"},
		{"a thread per task, at most one", taskPool(1), "R class/task mean", .020, "(10 + 20 + 30)/3 ms"},
		{"a pool of one", batch(3, core.Pool{ID: "server", Graph: "server", Size: 1}), "R class/task mean", .020, "(10 + 20 + 30)/3 ms"},
		{"its wait", batch(3, core.Pool{ID: "server", Graph: "server", Size: 1}), "B class/task queue", .010, "(0 + 10 + 20)/3 ms"},
		{"a makespan", batch(3, core.Pool{ID: "server", Graph: "server", Size: 1}), "T", .030, "3 × 10 ms"},
		{"a full queue that drops", with(batch(5, core.Pool{ID: "server", Graph: "server", Size: 1}), func(m *core.Model) {
			m.Queues = []core.Queue{{ID: "q", Capacity: 2, WhenFull: core.Drop}}
		}), "D class/task mean", .4, "5 arrive at once: one is served, two wait, two are lost"},
		{"a full queue that blocks", with(batch(5, core.Pool{ID: "server", Graph: "server", Size: 1}), func(m *core.Model) {
			m.Queues = []core.Queue{{ID: "q", Capacity: 2}}
		}), "R class/task mean", .030, "(10 + … + 50)/5 ms: the source holds tasks back"},
		{"a full queue with a timeout", with(batch(5, core.Pool{ID: "server", Graph: "server", Size: 1}), func(m *core.Model) {
			m.Queues = []core.Queue{{ID: "q", Capacity: 2, WhenFull: core.Timeout, FullTimeout: .015}}
		}), "D class/task mean", .2, "one gets in after 10 ms, the last gives up after 15 ms"},
		{"who sends into a full queue works itself", refused(0), "T", .006, "one is served, one waits, two are done by who sent them"},
		{"and after a wait for room", refused(.002), "T", .010, "2 + 3 ms, twice"},
		{"and waits in the queue meanwhile", with(batch(3, core.Pool{ID: "server", Graph: "server", Size: 1}), func(m *core.Model) {
			m.Queues = append(m.Queues, core.Queue{ID: "next", Capacity: 1})
			m.Pools = append(m.Pools, core.Pool{ID: "slow", Graph: "slow", Size: 1})
			g := &m.Graphs[0]
			for i := range g.Fragments {
				if g.Fragments[i].Class == core.OutFragment {
					g.Fragments[i].Out = &core.Out{To: "next", Timeout: constant(.002), OnTimeout: "own"}
					g.Fragments = append(g.Fragments, cpu("own", .003, "finish"),
						core.Fragment{ID: "finish", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: g.Fragments[i].Next})
					break
				}
			}
			m.Graphs = append(m.Graphs, core.Graph{ID: "slow", Entry: "in", Fragments: []core.Fragment{
				{ID: "in", Class: core.InFragment, In: &core.In{Queue: "next"}, Next: to("got")}, {ID: "got", Class: core.FetchFragment, Next: to("work")},
				cpu("work", .100, "out"), {ID: "out", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("in")}}})
		}), "B class/task queue", .122 / 3, "0; 10 + 90 ms; 20 + 2 ms, and then who sends it works itself"},
		{"patience", with(batch(3, core.Pool{ID: "server", Graph: "server", Size: 1}), func(m *core.Model) {
			m.Queues = []core.Queue{{ID: "q", Capacity: core.Unbounded, Patience: constant(.015)}}
		}), "D class/task mean", 1. / 3, "the third leaves after 15 ms"},
		{"a fast core", with(threads(1, 1, cpu("w", .010)), func(m *core.Model) { m.CPU.Speed = []float64{2} }), "T", .005, "speed 2"},
		{"busy siblings", with(threads(2, 2, cpu("w", .010)), func(m *core.Model) { m.CPU.BusyFactor = []float64{1, .5} }), "T", .020, "two busy cores run at half speed"},
		{"a sibling that ends", with(threads(2, 2, syncOp("do", "once", core.Do, "long"), cpu("long", .030, "done"), syncOp("done", "once", core.Done), cpu("short", .010)), func(m *core.Model) {
			m.Graphs[0].Fragments[0].Sync.OnTimeout = "short"
			m.Locks = []core.Lock{{ID: "once", Kind: core.Once}}
			m.CPU.BusyFactor = []float64{1, .5}
		}), "T", .040, "the second waits for the first (30 ms alone), then computes 10 ms"},
		{"the wake-up of an idle core", with(threads(1, 1, sleep("s", .010, "w"), cpu("w", .010)), func(m *core.Model) { m.CPU.WakeIdleCore = constant(50e-6) }), "T", .02005, "10 ms + 50 µs + 10 ms"},
		{"Go's idle P", with(threads(1, 1, sleep("s", .010, "w"), cpu("w", .010)), func(m *core.Model) {
			m.CPU.WakeIdleCore, m.CPU.Policy = constant(50e-6), core.GoScheduler
		}), "T", .02005, "10 ms + 50 µs + 10 ms"},
		{"a P that is woken takes from a queue", starting(spawn("spawn", 2, "work"), cpu("work", .020, "join")), "T", .0212, "woken at 1.1 ms, 30 µs, 10 ms; asleep for 70 µs before it takes what the other P may run; 10 ms"},
		{"a P sleeps before it takes what another runs next", starting(spawn("spawn", 1, "work"), cpu("work", 50e-6, "join")), "T", .01115, "woken at 1.1 ms, it arrives at 1.13 and sleeps till 1.2 ms; the spawner waits from 1.15 ms on, and its P goes on with the thread"},
		{"a P that has slept finds a queue", starting(spawn("spawn", 1, "little"), cpu("little", 50e-6, "again"), spawn("again", 1, "work"), cpu("work", .020, "join")), "T", .02127, "it sleeps till 1.2 ms and finds the first thread in the queue, 10 ms; asleep for 70 µs, 10 ms"},
		{"context switches", with(threads(2, 1, cpu("w", .010)), func(m *core.Model) {
			m.CPU.Switch, m.CPU.Policy, m.CPU.Quantum = .001, core.RoundRobin, constant(1)
		}), "T", .021, "one switch of 1 ms between two threads"},
		{"round robin", with(threads(2, 1, cpu("w", .010)), func(m *core.Model) {
			m.CPU.Policy, m.CPU.Quantum = core.RoundRobin, constant(.004)
		}), "E fragment/g/w mean", .019, "A 4, B 4, A 4, B 4, A 2, B 2: they end at 18 and 20 ms"},
		{"turns at a core", with(threads(2, 1, cpu("w", .010)), func(m *core.Model) {
			m.CPU.Policy, m.CPU.Quantum, m.CPU.Turns = core.RoundRobin, constant(.004), &core.Turns{Slowdown: 1, Work: 1e-6}
		}), "T", .020004, "A 4, B 4, A 4, B 4, A 2, B 2: four turns after the other, each 1 µs longer"},
		{"short turns at a core", with(threads(2, 1, cpu("w", .008)), func(m *core.Model) {
			m.CPU.Policy, m.CPU.Quantum, m.CPU.Turns = core.RoundRobin, constant(.005), &core.Turns{Slowdown: .001, Work: .004}
		}), "T", .016 + .000004*(2-math.Exp(-5./4)-math.Exp(-(3+.004*(1-math.Exp(-5./4)))/4)), "A 5, B 5, A 3, B 3: A lacks 4 (1 − exp(−5/4)) ms of work, B so much after A's 3 ms"},
		{"processor sharing", with(threads(2, 1, cpu("w", .010)), func(m *core.Model) { m.CPU.Policy = core.ProcessorSharing }), "E fragment/g/w mean", .020, "both end at 20 ms"},
		{"goroutines share in slices of 20 ms", with(threads(2, 1, cpu("w", .030)), func(m *core.Model) { m.CPU.Policy = core.GoScheduler }), "E fragment/g/w mean", .055, "A 20, B 20, A 10, B 10"},
	}
	for _, s := range stories {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			p := mustCompile(t, s.model)
			r := p.replica(1, 0, 0, nil)
			r.advance(t.Context(), des.Never)
			o := r.observe()
			if len(o.Warnings) > 0 || !o.Ended {
				t.Fatalf("ended: %v, warnings: %v", o.Ended, o.Warnings)
			}
			got := o.Makespan
			if s.key != "T" {
				got = ratioOf(t, p, o, s.key)
			}
			if math.Abs(got-s.want) > 5e-9 {
				t.Errorf("%s is %v, want %v: %s", s.key, got, s.want, s.why)
			}
		})
	}
}

// The main thread waits for a task that nobody sends: the program does not end. A server's thread
// that does so has nothing to do.
func TestAMainThreadThatGetsNoTaskIsStuck(t *testing.T) {
	t.Parallel()
	for _, main := range []bool{true, false} {
		m := threads(1, 1, cpu("w", .001, "in"), core.Fragment{ID: "in", Class: core.InFragment, In: &core.In{Queue: "q"}, Next: to("got")},
			core.Fragment{ID: "got", Class: core.FetchFragment})
		m.Queues = []core.Queue{{ID: "q", Capacity: core.Unbounded}}
		m.Pools[0].Main = main
		r := mustCompile(t, m).replica(1, 0, 0, nil)
		r.advance(t.Context(), des.Never)
		if says := strings.Contains(r.whoWaits(), "queue \"q\""); says != main {
			t.Errorf("main thread %v: %q", main, r.whoWaits())
		}
	}
}

// Two threads take two locks in opposite order.
func TestADeadlockNamesWhoWaitsForWhom(t *testing.T) {
	t.Parallel()
	m := threads(1, 2, syncOp("a", "A", core.Enter, "w"), cpu("w", .001, "b"), syncOp("b", "B", core.Enter, "xb"), syncOp("xb", "B", core.Exit, "xa"), syncOp("xa", "A", core.Exit))
	m.Locks = []core.Lock{{ID: "A", Kind: core.Mutex}, {ID: "B", Kind: core.Mutex}}
	m.Pools = append(m.Pools, core.Pool{ID: "other", Graph: "h", Size: 1})
	m.Graphs = append(m.Graphs, core.Graph{ID: "h", Entry: "b", Fragments: []core.Fragment{
		syncOp("b", "B", core.Enter, "w"), cpu("w", .001, "a"), syncOp("a", "A", core.Enter, "xa"), syncOp("xa", "A", core.Exit, "xb"), syncOp("xb", "B", core.Exit)}})
	p := mustCompile(t, m)
	r := p.replica(1, 0, 0, nil)
	r.advance(t.Context(), des.Never)
	o := r.observe()
	text := strings.Join(o.Warnings, "\n")
	for _, want := range []string{"deadlock", `pool "p" waits at "b" for lock "B"`, `pool "other" waits at "a" for lock "A"`} {
		if !strings.Contains(text, want) {
			t.Errorf("warnings %q do not say %q", text, want)
		}
	}
}

// What CPU-bound threads get under EEVDF is in proportion to their weights.
func TestWeightsShareACore(t *testing.T) {
	t.Parallel()
	m := core.Model{
		Name: "weights", CPU: core.CPU{Cores: 1},
		Pools: []core.Pool{{ID: "light", Graph: "a", Size: 1}, {ID: "heavy", Graph: "b", Size: 1, Weight: 2}},
		Graphs: []core.Graph{
			{ID: "a", Entry: "w", Fragments: []core.Fragment{cpu("w", .001, "w")}},
			{ID: "b", Entry: "w", Fragments: []core.Fragment{cpu("w", .001, "w")}},
		},
	}
	for _, policy := range []core.CPUPolicy{core.EEVDF, core.ProcessorSharing} {
		m.CPU.Policy = policy
		p := mustCompile(t, m)
		r := p.replica(1, 0, 0, nil)
		r.advance(t.Context(), 100*des.Second)
		o := r.observe()
		light, heavy := ratioOf(t, p, o, "X fragment/a/w mean"), ratioOf(t, p, o, "X fragment/b/w mean")
		if math.Abs(heavy/light-2) > 0.02 {
			t.Errorf("%s: weight 2 gets %.3f times the CPU time of weight 1", policy, heavy/light)
		}
	}
}

// Background work takes its share: a unit of 5 ms after every 10 ms of the
// model's own CPU time leaves 2/3 of the core; a pause of 2 ms every 10 ms
// leaves 80 %; a collector whose work is all paid by assists leaves 2/3 too.
func TestBackgroundWorkTakesItsShare(t *testing.T) {
	t.Parallel()
	hog := threads(1, 1, cpu("w", .001, "w"))
	hog.Pools[0].Main = false
	for _, c := range []struct {
		name string
		b    core.Background
		want float64
	}{
		{"by CPU time", core.Background{ID: "gc", Trigger: core.EveryCPU, Interval: constant(.010), Demand: constant(.005)}, 2. / 3},
		{"by time", core.Background{ID: "jit", Trigger: core.EveryPeriod, Interval: constant(.010), Demand: constant(.002)}, .8},
		{"a pause", core.Background{ID: "stw", Trigger: core.EveryPeriod, Interval: constant(.010), Pause: constant(.002), Demand: constant(0)}, .8},
		{"by CPU time, half of it paid by assists", core.Background{ID: "gc", Trigger: core.EveryCPU, Interval: constant(.010), Demand: constant(.005), Assist: .5}, 2. / 3},
		{"by CPU time, all paid by assists", core.Background{ID: "gc", Trigger: core.EveryCPU, Interval: constant(.010), Demand: constant(.005), Assist: 1}, 2. / 3},
		{"a quarter of the core", core.Background{ID: "gc", Trigger: core.EveryPeriod, Interval: constant(.010), Demand: constant(1), Share: .25}, .75},
	} {
		m := hog
		m.Background = []core.Background{c.b}
		p := mustCompile(t, m)
		r := p.replica(1, 0, 0, nil)
		r.advance(t.Context(), 100*des.Second)
		if got := ratioOf(t, p, r.observe(), "X fragment/g/w mean") / 1000; math.Abs(got-c.want) > 0.02 {
			t.Errorf("%s: the thread gets %.3f of the core, want %.3f", c.name, got, c.want)
		}
	}
}

// What is due after every 50 ms of CPU time is not looked for all the time: on 16 cores that are idle for
// most of the time a run has less than twice the events that it has without it. Each unit begins when the CPU time has
// been used, whether many cores compute or none.
func TestWorkAfterCPUTimeIsNotLookedForAllTheTime(t *testing.T) {
	t.Parallel()
	for _, policy := range []core.CPUPolicy{core.EEVDF, core.GoScheduler, core.ProcessorSharing} {
		m := station(200, 40, core.Unbounded, exponential(.001))
		m.CPU = core.CPU{Cores: 16, Policy: policy}
		var events [2]float64
		for i := range events {
			r := mustCompile(t, m).replica(1, 0, 0, nil)
			r.advance(t.Context(), 200*des.Second)
			events[i] = float64(r.Executed())
			if i == 0 {
				m.Background = []core.Background{{ID: "gc", Trigger: core.EveryCPU, Interval: constant(.050), Demand: constant(1e-6)}}
				continue
			}
			b := &r.burdens[0]
			if used, units := r.modelWork(), b.own/1e3; math.Abs(used/units/.050e9-1) > 1e-3+2/units {
				t.Errorf("%s: %v units in %v s of CPU time, want one in 50 ms", policy, units, used*1e-9)
			}
		}
		if events[1] > 2*events[0] {
			t.Errorf("%s: %v events, %v without work that follows CPU time", policy, events[1], events[0])
		}
	}
}

// Go's collector is not kept waiting: with goroutines that compute for 20 ms at
// a time on every core, a unit of 1 ms that is due after every 5 ms of their CPU
// time is done each time, so that they get 5/6 of the cores. In a queue behind
// them it would have been done once in 20 ms.
func TestTheCollectorGoesBeforeComputingGoroutines(t *testing.T) {
	t.Parallel()
	m := threads(4, 2, cpu("w", .020, "w"))
	m.Pools[0].Main = false
	m.CPU.Policy = core.GoScheduler
	m.Background = []core.Background{{ID: "gc", Trigger: core.EveryCPU, Interval: constant(.005), Demand: constant(.001)}}
	p := mustCompile(t, m)
	r := p.replica(1, 0, 0, nil)
	r.advance(t.Context(), 100*des.Second)
	if got := ratioOf(t, p, r.observe(), "X fragment/g/w mean") * .020 / 2; math.Abs(got-5./6) > 0.02 {
		t.Errorf("the goroutines get %.3f of the cores, want %.3f", got, 5./6)
	}
}

// A pause that took 3 ms on four cores, three of which had to be stopped, takes
// 1 ms on two and none on one.
func TestAPauseGrowsWithTheCoresThatHaveToBeStopped(t *testing.T) {
	t.Parallel()
	for cores, want := range map[int]float64{1: 1, 2: .9, 4: .7} {
		m := threads(cores, cores, cpu("w", .001, "w"))
		m.Pools[0].Main = false
		m.Background = []core.Background{{ID: "stw", Trigger: core.EveryPeriod, Interval: constant(.010), Pause: constant(.003), PauseCores: 4, Demand: constant(0)}}
		p := mustCompile(t, m)
		r := p.replica(1, 0, 0, nil)
		r.advance(t.Context(), 100*des.Second)
		if got := ratioOf(t, p, r.observe(), "X fragment/g/w mean") / 1000 / float64(cores); math.Abs(got-want) > 0.02 {
			t.Errorf("%d cores: the threads get %.3f of them, want %.3f", cores, got, want)
		}
	}
}

// "Where a task's time went" adds up to its response time, whatever happened.
func TestTheBreakdownAddsUpToTheResponseTime(t *testing.T) {
	t.Parallel()
	for _, m := range []core.Model{closedNetwork(), threeStations(12), twoClasses(4, 1), lossy(.9, 2, 3)} {
		p := mustCompile(t, m)
		r := p.replica(3, 0, 0, nil)
		r.advance(t.Context(), 500*des.Second)
		o := r.observe()
		for _, c := range p.classList {
			sum := 0.0
			for _, part := range stateNames {
				sum += ratioOf(t, p, o, "B class/"+c.id+" "+part)
			}
			if want := ratioOf(t, p, o, "R class/"+c.id+" mean"); math.Abs(sum-want) > 1e-9*want {
				t.Errorf("model %q: the parts of class %q add up to %v, R is %v", m.Name, c.id, sum, want)
			}
		}
	}
}

// A replication allocates nothing per event once its arrays have their size.
func TestEventsAllocateNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine computes")
	}
	for _, m := range []core.Model{station(.5, 1, core.Unbounded, exponential(1)), closedNetwork(), callGraphs(), forkJoin(4)} {
		p := mustCompile(t, m)
		r := p.replica(1, 0, 0, nil)
		until := 20_000 * des.Second
		if m.Name == "call graphs" {
			until = 10 * des.Second
		}
		r.advance(t.Context(), until)
		before := r.executed()
		allocations := testing.AllocsPerRun(1, func() {
			until += until / 10
			r.advance(t.Context(), until)
		})
		if events := r.executed() - before; allocations > float64(events)/10_000 {
			t.Errorf("model %q: %v allocations in %d events", m.Name, allocations, events)
		}
	}
}
