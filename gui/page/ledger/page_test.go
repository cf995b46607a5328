package ledger

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"tierscope/core"
	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
	"tierscope/measure/validate"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// simulated opens the page after the baseline and 8 workers were simulated.
func simulated(t *testing.T) (*page.Host, *Page) {
	h := pagetest.Host(t)
	h.Session.Simulate(h.Session.Scenario())
	h.Session.Runner.Settle() // the runs end one after the other
	h.Session.Set("workers", 8)
	h.Session.Simulate(h.Session.Scenario())
	h.Session.Runner.Settle()
	p := New(h).(*Page)
	pagetest.Show(t, h, p)
	return h, p
}

func TestBeforeTheFirstRunTheLedgerSaysHowToMakeOne(t *testing.T) {
	h, _ := pagetest.Open[*Page](t, New)
	test.AssertRendersToMarkup(t, "empty.xml", h.Window.Canvas())
}

// 4 workers at 60/s: R = 10 ms/(1 − 60/400) = 11.8 ms; 8 workers: 10.8 ms.
func TestEveryRunIsListedLatestFirst(t *testing.T) {
	_, p := simulated(t)
	rows := p.table.Rows()
	if len(rows) != 2 || rows[0][0].Text != "workers 8" || rows[0][1].Text != "A" || !strings.HasPrefix(rows[0][2].Text, "10.8 ms [") ||
		rows[1][0].Text != "baseline" || !strings.HasPrefix(rows[1][2].Text, "11.8 ms [") {
		t.Errorf("rows %v, want 8 workers with 10.8 ms, then the baseline with 11.8 ms", rows)
	}
}

func TestTheFilterKeepsRunsWithAllItsWords(t *testing.T) {
	_, p := simulated(t)
	for _, c := range []struct {
		text string
		want int
	}{{"workers", 1}, {"WORKERS 8", 1}, {"complete", 2}, {"workers baseline", 0}, {"seed 1", 2}, {"", 2}} {
		p.filter.SetText(c.text)
		if n := len(p.table.Rows()); n != c.want {
			t.Errorf("%q keeps %d runs, want %d", c.text, n, c.want)
		}
	}
}

func TestATappedRunShowsItsResultAndBecomesAScenario(t *testing.T) {
	h, p := simulated(t)
	p.table.Select(1)
	pagetest.Picture(t, h, "ledger")
	if got := p.verdict.Sentence(); !strings.Contains(got, "11.8 ms") {
		t.Errorf("the verdict of the baseline is %q, want its 11.8 ms", got)
	}
	if n := len(p.metrics.Rows()); n != 3 {
		t.Errorf("%d metrics, want R, X and U", n)
	}
	p.copyCommand()
	if got, want := fyne.CurrentApp().Clipboard().Content(), "tierctl run /tmp/web.tier --seed 1 --reps 10 --precision 5%"; got != want {
		t.Errorf("copied %q, want %q", got, want)
	}
	test.Tap(p.use)
	if h.Session.Place().Page != "scenarios" || h.Session.Current() != 0 || len(h.Session.Scenarios()) != 2 {
		t.Errorf("open as scenario leads to %+v, scenario %d of %d; want the baseline, and no copy of it",
			h.Session.Place(), h.Session.Current(), len(h.Session.Scenarios()))
	}
}

// The points of the curves beside the knobs are in the ledger, and listed for who wants them.
func TestRunsThatNobodyAskedForAreListedOnDemand(t *testing.T) {
	h, p := simulated(t)
	r, err := pagetest.Simulate(t.Context(), *h.Session.Model(), map[string]float64{"workers": 3}, simulation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.Session.AddRuns(experiment.Run{ID: "point", Scenario: experiment.Curves, Result: r})
	if n := len(p.table.Rows()); n != 2 || p.count.Text != "2 of 3 runs" {
		t.Errorf("%d rows, %q; want the two scenarios", n, p.count.Text)
	}
	p.every.SetChecked(true)
	if n := len(p.table.Rows()); n != 3 {
		t.Errorf("%d rows, want the point of the curve too", n)
	}
}

// Equal inputs are never simulated twice, so a repeat has a seed of its own.
func TestARepeatIsAnIndependentRun(t *testing.T) {
	h, p := simulated(t)
	p.table.Select(0)
	test.Tap(p.repeat)
	h.Session.Runner.Settle()
	runs := h.Session.Runs()
	if len(runs) != 3 || runs[2].Inputs.Seed != 2 || runs[2].Result.Configuration["workers"] != 8 {
		t.Errorf("after a repeat: %d runs, the last %+v; want a third with seed 2 and 8 workers", len(runs), runs[len(runs)-1])
	}
}

// What was simulated under the arrivals of a measurement is called by the configuration that it was, and is no
// earlier model.
func TestARunOfAValidationSaysWhichConfigurationItWas(t *testing.T) {
	h, p := simulated(t)
	run := h.Session.Runs()[0]
	result := *run.Result
	result.Model, result.ModelHash, result.Configuration = "workers 8"+validate.AsMeasured, "another", nil
	run.ID, run.Result = "drawn", &result
	h.Session.AddRuns(run)
	p.Update(session.RunsChanged)
	if row := p.table.Rows()[0]; row[0].Text != "workers 8, arrivals as measured" || row[6].Text != "complete" {
		t.Errorf("the run is %q, %q", row[0].Text, row[6].Text)
	}
}

// A run of an earlier model is a result, but cannot be made again.
func TestARunOfAnEarlierModelCanOnlyBeRead(t *testing.T) {
	h, p := simulated(t)
	runs := h.Session.Runs()
	m := pagetest.Model()
	m.CPU = core.CPU{Cores: 2}
	h.Session.SetModel(m, "/tmp/web.tier")
	if err := h.Session.UseLedger(nil, runs); err != nil {
		t.Fatal(err)
	}
	p.table.Select(0)
	p.Update(session.PlaceChanged)
	if got := p.table.Rows()[0][6].Text; got != "earlier model" {
		t.Errorf("the state is %q", got)
	}
	if !p.use.Disabled() || !p.repeat.Disabled() {
		t.Error("a run of an earlier model can be repeated with this one")
	}
}
