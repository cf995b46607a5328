package prolongation

import (
	"bytes"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"tierscope/analysis/factor"
	"tierscope/core"
	"tierscope/gui/chart"
	"tierscope/gui/page/pagetest"
	"tierscope/measure/prolong"
)

// model has two threads that share a mutex: main.Read holds it for 1 ms, main.Write
// for 2 ms; nothing calls across.
func model() *core.Model {
	thread := func(id, function string, hold, rest float64) core.Graph {
		next := func(to string) []core.Edge { return []core.Edge{{To: to, Probability: 1}} }
		uniform := func(mean float64) core.Distribution {
			return core.Distribution{Kind: core.Uniform, Min: 0.8 * mean, Max: 1.2 * mean}
		}
		in := core.Origin{Function: function, Line: 3}
		return core.Graph{ID: id, Entry: "loop", Fragments: []core.Fragment{
			{ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: core.Const(200), Body: "lock"}},
			{ID: "lock", Class: core.SyncFragment, Sync: &core.Sync{Lock: "registry", Op: core.Enter}, Origin: in, Next: next("hold")},
			{ID: "hold", Class: core.DelayFragment, Delay: uniform(hold), Origin: in, Next: next("unlock")},
			{ID: "unlock", Class: core.SyncFragment, Sync: &core.Sync{Lock: "registry", Op: core.Exit}, Origin: in, Next: next("rest")},
			{ID: "rest", Class: core.DelayFragment, Delay: uniform(rest), Origin: core.Origin{Function: "main.Rest" + id}, Next: next("loop")},
		}}
	}
	return &core.Model{Name: "two", CPU: core.CPU{Cores: 2}, Locks: []core.Lock{{ID: "registry", Kind: core.Mutex}},
		Pools:  []core.Pool{{ID: "a", Graph: "a", Size: 1, Main: true}, {ID: "b", Graph: "b", Size: 1}},
		Graphs: []core.Graph{thread("a", "main.Read", 1e-3, 4e-3), thread("b", "main.Write", 2e-3, 3e-3)}}
}

func TestTheHiddenDependencyIsNamedWithItsLock(t *testing.T) {
	h := pagetest.Host(t)
	h.Session.SetModel(model(), "/tmp/two.tier")
	p := New(h).(*Page)
	pagetest.Show(t, h, p)
	test.Tap(p.run)
	h.Session.Runner.Settle()
	if n := h.Session.Notice(); n != nil {
		t.Fatalf("%s %s", n.What, n.Why)
	}
	pagetest.Picture(t, h, "prolongation")
	if s := p.verdict.Sentence(); !strings.Contains(s, "which it never calls; they share lock registry") {
		t.Errorf("the verdict is %q", s)
	}
	latent := 0
	for _, e := range p.graph.Diagram().Edges {
		if e.Latent {
			latent++
		}
	}
	if latent != 1 {
		t.Errorf("%d red edges, want one between main.Read and main.Write", latent)
	}
	p.view.SetSelected(measuredView)
	if s := p.verdict.Sentence(); !strings.Contains(s, "nothing measured yet") {
		t.Errorf("without measurements the page says %q", s)
	}
	if !chart.Empty(p.matrix.Figure()) || !pagetest.Says(p.matrix, "nothing measured yet") || len(p.findings.Objects) > 0 {
		t.Error("under measured stands what was simulated")
	}
}

// Measurements that equal the simulation have no difference and full agreement.
func TestMeasurementsAreSetBesideTheSimulation(t *testing.T) {
	h := pagetest.Host(t)
	h.Session.SetModel(model(), "/tmp/two.tier")
	p := New(h).(*Page)
	pagetest.Show(t, h, p)
	test.Tap(p.run)
	h.Session.Runner.Settle()
	same := prolong.New("two")
	if err := same.UseMeasured(p.study.Simulated.Experiment, factor.Options{}); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := same.Write(&file); err != nil {
		t.Fatal(err)
	}
	p.Read(file.String())
	p.view.SetSelected(differenceView)
	for _, row := range p.matrix.Figure().(chart.Matrix).Values {
		for _, v := range row {
			if v != 0 {
				t.Errorf("the difference of equal sides is %g", v)
			}
		}
	}
	if a := p.study.Agreement; a.Correlation < 0.999 || !a.SameFactors {
		t.Errorf("equal sides agree by %+v", a)
	}
	p.Read("{}")
	if n := h.Session.Notice(); n == nil || !strings.Contains(n.What, "cannot be used") {
		t.Errorf("a file of another kind gives the notice %+v", n)
	}
}

func TestWithoutAModelThePageSaysSo(t *testing.T) {
	h, p := pagetest.Open[*Page](t, New)
	if !pagetest.Says(p.Content(), "No prolongation yet") {
		t.Error("before a study the page does not say what it would do")
	}
	h.Session.SetModel(nil, "")
	h.Session.Runner.Settle()
	if !pagetest.Says(p.Content(), "No model is open") {
		t.Error("without a model the page does not say so")
	}
}
