package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// callers is a goroutine that computes for 130 µs and then waits in a system call (s), over and over, and others that compute.
func callers(ps, peers int, call float64) core.Model {
	m := core.Model{
		Name: "callers", CPU: core.CPU{Cores: ps, Policy: core.GoScheduler},
		Disks: []core.Disk{{ID: "disk", Service: []core.ServiceLaw{{Rows: []core.ServiceRow{{Time: constant(call)}}}}}},
		Sinks: []core.Sink{{ID: "done"}},
	}
	client := func(id string, n int, fragments ...core.Fragment) {
		m.Classes = append(m.Classes, core.Class{ID: id})
		m.Queues = append(m.Queues, core.Queue{ID: "q" + id, Capacity: core.Unbounded})
		m.Sources = append(m.Sources, core.Source{ID: id, Kind: core.Closed, Class: id, To: "q" + id, Population: n, Think: constant(0)})
		g := server(id, fragments...)
		g.Fragments[0].In = &core.In{Queue: "q" + id}
		g.Fragments[1+len(fragments)].Next = []core.Edge{{To: "work0", Probability: 0.9999}, {To: "out", Probability: 0.0001}}
		m.Graphs = append(m.Graphs, g)
		m.Pools = append(m.Pools, core.Pool{ID: id, Graph: id, Size: n})
	}
	client("caller", 1, core.Fragment{Class: core.CPUFragment, Demand: constant(130e-6)},
		core.Fragment{Class: core.IOFragment, IO: &core.IO{Disk: "disk", Requests: []core.RequestType{{Type: "read", Count: constant(1)}}}})
	client("peer", peers, core.Fragment{Class: core.CPUFragment, Demand: constant(1e-3)})
	return m
}

// What a program of the same shape did, which calls nanosleep, on two CPUs (AMD EPYC, Go 1.26.8, 600 rounds, once): a round of the caller,
// and the cores that the others had. If it gave its P away with each call, rounds would take 13 to 60 ms.
func TestWhoCallsTheSystemKeepsItsP(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ps, peers          int
		call, round, cores float64
	}{
		{1, 1, 87e-6, 421e-6, 0.44}, {1, 1, 263e-6, 676e-6, 0.44}, {1, 1, 2060e-6, 3774e-6, 0.41},
		{1, 2, 87e-6, 647e-6, 0.65}, {1, 2, 263e-6, 1034e-6, 0.64}, {1, 2, 2060e-6, 5052e-6, 0.57},
		{1, 3, 87e-6, 763e-6, 0.70}, {1, 3, 263e-6, 1348e-6, 0.72}, {1, 3, 2060e-6, 6900e-6, 0.70},
		{2, 1, 87e-6, 217e-6, 0.98}, {2, 1, 263e-6, 362e-6, 0.87}, {2, 1, 2060e-6, 2158e-6, 0.86},
		{2, 2, 87e-6, 298e-6, 1.13}, {2, 2, 263e-6, 637e-6, 1.39}, {2, 2, 2060e-6, 3500e-6, 1.35},
		{2, 3, 87e-6, 442e-6, 1.48}, {2, 3, 263e-6, 718e-6, 1.45}, {2, 3, 2060e-6, 3863e-6, 1.44},
	} {
		r, err := Run(t.Context(), callers(c.ps, c.peers, c.call), nil, Options{Duration: 2, Warmup: 0.1, Replications: 2})
		if err != nil {
			t.Fatal(err)
		}
		calls, _ := r.Find("X fragment/caller/work1 mean")
		others, _ := r.Find("X fragment/peer/work0 mean")
		round, cores := 1/calls.Estimate.Mean, 1e-3*others.Estimate.Mean
		if math.Abs(round/c.round-1) > 0.2 || math.Abs(cores-c.cores) > 0.25 {
			t.Errorf("%d P, %d others, calls of %v s: %.0f µs a round and %.2f cores, measured %.0f and %.2f", c.ps, c.peers, c.call, 1e6*round, cores, 1e6*c.round, c.cores)
		}
	}
}

// Threads that come out of a call may wait for a lock, and then their P is another's: whatever keeps Ps, what is computed is throughput times
// demand, a P in which nobody computes is not busy, and as many are in a call as throughput times its length says.
func TestPsThatAreKeptObeyTheUtilisationLaw(t *testing.T) {
	t.Parallel()
	for ps := 1; ps <= 3; ps++ {
		for _, rings := range [][]float64{nil, {5e-6}} {
			m := callers(ps, 2, 300e-6)
			m.Disks[0].Depth, m.Disks[0].Doorbell = 4, rings
			m.Locks = []core.Lock{{ID: "l", Kind: core.Mutex}}
			m.Pools[0].Size, m.Sources[0].Population = 4, 4
			g := &m.Graphs[0]
			g.Fragments = append(g.Fragments,
				syncFragment("enter", "l", core.Enter, to("held")...), cpuFragment("held", 0.05, to("exit")...), syncFragment("exit", "l", core.Exit, to("out")...))
			g.Fragments[3].Next = to("enter")
			r, err := Run(t.Context(), m, nil, Options{Duration: 5, Warmup: 0.1, Replications: 2})
			if err != nil {
				t.Fatal(err)
			}
			mean := func(key string) float64 { x, _ := r.Find(key); return x.Estimate.Mean }
			calls := mean("X class/caller mean")
			ring := 0.0
			if len(rings) > 0 {
				ring = rings[0]
			}
			if want := calls*(180e-6+ring) + 1e-3*mean("X fragment/peer/work0 mean"); math.Abs(mean("U cpu mean")*float64(ps)-want) > 1e-3*want {
				t.Errorf("%d P: %.4f are busy, throughput times demand is %.4f", ps, mean("U cpu mean")*float64(ps), want)
			}
			if want := calls * 300e-6; math.Abs(mean("N disk/disk mean")-want) > 1e-3*want {
				t.Errorf("%d P: %.4f calls at a time, throughput times length is %.4f", ps, mean("N disk/disk mean"), want)
			}
			if r.Halted != "" || calls == 0 {
				t.Errorf("%d P: %v calls a second, %s", ps, calls, r.Halted)
			}
		}
	}
}

// What a program of the same shape did (nanosleep, two CPUs, AMD EPYC, Go 1.26.8, 1,500 tasks, once): tasks come at random through a socket,
// goroutines compute for 100 µs, wait in a call, and compute for 100 µs. Sysmon, which sleeps where all Ps are idle, begins anew with the next
// call, and who comes out of one takes his P back: response times. If Ps were kept until sysmon comes by, they would be 1.2 to 1.8 times as long.
func TestTasksHardlyWaitForPsInLongCalls(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ps, workers      int
		rate, call, want float64
	}{
		{2, 4, 50, 3.09e-3, 3.464e-3}, {2, 4, 100, 3.09e-3, 3.441e-3}, {2, 4, 200, 3.10e-3, 3.432e-3}, {2, 4, 400, 3.10e-3, 3.458e-3},
		{1, 4, 50, 3.13e-3, 3.490e-3}, {1, 4, 200, 3.11e-3, 3.416e-3}, {2, 8, 100, 10.11e-3, 10.606e-3}, {2, 8, 400, 10.10e-3, 10.543e-3},
	} {
		m := core.Model{
			Name: "calls", CPU: core.CPU{Cores: c.ps, Policy: core.GoScheduler},
			Disks:   []core.Disk{{ID: "disk", Depth: c.workers, Service: []core.ServiceLaw{{Rows: []core.ServiceRow{{Time: constant(c.call)}}}}}},
			Queues:  []core.Queue{{ID: "q", Capacity: core.Unbounded}},
			Classes: []core.Class{{ID: "task"}},
			Sources: []core.Source{{ID: "clients", Kind: core.Poisson, Class: "task", To: "q", Rate: c.rate}},
			Sinks:   []core.Sink{{ID: "done"}},
			Pools:   []core.Pool{{ID: "workers", Graph: "worker", Size: c.workers}},
			Graphs: []core.Graph{server("worker", core.Fragment{Class: core.CPUFragment, Demand: constant(100e-6)},
				core.Fragment{Class: core.IOFragment, IO: &core.IO{Disk: "disk", Requests: []core.RequestType{{Type: "read", Count: constant(1)}}}},
				core.Fragment{Class: core.CPUFragment, Demand: constant(100e-6)})},
		}
		r, err := Run(t.Context(), m, nil, Options{Duration: 20, Warmup: 1, Replications: 2})
		if err != nil {
			t.Fatal(err)
		}
		if x, _ := r.Find("R class/task mean"); math.Abs(x.Estimate.Mean/c.want-1) > 0.07 {
			t.Errorf("%d P, %d threads, %v tasks a second, calls of %v s: R is %.3f ms, measured %.3f", c.ps, c.workers, c.rate, c.call, 1e3*x.Estimate.Mean, 1e3*c.want)
		}
	}
}
