package simulation

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tierscope/core"
	"tierscope/simulation/des"
)

// auditor adds up, from the outside, how long threads were in each fragment.
type auditor struct {
	started map[int32]des.Time
	spent   map[string]float64 // s, by fragment
	count   map[string]float64
	began   map[string]float64 // sum of the times of the beginnings, s
	ended   map[string]float64
}

func newAuditor() *auditor {
	return &auditor{map[int32]des.Time{}, map[string]float64{}, map[string]float64{}, map[string]float64{}, map[string]float64{}}
}

func (a *auditor) ThreadStarted(des.Time, int32, string, int32) {}
func (a *auditor) ThreadEnded(des.Time, int32)                  {}
func (a *auditor) FragmentStarted(at des.Time, thread int32, f FragmentRun) {
	a.started[thread] = at
	a.began[f.Fragment] += at.Seconds()
}

func (a *auditor) FragmentEnded(at des.Time, thread int32, f FragmentRun) {
	a.spent[f.Fragment] += (at - a.started[thread]).Seconds()
	a.ended[f.Fragment] += at.Seconds()
	a.count[f.Fragment]++
}

// audited runs a model to its end and returns all metrics, what the auditor saw, and
// how long it took.
func audited(t interface{ Fatalf(string, ...any) }, m core.Model, seed uint64) (metrics map[string]float64, a *auditor, seconds float64) {
	if err := m.Validate(); err != nil {
		t.Fatalf("%v", err)
	}
	p, err := compile(&m, &m)
	if err != nil {
		t.Fatalf("%v", err)
	}
	a = newAuditor()
	r := p.replica(seed, 0, 0, a)
	r.advance(context.Background(), des.Seconds(1e6))
	if !r.ended() || r.defect != "" {
		t.Fatalf("the program has not ended: %s%s", r.defect, r.whoWaits())
	}
	var all tallies
	r.tally(&all, r.processor.Usage())
	metrics = map[string]float64{}
	for i, q := range all.names {
		if metrics[q.Name+" "+q.Of] = math.NaN(); all.ratios[i].Weight > 0 { // else it is not printed
			metrics[q.Name+" "+q.Of] = all.ratios[i].Sum / all.ratios[i].Weight
		}
	}
	return metrics, a, r.now().Seconds()
}

// company is a program whose threads all walk one graph, on as many cores, after a
// delay of random length, for some rounds.
func company(threads, rounds int, l core.Lock, body ...core.Fragment) core.Model {
	first := body[0].ID
	for i := range body {
		to := "rounds"
		if i+1 < len(body) {
			to = body[i+1].ID
		}
		body[i].Next = []core.Edge{{To: to, Probability: 1}}
	}
	l.ID = "L"
	return core.Model{
		Name: "company", CPU: core.CPU{Cores: 16}, Locks: []core.Lock{l},
		Pools: []core.Pool{{ID: "p", Graph: "g", Size: threads, Main: true}},
		Graphs: []core.Graph{{ID: "g", Entry: "rounds", Fragments: append([]core.Fragment{
			{ID: "rounds", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(float64(rounds)), Body: "before"}},
			{ID: "before", Class: core.DelayFragment, Delay: exponential(.003), Next: to(first)},
		}, body...)}},
	}
}

func pause(id string, mean float64) core.Fragment {
	return core.Fragment{ID: id, Class: core.DelayFragment, Delay: exponential(mean)}
}

// near compares to the nanosecond of the clock.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

// heldKinds are all locks that threads hold between enter and exit, by every rule.
func heldKinds() []core.Lock {
	return []core.Lock{
		{Kind: core.Mutex}, {Kind: core.Mutex, Fairness: core.Barging}, {Kind: core.Mutex, Fairness: core.GoMutex}, {Kind: core.Mutex, Instances: 2},
		{Kind: core.Monitor}, {Kind: core.Monitor, Fairness: core.Barging},
		{Kind: core.Semaphore, Permits: 3}, {Kind: core.Semaphore, Permits: 3, Fairness: core.Barging},
		{Kind: core.RWLock, Preference: core.GoRW}, {Kind: core.RWLock, Preference: core.JavaFair}, {Kind: core.RWLock, Preference: core.JavaUnfair}, {Kind: core.RWLock, Preference: core.ReadFirst},
	}
}

// Little's law Q = X·W and the utilization law U·capacity = X·S hold in every run that
// begins and ends empty, with X the entries per second and W and S what an observer
// outside measures: the time in "enter", and from its end to the beginning of "exit".
// A release is no visit: counted as one, W and S would be half of that.
func TestWaitsAndHoldsOfLocksObeyLittlesLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		for _, l := range heldKinds() {
			n := 1
			if l.Kind == core.Semaphore {
				n = rapid.IntRange(1, 2).Draw(t, "permits")
			}
			body := []core.Fragment{syncOp("enter", "L", core.Enter), pause("hold", .002), syncOp("exit", "L", core.Exit)}
			if l.Kind == core.RWLock {
				body = append(body, pause("between", .001), syncOp("read", "L", core.EnterRead), pause("look", .002), syncOp("leave", "L", core.ExitRead))
			}
			body[0].Sync.N, body[2].Sync.N = n, n
			m := company(rapid.IntRange(1, 6).Draw(t, "threads"), rapid.IntRange(1, 20).Draw(t, "rounds"), l, body...)
			got, a, seconds := audited(t, m, rapid.Uint64().Draw(t, "seed"))
			visits := a.count["enter"] + a.count["read"]
			holds := float64(n)*a.count["enter"] + a.count["read"]
			waited := a.spent["enter"] + a.spent["read"]
			held := float64(n)*(a.began["exit"]-a.ended["enter"]) + a.began["leave"] - a.ended["read"]
			units := float64(l.Units() * max(1, l.Instances))
			if !near(got["W lock/L"], waited/visits) || !near(got["Q lock/L"], waited/seconds) {
				t.Errorf("%+v: W = %g, Q = %g; %g visits waited %g s in %g s", l, got["W lock/L"], got["Q lock/L"], visits, waited, seconds)
			}
			if !near(got["S lock/L"], held/holds) || !near(got["U lock/L"]*units, held/seconds) {
				t.Errorf("%+v: S = %g, U = %g of %g; %g holds took %g s in %g s", l, got["S lock/L"], got["U lock/L"], units, holds, held, seconds)
			}
		}
	})
}

// Locks at which threads wait for each other and hold nothing: only the operation that
// may wait is a visit. Arrivals, count-downs, permits given and closes are none.
func TestWaitsForOthersObeyLittlesLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		threads, rounds := 2*rapid.IntRange(1, 3).Draw(t, "pairs"), rapid.IntRange(1, 12).Draw(t, "rounds")
		with := func(m core.Model, other ...core.Fragment) core.Model { // more rounds by one other thread than they need
			o := company(1, 50*threads*rounds, core.Lock{}, other...)
			o.Graphs[0].ID = "o"
			m.Pools = append(m.Pools, core.Pool{ID: "other", Graph: "o", Size: 1})
			m.Graphs = append(m.Graphs, o.Graphs[0])
			return m
		}
		for name, m := range map[string]core.Model{
			"team":      company(threads, rounds, core.Lock{Kind: core.Barrier, Parties: threads, Spin: 1e-3}, syncOp("wait", "L", core.Await)),
			"barrier":   company(threads, rounds, core.Lock{Kind: core.Barrier, Parties: threads}, syncOp("wait", "L", core.Await)),
			"phaser":    company(threads, rounds, core.Lock{Kind: core.Phaser, Parties: threads}, syncOp("register", "L", core.Register), syncOp("leave", "L", core.Leave), syncOp("wait", "L", core.Await)),
			"exchanger": company(threads, rounds, core.Lock{Kind: core.Exchanger}, syncOp("wait", "L", core.Exchange)),
			"latch":     with(company(threads, rounds, core.Lock{Kind: core.Latch, Permits: threads * rounds}, syncOp("wait", "L", core.Await)), syncOp("count", "L", core.CountDown)),
			"wait group": with(company(threads, rounds, core.Lock{Kind: core.Latch}, syncOp("wait", "L", core.Await)),
				syncOp("add", "L", core.Add), pause("work", .001), syncOp("count", "L", core.CountDown)),
			"park": with(company(threads, rounds, core.Lock{Kind: core.Park}, syncOp("wait", "L", core.ParkOp)), syncOp("give", "L", core.Unpark)),
		} {
			got, a, seconds := audited(t, m, rapid.Uint64().Draw(t, "seed"))
			waited, visits := a.spent["wait"], a.count["wait"]
			if !near(got["W lock/L"], waited/visits) || !near(got["Q lock/L"], waited/seconds) || !math.IsNaN(got["S lock/L"]) {
				t.Errorf("%s: W = %g, Q = %g, S = %g; %g visits waited %g s in %g s, and hold nothing", name, got["W lock/L"], got["Q lock/L"], got["S lock/L"], visits, waited, seconds)
			}
			if u, busy := got["U lock/L"]; busy {
				t.Errorf("%s: U = %g of what nobody holds", name, u)
			}
		}
	})
}

// An item lies in a channel from the end of its send to the end of its receive, if that
// is later: the sums of both differ by the time that all items lay there, as all are
// received in the order in which they were sent.
func TestItemsInChannelsObeyLittlesLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		for _, kind := range []core.LockKind{core.Channel, core.BlockingQueue} {
			threads, rounds := rapid.IntRange(1, 4).Draw(t, "threads"), rapid.IntRange(1, 12).Draw(t, "rounds")
			l := core.Lock{Kind: kind, Capacity: rapid.IntRange(0, 3).Draw(t, "capacity")}
			m := company(threads, rounds, l, syncOp("send", "L", core.Send))
			o := company(1, threads*rounds, core.Lock{}, syncOp("receive", "L", core.Receive))
			o.Graphs[0].ID = "o"
			m.Pools[0].Main = false
			m.Pools = append(m.Pools, core.Pool{ID: "other", Graph: "o", Size: 1, Main: true})
			m.Graphs = append(m.Graphs, o.Graphs[0])
			got, a, seconds := audited(t, m, rapid.Uint64().Draw(t, "seed"))
			waited, visits := a.spent["send"]+a.spent["receive"], a.count["send"]+a.count["receive"]
			lay, items := a.ended["receive"]-a.ended["send"], a.count["send"]
			if !near(got["W lock/L"], waited/visits) || !near(got["Q lock/L"], waited/seconds) {
				t.Errorf("%s: W = %g, Q = %g; %g visits waited %g s in %g s", kind, got["W lock/L"], got["Q lock/L"], visits, waited, seconds)
			}
			if !near(got["S lock/L"], lay/items) || !near(got["N lock/L"], lay/seconds) {
				t.Errorf("%s: S = %g, N = %g; %g items lay %g s in %g s", kind, got["S lock/L"], got["N lock/L"], items, lay, seconds)
			}
		}
	})
}

// Who waits on a condition gives the lock up, sleeps, and visits the lock again. It
// enters at 0, waits, is notified at 10 ms by one that holds the lock until 15 ms, and
// holds it for 2 ms more: three visits of the lock waited 0 + 0 + 5 ms, and held it for
// 0 + 5 + 2 ms. At the condition it slept 10 ms, unless it is a monitor's own.
func TestAWaitOnAConditionVisitsTheLockAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		lock core.Lock
		on   string // where it waits
	}{
		{"condition of a mutex", core.Lock{ID: "L", Kind: core.Mutex}, "C"},
		{"condition of a monitor", core.Lock{ID: "L", Kind: core.Monitor}, "C"},
		{"monitor", core.Lock{ID: "L", Kind: core.Monitor}, "L"},
	} {
		wait := syncOp("wait", c.on, core.Wait, "after")
		if c.on == "C" {
			wait.Sync.Monitor = "L"
		}
		m := with(threads(1, 4, syncOp("enter", "L", core.Enter, "wait"), wait, sleep("after", .002, "exit"), syncOp("exit", "L", core.Exit)), func(m *core.Model) {
			m.Locks = []core.Lock{c.lock}
			if c.on == "C" {
				m.Locks = append(m.Locks, core.Lock{ID: "C", Kind: core.Condition})
			}
			m.Pools = append(m.Pools, core.Pool{ID: "other", Graph: "o", Size: 1})
			m.Graphs = append(m.Graphs, core.Graph{ID: "o", Entry: "first", Fragments: []core.Fragment{
				sleep("first", .010, "in"), syncOp("in", "L", core.Enter, "notify"), syncOp("notify", c.on, core.NotifyAll, "hold"), sleep("hold", .005, "out"), syncOp("out", "L", core.Exit)}})
		})
		got, _, _ := audited(t, m, 1)
		for key, want := range map[string]float64{"W lock/L": .005 / 3, "S lock/L": .007 / 3, "W lock/C": .010} {
			if c.on == "L" && strings.HasSuffix(key, "C") {
				continue
			}
			if !near(got[key], want) {
				t.Errorf("%s: %s = %g, want %g", c.name, key, got[key], want)
			}
		}
		if u, busy := got["U lock/C"]; busy {
			t.Errorf("%s: U = %g of a condition, which nobody holds", c.name, u)
		}
	}
}

// The first runs for 30 ms and holds the once, the second waits for that: two visits,
// one hold. A select that waited 10 ms at two channels has visited both.
func TestOncesAndSelectsAreCountedByTheirVisits(t *testing.T) {
	t.Parallel()
	once := with(threads(2, 2, syncOp("do", "L", core.Do, "long"), cpu("long", .030, "done"), syncOp("done", "L", core.Done), cpu("short", .010)), func(m *core.Model) {
		m.Graphs[0].Fragments[0].Sync.OnTimeout = "short"
		m.Locks = []core.Lock{{ID: "L", Kind: core.Once}}
	})
	if got, _, _ := audited(t, once, 1); !near(got["W lock/L"], .015) || !near(got["S lock/L"], .030) {
		t.Errorf("once: W = %g, S = %g; want 30 ms of waiting over two visits, 30 ms of one hold", got["W lock/L"], got["S lock/L"])
	}
	selecting := with(threads(1, 2, core.Fragment{ID: "select", Class: core.SyncFragment, Sync: &core.Sync{Op: core.Select, Cases: []core.SelectCase{
		{Lock: "C", Op: core.Receive, To: "end"}, {Lock: "D", Op: core.Receive, To: "end"}}}}, sleep("end", .001)), func(m *core.Model) {
		m.Locks = []core.Lock{{ID: "C", Kind: core.Channel, Capacity: 1}, {ID: "D", Kind: core.Channel, Capacity: 1}}
		m.Pools = append(m.Pools, core.Pool{ID: "other", Graph: "o", Size: 1})
		m.Graphs = append(m.Graphs, core.Graph{ID: "o", Entry: "first", Fragments: []core.Fragment{sleep("first", .010, "send"), syncOp("send", "C", core.Send)}})
	})
	got, _, seconds := audited(t, selecting, 1)
	// C: the select waited 10 ms, the send not at all. D: the select waited, for nothing.
	if !near(got["W lock/C"], .005) || !near(got["W lock/D"], .010) || !near(got["Q lock/D"]*seconds, .010) {
		t.Errorf("select: W = %g and %g, Q of the other %g in %g s; want 10 ms over two visits, 10 ms over one", got["W lock/C"], got["W lock/D"], got["Q lock/D"], seconds)
	}
}

// Little's law for tasks: of a class that loses none, N = X·R; of every queue Q = X·W
// with all that were in it, those included that gave up. It holds exactly in a run that
// begins and ends empty. And what a task did adds up to its response time.
func TestNetworksObeyLittlesLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := anyNetwork(t)
		for i := range m.Sources {
			s := &m.Sources[i]
			*s = core.Source{ID: s.ID, Class: s.Class, To: s.To, Kind: core.Batch, Count: rapid.IntRange(1, 12).Draw(t, "tasks")}
		}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		p, err := compile(&m, &m)
		if err != nil {
			t.Fatal(err)
		}
		r := p.replica(rapid.Uint64().Draw(t, "seed"), 0, 0, nil)
		r.advance(context.Background(), des.Seconds(1e5))
		if r.inSystem > 0 || r.defect != "" {
			t.Skip("a deadlock, or a task that never ends")
		}
		var all tallies
		r.tally(&all, r.processor.Usage())
		at := map[string]ratio{}
		for i, q := range all.names {
			at[q.Name+" "+q.Of+" "+q.Stat] = all.ratios[i]
		}
		for _, q := range m.Queues {
			if inside, waits := at["Q queue/"+q.ID+" mean"], at["W queue/"+q.ID+" mean"]; !near(inside.Sum, waits.Sum) {
				t.Errorf("queue %s: ∫Q dt = %g, the waits add up to %g", q.ID, inside.Sum, waits.Sum)
			}
		}
		for _, c := range m.Classes {
			of := " class/" + c.ID + " "
			if at["D"+of+"mean"].Sum > 0 || at["R"+of+"mean"].Weight == 0 {
				continue
			}
			spent := 0.0
			for _, s := range stateNames {
				spent += at["B"+of+s].Sum
			}
			if n, times := at["N"+of+"mean"].Sum, at["R"+of+"mean"].Sum; !near(n, times) || !near(spent, times) {
				t.Errorf("class %s: ∫N dt = %g, the response times add up to %g, their parts to %g", c.ID, n, times, spent)
			}
		}
	})
}

// A disk: Q = X·W, and N = X·S, of the requests. It is busy whenever it has a
// request: N/depth ≤ U ≤ min(1, N).
func TestDisksObeyLittlesLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		depth := rapid.IntRange(1, 3).Draw(t, "depth")
		m := company(rapid.IntRange(1, 6).Draw(t, "threads"), rapid.IntRange(1, 20).Draw(t, "rounds"), core.Lock{}, core.Fragment{
			ID: "io", Class: core.IOFragment, IO: &core.IO{Disk: "d", Requests: []core.RequestType{{Type: "read", Count: constant(2), Bytes: constant(4096)}}}})
		m.Locks = nil
		m.Disks = []core.Disk{{ID: "d", Depth: depth, Service: []core.ServiceLaw{{Type: "read", Rows: []core.ServiceRow{{Time: exponential(.002)}}}}}}
		got, a, seconds := audited(t, m, rapid.Uint64().Draw(t, "seed"))
		n := 2 * a.count["io"]
		if x := n / seconds; !near(got["Q disk/d"], x*got["W disk/d"]) || !near(got["N disk/d"], x*got["S disk/d"]) {
			t.Errorf("Q = %g, W = %g, N = %g, S = %g with %g requests in %g s", got["Q disk/d"], got["W disk/d"], got["N disk/d"], got["S disk/d"], n, seconds)
		}
		const rounding = 1e-9
		if u, n := got["U disk/d"], got["N disk/d"]; u > min(1, n)+rounding || u < n/float64(depth)-rounding {
			t.Errorf("U = %g with N = %g requests in a device that takes %d", u, n, depth)
		}
	})
}
