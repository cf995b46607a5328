package validate

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"tierscope/gui/chart"
	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/measure/table"
	"tierscope/measure/validate"
)

// measured are response times of 2 and 4 workers at three rates. The stand-in
// for the simulator predicts 10 ms/(1 − λ/(100·w)); at 4 workers and 120/s the
// measurement is 14.3 ms / 1.1, so ε = +10 %.
const measured = `run,scenario,workers,rate,metric,of,stat,value,lo,hi,n,unit,flags
a,,2,60,R,,mean,0.0142857,,,1,s,
b,,2,120,R,,mean,0.025,,,1,s,
c,,2,180,R,,mean,0.1,,,1,s,
d,,4,60,R,,mean,0.0117647,,,1,s,
e,,4,120,R,,mean,0.0129870,,,1,s,
f,,4,180,R,,mean,0.0181818,,,1,s,
a,,2,60,X,,mean,60,,,1,1/s,
e,,4,120,X,,mean,120,,,1,1/s,
`

func compared(t *testing.T) (*page.Host, *Page) {
	h, p := pagetest.Open[*Page](t, New)
	seen, err := table.Read(strings.NewReader(measured), nil, []string{"workers", "rate"})
	if err != nil {
		t.Fatal(err)
	}
	h.Session.AddMeasured(session.MeasuredFile{Path: "web.csv", Table: seen})
	h.Session.Runner.Settle()
	if n := h.Session.Notice(); n != nil {
		t.Fatalf("%s %s", n.What, n.Why)
	}
	return h, p
}

func TestBeforeAnythingIsMeasuredThePageOffersImport(t *testing.T) {
	h, _ := pagetest.Open[*Page](t, New)
	test.AssertRendersToMarkup(t, "empty.xml", h.Window.Canvas())
}

func TestMeasurementsAreComparedAsSoonAsTheyAreThere(t *testing.T) {
	h, p := compared(t)
	pagetest.Picture(t, h, "validate")
	test.AssertObjectRendersToMarkup(t, "compared.xml", p.Content())
	if s := p.verdict.Sentence(); !strings.HasPrefix(s, "YES. 6 of 6 configurations within ±15 %. Worst: workers 4, rate 120, R (+10.0 %).") {
		t.Errorf("the verdict is %q", s)
	}
	if got := p.summary.Rows()[0]; got[0].Text != "R" || got[1].Text != "6" {
		t.Errorf("the summary begins with %v, want R over 6 configurations", got)
	}
}

// At 1280×800, beside the inspector, nothing that is said of a configuration lies beside the table or is cut.
func TestRemarksAreInSight(t *testing.T) {
	h, p := compared(t)
	h.Window.Resize(fyne.NewSize(880, 640))
	p.report.Verdict.Standings[0].Is, p.report.Verdict.Standings[0].Why = validate.Unjudged, "2 of 3 measured runs were disturbed by what others did at the same time"
	p.fill()
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(p.remarks)
	if right := at.X + p.remarks.Size().Width; !p.remarks.Visible() || !strings.Contains(p.remarks.Text, "cannot be judged") || p.remarks.Size().Width < 200 || right > 880/2+40 {
		t.Errorf("the remarks %q are at %v, %v wide", p.remarks.Text, at, p.remarks.Size().Width)
	}
}

func TestEveryViewShowsTheSameComparisons(t *testing.T) {
	h, p := compared(t)
	lines := p.plot.Figure().(chart.Lines)
	if len(lines.Series) != 4 || lines.Series[1].Role != chart.Measured {
		t.Errorf("the lines are %d series, want 2 predicted and 2 measured", len(lines.Series))
	}
	p.view.SetSelected(scatter)
	pagetest.Picture(t, h, "validate_scatter")
	if n := len(p.plot.Figure().(chart.Scatter).Points); n != 6 {
		t.Errorf("the scatter has %d points, want 6", n)
	}
	p.view.SetSelected(heatMap)
	pagetest.Picture(t, h, "validate_heatmap")
	f := p.plot.Figure().(chart.HeatMap)
	if len(f.Rows) != 2 || len(f.Columns) != 3 || math.Abs(f.Cells[1][1].Value-0.1) > 1e-4 {
		t.Errorf("the heat-map is %v × %v with %v at 4 workers, 120/s; want ε = +10 %%", f.Rows, f.Columns, f.Cells[1][1].Value)
	}
	p.view.SetSelected(blame)
	p.metric.SetSelected("X")
	if len(p.shown) != 2 {
		t.Errorf("throughput has %d comparisons, want 2", len(p.shown))
	}
}

func TestShowWorstMarksTheLargestError(t *testing.T) {
	_, p := compared(t)
	p.showWorst()
	p.openScenario(p.shown[4].Name)
	if got := p.host.Session.Scenario(); got.Settings["workers"] != 4 || got.Settings["rate"] != 120 {
		t.Errorf("the scenario of the worst configuration is %v", got.Settings)
	}
}

// What is shown as the worst is what the verdict calls so, whatever metric was on the screen.
func TestTheWorstIsThatOfTheVerdict(t *testing.T) {
	_, p := compared(t)
	p.metric.SetSelected("X")
	p.showWorst()
	if worst := p.report.Worst(); p.metric.Selected != worst.Metric || !strings.Contains(p.verdict.Sentence(), "Worst: "+worst.Name+", "+worst.Metric) {
		t.Errorf("%s is shown, the worst is %s of %s, and the verdict %q", p.metric.Selected, worst.Metric, worst.Name, p.verdict.Sentence())
	}
}

// A configuration that cannot be judged is not among those within the tolerance: its row says so, and is neither good nor bad.
func TestARowSaysThatItCannotBeJudged(t *testing.T) {
	_, p := compared(t)
	p.report.Verdict.Standings[0].Is, p.report.Verdict.Standings[0].Why = validate.Unjudged, "2 of 3 measured runs were disturbed"
	p.fill()
	for i, c := range p.shown {
		row := p.table.Rows()[i]
		doubtful := c.Name == p.report.Verdict.Standings[0].Name
		const why = "cannot be judged: 2 of 3 measured runs were disturbed"
		says := slices.ContainsFunc(strings.Split(row[3].Text, ", "), func(n string) bool { return slices.Contains(strings.Split(p.remarks.Text, "\n"), n+"  "+why) })
		if says != doubtful || (row[2].Tone == own.Quiet) != doubtful {
			t.Errorf("%s: ε %+v, remarks %q; in doubt: %t", c.Name, row[2], row[3].Text, doubtful)
		}
	}
}

func TestTheColumnsOfAForeignFileAreGuessedAndBadRowsNamed(t *testing.T) {
	h := pagetest.Host(t)
	m := newMapping("x.csv", []byte("workers,rate,latency [ms]\n4,60,12\n4,,13\n2,60,14\n"), h)
	m.form()
	for _, want := range []string{"2 values in 2 configurations of workers, rate.", "row 3: rate is empty"} {
		if !strings.Contains(m.preview.Text, want) {
			t.Errorf("the preview lacks %q: %s", want, m.preview.Text)
		}
	}
	if got := m.table.Rows[0]; got.Metric != "R" || math.Abs(got.Value-0.012) > 1e-15 {
		t.Errorf("12 in a column \"latency [ms]\" is read as %s = %g s", got.Metric, got.Value)
	}
	m.roles[2].SetSelected("ignore")
	if !strings.Contains(m.preview.Text, "measurements:") {
		t.Errorf("without a metric the preview says %q", m.preview.Text)
	}
}

func TestAFileThatIsNoTextIsRefused(t *testing.T) {
	h, p := pagetest.Open[*Page](t, New)
	p.Import("/tmp/image.csv", []byte("workers,rate\x00\xff\n"))
	if n := h.Session.Notice(); n == nil || !strings.HasPrefix(n.What, "image.csv is not a table of measurements.") {
		t.Errorf("the notice is %+v", n)
	}
	if h.Window.Canvas().Overlays().Top() != nil {
		t.Error("a picture is offered for import")
	}
}

func TestAnImportedFileIsKeptAndShown(t *testing.T) {
	h, p := pagetest.Open[*Page](t, New)
	path := filepath.Join(t.TempDir(), "foreign.csv")
	if err := os.WriteFile(path, []byte("workers,rate,R [ms]\n4,60,12\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	h.Session.Go(session.Place{Page: "validate", Part: path})
	h.Session.Runner.Settle()
	if h.Window.Canvas().Overlays().Top() == nil {
		t.Fatal("a dropped file opens no import dialog")
	}
	data, _ := os.ReadFile(path)
	if err := p.keep(newMapping(path, data, h)); err != nil {
		t.Fatal(err)
	}
	h.Session.Runner.Settle()
	if got := h.Session.Measured(); len(got) != 1 || got[0].Name() != "foreign.csv" {
		t.Errorf("measured are %v", got)
	}
	if err := p.keep(newMapping("bad.csv", []byte("workers,R\nx,y\n"), h)); err == nil || !strings.HasPrefix(err.Error(), "nothing was imported") {
		t.Errorf("a file without a good row leads to %v", err)
	}
}

// Whatever is chosen while a comparison runs, numbers and file name agree.
func TestTheComparisonIsOfTheFileThatIsChosen(t *testing.T) {
	h, p := pagetest.Open[*Page](t, New)
	seen, err := table.Read(strings.NewReader(measured), nil, []string{"workers", "rate"})
	if err != nil {
		t.Fatal(err)
	}
	h.Session.AddMeasured(session.MeasuredFile{Path: "a.csv", Table: seen}) // is compared at once
	h.Session.AddMeasured(session.MeasuredFile{Path: "b.csv", Table: seen})
	p.file.SetSelected("b.csv")
	h.Session.Runner.Settle()
	if p.about != "b.csv" {
		t.Errorf("b.csv is chosen and %q compared", p.about)
	}
}
