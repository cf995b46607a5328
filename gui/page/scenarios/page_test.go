package scenarios

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"tierscope/core"
	"tierscope/gui/chart"
	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
	"tierscope/measure/table"
	"tierscope/simulation"
	"tierscope/simulation/whatif"
)

func shown(t *testing.T) (*Page, *page.Host) {
	t.Helper()
	h := pagetest.Host(t)
	p := NewPage(h, 0)
	h.Session.GoPage(ID)
	pagetest.Show(t, h, p)
	return p, h
}

// The stand-in simulator: R = 0.01/(1 − rate/(100·workers)) s. With 4 workers
// and 60/s that is 11.8 ms, with 1 worker 25.0 ms.
func TestTypingANumberAsksWhatIfAndTheTableAnswers(t *testing.T) {
	p, h := shown(t)
	p.byKey["workers"].Submit("1")
	h.Session.Runner.Settle()
	if c := h.Session.Scenario(); c.Name != "A" || c.Settings["workers"] != 1 {
		t.Fatalf("scenario %+v, want A with one worker", c)
	}
	rows := p.answer.table.Rows()
	if len(rows) == 0 {
		t.Fatal("the table is empty")
	}
	got := rows[0]
	if got[0].Text != "Response time R" || !strings.HasPrefix(got[3].Text, "11.8 ms") || !strings.HasPrefix(got[2].Text, "25.0 ms") {
		t.Errorf("first row %q %q %q, want R 11.8 ms → 25.0 ms", got[0].Text, got[3].Text, got[2].Text)
	}
	if s := p.answer.verdict.Sentence(); !strings.Contains(s, "11.8 ms to 25.0 ms") {
		t.Errorf("verdict %q, want it to name both response times", s)
	}
	pagetest.Picture(t, h, "scenarios")
	test.AssertObjectRendersToMarkup(t, "answered.xml", p.Content())
}

// Who leaves the page leaves its curves; the scenario is simulated, and who comes back gets the rest. The simulator knows
// the scenario only, and anything else never ends.
func TestCurvesWaitWhileAnotherPageIsShown(t *testing.T) {
	h := pagetest.Host(t)
	h.Session.UseSimulator(func(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error) {
		if len(settings) == 0 {
			return pagetest.Simulate(ctx, m, settings, o)
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}, simulation.NewPool(2))
	p := NewPage(h, 0)
	h.Window.SetContent(p.Content())
	curves := func() (states []session.JobState) {
		for _, j := range h.Session.Jobs() {
			if strings.HasPrefix(j.Title, "Curve of ") {
				states = append(states, j.State)
			}
		}
		return states
	}
	p.Update(session.PlaceChanged)
	p.Leave()
	h.Session.Runner.Settle()
	if o := h.Session.Outcome(h.Session.Scenario()); o == nil || o.Result == nil || len(curves()) > 0 {
		t.Errorf("left at once: the scenario has %+v, and there are curves %v, want an answer and none", o, curves())
	}
	p.Update(session.PlaceChanged)
	h.Session.Runner.SettleUntil(func() bool { return len(curves()) > 0 })
	p.Leave()
	h.Session.Runner.Settle()
	if got := curves(); !slices.Equal(got, []session.JobState{session.Cancelled}) {
		t.Errorf("curves after leaving: %v, want one that was stopped", got)
	}
	h.Session.UseSimulator(pagetest.Simulate, simulation.NewPool(2))
	p.Update(session.PlaceChanged)
	h.Session.Runner.Settle()
	if got := curves(); !slices.Contains(got, session.Done) {
		t.Errorf("curves after coming back: %v, want them drawn", got)
	}
}

// An M/M/c-like estimate must be there before any simulation has run.
func TestAnEstimateIsShownAtOnce(t *testing.T) {
	h := pagetest.Host(t)
	p := NewPage(h, 0)
	h.Window.SetContent(p.Content())
	h.Window.Resize(fyne.NewSize(1280, 800))
	t.Cleanup(h.Session.Subscribe(p.Update))
	p.Update(session.PlaceChanged) // nothing from the background is taken yet
	if s := p.answer.verdict.Sentence(); !strings.HasPrefix(s, "Estimate: ") {
		t.Errorf("verdict %q before the simulation, want an estimate that says so", s)
	}
	f, ok := p.answer.plot.Figure().(chart.Lines)
	if !ok || len(f.Series) == 0 || f.Series[0].Role != chart.Analytic {
		t.Fatalf("figure %+v, want the analytic curve", f)
	}
	h.Session.Runner.Settle()
	f = p.answer.plot.Figure().(chart.Lines)
	roles := map[chart.Role]int{}
	for _, s := range f.Series {
		roles[s.Role] += len(s.Points)
		if s.Role == chart.Simulated && s.Points[0].Lo >= s.Points[0].Y {
			t.Errorf("the simulated points %+v have no intervals", s.Points)
		}
	}
	// Once simulated, no estimate is drawn: six points around the present rate, and the scenario's own.
	if roles[chart.Analytic] != 0 || roles[chart.Curve] == 0 || roles[chart.Simulated] != 7 {
		t.Errorf("points by role %v, want a curve through 6 simulated points and 1 more, and no estimate", roles)
	}
}

// While some of the values that are asked for are missing, three points say nothing of what is between them: the line is the
// estimate, and is called one. With all of them it is the curve.
func TestACurveIsDrawnWhenAllItsPointsAreThere(t *testing.T) {
	h := pagetest.Host(t)
	p := NewPage(h, 0)
	h.Window.SetContent(p.Content())
	p.Update(session.PlaceChanged) // nothing from the background is taken
	rate, _ := h.Session.Model().Parameter("rate")
	of := h.Session.Now()
	for n, v := range whatif.Values(rate, rate.Default, whatif.Points) {
		settings := map[string]float64{"rate": v}
		r, err := pagetest.Simulate(t.Context(), *h.Session.Model(), settings, simulation.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p.answer.explore.results[p.answer.explore.key(of, settings)] = r
		p.answer.showPlot()
		drawn := map[chart.Role]int{}
		for _, s := range p.answer.plot.Figure().(chart.Lines).Series {
			drawn[s.Role] += len(s.Points)
		}
		whole := n+1 == whatif.Points
		if drawn[chart.Simulated] != n+1 || (drawn[chart.Curve] > 0) != whole || (drawn[chart.Analytic] > 0) == whole {
			t.Errorf("with %d of %d points those drawn are %v, by role", n+1, whatif.Points, drawn)
		}
		if spark := p.answer.spark(rate); spark.Estimate == whole || len(spark.Dots) != n+1 {
			t.Errorf("with %d of %d points the strip is %+v", n+1, whatif.Points, spark)
		}
	}
}

// What a batch program is asked is how long it takes: R of its tasks is another
// number, and the curve is not of it.
func TestTheCurveOfABatchProgramIsOfItsMakespan(t *testing.T) {
	p, h := shown(t)
	m := *h.Session.Model()
	m.Sources = []core.Source{{ID: "work", Kind: core.Batch, Count: 100, Class: m.Sources[0].Class, To: m.Sources[0].To}}
	m.Parameters = slices.DeleteFunc(slices.Clone(m.Parameters), func(x core.Parameter) bool { return x.Unit == "1/s" })
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	h.Session.SetModel(&m, "")
	h.Session.Runner.Settle()
	f, ok := p.answer.plot.Figure().(chart.Lines)
	if !ok || f.Y.Label != "Makespan" || p.answer.metric.Selected != "Makespan" {
		t.Errorf("the plot is of %q, over it %q; want the makespan", f.Y.Label, p.answer.metric.Selected)
	}
}

// The old build, in this test, takes twice as long for everything: B − A is −R in every cell, and the ledger of the
// open project has no run of it.
func TestTheMapOfTwoBuildsIsTheirDifference(t *testing.T) {
	p, h := shown(t)
	old := *h.Session.Model()
	old.Name = "old"
	path := filepath.Join(t.TempDir(), "old.json")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(core.Encode(f, old), f.Close()); err != nil {
		t.Fatal(err)
	}
	h.Session.UseSimulator(func(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error) {
		r, err := pagetest.Simulate(ctx, m, settings, o)
		if err == nil && m.Name == "old" {
			r.Metrics[0].Estimate.Mean *= 2
		}
		return r, err
	}, simulation.NewPool(1))
	h.Session.Compare(session.Side{Kind: session.BuildSide, Name: path}, session.Side{Kind: session.ScenarioSide, Name: "baseline"})
	p.answer.metric.Choose("R class/task mean")
	h.Session.Runner.Settle()
	p.answer.and.Choose("workers")
	p.answer.showPlot()
	p.answer.ask()
	h.Session.Runner.Settle()
	m, ok := p.answer.plot.Figure().(chart.HeatMap)
	if !ok || !m.Difference || !strings.Contains(m.Title, "baseline − build old") {
		t.Fatalf("the figure is %T %q, want a map of baseline − build old", p.answer.plot.Figure(), m.Title)
	}
	for i, workers := range m.Rows {
		for j, rate := range m.Columns {
			want := -0.01 / (1 - rate/(100*workers))
			if got := m.Cells[i][j]; math.Abs(got.Value-want) > 1e-9 {
				t.Errorf("workers %g, rate %g: %g (%q), want %g", workers, rate, got.Value, got.Text, want)
			}
		}
	}
	for _, r := range h.Session.Runs() {
		if r.Result.Model == "old" {
			t.Fatalf("the run %s of the other build is among those of the open project", r.ID)
		}
	}
}

func TestSeveralChangesMakeOneScenarioAndUndoTakesThemBackOneByOne(t *testing.T) {
	p, h := shown(t)
	p.byKey["workers"].Submit("8")
	p.byKey["rate"].Submit("120")
	h.Session.Runner.Settle()
	if got := strings.Join(session.Differences(h.Session.Model(), h.Session.Scenario()), "; "); !strings.Contains(got, "rate 60") || !strings.Contains(got, "workers 4") {
		t.Errorf("differences %q, want both", got)
	}
	test.Tap(p.undo)
	if c := h.Session.Scenario(); c.Settings["workers"] != 8 || len(c.Settings) != 1 {
		t.Errorf("after undo %v, want only the workers changed", c.Settings)
	}
	if v := p.byKey["rate"].Value(); v != 60 {
		t.Errorf("the knob of the rate shows %v after undo, want 60", v)
	}
	h.Session.Runner.Settle()
}

func TestANumberOutsideItsRangeIsRefusedWithTheRange(t *testing.T) {
	p, h := shown(t)
	for _, s := range []string{"0", "65", "2.5", "many", ""} {
		p.byKey["workers"].Submit(s)
	}
	if n := len(h.Session.Scenarios()); n != 1 {
		t.Errorf("%d scenarios, want none to be made by numbers that are refused", n)
	}
	p.byKey["workers"].Submit("65")
	if got := p.byKey["workers"].Note(); got != "between 1 and 64" {
		t.Errorf("note %q, want the range", got)
	}
}

// What a parameter sets has one control, that of the parameter; its curve leaves nothing else to set the same, even where a file
// gives a size that the parameter cannot have.
func TestWhatAParameterSetsIsNotOfferedOnceMore(t *testing.T) {
	p, h := shown(t)
	for _, path := range p.add.Values() {
		if path == "pools/worker/size" || path == "sources/clients/rate_per_s" {
			t.Errorf("%s is offered beside the parameter that sets it", path)
		}
	}
	h.Session.Restore([]session.Scenario{{Name: "odd", Settings: map[string]float64{"pools/worker/size": 100}}})
	h.Session.UseScenario(1)
	p.answer.follow("workers")
	p.answer.ask()
	h.Session.Runner.Settle()
	for _, j := range h.Session.Jobs() {
		if j.State == session.Failed {
			t.Errorf("%s: %v", j.Title, j.Err)
		}
	}
}

// Dragging a slider past many values must not leave a run for each behind.
func TestOnlyTheLastOfManyChangesIsSimulated(t *testing.T) {
	p, h := shown(t)
	p.Pause = 5 * time.Second // however slow the machine is, the changes come before it ends
	for _, v := range []string{"5", "6", "7", "8"} {
		p.byKey["workers"].Submit(v)
	}
	h.Session.Runner.Settle()
	finished := 0
	for _, j := range h.Session.Jobs() {
		if strings.HasSuffix(j.Title, " A") && j.State == session.Done {
			finished++
		}
	}
	if finished != 1 {
		t.Errorf("%d finished runs of scenario A, want the last one only", finished)
	}
	if o := h.Session.Outcome(h.Session.Scenario()); o == nil || o.Result == nil {
		t.Error("the last configuration has no result")
	}
}

// A message above takes room from the list of scenarios: the one that is shown stays in sight.
func TestTheSelectedScenarioStaysInSight(t *testing.T) {
	p, h := shown(t)
	for range 20 {
		h.Session.AddScenario(0)
	}
	h.Session.Runner.Settle()
	p.deck.ScrollToTop()
	h.Session.Notify(session.Notice{What: "said"})
	h.Session.Runner.Settle()
	if p.deck.GetScrollOffset() == 0 {
		t.Error("the list of 21 scenarios is at its top, the last one is selected")
	}
}

func TestCopyAsCommandIsTheLineOfTierctl(t *testing.T) {
	p, h := shown(t)
	p.byKey["workers"].Submit("8")
	h.Session.Runner.Settle()
	p.answer.copyCommand()
	want := "tierctl run /tmp/web.tier --set workers=8 --seed 1 --reps 10 --precision 5%"
	if got := fyne.CurrentApp().Clipboard().Content(); got != want {
		t.Errorf("copied %q, want %q", got, want)
	}
}

// What was measured of the program with 4 workers stays on the figure over the rate when a scenario has 8 of them: it is what the
// baseline predicts.
func TestWhatWasMeasuredStaysBesideItsScenario(t *testing.T) {
	p, h := shown(t)
	csv := "run,scenario,rate,metric,of,stat,value,lo,hi,n,unit,flags\na,,60,R,class/task,mean,0.012,,,1,s,\nb,,60,R,class/task,mean,0.013,,,1,s,\n"
	seen, err := table.Read(strings.NewReader(csv), nil, []string{"workers", "rate"})
	if err != nil {
		t.Fatal(err)
	}
	h.Session.AddMeasured(session.MeasuredFile{Path: "runs.csv", Table: seen})
	rate, _ := h.Session.Model().Parameter("rate")
	names := func() (out []string) {
		all, said := p.answer.measured(rate, "R class/task mean")
		for _, s := range all {
			out = append(out, s.Name)
		}
		return append(out, said)
	}
	if got, want := names(), []string{"measured", "runs.csv, n = 2"}; !slices.Equal(got, want) {
		t.Errorf("beside the baseline: %q, want %q", got, want)
	}
	h.Session.Set("workers", 8)
	if got, want := names(), []string{"baseline, measured", "runs.csv, n = 2"}; !slices.Equal(got, want) {
		t.Errorf("beside 8 workers: %q, want %q", got, want)
	}
	h.Session.ResetAll()
	h.Session.Set("rate", 90)
	if got, want := names(), []string{"measured", "runs.csv, n = 2"}; !slices.Equal(got, want) {
		t.Errorf("beside another rate: %q, want %q", got, want)
	}
}

func TestAStructuralEditIsShownAndCanBeTakenBack(t *testing.T) {
	h := pagetest.Host(t)
	m := *pagetest.Model()
	m.Locks = []core.Lock{{ID: "L3", Kind: core.Mutex}}
	h.Session.SetModel(&m, "/tmp/web.tier")
	p := NewPage(h, 0)
	h.Session.GoPage(ID)
	pagetest.Show(t, h, p)
	h.Session.SetEdit(core.Edit{Kind: core.SplitLock, Lock: "L3", N: 4})
	h.Session.Runner.Settle()
	if got := p.cardText(1, h.Session.Scenario()); got != "L3 in 4 stripes" {
		t.Errorf("card %q, want the edit in words", got)
	}
	if n := len(p.edits.Objects); n != 1 {
		t.Fatalf("%d edits shown, want 1", n)
	}
	h.Session.ResetEdit(0)
	if n := len(p.edits.Objects); n != 0 {
		t.Errorf("%d edits shown after it was taken back", n)
	}
	h.Session.Runner.Settle()
}

func TestWithoutAModelThePageSaysWhatAScenarioIs(t *testing.T) {
	h := pagetest.Host(t)
	h.Session.SetModel(nil, "")
	p := NewPage(h, 0)
	pagetest.Show(t, h, p)
	if len(p.root.Objects) != 1 {
		t.Fatal("the page without a model is blank")
	}
}

// While what is not known of the model is still to be simulated, the mean is told as that of now, and nothing is called confident.
func TestAnAnswerThatIsPreliminarySaysSo(t *testing.T) {
	h := pagetest.Host(t)
	h.Session.UseSimulator(func(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error) {
		r, err := pagetest.Simulate(ctx, m, settings, o)
		if o.Progress != nil {
			o.Progress(simulation.Progress{Replications: 3, Planned: 3, Partial: r, WithoutInputs: true})
		}
		return r, err
	}, simulation.NewPool(1))
	p := NewPage(h, 0)
	pagetest.Show(t, h, p)
	so := map[string]bool{}
	t.Cleanup(h.Session.Subscribe(func(session.Event) {
		if text := p.answer.verdict.Sentence(); strings.HasPrefix(text, "So far: ") {
			so[text] = true
			if strings.Contains(text, "[") {
				t.Errorf("of a preliminary answer the page says %q", text)
			}
		}
	}))
	h.Session.Set("workers", 2)
	h.Session.Runner.Settle()
	if len(so) == 0 {
		t.Error("nothing is said while the answer is preliminary")
	}
	if text := p.answer.verdict.Sentence(); strings.HasPrefix(text, "So far") {
		t.Errorf("of the final answer the page says %q", text)
	}
}
