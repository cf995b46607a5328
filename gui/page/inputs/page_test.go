package inputs

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"tierscope/core"
	"tierscope/gui/page/pagetest"
	"tierscope/project"
)

// program is the model of a program that handles n orders one after the other, 2 ms each.
func program(n float64) core.Model {
	origin := core.Origin{Function: "main.main", Line: 7}
	return core.Model{Name: "orders", CPU: core.CPU{Cores: 1}, Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}},
		Graphs: []core.Graph{{ID: "main", Entry: "loop", Fragments: []core.Fragment{
			{ID: "loop", Class: core.LoopFragment, Origin: origin, Loop: &core.Loop{Count: core.Const(n), Body: "order"}},
			{ID: "order", Class: core.CPUFragment, Origin: origin, Demand: core.Const(2e-3), Next: []core.Edge{{To: "loop", Probability: 1}}},
		}}}}
}

// Four captured inputs of 2 ms an order: twice the largest takes 3200 · 2 ms. The page says what follows the
// input, that the input is outside, and which to capture next: √(1600 · 3200) = 2263.
func TestTheTimeOfAnotherInputIsPredictedFromWhatTheProjectHas(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "orders.tier")
	for _, n := range []float64{200, 400, 800, 1600} {
		path := filepath.Join(dir, "inputs", fmt.Sprintf("orders=%g.tier", n), "model", "model.json")
		if err := project.Save(path, core.ModelFormat, program(n)); err != nil {
			t.Fatal(err)
		}
	}
	h := pagetest.Host(t)
	m := program(400)
	h.Session.SetModel(&m, dir)
	p := New(h).(*Page)
	pagetest.Show(t, h, p)
	h.Session.Runner.Settle()
	if n := h.Session.Notice(); n != nil {
		t.Fatalf("%s %s", n.What, n.Why)
	}
	if s := p.verdict.Sentence(); !strings.Contains(s, "Models of 4 inputs follow orders; no runs were compared") {
		t.Errorf("the verdict is %q", s)
	}
	if p.at["orders"] != 3200 {
		t.Fatalf("the slider begins at %v, want twice the largest input", p.at)
	}
	test.Tap(p.ask)
	h.Session.Runner.Settle()
	pagetest.Picture(t, h, "inputs")
	var got float64
	if _, err := fmt.Sscanf(p.answer.Text, "T = %g s", &got); err != nil || math.Abs(got-6.4) > 0.01 {
		t.Errorf("the page says %q (%v), want 6.4 s", p.answer.Text, err)
	}
	for _, want := range []string{"2 times the largest input captured", "Next: capture orders = 2263 too"} {
		if !strings.Contains(p.answer.Text, want) {
			t.Errorf("the page says %q, want %q in it", p.answer.Text, want)
		}
	}
	if !strings.Contains(p.command(), "--at orders=3200") {
		t.Errorf("the command is %q", p.command())
	}
}

func TestWithoutCapturedInputsThePageSaysHowToGetThem(t *testing.T) {
	_, p := pagetest.Open[*Page](t, New)
	if !pagetest.Says(p.Content(), "No inputs were captured") {
		t.Error("without captured inputs the page does not say so")
	}
}
