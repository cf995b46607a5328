package explain

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
	"tierscope/simulation"
)

// explained opens the page on a scenario of the real simulator and explains it.
func explained(t *testing.T, settings map[string]float64) (*page.Host, *Page) {
	h := pagetest.Host(t)
	// 20 simulated seconds without a pilot: enough to tell a saturated CPU.
	h.Session.UseSimulator(func(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error) {
		o.Duration, o.Warmup = 20, 5
		return simulation.Run(ctx, m, settings, o)
	}, simulation.NewPool(2))
	h.Session.ChangeSettings(func(s *session.Settings) { s.Replications, s.Precision = 3, 0 })
	if settings != nil {
		h.Session.AddSettings("busy", settings)
	}
	p := New(h).(*Page)
	pagetest.Show(t, h, p)
	test.Tap(p.run)
	h.Session.Runner.Settle()
	if n := h.Session.Notice(); n != nil {
		t.Fatalf("%s %s", n.What, n.Why)
	}
	return h, p
}

func TestBeforeExplainingThePageSaysWhatItWillDo(t *testing.T) {
	h, _ := pagetest.Open[*Page](t, New)
	test.AssertRendersToMarkup(t, "before.xml", h.Window.Canvas())
}

// 4 cores serve at most 400 tasks a second of 10 ms: at 385/s the CPU is 96 %
// busy, and nothing else is.
func TestASaturatedCPUIsNamedAsTheBottleneck(t *testing.T) {
	h, p := explained(t, map[string]float64{"rate": 385, "workers": 16})
	pagetest.Picture(t, h, "explain")
	if s := p.verdict.Sentence(); !strings.HasPrefix(s, "CPU (4 cores) limits this configuration: it is busy 9") {
		t.Errorf("the verdict is %q, want one about the CPU", p.verdict.Sentence())
	}
	if got := p.ranking.Columns()[4].Title; got != "Mean number waiting" {
		t.Errorf("a number without a unit is headed %q, want what it counts", got)
	}
	first := p.ranking.Rows()[0]
	if kind := first[len(first)-1].Text; kind != "CPU" && kind != "code" {
		t.Errorf("what helps most is %q (%s), want the CPU or the code that uses it", first[0].Text, kind)
	}
	if !strings.Contains(p.breakdown.Summary(), "Where a task's time goes") {
		t.Errorf("the breakdown says %q", p.breakdown.Summary())
	}
}

func TestTryMakesAScenario(t *testing.T) {
	h, p := explained(t, map[string]float64{"rate": 380, "workers": 2})
	var try *widget.Button
	for _, o := range p.findings.Objects {
		walk(o, func(o fyne.CanvasObject) {
			if b, ok := o.(*widget.Button); ok && try == nil && strings.HasPrefix(b.Text, "Try: ") {
				try = b
			}
		})
	}
	if try == nil {
		t.Fatal("2 workers for 380 tasks of 10 ms a second, and no finding offers anything to try")
	}
	before := len(h.Session.Scenarios())
	test.Tap(try)
	if n := len(h.Session.Scenarios()); n != before+1 || h.Session.Place().Page != "scenarios" {
		t.Errorf("after Try there are %d scenarios, before %d; the page is %q", n, before, h.Session.Place().Page)
	}
}

func TestAnotherScenarioIsNotExplainedByTheOldReport(t *testing.T) {
	h, p := explained(t, nil)
	if !p.current() {
		t.Fatal("the report is not about the scenario it was made for")
	}
	h.Session.Set("workers", 8)
	if p.current() {
		t.Error("a report about 4 workers is shown for 8")
	}
}

func TestWhatIsFineIsHiddenUntilAskedFor(t *testing.T) {
	_, p := explained(t, nil)
	before := len(p.findings.Objects)
	p.fine.SetChecked(true)
	if after := len(p.findings.Objects); after <= before || after != len(p.report.Findings) {
		t.Errorf("%d findings are shown of %d, %d before asking for the fine ones", after, len(p.report.Findings), before)
	}
}

func TestElementsOfMetricsAreFoundInTheModel(t *testing.T) {
	t.Parallel()
	for of, want := range map[string]string{
		"disk/sda": "disks/sda", "lock/L3": "locks/L3", "pool/worker": "pools/worker", "queue/tasks": "queues/tasks",
		"fragment/worker/parse": "graphs/worker/fragments/parse", "cpu": "cpu", "class/task": "",
	} {
		if got := elementPath(of); got != want {
			t.Errorf("%s is at %q, want %q", of, got, want)
		}
	}
}

// walk calls f for an object and everything in it.
func walk(o fyne.CanvasObject, f func(fyne.CanvasObject)) {
	f(o)
	switch o := o.(type) {
	case *fyne.Container:
		for _, c := range o.Objects {
			walk(c, f)
		}
	case fyne.Widget:
		for _, c := range test.WidgetRenderer(o).Objects() {
			walk(c, f)
		}
	}
}
