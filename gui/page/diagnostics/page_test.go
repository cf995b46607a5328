package diagnostics

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"tierscope/core"
	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
	"tierscope/project/work"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

func opened(t *testing.T) (*page.Host, *Page) {
	return pagetest.Open[*Page](t, func(h *page.Host) page.Page { return New(h, "1.2.3") })
}

// Kleinrock 1975: M/M/1 with λ = 50/s and S = 10 ms has R = S/(1 − ρ) = 20 ms;
// M/M/2 at the load 0.8 has R = S/(1 − ρ²) = 27.8 ms.
func TestTheoryIsThatOfKleinrock(t *testing.T) {
	t.Parallel()
	want := map[string]float64{"M/M/1, load 50 %": 0.020, "M/M/1, load 80 %": 0.050, "M/M/2, load 80 %": 0.01 / 0.36}
	for _, c := range systems() {
		if w, ok := want[c.what]; ok && math.Abs(c.theory-w) > 1e-9 {
			t.Errorf("%s: R = %g s, want %g s", c.what, c.theory, w)
		}
		if err := c.model.Validate(); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// The self-test runs in the background; a simulator that answers 20 % too much
// is found out.
func TestTheSelfTestTellsARightSimulatorFromAWrongOne(t *testing.T) {
	for factor, verdict := range map[float64]string{1: "agrees", 1.2: "differs: please report it"} {
		h, p := opened(t)
		asked := 0
		h.Session.UseSimulator(func(context.Context, core.Model, map[string]float64, simulation.Options) (*simulation.Result, error) {
			mean := factor * systems()[asked].theory
			asked++
			return &simulation.Result{Metrics: []simulation.Metric{{Name: "R", Of: "class/task", Stat: "mean", Unit: "s",
				Estimate: output.Estimate{Mean: mean, Lo: 0.97 * mean, Hi: 1.03 * mean, N: 10, Confidence: 0.95}}}}, nil
		}, simulation.NewPool(1))
		test.Tap(p.test)
		h.Session.Runner.Settle()
		if got := p.table.Rows(); len(got) != len(systems()) || got[0][3].Text != verdict {
			t.Errorf("of a simulator with answers %g times the theory the table says %v, want %q", factor, got, verdict)
		}
		if p.test.Disabled() {
			t.Error("the self-test cannot be run again")
		}
	}
}

func TestAFailedSelfTestIsANoticeAndCanBeRepeated(t *testing.T) {
	h, p := opened(t)
	h.Session.UseSimulator(func(context.Context, core.Model, map[string]float64, simulation.Options) (*simulation.Result, error) {
		return nil, errors.New("out of memory")
	}, simulation.NewPool(1))
	test.Tap(p.test)
	h.Session.Runner.Settle()
	if n := h.Session.Notice(); n == nil || !strings.Contains(n.Why+n.Details, "out of memory") {
		t.Errorf("the notice is %+v", n)
	}
	if p.test.Disabled() || len(p.table.Rows()) != 0 {
		t.Error("after a failure the page is not as before")
	}
}

// A report of a problem holds the versions and the last problem's details, even
// after the notice is gone.
func TestTheReportHoldsVersionsAndTheLastProblem(t *testing.T) {
	h, p := opened(t)
	h.Session.Notify(session.Failure("The report was not written.", errors.New("disk full")))
	h.Session.Notify(session.Notice{Level: session.Info, What: "Saved."})
	pagetest.Press(t, h, p.Content(), "Copy report")
	copied := fyne.CurrentApp().Clipboard().Content()
	for _, want := range []string{"Tierscope 1.2.3", simulation.Version, "disk full"} {
		if !strings.Contains(copied, want) {
			t.Errorf("the report lacks %q:\n%s", want, copied)
		}
	}
}

// Who looks at the page sees what was started at a terminal, and what it waits for.
func TestCampaignsAreShownWithWhatTheyWaitFor(t *testing.T) {
	t.Parallel()
	left, now := 600.0, time.Date(2026, 11, 23, 3, 0, 0, 0, time.UTC)
	got := standing([]work.Work{
		{Args: []string{"measure", "--out", "t.csv"}, Dir: "/home/a", Unit: "runs", Done: 12, Planned: 54, Remaining: &left, Updated: now.Add(-time.Minute), State: work.Running, Problem: "no space left on device"},
		{Args: []string{"sweep"}, Dir: "/", Unit: "configurations", Done: 5, Planned: 5, State: work.Finished},
	}, nil, now)
	want := "running: 12 of 54 runs, about 9m to go (no space left on device): tierctl measure --out t.csv, in /home/a\nfinished: 5 of 5 configurations: tierctl sweep, in /"
	if got != want {
		t.Errorf("the page says\n%s\nwant\n%s", got, want)
	}
}
