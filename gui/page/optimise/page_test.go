package optimise

import (
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"tierscope/core"
	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
	"tierscope/simulation/experiment"
	"tierscope/simulation/optimise"
)

func open(t *testing.T) (*page.Host, *Page) {
	h, p := pagetest.Open[*Page](t, New)
	return h, p
}

// search asks for the cheapest of 1, 2 and 4 workers with a mean response time
// of 13 ms at most and waits for the answer.
func search(t *testing.T) (*page.Host, *Page) {
	h, p := open(t)
	p.form.axes.Rows[0].Values.SetText("1,2,4")
	p.form.limits.SetText("R <= 13ms")
	p.form.cost.SetText("workers")
	p.form.load.SetSelected(noLoad)
	test.Tap(p.run)
	h.Session.Runner.Settle()
	return h, p
}

func TestWithoutParametersThePageSaysWhatToDo(t *testing.T) {
	h := pagetest.Host(t)
	h.Session.SetModel(&core.Model{Name: "bare"}, "")
	p := New(h).(*Page)
	pagetest.Show(t, h, p)
	test.AssertRendersToMarkup(t, "no_parameters.xml", h.Window.Canvas())
}

func TestTheFormProposesAQuestionThatCanBeAsked(t *testing.T) {
	h, p := open(t)
	if p.run.Disabled() {
		t.Errorf("the proposal cannot be run: %s", p.problem.Text)
	}
	if got := p.form.cost.Text; got != "0.05*workers" {
		t.Errorf("the proposed cost is %q, want that of the threads", got)
	}
	if got := p.form.load.Selected; got != "rate" {
		t.Errorf("the headroom is of %q, want the arrival rate", got)
	}
	if n := len(h.Session.Jobs()); n != 0 {
		t.Errorf("%d jobs before the analyst has asked", n)
	}
}

func TestWhatIsMistypedIsExplainedAndNothingCanRun(t *testing.T) {
	_, p := open(t)
	for _, c := range []struct {
		typed func(string)
		text  string
		why   string
	}{
		{p.form.limits.SetText, "R.p95 < 200", `limit "R.p95 < 200"`},
		{p.form.cost.SetText, "cores +", "expression"},
		{p.form.budget.SetText, "soon", `"soon"`},
		{p.form.constraints.SetText, "threads > 1", "threads"},
	} {
		p.form.open(pagetest.Model())
		c.typed(c.text)
		if !strings.Contains(p.problem.Text, c.why) || !p.run.Disabled() {
			t.Errorf("%q: the page says %q (can run: %t), want %q", c.text, p.problem.Text, !p.run.Disabled(), c.why)
		}
	}
}

// R = 10 ms/(1 − 60/(100·w)): 25 ms with 1 worker, 14.3 ms with 2, 11.8 ms with
// 4, so of the three only 4 workers keep 13 ms.
func TestTheCheapestConfigurationThatKeepsTheLimitWins(t *testing.T) {
	h, p := search(t)
	pagetest.Picture(t, h, "optimise")
	rows := p.table.Rows()
	if len(rows) != 3 || rows[0][0].Text != "▲ best" || rows[0][1].Key != 4 || rows[1][0].Text != "× fails" || rows[2][0].Text != "× fails" {
		t.Fatalf("candidates %v, want 4 workers first and the others failing", rows)
	}
	if got := p.verdict.Sentence(); !strings.HasPrefix(got, "workers 4. P(limits met) ") {
		t.Errorf("the verdict is %q", got)
	}
	if n := len(h.Session.Runs()); n != 3 {
		t.Errorf("%d runs are kept, want 3", n)
	}
	p.table.Select(0)
	if h.Session.Place().Page != "scenarios" || h.Session.Scenario().Settings["workers"] != 4 {
		t.Errorf("a tapped candidate leads to %+v with %v", h.Session.Place(), h.Session.Scenario().Settings)
	}
}

// What the search has simulated on its way to the headroom is in the ledger,
// and so among the runs of the window.
func TestEveryRunOfASearchIsAmongTheRuns(t *testing.T) {
	h, p := open(t)
	l, err := experiment.OpenLedger(filepath.Join(t.TempDir(), "ledger.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Session.UseLedger(l, nil); err != nil {
		t.Fatal(err)
	}
	p.form.axes.Rows[0].Values.SetText("4")
	p.form.limits.SetText("R <= 13ms")
	p.form.load.SetSelected("rate")
	test.Tap(p.run)
	h.Session.Runner.Settle()
	if n := len(h.Session.Runs()); n != l.Len() || n < 3 {
		t.Errorf("%d runs in the window, %d in the ledger; want the same, and several for the headroom", n, l.Len())
	}
	for _, r := range h.Session.Runs() {
		if r.Time.IsZero() {
			t.Errorf("run %s was made at no time", r.ID)
		}
	}
}

func TestWhenNothingMeetsTheLimitsThePageSaysSo(t *testing.T) {
	h, p := open(t)
	p.form.axes.Rows[0].Values.SetText("1,2")
	p.form.limits.SetText("R <= 1ms")
	test.Tap(p.run)
	h.Session.Runner.Settle()
	if got := p.verdict.Sentence(); !strings.HasPrefix(got, "None of the 2 configurations meets the limits.") {
		t.Errorf("the verdict is %q", got)
	}
}

func TestAStoppedSearchIsNoFailure(t *testing.T) {
	h, p := open(t)
	p.form.limits.SetText("R <= 13ms")
	test.Tap(p.run)
	test.Tap(p.cancel)
	h.Session.Runner.Settle()
	if n := h.Session.Notice(); n != nil {
		t.Errorf("stopping is reported as %+v", n)
	}
	if p.job != nil || p.run.Disabled() {
		t.Error("the page is not ready for another search")
	}
}

func TestTheCommandAsksTheSameQuestion(t *testing.T) {
	_, p := search(t)
	p.copyCommand()
	want := "tierctl optimize /tmp/web.tier --axis workers=1,2,4 --slo 'R <= 0.013' --cost workers --seed 1 --reps 10"
	if got := fyne.CurrentApp().Clipboard().Content(); got != want {
		t.Errorf("copied\n%s\nwant\n%s", got, want)
	}
}

func TestALimitIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"R.p95 <= 200ms", "U disk/sda <= 90%", "X >= 123.456/s", "R class/login mean <= 0.1"} {
		l, err := optimise.ParseLimit(text)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := optimise.ParseLimit(spec(l)); err != nil || again != l {
			t.Errorf("%s is written %s and read as %+v (%v)", text, spec(l), again, err)
		}
	}
}
