package explain

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tierscope/core"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
	"tierscope/simulation/output"
)

func exponential(mean float64) core.Distribution {
	return core.Distribution{Kind: core.Exponential, Mean: mean}
}

// server is a pool of threads that serve Poisson arrivals by the given
// fragments, one after the other.
func server(rate float64, threads, cores int, work ...core.Fragment) core.Model {
	to := func(id string) []core.Edge { return []core.Edge{{To: id, Probability: 1}} }
	g := core.Graph{ID: "worker", Entry: "in", Fragments: []core.Fragment{
		{ID: "in", Class: core.InFragment, In: &core.In{Queue: "q"}, Next: to("fetch")},
		{ID: "fetch", Class: core.FetchFragment, Next: to(work[0].ID)},
	}}
	for i, f := range work {
		f.Next = to("out")
		if i+1 < len(work) {
			f.Next = to(work[i+1].ID)
		}
		g.Fragments = append(g.Fragments, f)
	}
	g.Fragments = append(g.Fragments, core.Fragment{ID: "out", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("in")})
	return core.Model{
		Name: "server",
		Parameters: []core.Parameter{{Name: "threads", Default: float64(threads), Min: 1, Max: 64, Integer: true,
			Targets: []core.Target{{Path: "pools/worker/size"}}}},
		Sources: []core.Source{{ID: "clients", Kind: core.Poisson, To: "q", Rate: rate}},
		Queues:  []core.Queue{{ID: "q", Capacity: core.Unbounded}},
		Pools:   []core.Pool{{ID: "worker", Graph: "worker", Size: threads}},
		Sinks:   []core.Sink{{ID: "done"}},
		Graphs:  []core.Graph{g},
		CPU:     core.CPU{Cores: cores},
	}
}

func cpu(id string, mean float64) core.Fragment {
	return core.Fragment{ID: id, Class: core.CPUFragment, Demand: exponential(mean)}
}

func read(id string) core.Fragment {
	return core.Fragment{ID: id, Class: core.IOFragment, IO: &core.IO{Disk: "sda", Requests: []core.RequestType{
		{Type: "read", Count: core.Distribution{Kind: core.Constant, Value: 1}}}}}
}

func locked(lock string, op core.SyncOp) core.Fragment {
	return core.Fragment{ID: string(op) + lock, Class: core.SyncFragment, Sync: &core.Sync{Lock: lock, Op: op}}
}

func diskOf(mean float64) []core.Disk {
	return []core.Disk{{ID: "sda", Service: []core.ServiceLaw{{Rows: []core.ServiceRow{{Time: exponential(mean)}}}}}}
}

func explained(t *testing.T, m core.Model, o Options) *Report {
	t.Helper()
	r, err := Run(t.Context(), &experiment.Runner{Model: m, Simulate: simulation.Run}, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func ranked(t *testing.T, r *Report, of string) Candidate {
	t.Helper()
	i := slices.IndexFunc(r.Ranking, func(c Candidate) bool { return c.Of == of })
	if i < 0 {
		t.Fatalf("%s is not in the ranking %v", of, r.Ranking)
	}
	return r.Ranking[i]
}

// M/M/1 with λ = 70 and μ = 100: R = 1/(μ−λ). A service that needs 30 % less
// time has μ = 142.9, so R falls by 1 − 30/72.9 = 58.8 %, and with 10 % less
// by 1 − 30/41.1 = 27.0 %. The CPU and the only code are the same thing; a
// second thread on the idle second core makes it M/M/2 with
// R = 1/(μ(1−ρ²)) = 11.4 ms, 65.8 % less. 99.9 % intervals of five gains: a
// correct program fails with a fresh seed once in 200 runs.
func TestVirtualSpeedupsOfASingleServerFollowTheory(t *testing.T) {
	t.Parallel()
	r := explained(t, server(70, 1, 2, cpu("parse", 0.01)), Options{Simulation: simulation.Options{Seed: 1, Confidence: 0.999}})
	if r.Metric != "R class/task mean" {
		t.Errorf("explains %s", r.Metric)
	}
	for _, c := range []struct {
		of         string
		ten, third float64
	}{
		{"cpu", 0.270, 0.588}, {"fragment/worker/parse", 0.270, 0.588}, {"pool/worker", 0.658, 0.658},
	} {
		got := ranked(t, r, c.of)
		for k, want := range []float64{c.ten, c.third} {
			if g := got.Effects[k].Gain; g.Lo > want+0.0005 || g.Hi < want-0.0005 || g.HalfWidth() > 0.05 {
				t.Errorf("%s %g faster: gain %.4f [%.4f, %.4f], want %.3f inside", c.of, got.Effects[k].Faster, g.Mean, g.Lo, g.Hi, want)
			}
		}
	}
	if r.Ranking[0].Of != "pool/worker" || !strings.HasPrefix(r.Verdict.Sentence, "Pool worker matters most: with 1 → 2 threads, it cuts the mean response time by 6") {
		t.Errorf("verdict %q of ranking %v", r.Verdict.Sentence, r.Ranking[0].Label)
	}
}

func has(r *Report, class Class, text string) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Class == class && strings.Contains(f.Summary, text) })
}

func summaries(r *Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s %d: %s %s\n", f.Class, f.Score, f.Summary, f.Why)
	}
	return b.String()
}

func TestADiskThatLimitsIsNamed(t *testing.T) {
	t.Parallel()
	m := server(85, 8, 4, cpu("parse", 0.002), read("read"))
	m.Disks = diskOf(0.01)
	r := explained(t, m, Options{Simulation: simulation.Options{Seed: 2, Duration: 150, Warmup: 5}})
	if r.Ranking[0].Of != "disk/sda" || r.Verdict.Of != "disk/sda" || !r.Verdict.Problem {
		t.Errorf("verdict %+v", r.Verdict)
	}
	for _, want := range []string{"Disk sda matters most: made 30 % faster, it cuts the mean response time by ", "It is busy 85 % of the time", "The CPU is idle 96 % of the time."} {
		if !strings.Contains(r.Verdict.Sentence, want) {
			t.Errorf("verdict %q, want %q", r.Verdict.Sentence, want)
		}
	}
	if !has(r, Problem, "Disk sda is busy 85 % of the time.") || !has(r, Fine, "The simulation keeps to the bounds") || !has(r, Fine, "The system is stable") {
		t.Errorf("findings:\n%s", summaries(r))
	}
	for _, f := range r.Findings {
		for _, try := range f.Try {
			if _, err := m.With(try.Settings); err != nil {
				t.Errorf("%s: trying %q: %v", f.Summary, try.Label, err)
			}
			if _, ok := try.Settings["pools/worker/size"]; ok {
				t.Errorf("%s: trying %q sets %v and not the parameter", f.Summary, try.Label, try.Settings)
			}
		}
	}
}

// A lock held for 8 ms at 100/s, across a disk read. The workers share four cores.
func TestALockHeldAcrossADiskReadIsFound(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("as long as the explanation of a disk that limits")
	}
	m := server(100, 16, 4, cpu("parse", 0.001), locked("L3", core.Enter), cpu("update", 0.006), read("read"), locked("L3", core.Exit))
	m.Locks = []core.Lock{{ID: "L3", Kind: core.Mutex}}
	m.Disks = diskOf(0.002)
	r := explained(t, m, Options{Simulation: simulation.Options{Seed: 3, Duration: 100, Warmup: 5}})
	if !has(r, Problem, "Waiting for lock L3 takes ") || !has(r, Problem, "Lock L3 is held across a request to disk sda.") {
		t.Errorf("findings:\n%s", summaries(r))
	}
	if lock := ranked(t, r, "lock/L3"); !lock.largest().Clear() {
		t.Errorf("a lock that is shorter by 30 %% gains %+v", lock.largest().Gain)
	}
	for _, f := range r.Findings {
		if strings.HasPrefix(f.Summary, "Lock L3 is held") && !strings.Contains(f.Why, "enterL3 → update → read") {
			t.Errorf("evidence %q, want the path to the disk", f.Why)
		}
	}
}

// What a task waits for is called by where threads wait: until others leave a lock, or until they do something at a
// channel; a lock for which nobody waits has no say.
func TestWaitingForOthersIsCalledByWhereTheyWait(t *testing.T) {
	t.Parallel()
	locks := []core.Lock{{ID: "mu", Kind: core.Mutex}, {ID: "reply", Kind: core.Channel}, {ID: "free", Kind: core.Mutex}}
	for _, c := range []struct {
		waiting map[string]float64
		want    string
	}{
		{map[string]float64{"mu": 1, "free": 0}, "lock wait"},
		{map[string]float64{"reply": 1, "free": 0}, "signal wait"},
		{map[string]float64{"mu": 0.1, "reply": 2}, "lock and signal wait"},
	} {
		r := &simulation.Result{}
		for id, n := range c.waiting {
			r.Metrics = append(r.Metrics, simulation.Metric{Name: "Q", Of: "lock/" + id, Stat: "mean", Estimate: output.Estimate{Mean: n}})
		}
		if got := meeting(r, locks); got != c.want {
			t.Errorf("%v waiting: %q, want %q", c.waiting, got, c.want)
		}
	}
}

// 120/s arrive, one thread serves 100/s. R has no limit; X does.
func TestAnOverloadIsExplainedByThroughput(t *testing.T) {
	t.Parallel()
	r := explained(t, server(120, 1, 2, cpu("parse", 0.01)), Options{Settings: map[string]float64{"threads": 1}, Simulation: simulation.Options{Seed: 4, Replications: 5, Duration: 50, Warmup: 5, Confidence: 0.999}})
	if r.Metric != "X class/task mean" || !strings.HasPrefix(r.Verdict.Sentence, "Pool worker limits throughput to about 100 /s, less than arrives") &&
		!strings.HasPrefix(r.Verdict.Sentence, "Pool worker limits throughput to about 99") {
		t.Errorf("%s: %q", r.Metric, r.Verdict.Sentence)
	}
	if !has(r, Problem, "More arrives than can be served.") {
		t.Errorf("findings:\n%s", summaries(r))
	}
	// Two threads serve all 120/s: 20 % more. 99.9 % interval.
	if g := ranked(t, r, "pool/worker").largest().Gain; g.Lo > 0.2 || g.Hi < 0.2 {
		t.Errorf("a second thread gains %+v, want 20 %%", g)
	}
}

// A lightly loaded server: a request needs its 10 ms, and nothing is wrong.
func TestAnIdleServerHasNoProblemButItsCode(t *testing.T) {
	t.Parallel()
	r := explained(t, server(1, 2, 2, cpu("parse", 0.01)), Options{Simulation: simulation.Options{Seed: 5, Duration: 2000, Warmup: 5}})
	for _, f := range r.Findings {
		if f.Class == Problem && f.Of != "fragment/worker/parse" && f.Of != "cpu" {
			t.Errorf("problem: %s %s", f.Summary, f.Why)
		}
	}
	// 30 % less work is 30 % less time when nothing queues.
	if g := ranked(t, r, "fragment/worker/parse").largest().Gain; g.Mean < 0.29 || g.Mean > 0.32 {
		t.Errorf("code 30 %% faster gains %+v, want 30 %%", g)
	}
}

// Requests one at a time of 1 ms each, on one of four cores that takes 1 ms to wake up: half of the response time passes before
// they run, and more cores would not help.
func TestWakingUpIsNoLackOfCores(t *testing.T) {
	t.Parallel()
	m := server(50, 4, 4, cpu("parse", 0.001))
	m.CPU.WakeIdleCore = core.Distribution{Kind: core.Constant, Value: 0.001}
	r := explained(t, m, Options{Simulation: simulation.Options{Seed: 7}})
	if !has(r, Hint, "Threads take 5") || has(r, Problem, "core") || has(r, Hint, "core") {
		t.Errorf("findings:\n%s", summaries(r))
	}
}

func TestABatchProgramIsExplainedByItsRunTime(t *testing.T) {
	t.Parallel()
	m := server(1, 1, 1, cpu("parse", 1))
	m.Sources = []core.Source{{ID: "job", Kind: core.Batch, To: "q", Count: 20}}
	r := explained(t, m, Options{Simulation: simulation.Options{Seed: 6}})
	// All work is this code: 30 % less of it is 30 % less run time.
	if g := ranked(t, r, "fragment/worker/parse").largest().Gain; r.Metric != "T program mean" || g.Mean < 0.2999 || g.Mean > 0.3001 {
		t.Errorf("%s: code 30 %% faster gains %+v, want 30 %%", r.Metric, g)
	}
}

// Setting a parameter and a path that it drives would be a contradiction: the
// candidates spell parameters out.
func TestCandidatesRespectTheConfiguration(t *testing.T) {
	t.Parallel()
	m := server(70, 1, 4, cpu("parse", 0.01))
	changed, now, err := with(&m, map[string]float64{"threads": 4}, "pools/worker/size", func(now float64) float64 { return now + 2 })
	if err != nil || now != 4 || changed["pools/worker/size"] != 6 || len(changed) != 1 {
		t.Errorf("threads 4 and two more became %v from %g (%v), want 6", changed, now, err)
	}
	m.Parameters = append(m.Parameters, core.Parameter{Name: "cores", Default: 4, Min: 1, Max: 64, Integer: true, Targets: []core.Target{{Path: "cpu/cores"}}})
	m.Parameters[0].Follows = &core.Follow{Parameter: "cores"}
	more, _, err := with(&m, map[string]float64{"cores": 8}, "cpu/speed", func(now float64) float64 { return 2 * now })
	if err != nil || more["pools/worker/size"] != 8 {
		t.Errorf("on 8 cores there are %v (%v), want 8 threads, which follow them", more, err)
	}
	scaled, _, err := with(&m, map[string]float64{"graphs/worker/scale": 0.5}, "graphs/worker/fragments/parse/scale", func(now float64) float64 { return now * 0.7 })
	if err != nil {
		t.Fatal(err)
	}
	c, err := m.With(scaled)
	if err != nil || c.Graphs[0].Fragments[2].Scale != 0.35 {
		t.Errorf("scale %v (%v), want 0.5 × 0.7", c.Graphs[0].Fragments[2].Scale, err)
	}
}

// "main 1 → 2 threads" is no advice: a program has one main thread. Where a model has
// parameters, they say which pools can be made larger.
func TestOnlyPoolsThatAParameterTurnsAreMadeLarger(t *testing.T) {
	t.Parallel()
	m := core.Model{Pools: []core.Pool{{ID: "main", Size: 1}, {ID: "worker", Size: 2}}}
	if !turns(&m, "pools/main/") {
		t.Error("a model without parameters says that nothing can be changed")
	}
	m.Parameters = []core.Parameter{{Name: "workers", Targets: []core.Target{{Path: "pools/worker/size"}}}}
	if turns(&m, "pools/main/") || !turns(&m, "pools/worker/") {
		t.Error("the pool of the parameter, and no other one, can be made larger")
	}
}

func TestAnInterruptedExplanationIsIncomplete(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var calls atomic.Int64 // the runner simulates several configurations at once
	r := &experiment.Runner{Model: server(70, 1, 2, cpu("parse", 0.01)), Pool: simulation.NewPool(1),
		Simulate: func(ctx context.Context, m core.Model, s map[string]float64, o simulation.Options) (*simulation.Result, error) {
			if calls.Add(1) == 3 {
				cancel()
			}
			return simulation.Run(ctx, m, s, o)
		}}
	report, err := Run(ctx, r, Options{Simulation: simulation.Options{Replications: 5, Duration: 20, Warmup: 1}})
	if err != nil || !report.Incomplete || report.Baseline == nil || report.Verdict.Confidence == Good {
		t.Errorf("error %v, report %+v", err, report)
	}
}

func TestAReportIsADocument(t *testing.T) {
	t.Parallel()
	r := explained(t, server(10, 2, 2, cpu("parse", 0.01)), Options{Simulation: simulation.Options{Replications: 5}, Speedups: []float64{0.3}})
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

// What the program calls something keeps its letters; our own words begin a sentence as words do.
func TestSentencesDoNotRewriteNamesOfTheProgram(t *testing.T) {
	for from, want := range map[string]string{
		"pool main": "Pool main", "(*server).serve → main.func2": "(*server).serve → main.func2", "main.render in worker": "main.render in worker",
		"cpu parse:12 in worker": "CPU parse:12 in worker", "12 % of": "12 % of", "": "", "disk sda": "Disk sda",
	} {
		if got := sentence(from); got != want {
			t.Errorf("%q begins a sentence as %q, want %q", from, got, want)
		}
	}
}
