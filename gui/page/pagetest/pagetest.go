// Package pagetest is what tests of pages share: a host without a display, a
// small model, and a stand-in for the simulator whose results are the formulas
// of M/M/c-like queues, so that expected numbers come from arithmetic.
package pagetest

import (
	"context"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/gui/graphlayout/layouttest"
	"tierscope/gui/look"
	"tierscope/gui/page"
	"tierscope/gui/session"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

// Model returns a web server: Poisson arrivals, one queue, a pool of workers
// that compute for 10 ms.
func Model() *core.Model {
	m := core.Model{
		Name: "web",
		Parameters: []core.Parameter{
			{Name: "workers", Unit: "threads", Default: 4, Min: 1, Max: 64, Integer: true, Targets: []core.Target{{Path: "pools/worker/size"}}},
			{Name: "rate", Unit: "1/s", Default: 60, Min: 1, Max: 1000, Targets: []core.Target{{Path: "sources/clients/rate_per_s"}}},
		},
		Sources: []core.Source{{ID: "clients", Kind: core.Poisson, To: "tasks", Rate: 60}},
		Queues:  []core.Queue{{ID: "tasks", Capacity: core.Unbounded}},
		Pools:   []core.Pool{{ID: "worker", Graph: "worker", Size: 4}},
		Sinks:   []core.Sink{{ID: "done"}},
		Graphs: []core.Graph{{ID: "worker", Entry: "take", Fragments: []core.Fragment{
			{ID: "take", Class: core.InFragment, In: &core.In{Queue: "tasks"}, Next: []core.Edge{{To: "got", Probability: 1}}},
			{ID: "got", Class: core.FetchFragment, Next: []core.Edge{{To: "work", Probability: 1}}},
			{ID: "work", Class: core.CPUFragment, Demand: core.Distribution{Kind: core.Exponential, Mean: 0.01}, Next: []core.Edge{{To: "reply", Probability: 1}}},
			{ID: "reply", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: []core.Edge{{To: "take", Probability: 1}}},
		}}},
		CPU: core.CPU{Cores: 4},
	}
	return &m
}

// Simulate stands in for the simulator: with w workers and rate λ, R is
// 0.01/(1 − λ/(100·w)) s, X is λ and U of the pool λ/(100·w), each ± 5 %.
func Simulate(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	value := func(name string, otherwise float64) float64 {
		if v, ok := settings[name]; ok {
			return v
		}
		return otherwise
	}
	w, rate := value("workers", 4), value("rate", 60)
	busy := rate / (100 * w)
	estimate := func(mean float64) output.Estimate {
		return output.Estimate{Mean: mean, Lo: 0.95 * mean, Hi: 1.05 * mean, N: 3, Confidence: 0.95, Samples: []float64{0.98 * mean, mean, 1.02 * mean}}
	}
	return &simulation.Result{
		Model: m.Name, ModelHash: core.Hash(m), Configuration: settings, Seed: o.Seed, Replications: 3, Version: simulation.Version,
		Metrics: []simulation.Metric{
			{Name: "R", Of: "class/task", Stat: "mean", Unit: "s", Estimate: estimate(0.01 / (1 - busy))},
			{Name: "X", Of: "class/task", Stat: "mean", Unit: "1/s", Estimate: estimate(rate)},
			{Name: "U", Of: "pool/worker", Stat: "mean", Unit: "1", Estimate: estimate(busy)},
		},
	}, nil
}

// Host returns the host of a window without a display, with Model open. Work
// in the background waits until Session.Runner.Settle.
func Host(t testing.TB) *page.Host {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(look.Theme{Mode: look.Light})
	s := session.New(background.NewLocal(), nil)
	s.UseSimulator(Simulate, simulation.NewPool(2))
	s.SetModel(Model(), "/tmp/web.tier")
	return &page.Host{Session: s, Layouter: layouttest.New(t), Window: test.NewTempWindow(t, nil), Open: func(string) {}, OpenSample: func(string) {}}
}

// Show puts a page into the host's window at a usual size and tells it of
// every change of the session from now on.
func Show(t testing.TB, h *page.Host, p page.Page) {
	t.Helper()
	h.Window.SetContent(p.Content())
	h.Window.Resize(fyne.NewSize(1280, 800))
	p.Update(session.PlaceChanged)
	t.Cleanup(h.Session.Subscribe(p.Update))
	h.Session.Runner.Settle()
}

// Open is Host and Show of a page made by a constructor.
func Open[P page.Page](t *testing.T, create func(*page.Host) page.Page) (*page.Host, P) {
	t.Helper()
	h := Host(t)
	p := create(h).(P)
	Show(t, h, p)
	return h, p
}

// Press taps the button with a text that content shows.
func Press(t *testing.T, h *page.Host, content fyne.CanvasObject, text string) {
	t.Helper()
	for _, o := range test.LaidOutObjects(content) {
		if b, ok := o.(*widget.Button); ok && b.Text == text {
			test.Tap(b)
			h.Session.Runner.Settle()
			return
		}
	}
	t.Fatalf("there is no button %q", text)
}

// Says reports whether a label of content says a text.
func Says(content fyne.CanvasObject, text string) bool {
	for _, o := range test.LaidOutObjects(content) {
		if l, ok := o.(*widget.Label); ok && strings.Contains(l.Text, text) {
			return true
		}
	}
	return false
}

// Picture writes what the window shows to $TIERSCOPE_PICTURES/name.png, for
// looking at; without the variable it does nothing.
func Picture(t *testing.T, h *page.Host, name string) {
	t.Helper()
	dir := os.Getenv("TIERSCOPE_PICTURES")
	if dir == "" {
		return
	}
	for range 3 { // plots render for the size of the picture before
		h.Window.Canvas().Capture()
		h.Session.Runner.Settle()
	}
	f, err := os.Create(filepath.Join(dir, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, h.Window.Canvas().Capture()); err != nil {
		t.Fatal(err)
	}
}
