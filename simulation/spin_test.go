package simulation

import (
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// spinners is a program on two cores: one thread holds a mutex for a time from the beginning on; the main thread wants it after
// 1 µs and holds it for 1 µs. A round of spinning takes 2 µs, a wake-up 50 µs.
func spinners(policy core.CPUPolicy, hold float64) *core.Model {
	enter, exit := &core.Sync{Lock: "mu", Op: core.Enter}, &core.Sync{Lock: "mu", Op: core.Exit}
	inside := func(held float64) []core.Fragment {
		return []core.Fragment{
			{ID: "lock", Class: core.SyncFragment, Sync: enter, Next: to("inside")},
			{ID: "inside", Class: core.CPUFragment, Demand: constant(held), Next: to("unlock")},
			{ID: "unlock", Class: core.SyncFragment, Sync: exit},
		}
	}
	before := core.Fragment{ID: "before", Class: core.CPUFragment, Demand: constant(1e-6), Next: to("lock")}
	return &core.Model{
		Name: "spin", CPU: core.CPU{Cores: 2, Policy: policy, Spin: 2e-6, WakeIdleCore: constant(50e-6), WakeSameCore: constant(50e-6)},
		Locks: []core.Lock{{ID: "mu", Kind: core.Mutex, Fairness: core.GoMutex}},
		Pools: []core.Pool{{ID: "holder", Graph: "holder", Size: 1}, {ID: "main", Graph: "main", Size: 1, Main: true}},
		Graphs: []core.Graph{
			{ID: "holder", Entry: "lock", Fragments: inside(hold)},
			{ID: "main", Entry: "before", Fragments: append([]core.Fragment{before}, inside(1e-6)...)},
		},
	}
}

// Who finds a mutex held spins for rounds of 2 µs until it is free, four at most; then it sleeps. Both threads run after 50 µs. A region
// of 4 µs is over in the second round, which ends after 5 µs: 50 + 5 + 1. One of 100 µs is not over after four, and the
// waiter wakes up once more: 50 + 100 + 50 + 1. Where threads are not goroutines it does so at once: 50 + 4 + 50 + 1.
func TestAGoroutineSpinsAtAMutexBeforeItWaits(t *testing.T) {
	t.Parallel()
	const us = des.Microsecond
	for _, c := range []struct {
		name     string
		policy   core.CPUPolicy
		hold     float64
		ends     des.Time
		computed float64 // ns of all threads
	}{
		{"a short region", core.GoScheduler, 4e-6, 56 * us, 4e3 + 2*2e3 + 2e3},
		{"a long region", core.GoScheduler, 100e-6, 201 * us, 100e3 + 4*2e3 + 2e3},
		{"no goroutines", core.EEVDF, 4e-6, 105 * us, 4e3 + 2e3},
	} {
		m := spinners(c.policy, c.hold)
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		p, err := compile(m, m)
		if err != nil {
			t.Fatal(err)
		}
		r := p.replica(1, 0, 0, nil)
		for r.Executed() < 1000 && !r.finished {
			r.advanceSome(des.Never, 1)
		}
		busy := 0.0
		for _, b := range r.processor.Usage().Busy {
			busy += b
		}
		if r.Now() != c.ends || busy != c.computed {
			t.Errorf("%s: the main thread ends at %d ns, and %v ns were computed; want %d and %v", c.name, r.Now(), busy, c.ends, c.computed)
		}
	}
}

// A team of two meets before and after each round with who calls for it, on two cores: 100 µs of the caller, 1 ms of one and 3 ms of the other,
// drawn by turns. Who waits looks again: nobody wakes up, and all that time but the caller's counts as used. Where they sleep in place of that,
// each round takes two wake-ups of 50 µs more at least.
func TestWhoLooksAgainAtABarrierStaysAtItsCore(t *testing.T) {
	t.Parallel()
	run := func(rounds int, spin float64) (end des.Time, busy float64) {
		m := &core.Model{
			Name: "team", CPU: core.CPU{Cores: 2, WakeIdleCore: constant(50e-6)},
			Locks: []core.Lock{{ID: "start", Kind: core.Barrier, Parties: 3, Spin: spin}, {ID: "end", Kind: core.Barrier, Parties: 3, Spin: spin}},
		}
		for _, who := range []struct {
			id         string
			alone, all float64
		}{{"main", 100e-6, 0}, {"short", 0, 1e-3}, {"long", 0, 3e-3}} {
			await := func(lock string) *core.Sync { return &core.Sync{Lock: lock, Op: core.Await} }
			fs := []core.Fragment{
				{ID: "rounds", Class: core.LoopFragment, Loop: &core.Loop{Body: "alone", Count: constant(float64(rounds))}},
				{ID: "alone", Class: core.CPUFragment, Demand: constant(who.alone), Next: to("begin")},
				{ID: "begin", Class: core.SyncFragment, Sync: await("start"), Next: to("work")},
				{ID: "work", Class: core.CPUFragment, Demand: constant(who.all), Next: to("finish")},
				{ID: "finish", Class: core.SyncFragment, Sync: await("end"), Next: to("rounds")},
			}
			m.Graphs = append(m.Graphs, core.Graph{ID: who.id, Entry: "rounds", Fragments: fs})
			m.Pools = append(m.Pools, core.Pool{ID: who.id, Graph: who.id, Size: 1, Main: who.id == "main"})
		}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		p, err := compile(m, m)
		if err != nil {
			t.Fatal(err)
		}
		r := p.replica(1, 0, 0, nil)
		for !r.finished && r.Executed() < 1e6 {
			r.advanceSome(des.Never, 1)
		}
		for _, b := range r.processor.Usage().Busy {
			busy += b
		}
		return r.Now(), busy
	}
	const rounds = 100
	once, used := run(rounds, 10e-3)
	twice, usedTwice := run(2*rounds, 10e-3)
	if took, want := float64(twice-once)/rounds, 3.1e6; took != want {
		t.Errorf("a round takes %v ns, want %v", took, want)
	}
	if took, want := (usedTwice-used)/rounds, 2*3.1e6; took > want || took < 0.999*want { // both cores, all the time, but where the caller changes its core
		t.Errorf("a round uses %v ns of CPU time, want %v", took, want)
	}
	asleep, _ := run(rounds, 0)
	if slower := float64(asleep-once) / rounds; slower < 100e3 {
		t.Errorf("where threads sleep, a round takes %v ns longer, want 100 µs at least", slower)
	}
}
