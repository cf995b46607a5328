package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"tierscope/core"
	"tierscope/gui"
	"tierscope/gui/background"
	"tierscope/gui/graphlayout/layouttest"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/project"
	"tierscope/simulation"
)

// window opens the model in the application's window, without a display, with
// a simulator as quick as the flags of quick.
func window(t *testing.T) *gui.Window {
	t.Helper()
	m, err := project.LoadModel(webServer)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "web.tier")
	if _, err := project.Create(dir, project.Manifest{Name: "web"}, m); err != nil {
		t.Fatal(err)
	}
	w, err := gui.New(test.NewTempApp(t), gui.Options{Runner: background.NewLocal(), Layouter: layouttest.New(t)})
	if err != nil {
		t.Fatal(err)
	}
	w.Session.UseSimulator(func(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error) {
		o.Duration, o.Warmup = 5, 1
		return simulation.Run(ctx, m, settings, o)
	}, simulation.NewPool(2))
	w.Session.ChangeSettings(func(s *session.Settings) { s.Seed, s.Replications, s.Precision = 42, 3, 0 })
	w.Window.Resize(fyne.NewSize(1280, 800))
	w.Open(dir)
	w.Session.Runner.Settle()
	return w
}

// cells are the texts of all data tables of the visible page.
func cells(w *gui.Window) map[string]bool {
	texts := map[string]bool{}
	for _, o := range test.LaidOutObjects(w.Shell.Page().Content()) {
		if d, ok := o.(*own.DataTable); ok {
			for _, row := range d.Rows() {
				for _, c := range row {
					texts[c.Text] = true
				}
			}
		}
	}
	return texts
}

// What the window shows is what tierctl prints for the same scenario and seed,
// to the last digit.
func TestNumbersOnScreenEqualThoseOfTheCommandLine(t *testing.T) {
	w := window(t)
	w.Session.Set("workers", 3)
	w.Session.Set("rate", 40)
	w.Session.Simulate(w.Session.Scenarios()[0])
	w.Session.Runner.Settle() // runs are listed in the order in which they end
	w.Session.Simulate(w.Session.Scenario())
	w.Session.Runner.Settle()
	w.Session.GoPage("scenarios")
	w.Session.Runner.Settle()
	printed, errs, code := tierctl(t.Context(), append([]string{"run", webServer, "--set", "workers=3", "--set", "rate=40", "--seed", "42"}, quick...)...)
	if code != exitDone {
		t.Fatal(errs)
	}
	shown := cells(w)
	compared := 0
	for name, stats := range map[string][]string{"response time R": {"mean", "p95", "p99"}, "throughput X": {"mean"}, "utilization U": {"mean"}} {
		for line := range strings.SplitSeq(printed, "\n") {
			row, ok := strings.CutPrefix(line, name)
			if !ok {
				continue
			}
			fields := strings.Fields(row)
			value := strings.TrimSpace(strings.Join(fields[2:], " "))
			value, _, _ = strings.Cut(value, "]")
			for _, stat := range stats {
				if fields[1] != stat {
					continue
				}
				compared++
				if !shown[value+"]"] {
					t.Errorf("tierctl prints %s %s %s = %q, which the window does not show: %v", name, fields[0], stat, value+"]", shown)
				}
			}
		}
	}
	if compared < 6 { // R mean, p95 and p99, X, U of the CPU, the disk and the pools
		t.Errorf("%d numbers were compared, want those of R, X and U:\n%s", compared, printed)
	}
	// Every metric of the run, in the ledger.
	w.Session.Go(session.Place{Page: "ledger", Part: w.Session.Runs()[1].ID})
	w.Session.Runner.Settle()
	shown = cells(w)
	all, _, _ := tierctl(t.Context(), append([]string{"run", webServer, "--set", "workers=3", "--set", "rate=40", "--seed", "42", "--all"}, quick...)...)
	lines := 0
	for line := range strings.SplitSeq(all, "\n") {
		at, end := strings.Index(line, " ["), strings.Index(line, "]")
		if at < 0 || end < at {
			continue
		}
		lines++
		fields := strings.Split(line[:end+1], "  ")
		if value := strings.TrimSpace(fields[len(fields)-1]); !shown[value] {
			t.Errorf("tierctl prints %q, which the ledger does not show", line)
		}
	}
	if lines < 20 {
		t.Errorf("%d metrics were compared, want all:\n%s", lines, all)
	}
}
