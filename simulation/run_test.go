package simulation

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tierscope/core"
)

// shop is a server with every resource: a queue, a pool, cores that are
// shared, a lock and a disk.
func shop() core.Model {
	m := station(60, 8, 64, exponential(0.004))
	m.Name = "shop"
	m.Parameters = []core.Parameter{
		{Name: "workers", Default: 8, Min: 1, Max: 64, Integer: true, Targets: []core.Target{{Path: "pools/server/size"}}},
		{Name: "rate", Default: 60, Min: 1, Max: 1000, SupportedMin: 20, SupportedMax: 200, Targets: []core.Target{{Path: "sources/clients/rate_per_s"}}},
	}
	m.Queues[0].WhenFull = core.Drop
	m.CPU.Cores = 2
	m.Locks = []core.Lock{{ID: "L", Kind: core.Mutex}}
	m.Disks = []core.Disk{{ID: "sda", Service: []core.ServiceLaw{{Rows: []core.ServiceRow{{Time: exponential(0.005)}}}}}}
	m.Graphs = []core.Graph{server("server",
		core.Fragment{Class: core.CPUFragment, Demand: exponential(0.004)},
		core.Fragment{Class: core.SyncFragment, Sync: &core.Sync{Lock: "L", Op: core.Enter}},
		core.Fragment{Class: core.CPUFragment, Demand: exponential(0.002)},
		core.Fragment{Class: core.SyncFragment, Sync: &core.Sync{Lock: "L", Op: core.Exit}},
		core.Fragment{Class: core.IOFragment, IO: &core.IO{Disk: "sda", Requests: []core.RequestType{{Type: "read", Count: constant(1)}}}},
	)}
	return m
}

func run(t *testing.T, m core.Model, settings map[string]float64, o Options) *Result {
	t.Helper()
	r, err := Run(t.Context(), m, settings, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// document is a result as bytes without the wall-clock times.
func document(t *testing.T, r *Result) string {
	t.Helper()
	r.Elapsed, r.Busy = 0, 0
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestEqualInputsGiveEqualBytes(t *testing.T) {
	t.Parallel()
	o := Options{Seed: 11, Replications: 5, Workers: 1}
	want := document(t, run(t, shop(), nil, o))
	o.Workers = 4
	if got := document(t, run(t, shop(), nil, o)); got != want {
		t.Errorf("4 workers give\n%.2000s\n1 worker\n%.2000s", got, want)
	}
	o.Seed = 12
	if got := document(t, run(t, shop(), nil, o)); got == want {
		t.Error("another seed gives the same result")
	}
}

// The same resource model seen as arithmetic: the disk serves 200/s, so 160/s
// keep it busy 80 % of the time, and where a request's time went adds up to it.
// 99.9 % intervals: a fresh seed fails once in 500 runs.
func TestARunReportsEveryResource(t *testing.T) {
	t.Parallel()
	r := run(t, shop(), map[string]float64{"rate": 160}, Options{Seed: 13, Confidence: 0.999})
	if d := find(t, r, "U disk/sda mean"); d.Lo > 0.8 || d.Hi < 0.8 {
		t.Errorf("disk utilization %.4f [%.4f, %.4f], want 0.8 inside", d.Mean, d.Lo, d.Hi)
	}
	if u := find(t, r, "U cpu mean"); u.Lo > 0.48 || u.Hi < 0.48 {
		t.Errorf("CPU utilization %.4f [%.4f, %.4f], want 160 × 6 ms / 2 cores", u.Mean, u.Lo, u.Hi)
	}
	sum := 0.0
	for _, m := range r.Metrics {
		if m.Name == "B" {
			sum += m.Estimate.Mean
		}
	}
	if whole := find(t, r, "R class/task mean").Mean; sum < 0.999*whole || sum > 1.001*whole {
		t.Errorf("the parts of a response time add up to %g s of %g s", sum, whole)
	}
	if of, _ := r.Busiest(); of != "disk/sda" {
		t.Errorf("the busiest resource is %s, want the disk", of)
	}
}

func TestSettingsOutsideTheEvidenceAreWarnedOf(t *testing.T) {
	t.Parallel()
	r := run(t, shop(), map[string]float64{"rate": 10}, Options{Replications: 5})
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "extrapolation") {
		t.Errorf("warnings %q, want one about extrapolation", r.Warnings)
	}
}

func TestARunRefusesWhatIsNotValid(t *testing.T) {
	t.Parallel()
	m := shop()
	m.Graphs[0].Fragments[0].Next = to("nowhere")
	if _, err := Run(t.Context(), m, nil, Options{}); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("error %v, want one about the fragment that is missing", err)
	}
	if _, err := Run(t.Context(), shop(), map[string]float64{"wrokers": 3}, Options{}); err == nil || !strings.Contains(err.Error(), "wrokers") {
		t.Errorf("error %v, want one about the setting", err)
	}
}

// A server whose arrivals exceed what its one thread can serve: 120/s × 10 ms.
func TestAnOverloadedModelSaysWhatLimitsIt(t *testing.T) {
	t.Parallel()
	m := station(120, 1, core.Unbounded, exponential(0.01))
	m.CPU.Cores = 2
	r := run(t, m, nil, Options{Seed: 14, Replications: 5})
	text := strings.Join(r.Warnings, "\n")
	for _, want := range []string{"unstable: 120 /s arrive but only ", "pool/server is 100 % busy", "choose a load below "} {
		if !r.Unstable || !strings.Contains(text, want) {
			t.Errorf("warnings %q, want %q", text, want)
		}
	}
}

// 2 % too much is more than a short simulation can see, but not more than
// arithmetic: 102/s arrive and one thread serves 100/s.
func TestASlightOverloadIsSeenByTheOperationalLaws(t *testing.T) {
	t.Parallel()
	m := station(102, 1, core.Unbounded, exponential(0.01))
	r := run(t, m, nil, Options{Replications: 5, Duration: 5, Warmup: 1})
	if text := strings.Join(r.Warnings, "\n"); !r.Unstable || !strings.Contains(text, "unstable: 102 /s arrive but ") {
		t.Errorf("unstable %t: %q", r.Unstable, text)
	}
	m.Queues[0].Capacity, m.Queues[0].WhenFull = 10, core.Drop // turns the surplus away
	if r := run(t, m, nil, Options{Replications: 5, Duration: 5, Warmup: 1}); r.Unstable {
		t.Errorf("with a bounded queue: %q", r.Warnings)
	}
}

// Three tasks of 1 s on one core: T = 3 s in every run, whatever the seed.
func TestABatchModelEndsByItself(t *testing.T) {
	t.Parallel()
	m := station(1, 1, core.Unbounded, constant(1))
	m.Sources = []core.Source{{ID: "job", Kind: core.Batch, To: "q", Count: 3}}
	r := run(t, m, nil, Options{})
	if e := find(t, r, "T program mean"); !r.Terminating || e.Mean != 3 || e.Lo != 3 || e.Hi != 3 {
		t.Errorf("terminating %t, T = %g [%g, %g], want exactly 3 s", r.Terminating, e.Mean, e.Lo, e.Hi)
	}
}

func TestACancelledModelRunIsMarked(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	r, err := Run(ctx, shop(), nil, Options{Replications: 1000, Duration: 1000, Warmup: 1, Progress: func(Progress) { cancel() }})
	if err != nil || !r.Interrupted {
		t.Errorf("error %v, interrupted %t; want a result that is marked", err, r.Interrupted)
	}
}

// BenchmarkRun measures whole runs: the pilots, ten replications and all
// estimates.
func BenchmarkRun(b *testing.B) {
	for _, c := range []struct {
		name    string
		workers int
	}{{"workers=1", 1}, {"workers=2", 2}} {
		b.Run(c.name, func(b *testing.B) {
			var events int64
			var precision float64
			for b.Loop() {
				r, err := Run(b.Context(), shop(), nil, Options{Workers: c.workers})
				if err != nil {
					b.Fatal(err)
				}
				events += r.Events
				m, _ := r.Find("R class/task mean")
				precision = m.Estimate.Precision()
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(100*precision, "%-half-width")
		})
	}
}

// A replication that stops at a defect of the model has not come to its end: it says
// nothing about how long the program runs.
func TestADefectIsNoMakespan(t *testing.T) {
	t.Parallel()
	choice := core.Fragment{ID: "choice", Class: core.DispatchFragment, Next: []core.Edge{{To: "enter"}, {To: "exit", Probability: 1}}}
	m := threads(1, 1, cpu("work", .01, "choice"), choice, syncOp("enter", "L", core.Enter, "exit"),
		syncOp("exit", "L", core.Exit, "end"), core.Fragment{ID: "end", Class: core.DispatchFragment})
	m.Locks = []core.Lock{{ID: "L", Kind: core.Mutex}}
	r := run(t, m, nil, Options{Replications: 3})
	for _, x := range r.Metrics {
		if x.Name == "T" && x.Stat == "mean" && x.Estimate.N > 0 {
			t.Errorf("T is %v after %d replications, in none of which the program ended", x.Estimate.Mean, x.Estimate.N)
		}
	}
	if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, `lock "L"`) }) {
		t.Errorf("the defect is not told: %v", r.Warnings)
	}
}

// The main thread of a batch program is busy all the time, which says nothing; its mean over 20 replications may be rounded.
func TestAMainThreadIsNotTheBusiestHoweverItsUtilizationIsRounded(t *testing.T) {
	t.Parallel()
	for _, u := range []float64{1, 1 + 2e-16, 1 - 1e-12} {
		r := Result{Terminating: true, Metrics: []Metric{{Name: "U", Of: "pool/main", Stat: "mean"}, {Name: "U", Of: "cpu", Stat: "mean"}}}
		r.Metrics[0].Estimate.Mean, r.Metrics[1].Estimate.Mean = u, 0.7
		if of, _ := r.Busiest(); of != "cpu" {
			t.Errorf("with a main thread that is busy %v of the time the busiest is %s, want the CPU", u, of)
		}
	}
}
