package results

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"tierscope/gui/chart"
	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// sweep opens the page with runs of 2, 4 and 8 workers at 60 and 120/s.
func sweep(t *testing.T) (*page.Host, *Page) {
	h, p := pagetest.Open[*Page](t, New)
	for _, w := range []float64{2, 4, 8} {
		for _, rate := range []float64{60, 120} {
			add(t, h, map[string]float64{"workers": w, "rate": rate})
		}
	}
	h.Session.Runner.Settle()
	return h, p
}

func add(t *testing.T, h *page.Host, settings map[string]float64) {
	r, err := pagetest.Simulate(context.Background(), *h.Session.Model(), settings, simulation.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	h.Session.AddRuns(experiment.Run{ID: strings.Repeat("x", len(h.Session.Runs())+1), Result: r})
}

func TestBeforeTheFirstRunThePageSaysHowToMakeOne(t *testing.T) {
	h, _ := pagetest.Open[*Page](t, New)
	test.AssertRendersToMarkup(t, "empty.xml", h.Window.Canvas())
}

func TestRunsAreShownOverTheParameterThatVariesMost(t *testing.T) {
	h, p := sweep(t)
	pagetest.Picture(t, h, "results")
	test.AssertObjectRendersToMarkup(t, "sweep.xml", p.Content())
	if p.x.Selected != "workers" || p.by.Selected != "rate" || p.metric.Value() != "R class/task mean" {
		t.Errorf("shown: %q over %q, one line per %q", p.metric.Value(), p.x.Selected, p.by.Selected)
	}
	f := p.figure().(chart.Lines)
	// 4 workers at 120/s: R = 10 ms/(1 − 0.3).
	if got := f.Series[1].Points[1]; got.X != 4 || math.Abs(got.Y-0.01/0.7) > 1e-12 {
		t.Errorf("4 workers at 120/s are drawn as %+v", got)
	}
}

func TestAnotherAxisAndMetricRedraw(t *testing.T) {
	_, p := sweep(t)
	p.x.SetSelected("rate")
	p.by.SetSelected(none)
	p.metric.SetSelected("Throughput X")
	f := p.figure().(chart.Lines)
	if len(f.Series) != 3 || f.X.Label != "rate" || f.Series[0].Name != "workers 2" || f.Series[0].Points[0].Y != 60 {
		t.Errorf("drawn %+v", f)
	}
}

// What nobody asked for, the points of the curves beside the knobs, is neither drawn nor offered; who asked has the name of the
// scenario in the list.
func TestRunsThatNobodyAskedForAreNotOffered(t *testing.T) {
	h, p := sweep(t)
	before := len(p.comparison.a.Options)
	for _, scenario := range []string{experiment.Curves, "A"} {
		r, err := pagetest.Simulate(context.Background(), *h.Session.Model(), map[string]float64{"workers": 16, "rate": 70}, simulation.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		h.Session.AddRuns(experiment.Run{ID: scenario, Scenario: scenario, Result: r})
		drawn := 0
		for _, s := range p.figure().(chart.Lines).Series {
			for _, x := range s.Points {
				if x.X == 16 {
					drawn++
				}
			}
		}
		if asked := scenario == "A"; asked != (drawn == 1) || asked != (len(p.comparison.a.Options) > before) {
			t.Errorf("for %q: %d points are drawn, and offered are %q", scenario, drawn, p.comparison.a.Options)
		}
	}
	if got := p.comparison.b.Selected; got != "7  A: rate 70, workers 16" {
		t.Errorf("compared with is %q, want what A was made for", got)
	}
}

func TestTwoRunsAreComparedByPairedDifferences(t *testing.T) {
	_, p := sweep(t)
	c := p.comparison
	c.a.SetSelectedIndex(0) // 2 workers, 60/s: R = 10 ms/0.7 = 14.3 ms
	c.b.SetSelectedIndex(4) // 8 workers, 60/s: R = 10 ms/0.925 = 10.8 ms
	if want := "Response time R from 14.3 ms to 10.8 ms (−24.3 % [−24.3, −24.3]); Throughput X from 60.0 /s to 60.0 /s (same, ±0.1 %)."; c.text.Text != want {
		t.Errorf("the sentence is\n%s\nwant\n%s", c.text.Text, want)
	}
	rows := c.table.Rows()
	if rows[0][1].Text != "−24.3 % [−24.3, −24.3]" || rows[1][1].Text != "same, ±0.1 %" {
		t.Errorf("R changes by %q and X by %q", rows[0][1].Text, rows[1][1].Text)
	}
}

func TestALockedBaselineStaysWhenRunsArrive(t *testing.T) {
	h, p := sweep(t)
	c := p.comparison
	c.a.SetSelectedIndex(2)
	c.lock.SetChecked(true)
	add(t, h, map[string]float64{"workers": 16})
	if c.a.SelectedIndex() != 2 || c.b.SelectedIndex() != 6 {
		t.Errorf("compared are runs %d and %d, want the locked 2 and the newest 6", c.a.SelectedIndex(), c.b.SelectedIndex())
	}
}

func TestTappingAPointOpensItsScenario(t *testing.T) {
	h, p := sweep(t)
	p.openRun("xxx") // the third run: 4 workers, 60/s
	if got := h.Session.Scenario(); got.Name != "rate 60, workers 4" || h.Session.Place().Page != "scenarios" {
		t.Errorf("the scenario is %q on page %q", got.Name, h.Session.Place().Page)
	}
}

// A pin keeps what a figure shows, not its picture.
func TestAPinnedFigureIsFoundAgain(t *testing.T) {
	h, p := sweep(t)
	p.logY.SetChecked(true)
	p.x.SetSelected("rate")
	p.by.SetSelected("workers")
	p.pin()
	pinned := h.Session.Charts()
	if len(pinned) != 1 || pinned[0].Name() != "Response time R over rate, by workers, log y" {
		t.Fatalf("pinned %+v", pinned)
	}
	p.x.SetSelected("workers")
	p.logY.SetChecked(false)
	h.Session.Go(session.Place{Page: "results", Part: pinned[0].Name()})
	if r := p.recipe(); r.X != "rate" || r.By != "workers" || !r.LogY {
		t.Errorf("the page shows %+v, want what was pinned", r)
	}
	if got := len(p.figure().(chart.Lines).Series); got != 3 {
		t.Errorf("the figure has %d lines, want one for each of 3 pool sizes", got)
	}
}

func TestNothingIsPinnedBeforeTheFirstRun(t *testing.T) {
	h, p := pagetest.Open[*Page](t, New)
	p.pin()
	if n := h.Session.Notice(); n == nil || len(h.Session.Charts()) != 0 {
		t.Errorf("notice %+v and %d charts", n, len(h.Session.Charts()))
	}
}

// A thousand runs are read in the background: the page says so, then shows them, and keeps what was chosen when one
// more comes.
func TestManyRunsAreReadInTheBackground(t *testing.T) {
	h, p := sweep(t)
	var some []experiment.Run
	for i := range 1000 {
		r, err := pagetest.Simulate(context.Background(), *h.Session.Model(), map[string]float64{"workers": float64(1 + i%50), "rate": float64(1 + i/50)}, simulation.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		some = append(some, experiment.Run{ID: fmt.Sprint(i), Result: r})
	}
	h.Session.AddRuns(some...)
	if p.figure().(chart.Lines).Series[0].Points[0].X != 2 {
		t.Error("the figure is not that of before while the runs are read")
	}
	h.Session.Runner.Settle()
	if n := len(p.figure().(chart.Lines).Series[0].Points); n != 50 {
		t.Errorf("%d points on the first line, want those of 50 workers", n)
	}
	p.metric.SetSelected("Throughput X")
	add(t, h, map[string]float64{"workers": 51, "rate": 1})
	h.Session.Runner.Settle()
	if p.metric.Value() != "X class/task mean" {
		t.Errorf("after one more run the metric is %q", p.metric.Value())
	}
}
