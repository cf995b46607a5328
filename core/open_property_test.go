package core_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"tierscope/core"
)

// Where threads compute, the servers of the queue are the threads or the cores, whichever
// are fewer (Kleinrock 1975, §3.5).
func TestEstimateOfThreadsOnCoresIsErlangCOfTheFewer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		threads, cores := rapid.IntRange(1, 100).Draw(t, "threads"), rapid.IntRange(1, 100).Draw(t, "cores")
		service := rapid.Float64Range(1e-4, 10).Draw(t, "service")
		servers := min(threads, cores)
		rate := rapid.Float64Range(.01, .99).Draw(t, "utilization") * float64(servers) / service
		m := station(rate, service, threads, cores)
		d := m.Demands()
		e := d.Estimate()
		nearly(t, "R", e.Response, erlangC(rate, service, servers))
		nearly(t, "X", e.Throughput, rate)
		// Little's law: what computes is X·S of the cores.
		nearly(t, "utilization of the cores", e.Utilization["cpu"], rate*service/float64(cores))
	})
}

// What is computed under a lock is served by the lock: by one server, by as many as a semaphore has permits.
func TestALockIsAStation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		service := rapid.Float64Range(1e-4, 1).Draw(t, "service")
		servers := rapid.IntRange(1, 16).Draw(t, "servers")
		lock := core.Lock{ID: "l", Kind: core.Mutex}
		if servers > 1 {
			lock.Kind, lock.Permits = core.Semaphore, servers
		}
		rate := rapid.Float64Range(.05, .95).Draw(t, "utilization") * float64(servers) / service
		m := station(rate, service, 200, 100)
		m.Locks = []core.Lock{lock}
		f := m.Graphs[0].Fragments
		f[1].Next = []core.Edge{{To: "enter", Probability: 1}}
		f[2].Next = []core.Edge{{To: "exit", Probability: 1}}
		m.Graphs[0].Fragments = append(f,
			core.Fragment{ID: "enter", Class: core.SyncFragment, Sync: &core.Sync{Lock: "l", Op: core.Enter}, Next: []core.Edge{{To: "work", Probability: 1}}},
			core.Fragment{ID: "exit", Class: core.SyncFragment, Sync: &core.Sync{Lock: "l", Op: core.Exit}, Next: []core.Edge{{To: "out", Probability: 1}}})
		if err := m.Validate(); err != nil {
			t.Fatalf("the model is not valid: %v", err)
		}
		d := m.Demands()
		e := d.Estimate()
		nearly(t, "R", e.Response, erlangC(rate, service, servers))
		nearly(t, "utilization of the lock", e.Utilization["lock/l"], rate*service/float64(servers))
	})
}

// How much service times vary matters to those who wait for a thread: Wq = Wq(M/M/c)·(1+c²)/2 (Allen & Cunneen
// 1990). It does not where all tasks share the cores (Baskett et al. 1975): with a hundred times
// as many threads as cores it matters less than half a percent.
func TestVariabilityMattersToThoseWhoWaitForAThread(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const service = .01
		scv := rapid.Float64Range(1, 9).Draw(t, "scv")
		servers := rapid.IntRange(1, 4).Draw(t, "servers")
		rate := rapid.Float64Range(.05, .9).Draw(t, "utilization") * float64(servers) / service
		exponential := erlangC(rate, service, servers)
		response := func(threads, cores int) float64 {
			m := station(rate, service, threads, cores)
			m.Graphs[0].Fragment("work").Demand = core.Hyper2(service, scv)
			d := m.Demands()
			return d.Estimate().Response
		}
		nearly(t, "R where threads are waited for", response(servers, 100), service+(exponential-service)*(1+scv)/2)
		if got := response(100*servers, servers); math.Abs(got/exponential-1) > .005 {
			t.Fatalf("R where cores are shared is %v, want %v", got, exponential)
		}
	})
}

// stationary solves π·Q = 0, Σπ = 1 for a chain that goes up by arrivals and down by
// min(k, servers) services, with the given number of states.
func stationary(arrivals, service float64, servers, states int) []float64 {
	a, b := mat.NewDense(states, states, nil), mat.NewVecDense(states, nil)
	for k := range states {
		if k+1 < states {
			a.Set(k, k, a.At(k, k)-arrivals)
			a.Set(k+1, k, arrivals)
		}
		if k > 0 {
			down := float64(min(k, servers)) / service
			a.Set(k, k, a.At(k, k)-down)
			a.Set(k-1, k, down)
		}
	}
	for k := range states { // one balance equation follows from the others
		a.Set(states-1, k, 1)
	}
	b.SetVec(states-1, 1)
	var p mat.VecDense
	if err := p.SolveVec(a, b); err != nil {
		panic(err)
	}
	return p.RawVector().Data
}

// M/M/c/K, below and beyond saturation: the share of tasks that are lost is the
// probability that all places are taken (PASTA), the response time follows by Little's
// law. Without places in the queue that is Erlang's B formula.
func TestEstimateOfAFullQueueIsTheStationaryChain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		threads, places := rapid.IntRange(1, 8).Draw(t, "threads"), rapid.IntRange(0, 10).Draw(t, "places")
		const service = .02
		rate := rapid.Float64Range(.05, 3).Draw(t, "load") * float64(threads) / service
		m := station(rate, service, threads, 100)
		m.Queues[0].Capacity, m.Queues[0].WhenFull = places, core.Drop
		d := m.Demands()
		e := d.Estimate()
		p := stationary(rate, service, threads, threads+places+1)
		lost, inside := p[threads+places], 0.0
		for k, share := range p {
			inside += float64(k) * share
		}
		if math.Abs(e.Lost-lost) > 1e-10 {
			t.Fatalf("the share lost is %v, want %v", e.Lost, lost)
		}
		nearly(t, "throughput", e.Throughput, rate*(1-lost))
		nearly(t, "response time", e.Response, inside/(rate*(1-lost)))
	})
}

// row is pools one after the other, each with threads that need an exponential time of CPU for a task.
func row(t *rapid.T, rate float64, cores int, threads []int, service []float64) core.Demands {
	m := station(rate, 1, 1, cores)
	graph := m.Graphs[0]
	m.Queues, m.Pools, m.Graphs = nil, nil, nil
	for i := range threads {
		id := fmt.Sprint("q", i)
		m.Queues = append(m.Queues, core.Queue{ID: id, Capacity: core.Unbounded})
		m.Pools = append(m.Pools, core.Pool{ID: fmt.Sprint("p", i), Graph: fmt.Sprint("g", i), Size: threads[i]})
		g := core.Graph{ID: fmt.Sprint("g", i), Entry: graph.Entry}
		for _, f := range graph.Fragments {
			switch {
			case f.In != nil:
				f.In = &core.In{Queue: id}
			case f.Out != nil && i+1 < len(threads):
				f.Out = &core.Out{To: fmt.Sprint("q", i+1)}
			case f.Class == core.CPUFragment:
				f.Demand = core.Exp(service[i])
			}
			g.Fragments = append(g.Fragments, f)
		}
		m.Graphs = append(m.Graphs, g)
	}
	m.Sources[0].To = "q0"
	if err := m.Validate(); err != nil {
		t.Fatalf("the model is not valid: %v", err)
	}
	return m.Demands()
}

// Pools whose threads are the servers and whose cores are plenty are a network of Jackson
// (1957): the output of one is Poisson, so the response time is the sum of Erlang's.
func TestEstimateOfPoolsInARowIsJacksons(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Float64Range(1, 20).Draw(t, "rate")
		threads := rapid.SliceOfN(rapid.IntRange(1, 16), 1, 4).Draw(t, "threads")
		service, want := make([]float64, len(threads)), 0.0
		for i, n := range threads {
			service[i] = rapid.Float64Range(.1, .95).Draw(t, "utilization") * float64(n) / rate
			want += erlangC(rate, service[i], n)
		}
		d := row(t, rate, 512, threads, service)
		nearly(t, "R", d.Estimate().Response, want)
	})
}

// Two pools with threads for all tasks and processor sharing on c cores are one station of
// a network of Baskett, Chandy, Muntz & Palacios (1975): a task is there as long as in M/M/c with
// the demand of both. The estimate looks at the pools one after the other, and misses that by 8 % at most.
func TestPoolsThatShareCoresAreNearlyOneStation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const total = .02
		cores := rapid.IntRange(1, 32).Draw(t, "cores")
		rate := rapid.Float64Range(.05, .95).Draw(t, "utilization") * float64(cores) / total
		first := total * rapid.Float64Range(.05, .95).Draw(t, "share of the first")
		d := row(t, rate, cores, []int{400, 400}, []float64{first, total - first})
		want := erlangC(rate, total, cores)
		if got := d.Estimate().Response; math.Abs(got/want-1) > .08 {
			t.Fatalf("R is %v, exactly %v", got, want)
		}
	})
}
