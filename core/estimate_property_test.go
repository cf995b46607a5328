package core_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tierscope/core"
)

// drawNetwork is pools in a row, of which each computes, holds a lock that it shares with some
// of the others, sleeps and reads from a disk, or does none of these.
func drawNetwork(t *rapid.T, source core.Source) core.Model {
	source.ID, source.To = "s", "q0"
	cores := rapid.IntRange(1, 16).Draw(t, "cores")
	speed := rapid.SampledFrom([]float64{.5, 1, 2}).Draw(t, "speed")
	m := core.Model{Sources: []core.Source{source}, Sinks: []core.Sink{{ID: "done"}},
		CPU:   core.CPU{Cores: cores, Speed: slices.Repeat([]float64{speed}, cores)},
		Locks: []core.Lock{{ID: "l0", Kind: core.Mutex}, {ID: "l1", Kind: core.Semaphore, Permits: 3}},
		Disks: []core.Disk{{ID: "d", Depth: rapid.IntRange(1, 4).Draw(t, "depth"), Service: []core.ServiceLaw{{Rows: []core.ServiceRow{{Time: core.Exp(.004)}}}}}}}
	pools := rapid.IntRange(1, 4).Draw(t, "pools")
	for i := range pools {
		queue, graph, to := fmt.Sprint("q", i), fmt.Sprint("g", i), "done"
		if i+1 < pools {
			to = fmt.Sprint("q", i+1)
		}
		m.Queues = append(m.Queues, core.Queue{ID: queue, Capacity: core.Unbounded})
		m.Pools = append(m.Pools, core.Pool{ID: fmt.Sprint("p", i), Graph: graph, Size: rapid.IntRange(1, 64).Draw(t, "threads")})
		time := func(what string) core.Distribution {
			return core.Exp(rapid.Float64Range(1e-5, 1e-2).Draw(t, what))
		}
		chain := []core.Fragment{{ID: "in", Class: core.InFragment, In: &core.In{Queue: queue}}, {ID: "fetch", Class: core.FetchFragment},
			{ID: "work", Class: core.CPUFragment, Demand: time("work")}}
		if rapid.Bool().Draw(t, "locks") {
			lock := rapid.SampledFrom([]string{"l0", "l1"}).Draw(t, "lock")
			chain = append(chain, core.Fragment{ID: "enter", Class: core.SyncFragment, Sync: &core.Sync{Lock: lock, Op: core.Enter}},
				core.Fragment{ID: "inside", Class: core.CPUFragment, Demand: time("inside")},
				core.Fragment{ID: "exit", Class: core.SyncFragment, Sync: &core.Sync{Lock: lock, Op: core.Exit}})
		}
		if rapid.Bool().Draw(t, "sleeps") {
			chain = append(chain, core.Fragment{ID: "sleep", Class: core.DelayFragment, Delay: time("sleep")})
		}
		if rapid.Bool().Draw(t, "reads") {
			chain = append(chain, core.Fragment{ID: "read", Class: core.IOFragment, IO: &core.IO{Disk: "d", Requests: []core.RequestType{{Type: "read", Count: core.Const(1)}}}})
		}
		chain = append(chain, core.Fragment{ID: "out", Class: core.OutFragment, Out: &core.Out{To: to}})
		for k := range chain {
			chain[k].Next = []core.Edge{{To: chain[(k+1)%len(chain)].ID, Probability: 1}}
		}
		m.Graphs = append(m.Graphs, core.Graph{ID: graph, Entry: "in", Fragments: chain})
	}
	if err := m.Validate(); err != nil {
		t.Fatalf("the model is not valid: %v", err)
	}
	return m
}

// checkLaws checks what holds whatever the network: the asymptotic bounds and the utilization law U = X·D,
// capacity in seconds of service per second (Denning & Buzen 1978).
func checkLaws(t *rapid.T, d *core.Demands) core.Estimate {
	b, e := d.Bounds(), d.Estimate()
	if e.Throughput > b.Throughput*(1+1e-9) || e.Response < b.Response*(1-1e-9) || math.IsNaN(e.Response) {
		t.Fatalf("X %v and R %v are better than the bounds %v and %v", e.Throughput, e.Response, b.Throughput, b.Response)
	}
	for _, s := range d.Stations {
		if busy := e.Throughput * s.Demand; busy > s.Capacity*(1+1e-9) {
			t.Fatalf("%s serves %v s per second and can %v", s.Of, busy, s.Capacity)
		} else if u := e.Utilization[s.Of]; math.Abs(u*s.Capacity-busy) > 1e-9*busy {
			t.Fatalf("utilization of %s is %v, but X·D is %v of %v", s.Of, u, busy, s.Capacity)
		}
	}
	return e
}

func TestEstimateOfOpenNetworksKeepsTheOperationalLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := drawNetwork(t, core.Source{Kind: core.Poisson, Rate: 1})
		d := m.Demands()
		limit := d.Bounds().Saturation
		m.Sources[0].Rate = limit * rapid.Float64Range(.01, 1.5).Draw(t, "load")
		d = m.Demands()
		e := checkLaws(t, &d)
		if m.Sources[0].Rate > limit*(1+1e-9) && !math.IsInf(e.Response, 1) {
			t.Fatalf("R is %v at %v tasks per second, of which %v can be served", e.Response, m.Sources[0].Rate, limit)
		}
		m.Sources[0].Rate *= .9
		d = m.Demands()
		if less := d.Estimate(); less.Response > e.Response*(1+1e-9) {
			t.Fatalf("a tenth fewer tasks take %v s instead of %v s", less.Response, e.Response)
		}
	})
}

// Little's law for the users: N = X·(R + Z), whoever waits where.
func TestEstimateOfClosedNetworksKeepsTheOperationalLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		users, think := rapid.IntRange(1, 300).Draw(t, "users"), micros(t, "think", 100_000)
		m := drawNetwork(t, core.Source{Kind: core.Closed, Population: users, Think: core.Const(think)})
		d := m.Demands()
		e := checkLaws(t, &d)
		nearly(t, "X·(R + Z)", e.Throughput*(e.Response+think), float64(users))
	})
}

// A batch of equal tasks on min(threads, cores) servers takes tasks·S/servers, if that
// divides the tasks.
func TestEstimateOfABatchSharesTheWork(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		threads, cores := rapid.IntRange(1, 32).Draw(t, "threads"), rapid.IntRange(1, 32).Draw(t, "cores")
		service := rapid.Float64Range(1e-3, 1).Draw(t, "service")
		servers := min(threads, cores)
		rounds := rapid.IntRange(1, 50).Draw(t, "rounds")
		m := station(1, service, threads, cores)
		m.Sources[0] = core.Source{ID: "s", Kind: core.Batch, Count: rounds * servers, To: "q"}
		d := m.Demands()
		e := checkLaws(t, &d)
		nearly(t, "makespan", e.Response, float64(rounds)*service)
	})
}
