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
