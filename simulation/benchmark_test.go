package simulation

import (
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"tierscope/core"
	"tierscope/simulation/des"
)

// The benchmarks report completions/cpu-s: timed completions (arrival, service
// end, CPU slice end, think end, disk end), each of which is one event, per
// second of CPU time of the whole process, with all statistics on.

// BenchmarkMM1 is M/M/1 at ρ = 0.8.
func BenchmarkMM1(b *testing.B) {
	benchmark(b, station(0.8, 1, core.Unbounded, exponential(1)), des.Second)
}

// BenchmarkClosedRR is a closed network of 4 classes × 8 threads on 4
// round-robin cores with a quantum of 10 ms, and a disk.
func BenchmarkClosedRR(b *testing.B) { benchmark(b, closedNetwork(), des.Millisecond) }

func closedNetwork() core.Model {
	m := core.Model{
		Name:  "closed",
		CPU:   core.CPU{Cores: 4, Policy: core.RoundRobin, Quantum: constant(.010)},
		Disks: []core.Disk{{ID: "disk", Service: []core.ServiceLaw{{Rows: []core.ServiceRow{{Time: exponential(.004)}}}}}},
		Sinks: []core.Sink{{ID: "done"}},
	}
	think, demand := []float64{1, .5, .2, .1}, []float64{.02, .03, .05, .08}
	for i := range think {
		id := fmt.Sprintf("c%d", i)
		m.Classes = append(m.Classes, core.Class{ID: id})
		m.Queues = append(m.Queues, core.Queue{ID: "q" + id, Capacity: core.Unbounded})
		m.Sources = append(m.Sources, core.Source{ID: id, Kind: core.Closed, Class: id, To: "q" + id, Population: 8, Think: exponential(think[i])})
		g := server(id, core.Fragment{Class: core.CPUFragment, Demand: exponential(demand[i])},
			core.Fragment{Class: core.IOFragment, IO: &core.IO{Disk: "disk", Requests: []core.RequestType{{Type: "read", Count: constant(1)}}}})
		g.Fragments[0].In = &core.In{Queue: "q" + id}
		m.Graphs = append(m.Graphs, g)
		m.Pools = append(m.Pools, core.Pool{ID: id, Graph: id, Size: 8})
	}
	return m
}

// BenchmarkCallGraphs is 16 threads that walk call graphs of 50 nodes, with 4
// locks, on 4 EEVDF cores.
func BenchmarkCallGraphs(b *testing.B) { benchmark(b, callGraphs(), des.Microsecond) }

// BenchmarkLarge is the same with many threads, fragments or pools.
func BenchmarkLarge(b *testing.B) {
	for _, x := range []struct {
		what              string
		pools, size, each int
	}{{"threads=10000", 4, 2500, 50}, {"nodes=5000", 4, 4, 1250}, {"pools=1000", 1000, 4, 50}} {
		b.Run(x.what, func(b *testing.B) { benchmark(b, graphsOf(x.pools, x.size, x.each), des.Microsecond) })
	}
}

func callGraphs() core.Model { return graphsOf(4, 4, 50) }

// graphsOf makes pools of so many threads; the graph of each is so many fragments in
// which computing alternates with branches and critical sections.
func graphsOf(pools, size, nodes int) core.Model {
	m := core.Model{Name: "call graphs", CPU: core.CPU{Cores: 4}}
	random := rand.New(rand.NewPCG(1, 2))
	for l := range 4 {
		m.Locks = append(m.Locks, core.Lock{ID: fmt.Sprintf("lock%d", l), Kind: core.Mutex})
	}
	for p := range pools {
		g := core.Graph{ID: fmt.Sprintf("g%d", p), Entry: "n0"}
		for n := range nodes {
			id, next := fmt.Sprintf("n%d", n), fmt.Sprintf("n%d", (n+1)%nodes)
			f := core.Fragment{ID: id, Class: core.CPUFragment, Demand: exponential(20e-6 + 180e-6*random.Float64()), Next: to(next)}
			switch n % 10 {
			case 2: // a critical section of one fragment
				f = core.Fragment{ID: id, Class: core.SyncFragment, Sync: &core.Sync{Lock: fmt.Sprintf("lock%d", (n/10+p)%4), Op: core.Enter}, Next: to(next)}
			case 3:
				f.Demand = exponential(10e-6)
			case 4:
				f = core.Fragment{ID: id, Class: core.SyncFragment, Sync: &core.Sync{Lock: fmt.Sprintf("lock%d", (n/10+p)%4), Op: core.Exit}, Next: to(next)}
			case 6: // a branch around the next fragment
				f.Next = []core.Edge{{To: next, Probability: .5}, {To: fmt.Sprintf("n%d", n+2), Probability: .5}}
			}
			g.Fragments = append(g.Fragments, f)
		}
		m.Graphs = append(m.Graphs, g)
		m.Pools = append(m.Pools, core.Pool{ID: g.ID, Graph: g.ID, Size: size})
	}
	return m
}

// BenchmarkDirectors simulates the same call graphs from beginning to end as probabilities and as recorded: by walks of 2000
// moves for each of the 16 threads.
func BenchmarkDirectors(b *testing.B) {
	m := callGraphs()
	c, err := newCompiler(&m, &m)
	if err != nil {
		b.Fatal(err)
	}
	graph := *c.program
	if c.scripts, err = c.compileScripts(wander(&m, 2000), false); err != nil {
		b.Fatal(err)
	}
	for _, x := range []struct {
		name string
		p    *program
	}{{"graph", &graph}, {"walks", c.program}} {
		b.Run(x.name, func(b *testing.B) {
			const events = 20_000 // fewer than the walks have
			total, used := int64(0), time.Duration(0)
			for seed := uint64(0); b.Loop(); seed++ {
				r := x.p.replica(1, seed, 0, nil)
				cpu := cpuTime()
				r.advanceSome(des.Never, events)
				used += cpuTime() - cpu
				if total += r.executed(); r.halted || r.executed() < events {
					b.Fatalf("%d of %d events: %v", r.executed(), events, r.defect)
				}
			}
			b.ReportMetric(float64(total)/used.Seconds(), "completions/cpu-s")
		})
	}
}

// BenchmarkRecorded simulates the models of testdata/traces and of the samples, each for as many events: what programs do,
// not what networks of textbooks do.
func BenchmarkRecorded(b *testing.B) {
	const events = 20_000
	var programs []*program
	for _, pattern := range []string{"../testdata/traces/*.tier", "../assets/samples/*.tier"} {
		files, err := filepath.Glob(pattern + "/model/model.json*")
		if err != nil || len(files) == 0 {
			b.Fatalf("%s: %d models, %v", pattern, len(files), err)
		}
		for _, file := range files {
			programs = append(programs, mustCompile(b, recordedModel(b, file)))
		}
	}
	total, used := int64(0), time.Duration(0)
	for seed := uint64(0); b.Loop(); seed++ {
		for _, p := range programs {
			r := p.replica(1, seed, 0, nil)
			cpu := cpuTime()
			r.advanceSome(des.Never, events)
			used += cpuTime() - cpu
			total += r.executed()
		}
	}
	b.ReportMetric(float64(total)/used.Seconds(), "completions/cpu-s")
}

func recordedModel(b *testing.B, file string) core.Model {
	f, err := os.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	r := io.Reader(f)
	if filepath.Ext(file) == ".gz" {
		if r, err = gzip.NewReader(f); err != nil {
			b.Fatal(err)
		}
	}
	m, err := core.DecodeUnchecked(r)
	if err != nil {
		b.Fatal(err)
	}
	m.Walks = nil // these runs are by graphs
	return m
}

// wander makes walks of so many moves for the threads of fixed pools that compute and use locks.
func wander(m *core.Model, moves int) *core.Walks {
	w := &core.Walks{}
	random := rand.New(rand.NewPCG(3, 4))
	locks := map[string]int32{}
	for i, l := range m.Locks {
		locks[l.ID] = int32(i)
		w.Objects = append(w.Objects, core.WalkObject{Of: l.ID, Monitor: -1})
	}
	for i := range m.Graphs {
		g := &m.Graphs[i]
		at, named := map[string]int32{}, core.WalkGraph{ID: g.ID}
		for j := range g.Fragments {
			at[g.Fragments[j].ID] = int32(j)
			named.Fragments = append(named.Fragments, g.Fragments[j].ID)
		}
		w.Graphs = append(w.Graphs, named)
		for range m.Pools[i].Size {
			walk := core.Walk{Pool: m.Pools[i].ID, Graph: int32(i), Parent: -1}
			for n := at[g.Entry]; len(walk.Moves) < moves; {
				f := &g.Fragments[n]
				move := core.Move{Fragment: n, Object: -1}
				if f.Class == core.CPUFragment {
					move.Amount = int64(1e9 * f.Demand.Mean * random.ExpFloat64())
				} else {
					move.Object = locks[f.Sync.Lock]
				}
				walk.Moves = append(walk.Moves, move)
				n = at[f.Next[random.IntN(len(f.Next))].To]
			}
			w.Threads = append(w.Threads, walk)
		}
	}
	return w
}

// benchmark runs one replication in steps of simulated time until b is
// satisfied, and reports completions per CPU-second.
func benchmark(b *testing.B, m core.Model, unit des.Time) {
	p := mustCompile(b, m)
	r := p.replica(1, 0, 0, nil)
	step := 10_000 * unit
	until := step
	r.advance(b.Context(), until) // the arrays reach their final size
	r.restart()
	before, cpu := r.executed(), cpuTime()
	b.ReportAllocs()
	for b.Loop() {
		until += step
		r.advance(b.Context(), until)
	}
	events := r.executed() - before
	b.ReportMetric(float64(events)/(cpuTime()-cpu).Seconds(), "completions/cpu-s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/completion")
	o := r.observe()
	if len(o.Warnings) > 0 {
		b.Fatal(o.Warnings)
	}
}

// BenchmarkParallelReplications reports the wall-clock time that two
// replications take one after the other relative to what they take in parallel:
// 2 on two idle cores.
func BenchmarkParallelReplications(b *testing.B) {
	p := mustCompile(b, closedNetwork())
	run := func(index uint64) {
		p.replica(1, index, 0, nil).advance(b.Context(), 5000*des.Second) // a quarter of a second
	}
	var sequential, parallel time.Duration
	for b.Loop() {
		began := time.Now()
		run(0)
		run(1)
		sequential += time.Since(began)
		began = time.Now()
		var both sync.WaitGroup
		both.Go(func() { run(0) })
		both.Go(func() { run(1) })
		both.Wait()
		parallel += time.Since(began)
	}
	b.ReportMetric(sequential.Seconds()/parallel.Seconds(), "speed-up")
}

// cpuTime is the CPU time that this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
