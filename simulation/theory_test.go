package simulation

import (
	"fmt"
	"math"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tierscope/core"
	"tierscope/simulation/output"
)

// law is a model whose exact answer queueing theory knows.
type law struct {
	name   string
	model  core.Model
	metric string // key
	exact  float64
	source string // of the formula
}

// The simulator against theory: every exact value must lie in the simulated
// 99 % interval, whose relative half-width is at most 1 %. Seeds are fixed;
// with fresh ones a correct simulator would miss one law in a hundred, which
// is why `make verify` (TIERSCOPE_SEED=n) counts the misses instead.
func TestTheSimulatorAgreesWithQueueingTheory(t *testing.T) {
	t.Parallel()
	seed, fresh := verifySeed(t)
	counting := fresh || testing.Short() // another precision stops at another point: as good as fresh seeds
	var mu sync.Mutex
	lines, missed := []string{}, 0
	all := laws(fresh)
	if testing.Short() { // every eighth
		for i := range len(all) / 8 {
			all[i] = all[8*i]
		}
		all = all[:len(all)/8]
	}
	t.Run("laws", func(t *testing.T) {
		for _, l := range all {
			t.Run(l.name, func(t *testing.T) {
				t.Parallel()
				own := seed
				if counting {
					own = hashOf(l.name, seed) // laws that share random numbers would miss together
				}
				e := simulateLaw(t, l, own)
				inside := e.Lo <= l.exact && l.exact <= e.Hi
				mu.Lock()
				defer mu.Unlock()
				lines = append(lines, fmt.Sprintf("%-44s %-28s exact %-10.5g simulated %.5g [%.5g, %.5g] %+.2f %% %s",
					l.name, l.metric, l.exact, e.Mean, e.Lo, e.Hi, 100*(e.Mean/l.exact-1), map[bool]string{true: "", false: "MISSED"}[inside]))
				if !inside {
					missed++
				}
				if !inside && !counting {
					t.Errorf("%s: exact %s is %.6g (%s), outside the simulated 99 %% interval [%.6g, %.6g]", l.name, l.metric, l.exact, l.source, e.Lo, e.Hi)
				}
				if p := e.Precision(); p > precision() {
					t.Errorf("%s: relative precision of %s is %.2f %%, want %v %%", l.name, l.metric, 100*p, 100*precision())
				}
			})
		}
	})
	if !counting {
		return
	}
	if fresh {
		fmt.Println(strings.Join(lines, "\n"))
		fmt.Printf("%d of %d exact values lie outside their 99 %% interval (seed %d)\n", missed, len(all), seed)
	}
	if allowed := mostMisses(len(all)); missed > allowed {
		t.Errorf("%d of %d laws missed; a correct simulator misses more than %d once in 10,000 times", missed, len(all), allowed)
	}
}

// verifySeed returns the seed of this run, and whether it is a fresh one.
func verifySeed(t *testing.T) (uint64, bool) {
	text, fresh := os.LookupEnv("TIERSCOPE_SEED")
	if !fresh {
		return 20140, false
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("TIERSCOPE_SEED: %v", err)
	}
	return seed, true
}

// mostMisses is the 99.99 % quantile of the binomial distribution of n trials
// that fail once in a hundred.
func mostMisses(n int) int {
	term := math.Pow(.99, float64(n))
	sum, k := term, 0
	for ; sum < .9999; k++ {
		term *= float64(n-k) / float64(k+1) * .01 / .99
		sum += term
	}
	return k
}

// precision is the relative half-width asked for: 1 %, and 10 % in a short test.
func precision() float64 {
	if testing.Short() {
		return .1
	}
	return .01
}

// tasksObserved is the number of tasks that a replication observes, about.
const tasksObserved = 5000

// rate is the throughput of the model, about.
func (l law) rate() float64 {
	sum := 0.0
	for _, s := range l.model.Sources {
		sum += s.Rate
	}
	if sum == 0 {
		return l.exact // X of a closed model
	}
	return sum
}

func simulateLaw(t *testing.T, l law, seed uint64) output.Estimate {
	r, err := Run(t.Context(), l.model, nil, Options{
		Seed: seed, Confidence: .99, Precision: .98 * precision(), PrecisionOf: []string{l.metric}, Replications: 10, MaxReplications: 1000, Workers: 1,
		Duration: tasksObserved / l.rate(), Warmup: max(40, tasksObserved/10/l.rate()), // 40 services: longer than any memory of the start
	})
	if err != nil {
		t.Fatal(err)
	}
	m, ok := r.Find(l.metric)
	if !ok {
		t.Fatalf("%s: no metric %q; warnings %v", l.name, l.metric, r.Warnings)
	}
	return m.Estimate
}

// laws lists the laws; without all, the long series are thinned out.
func laws(all bool) []law {
	const R, X = "R class/task mean", "X class/task mean"
	h2 := core.Distribution{Kind: core.Hyperexponential, Weights: []float64{.8, .2}, Means: []float64{.5, 3}} // mean 1, E[S²] = 4
	out := []law{
		{"M/M/1 ρ=0.7", station(.7, 1, core.Unbounded, exponential(1)), R, 1 / .3, "R = S/(1−ρ)"},
		{"M/M/4 ρ=0.75", station(3, 4, core.Unbounded, exponential(1)), R, mmcResponse(3, 1, 4), "Erlang C"},
		{"M/M/1/4 loss ρ=1.2", lossy(1.2, 1, 3), "D class/task mean", mmckLoss(1.2, 1, 4), "Erlang's loss recursion"},
		{"M/M/3/6 loss ρ=0.9", lossy(2.7, 3, 3), "D class/task mean", mmckLoss(2.7, 3, 6), "birth–death process"},
		{"M/D/1 ρ=0.7", station(.7, 1, core.Unbounded, constant(1)), R, pollaczek(.7, 1, 1), "Pollaczek–Khinchine"},
		{"M/H2/1 ρ=0.4", station(.4, 1, core.Unbounded, h2), R, pollaczek(.4, 1, 4), "Pollaczek–Khinchine"},
		{"M/E4/1 ρ=0.7", station(.7, 1, core.Unbounded, core.Distribution{Kind: core.Erlang, Mean: 1, Phases: 4}), R, pollaczek(.7, 1, 1.25), "Pollaczek–Khinchine"},
		{"M/D/1-PS ρ=0.6", shared(.6, constant(1)), R, 2.5, "insensitivity: R = S/(1−ρ)"},
		{"M/H2/1-PS ρ=0.6", shared(.6, h2), R, 2.5, "insensitivity: R = S/(1−ρ)"},
		{"M/lognormal/1-PS ρ=0.6", shared(.6, core.Distribution{Kind: core.Lognormal, Mean: 1, CV: 1.5}), R, 2.5, "insensitivity: R = S/(1−ρ)"},
		{"two-class PS, short", twoClasses(1, 1), "R class/short mean", .5 / .4, "R_k = S_k/(1−ρ)"},
		{"two-class PS, long", twoClasses(1, 1), "R class/long mean", 2 / .4, "R_k = S_k/(1−ρ)"},
		{"two-class DPS 4:1, short", twoClasses(4, 1), "R class/short mean", discriminatory(0, 4, 1), "Fayolle, Mitrani & Iasnogorodski 1980"},
		{"two-class DPS 4:1, long", twoClasses(4, 1), "R class/long mean", discriminatory(1, 4, 1), "Fayolle, Mitrani & Iasnogorodski 1980"},
		{"machine repairman 10 machines, 2 repairmen", repairman(10, 2, 5, 1), X, repairmanRate(10, 2, 5, 1), "birth–death process"},
		{"M/M/1 ρ=0.7 from afar", afar(station(.7, 1, core.Unbounded, exponential(1)), 2), R, 1/.3 + 2, "a delay before a queue adds to R"},
		{"machine repairman 10 machines from afar, 2 repairmen", afar(repairman(10, 2, 3, 1), 2), X, repairmanRate(10, 2, 5, 1), "insensitivity: thinking and being away"},
		{"closed network, 3 stations, N=12", threeStations(12), X, threeStationsRate(12), "exact MVA"},
	}
	for _, k := range []int{2, 4, 8} {
		out = append(out, law{fmt.Sprintf("saturated fork–join, %d siblings", k), forkJoin(k), "X fragment/main/join mean", 1 / (1 + harmonic(k)), "E[max of k exponentials] = H_k"})
	}
	for c := 1; c <= 64; c++ {
		if !all && bits.OnesCount(uint(c)) > 1 {
			continue
		}
		rate := float64(c) - .5*math.Sqrt(float64(c)) // ρ = 0.5 … 0.94
		out = append(out, law{fmt.Sprintf("Erlang C, %d servers", c), station(rate, c, core.Unbounded, exponential(1)), R, mmcResponse(rate, 1, c), "Erlang C"})
	}
	return slices.Concat(out, disciplineLaws(), poolLaws(all))
}

// lossy is a station that drops tasks which find all places taken.
func lossy(rate float64, servers, places int) core.Model {
	m := station(rate, servers, places, exponential(1))
	m.Queues[0].WhenFull = core.Drop
	return m
}

// shared is one core with processor sharing among all tasks present.
func shared(rate float64, service core.Distribution) core.Model {
	m := station(rate, 1, core.Unbounded, service)
	m.CPU.Policy = core.ProcessorSharing
	m.Pools[0] = core.Pool{ID: "server", Graph: "server", Kind: core.TaskPool, From: "q"}
	m.Graphs[0].Fragments = m.Graphs[0].Fragments[2:]
	m.Graphs[0].Entry = "work0"
	m.Graphs[0].Fragments[1].Next = nil
	return m
}

// twoClasses shares one core between short tasks (0.5 s) and long ones (2 s),
// λ = 0.4/s and 0.2/s, ρ = 0.6, with the given weights.
func twoClasses(short, long float64) core.Model {
	m := core.Model{
		Name: "two classes", CPU: core.CPU{Cores: 1, Policy: core.ProcessorSharing},
		Classes: []core.Class{{ID: "short"}, {ID: "long"}},
		Sources: []core.Source{
			{ID: "shorts", Kind: core.Poisson, Class: "short", To: "qs", Rate: .4},
			{ID: "longs", Kind: core.Poisson, Class: "long", To: "ql", Rate: .2},
		},
		Queues: []core.Queue{{ID: "qs", Capacity: core.Unbounded}, {ID: "ql", Capacity: core.Unbounded}},
		Sinks:  []core.Sink{{ID: "done"}},
		Pools: []core.Pool{
			{ID: "s", Graph: "s", Kind: core.TaskPool, From: "qs", Weight: short},
			{ID: "l", Graph: "l", Kind: core.TaskPool, From: "ql", Weight: long},
		},
	}
	for id, mean := range map[string]float64{"s": .5, "l": 2} {
		m.Graphs = append(m.Graphs, core.Graph{ID: id, Entry: "work", Fragments: []core.Fragment{
			{ID: "work", Class: core.CPUFragment, Demand: exponential(mean), Next: to("out")},
			{ID: "out", Class: core.OutFragment, Out: &core.Out{To: "done"}},
		}})
	}
	return m
}

// discriminatory is the response time of a class of twoClasses under
// discriminatory processor sharing with weights g.
func discriminatory(class int, g ...float64) float64 {
	mu, rho := [2]float64{2, .5}, [2]float64{.2, .4}
	d := mu[0]*g[0]*(1-rho[0]) + mu[1]*g[1]*(1-rho[1])
	other := 1 - class
	return 1 / (mu[class] * .4) * (1 + mu[class]*rho[other]*(g[other]-g[class])/d)
}

// repairman is a closed source of n users in front of c servers.
func repairman(n, c int, think, service float64) core.Model {
	m := station(1, c, core.Unbounded, exponential(service))
	m.Sources[0] = core.Source{ID: "clients", Kind: core.Closed, To: "q", Population: n, Think: exponential(think)}
	return m
}

// afar is a model whose tasks are away for some time.
func afar(m core.Model, away float64) core.Model {
	m.Sources[0].Away = away
	return m
}

// forkJoin is a thread that again and again sleeps 1 s, starts k threads, each
// on its own core, and waits for them.
func forkJoin(k int) core.Model {
	return core.Model{
		Name: "fork–join", CPU: core.CPU{Cores: k},
		Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1}, {ID: "child", Kind: core.SpawnPool, Graph: "child", Size: k}},
		Graphs: []core.Graph{
			{ID: "main", Entry: "fork", Fragments: []core.Fragment{
				{ID: "fork", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "child"}, Next: to("join")},
				{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "child"}, Next: to("sleep")},
				{ID: "sleep", Class: core.DelayFragment, Delay: constant(1), Next: to("fork")},
			}},
			{ID: "child", Entry: "work", Fragments: []core.Fragment{{ID: "work", Class: core.CPUFragment, Demand: exponential(1)}}},
		},
	}
}

// threeStations is a closed network: n users think 1 s; a task needs 2 cores
// for 0.05 s twice, and one of two disks in between, 0.04 and 0.06 s.
func threeStations(n int) core.Model {
	m := repairman(n, n, 1, 1)
	m.Name = "three stations"
	m.CPU = core.CPU{Cores: 1, Policy: core.ProcessorSharing}
	disk := func(id string, mean float64) core.Disk {
		return core.Disk{ID: id, Service: []core.ServiceLaw{{Rows: []core.ServiceRow{{Time: exponential(mean)}}}}}
	}
	m.Disks = []core.Disk{disk("fast", .04), disk("slow", .06)}
	read := func(disk string) *core.IO {
		return &core.IO{Disk: disk, Requests: []core.RequestType{{Type: "read", Count: constant(1)}}}
	}
	m.Graphs = []core.Graph{{ID: "server", Entry: "in", Fragments: []core.Fragment{
		{ID: "in", Class: core.InFragment, In: &core.In{Queue: "q"}, Next: to("fetch")},
		{ID: "fetch", Class: core.FetchFragment, Next: to("before")},
		{ID: "before", Class: core.CPUFragment, Demand: exponential(.05), Next: []core.Edge{{To: "fast", Probability: .7}, {To: "slow", Probability: .3}}},
		{ID: "fast", Class: core.IOFragment, IO: read("fast"), Next: to("after")},
		{ID: "slow", Class: core.IOFragment, IO: read("slow"), Next: to("after")},
		{ID: "after", Class: core.CPUFragment, Demand: exponential(.05), Next: to("out")},
		{ID: "out", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("in")},
	}}}
	return m
}

// threeStationsRate is its throughput by exact mean value analysis (Reiser &
// Lavenberg 1980): R_k = D_k(1 + Q_k), X = n/(Z + ΣR), Q_k = X·R_k.
func threeStationsRate(n int) float64 {
	demand := []float64{.1, .7 * .04, .3 * .06}
	queue := make([]float64, len(demand))
	x := 0.0
	for k := 1; k <= n; k++ {
		sum := 0.0
		response := make([]float64, len(demand))
		for i, d := range demand {
			response[i] = d * (1 + queue[i])
			sum += response[i]
		}
		x = float64(k) / (1 + sum)
		for i := range queue {
			queue[i] = x * response[i]
		}
	}
	return x
}

// mmcResponse is the mean response time of M/M/c.
func mmcResponse(rate, service float64, c int) float64 {
	a := rate * service
	b := 1.0 // Erlang B by recursion
	for k := 1; k <= c; k++ {
		b = a * b / (float64(k) + a*b)
	}
	wait := b / (1 - a/float64(c)*(1-b)) // Erlang C
	return service + wait*service/(float64(c)-a)
}

// mmckLoss is the share of tasks lost by M/M/c/K with offered load a.
func mmckLoss(a float64, c, places int) float64 {
	p, sum := 1.0, 1.0
	for k := 1; k <= places; k++ {
		p *= a / float64(min(k, c))
		sum += p
	}
	return p / sum
}

// pollaczek is the mean response time of M/G/1.
func pollaczek(rate, mean, second float64) float64 {
	return mean + rate*second/(2*(1-rate*mean))
}

// repairmanRate is the throughput of n users with exponential think and service
// times in front of c servers.
func repairmanRate(n, c int, think, service float64) float64 {
	p, sum, rate := 1.0, 1.0, 0.0
	for k := 1; k <= n; k++ {
		p *= float64(n-k+1) / think * service / float64(min(k, c))
		sum += p
		rate += p * float64(min(k, c)) / service
	}
	return rate / sum
}

func harmonic(k int) float64 {
	sum := 0.0
	for i := 1; i <= k; i++ {
		sum += 1 / float64(i)
	}
	return sum
}
