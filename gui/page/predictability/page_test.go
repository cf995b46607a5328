package predictability

import (
	"math"
	"strings"
	"testing"

	"tierscope/analysis/loops"
	"tierscope/analysis/predictability"
	"tierscope/gui/chart"
	"tierscope/gui/page/pagetest"
)

// example is a study whose numbers are round: 0.1 s + 1 µs·n, predictable from
// 1000 to 10 000 in 24 MB. With 800 bytes per n alive and an excess of
// ½·L/(H−L), 8 MB of live data are half of what 24 MB leave, and …
func example() *predictability.Study {
	const mega = 1 << 20
	line := predictability.Cost{Order: loops.LinearN, Factor: 1e-6}
	return &predictability.Study{Program: "Particles", Runtime: predictability.Java, Command: []string{"java", "-cp", "classes", "Particles", "{n}"},
		Slowdown: 1.5, Parameter: "rate", PoP: &predictability.PoP{Size: 100, Lower: 80, Threshold: 0.3}, Order: loops.LinearN, OrderBy: "calibration",
		Cost: line, Base: predictability.Cost{Order: loops.LinearN, Factor: 800},
		Points:  []predictability.Point{{Size: 50, CPU: 0.05, Most: 0.06, Role: predictability.Search}, {Size: 200, CPU: 2e-4, Most: 3e-4, Role: predictability.Calibration}},
		Surface: &predictability.Surface{A: 0, B: 1, Mutator: line, Free: line},
		PoU:     []predictability.PoU{{Heap: 24 * mega, Size: 24 * mega / 800 / 3, Lower: 10000, Upper: 11000, Exhausted: 24 * mega / 800, MeasuredLower: 10000, MeasuredUpper: 10300}}}
}

// The scenario's rate stands for the size: 60 of the model is below the PoP of
// 100, 500 is inside, a million above the PoU.
func TestAScenarioOutsideIsNamed(t *testing.T) {
	h := pagetest.Host(t)
	h.Session.SetModel(pagetest.Model(), "/tmp/web.tier")
	p := New(h).(*Page)
	pagetest.Show(t, h, p)
	p.Read("{}")
	if n := h.Session.Notice(); n == nil || !strings.Contains(n.What, "cannot be used") {
		t.Errorf("a file of another kind gives the notice %+v", n)
	}
	data, err := predictability.Format.Marshal(example())
	if err != nil {
		t.Fatal(err)
	}
	p.Read(string(data))
	p.Update(0)
	pagetest.Picture(t, h, "predictability")
	if s := p.verdict.Sentence(); !strings.Contains(s, "predictable from size 100") || !strings.Contains(s, "baseline is not: size 60 is below") {
		t.Errorf("the verdict is %q", s)
	}
	h.Session.AddSettings("inside", map[string]float64{"rate": 500})
	if why := h.Session.Outside(h.Session.Scenario()); why != "" {
		t.Errorf("500 lies outside: %s", why)
	}
	f := p.plot.Figure().(chart.Lines)
	if len(f.Marks) != 3 || len(f.Zones) != 2 || f.Zones[0].To != 100 || !math.IsInf(f.Zones[1].To, 1) {
		t.Errorf("marks %+v, zones %+v: want PoP, PoU, measured PoU, and a zone on each side", f.Marks, f.Zones)
	}
}

// e = L/(H−L) = 0.5 where L = H/3: the PoU moves with the heap that the slider
// says, in proportion since the live data do.
func TestThePoUFollowsTheHeap(t *testing.T) {
	h := pagetest.Host(t)
	h.Session.SetModel(pagetest.Model(), "/tmp/web.tier")
	p := New(h).(*Page)
	h.Session.SetPredictability(example())
	pagetest.Show(t, h, p)
	p.heap.SetValue(math.Log2(40 << 20))
	if got, want := p.limit().Size, 40.0*(1<<20)/800/3; math.Abs(got/want-1) > 1e-2 {
		t.Errorf("PoU of 40 MB is %g, want %g", got, want)
	}
	p.size.SetValue(math.Log2(20000))
	if !strings.Contains(p.answer.Text, "Not predictable") {
		t.Errorf("above the PoU the page says %q", p.answer.Text)
	}
}
