package regression

import (
	"fmt"
	"strings"
	"testing"

	"tierscope/analysis/regress"
	"tierscope/gui/chart"
	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
)

// profile has a behaviour that is exactly 4 + 3·size/n, and one that is noise.
func profile() string {
	var b strings.Builder
	b.WriteString("n,size,Y.work,Y.noise\n")
	for i := range 24 {
		size, n := 100+i*i%37*50, 1+i%4
		fmt.Fprintf(&b, "%d,%d,%g,%d\n", n, size, 4+3*float64(size)/float64(n), 1+i*i*7919%1009)
	}
	return b.String()
}

func read(t *testing.T, text string) (*page.Host, *Page) {
	h, p := pagetest.Open[*Page](t, New)
	p.Read("/tmp/profile.csv", text)
	h.Session.Runner.Settle()
	return h, p
}

func TestATableBecomesModelsWithTheUnmodelledListed(t *testing.T) {
	h, p := read(t, profile())
	if n := h.Session.Notice(); n != nil {
		t.Fatalf("%s %s", n.What, n.Why)
	}
	pagetest.Picture(t, h, "regression")
	if s := p.verdict.Sentence(); !strings.HasPrefix(s, "1 of 2 behaviours are modelled, with a mean accuracy of 1.000") {
		t.Errorf("the verdict is %q", s)
	}
	var texts []string
	for _, row := range p.table.Rows() {
		texts = append(texts, row[0].Text+": "+row[4].Text)
	}
	all := strings.Join(texts, "\n")
	if !strings.Contains(all, "work: 4 + 3·size/n") || !strings.Contains(all, "noise: accuracy") {
		t.Errorf("the table is\n%s", all)
	}
}

// The answer beside the sliders is that of the model: 4 + 3·600/2.
func TestSlidersPredictAtOnce(t *testing.T) {
	_, p := read(t, profile())
	p.choose(1) // noise, work
	if p.behaviour().Name != "work" {
		t.Fatalf("the second behaviour is %s", p.behaviour().Name)
	}
	p.at["size"], p.at["n"] = 600, 2
	p.predict()
	if !strings.HasPrefix(p.answer.Text, "work = 904.0 (95 % of runs: ") && !strings.HasPrefix(p.answer.Text, "work = 904 (95 % of runs: ") {
		t.Errorf("size 600 on 2 threads: %q, want 904 and its interval", p.answer.Text)
	}
}

// The plots of a behaviour without a model say so; they do not keep those of the one before.
func TestABehaviourWithoutAModelHasNoPlotOfAnother(t *testing.T) {
	_, p := read(t, profile())
	p.choose(1)
	if chart.Empty(p.effect.Figure()) {
		t.Fatal("work has no effect of an input")
	}
	p.report.Behaviours[0].Selection, p.report.Behaviours[0].Unmodelled = regress.Selection{}, "all runs are alike"
	p.choose(0)
	if !chart.Empty(p.effect.Figure()) || !pagetest.Says(p.effect, "all runs are alike") {
		t.Error("the effect of the behaviour before is still there, or nothing is said")
	}
}

func TestRowsThatCannotBeUsedBecomeANotice(t *testing.T) {
	h, p := read(t, profile()+"1,NaN,3,4\n")
	n := h.Session.Notice()
	if n == nil || !strings.Contains(n.What, "24 rows of profile.csv are used") {
		t.Errorf("notice %+v, want one about the row that is not used", n)
	}
	if p.report == nil {
		t.Error("the other rows were not fitted")
	}
}

func TestBeforeATableIsReadThePageSaysWhatItHolds(t *testing.T) {
	_, p := pagetest.Open[*Page](t, New)
	if !pagetest.Says(p.Content(), "No table of runs") || !pagetest.Says(p.Content(), "tierctl regress capture") {
		t.Error("the empty page says neither what is missing nor where it comes from")
	}
}

func TestAFileThatIsNoTableIsRefused(t *testing.T) {
	h, p := read(t, "hello\n\"")
	if n := h.Session.Notice(); n == nil || p.report != nil {
		t.Errorf("notice %+v; want one, and no report", n)
	}
}
