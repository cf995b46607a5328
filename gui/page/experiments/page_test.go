package experiments

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"tierscope/analysis/predictability"
	"tierscope/core"
	"tierscope/gui/chart"
	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

func open(t *testing.T) (*page.Host, *Page) {
	h, p := pagetest.Open[*Page](t, New)
	return h, p
}

func TestWithoutAModelThePageSaysWhatToDo(t *testing.T) {
	h := pagetest.Host(t)
	h.Session.SetModel(&core.Model{Name: "bare"}, "")
	p := New(h).(*Page)
	pagetest.Show(t, h, p)
	test.AssertRendersToMarkup(t, "no_parameters.xml", h.Window.Canvas())
}

func TestTheDesignerProposesTheFirstParameterAroundItsValue(t *testing.T) {
	_, p := open(t)
	if got := p.designer.axes.Rows[0]; got.Parameter.Selected != "workers" || got.Values.Text != "1,2,4,8,16" {
		t.Errorf("the first axis is %s = %s, want workers = 1,2,4,8,16: the default 4, halved and doubled", got.Parameter.Selected, got.Values.Text)
	}
	if p.preview.Text != "5 runs." {
		t.Errorf("the preview says %q, want 5 runs", p.preview.Text)
	}
}

func TestAMistypedAxisIsExplainedAndNothingCanRun(t *testing.T) {
	h, p := open(t)
	p.designer.axes.Rows[0].Values.SetText("")
	test.Type(p.designer.axes.Rows[0].Values, "1,x")
	h.Session.Runner.Settle()
	if !strings.Contains(p.preview.Text, `workers: "1,x" is neither a list such as 1,2,4,8`) || !p.run.Disabled() {
		t.Errorf("the preview says %q (run disabled: %v)", p.preview.Text, p.run.Disabled())
	}
	p.designer.axes.Rows[0].Values.SetText("0,4")
	h.Session.Runner.Settle()
	if !strings.Contains(p.preview.Text, "workers") || !p.run.Disabled() {
		t.Errorf("a pool of 0 workers: the preview says %q (run disabled: %v)", p.preview.Text, p.run.Disabled())
	}
}

func TestConstraintsLeaveRunsOut(t *testing.T) {
	h, p := open(t)
	p.designer.axes.Add("rate", "50..150/50")
	p.designer.constraints.SetText("rate <= 100; workers > 1")
	h.Session.Runner.Settle()
	if p.preview.Text != "8 runs." { // 4 of 5 pool sizes × 2 of 3 rates
		t.Errorf("the preview says %q, want 8 runs", p.preview.Text)
	}
}

func TestARunSweepFillsTableAndPlotAndIsAmongTheRuns(t *testing.T) {
	h, p := open(t)
	p.designer.axes.Add("rate", "50,100")
	p.designer.axes.Rows[0].Values.SetText("2,4")
	h.Session.Runner.Settle()
	test.Tap(p.run)
	h.Session.Runner.Settle()
	pagetest.Picture(t, h, "experiments")
	test.AssertObjectRendersToMarkup(t, "swept.xml", p.Content())
	if n := len(h.Session.Runs()); n != 4 {
		t.Fatalf("%d runs are kept, want 4", n)
	}
	f := p.plot.Figure().(chart.Lines)
	if len(f.Series) != 2 || len(f.Series[0].Points) != 2 {
		t.Fatalf("the plot has %d lines, want one per pool size or rate, of 2 points each", len(f.Series))
	}
	// 2 workers at 100/s: U = 0.5, R = 10 ms / (1 − 0.5) = 20 ms.
	found := false
	for _, row := range p.points.Rows() {
		found = found || row[0].Text == "2" && row[1].Text == "100" && row[3].Text == "20.0 ms [19.0, 21.0]"
	}
	if !found {
		t.Errorf("no row says 2 workers, 100/s: 20.0 ms [19.0, 21.0]: %v", p.points.Rows())
	}
	if p.job != nil || p.run.Disabled() {
		t.Error("after the sweep the page is not ready for another")
	}
	p.points.Select(0)
	if got := h.Session.Scenario(); got.Settings["workers"] == 0 || h.Session.Place().Page != "scenarios" {
		t.Errorf("tapping a row leads to %q with %v", h.Session.Place().Page, got.Settings)
	}
}

func TestACancelledSweepKeepsWhatItHas(t *testing.T) {
	h, p := open(t)
	test.Tap(p.run)
	test.Tap(p.cancel)
	h.Session.Runner.Settle()
	if h.Session.Notice() != nil {
		t.Errorf("cancelling is reported as a failure: %+v", h.Session.Notice())
	}
	if got := h.Session.Jobs()[0].State; got != session.Cancelled && got != session.Done {
		t.Errorf("the job is %s", got)
	}
	test.Tap(p.run)
	h.Session.Runner.Settle()
	if n := len(h.Session.Runs()); n != 5 {
		t.Errorf("run again, the sweep has %d results, want all 5", n)
	}
}

// A run that was stopped has a part of its replications: it is shown as that, in the table and
// the plot, and simulated again by the next sweep.
func TestWhatACancelledSweepHasIsShownAndCompleted(t *testing.T) {
	h, p := open(t)
	whole, pool := h.Session.Simulator()
	cancelled := false
	h.Session.UseSimulator(func(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error) {
		r, err := whole(ctx, m, settings, o)
		if settings["workers"] > 1 { // nothing was done of the others
			return &simulation.Result{Interrupted: true}, err
		}
		r.Interrupted, cancelled = true, true
		return r, err
	}, pool)
	test.Tap(p.run)
	h.Session.Runner.Settle()
	if !cancelled || p.plan.Known != 0 {
		t.Fatalf("%d points of the plan are known, want none: the only one was stopped", p.plan.Known)
	}
	rows := p.points.Rows()
	if state := rows[0][1].Text; !strings.HasPrefix(state, "stopped after 3 replications") || rows[0][2].Text == "" {
		t.Errorf("the row of the run that was stopped is %v", rows[0])
	}
	if state := rows[1][1].Text; state != "not run yet" {
		t.Errorf("a run of which there is nothing is %q", state)
	}
	if p.metric.Value() == "" || chart.Empty(p.plot.Figure()) {
		t.Errorf("no metric is chosen (%q), or the plot is empty", p.metric.Value())
	}
	h.Session.UseSimulator(whole, pool)
	test.Tap(p.run)
	h.Session.Runner.Settle()
	for _, row := range p.points.Rows() {
		if state := row[1].Text; state != "from the ledger" {
			t.Errorf("after another run the state of %s workers is %q", row[0].Text, state)
		}
	}
}

func TestADesignWithoutRunsSaysWhatToDoAndKeepsTheMetric(t *testing.T) {
	h, p := open(t)
	if !pagetest.Says(p.plot, "None of these configurations has run yet") || !p.metric.Disabled() {
		t.Error("before the first run the plot is empty without a word, or a metric can be chosen")
	}
	test.Tap(p.run)
	h.Session.Runner.Settle()
	p.metric.Choose("X class/task mean")
	p.designer.axes.Rows[0].Values.SetText("3,5")
	h.Session.Runner.Settle()
	if !chart.Empty(p.plot.Figure()) || !pagetest.Says(p.plot, "None of these configurations has run yet") {
		t.Error("another design has no runs, and the plot does not say so")
	}
	if p.metric.Value() != "X class/task mean" {
		t.Errorf("the metric is %q, want the one that was chosen", p.metric.Value())
	}
}

func TestTheCommandGivesTheSameSweep(t *testing.T) {
	h, p := open(t)
	p.designer.axes.Add("rate", "10..130/10")
	p.designer.constraints.SetText("workers >= 2")
	p.copyCommand()
	want := "tierctl sweep --axis workers=1,2,4,8,16 --axis rate=10..130/10 --where 'workers >= 2' --reps 10 --seed 1 /tmp/web.tier"
	if got := fyne.CurrentApp().Clipboard().Content(); got != want {
		t.Errorf("copied\n%s\nwant\n%s", got, want)
	}
	_ = h
}

// A study of predictability calls rates below 100 unpredictable: the plan says so
// before anything runs, and the table at the point.
func TestPointsOutsideOfThePredictableSizesAreMarked(t *testing.T) {
	h := pagetest.Host(t)
	h.Session.SetModel(pagetest.Model(), "/tmp/web.tier")
	h.Session.SetPredictability(&predictability.Study{Parameter: "rate", PoP: &predictability.PoP{Size: 100, Threshold: 0.3}})
	p := New(h).(*Page)
	plan := &experiment.Plan{Points: []experiment.Point{{Settings: map[string]float64{"rate": 50}}, {Settings: map[string]float64{"rate": 150}}}}
	if s := p.unpredictable(plan); !strings.Contains(s, "1 of 2 configurations, such as: size 50 is below") {
		t.Errorf("the warning is %q", s)
	}
	outside := h.Session.OutsideAmong(plan.Points[0].Settings)
	if c := stateCell(plan.Points[0], outside); !strings.HasPrefix(c.Text, "! not predictable: size 50") {
		t.Errorf("the state of the point is %q", c.Text)
	}
}
