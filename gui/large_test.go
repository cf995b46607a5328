package gui

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/gui/graphlayout/layouttest"
	"tierscope/project"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
	"tierscope/simulation/output"
)

// largeModel has 1,000 pools with 5,000 code fragments: a front pool sends its tasks to 999 others.
func largeModel() core.Model {
	const back = 999
	rows := []core.Fragment{
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "front"}, Next: []core.Edge{{To: "got", Probability: 1}}},
		{ID: "got", Class: core.FetchFragment, Next: []core.Edge{{To: "work", Probability: 1}}},
		{ID: "work", Class: core.CPUFragment, Demand: core.Distribution{Kind: core.Exponential, Mean: 1e-3}},
	}
	m := core.Model{
		Name: "large", CPU: core.CPU{Cores: 8}, Sinks: []core.Sink{{ID: "done"}},
		Sources: []core.Source{{ID: "clients", Kind: core.Poisson, To: "front", Rate: 60}},
		Queues:  []core.Queue{{ID: "front", Capacity: core.Unbounded}}, Pools: []core.Pool{{ID: "front", Graph: "front", Size: 4}},
		Parameters: []core.Parameter{
			{Name: "workers", Unit: "threads", Default: 4, Min: 1, Max: 100, Integer: true, Targets: []core.Target{{Path: "pools/front/size"}}},
			{Name: "rate", Unit: "1/s", Default: 60, Min: 1, Max: 500, Targets: []core.Target{{Path: "sources/clients/rate_per_s"}}},
		},
	}
	front := append([]core.Fragment(nil), rows...)
	for i := range back {
		id := fmt.Sprintf("back%03d", i)
		front[2].Next = append(front[2].Next, core.Edge{To: "to " + id, Probability: 1. / back})
		front = append(front, core.Fragment{ID: "to " + id, Class: core.OutFragment, Out: &core.Out{To: id}, Next: []core.Edge{{To: "take", Probability: 1}}})
		own := append([]core.Fragment(nil), rows...)
		own[0].In, own[2].Next = &core.In{Queue: id}, []core.Edge{{To: "reply", Probability: 1}}
		own = append(own, core.Fragment{ID: "reply", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: []core.Edge{{To: "take", Probability: 1}}})
		m.Queues = append(m.Queues, core.Queue{ID: id, Capacity: core.Unbounded})
		m.Pools = append(m.Pools, core.Pool{ID: id, Graph: id, Size: 4})
		m.Graphs = append(m.Graphs, core.Graph{ID: id, Entry: "take", Fragments: own})
	}
	m.Graphs = append([]core.Graph{{ID: "front", Entry: "take", Fragments: front}}, m.Graphs...)
	return m
}

// largeProject is the model in a project with the ledger of a sweep over 100 × 100 configurations, of which R and X were
// kept.
func largeProject(tb testing.TB, dir string) {
	tb.Helper()
	m := largeModel()
	p, err := project.Create(dir, project.Manifest{Name: "large"}, m)
	if err != nil {
		tb.Fatal(err)
	}
	l, err := experiment.OpenLedger(p.LedgerPath())
	if err != nil {
		tb.Fatal(err)
	}
	hash, begun := core.Hash(m), time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	for i := range 10_000 {
		workers, rate := float64(i/100+1), float64(i%100+1)
		metric := func(name, stat, unit string, mean float64) simulation.Metric {
			return simulation.Metric{Name: name, Of: "class/task", Stat: stat, Unit: unit, Estimate: output.Estimate{Mean: mean, Lo: 0.9 * mean, Hi: 1.1 * mean, N: 3, Confidence: 0.95}}
		}
		r := 1e-3 / (1 - rate/(200*workers))
		run := experiment.Run{ID: fmt.Sprintf("%032x", i), Time: begun.Add(time.Duration(i) * time.Second), Scenario: "sweep", Only: []string{"R", "X class"},
			Inputs: simulation.Options{Seed: 1, Replications: 3}.Inputs(),
			Result: &simulation.Result{Model: m.Name, ModelHash: hash, Seed: 1, Replications: 3, Version: simulation.Version,
				Configuration: map[string]float64{"workers": workers, "rate": rate},
				Metrics:       []simulation.Metric{metric("R", "mean", "s", r), metric("R", "p50", "s", 0.7*r), metric("R", "p95", "s", 3*r), metric("R", "p99", "s", 4.6*r), metric("X", "mean", "1/s", rate)}}}
		if err := l.Append(run); err != nil {
			tb.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		tb.Fatal(err)
	}
}

// How long the window answers nothing, at most, after a click on each page of a project with 5,000 fragments, 1,000 pools
// and 10,000 runs. With TIERSCOPE_LARGE the project is made there, for gui/driven/large.py.
func BenchmarkPagesOfALargeProject(b *testing.B) {
	dir := cmp.Or(os.Getenv("TIERSCOPE_LARGE"), filepath.Join(b.TempDir(), "large.tier"))
	largeProject(b, dir)
	queue := make(chan func(), 100_000)
	w, err := New(test.NewTempApp(b), Options{Runner: background.New(func(f func()) { queue <- f }), Layouter: layouttest.New(b), Cores: 1})
	if err != nil {
		b.Fatal(err)
	}
	w.Window.Resize(fyne.NewSize(1280, 800))
	blocked := func(f func()) (longest time.Duration) {
		took := func(f func()) {
			began := time.Now()
			f()
			longest = max(longest, time.Since(began))
		}
		took(func() { f(); w.Window.Canvas().Capture() })
		for end := time.Now().Add(3 * time.Second); time.Now().Before(end); {
			select {
			case f := <-queue:
				took(f)
			case <-time.After(100 * time.Millisecond):
			}
		}
		took(func() { w.Window.Canvas().Capture() })
		return longest
	}
	w.Open(dir)
	for w.Session.Model() == nil {
		(<-queue)()
	}
	b.ResetTimer()
	for b.Loop() {
		worst := time.Duration(0)
		for _, e := range w.Shell.Entries() {
			t := blocked(func() { w.Session.GoPage(e.ID) })
			b.Logf("%-15s %4d ms", e.ID, t.Milliseconds())
			worst = max(worst, t)
		}
		b.ReportMetric(float64(worst.Milliseconds()), "ms-worst")
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	b.ReportMetric(float64(memory.HeapInuse>>20), "MB")
}
