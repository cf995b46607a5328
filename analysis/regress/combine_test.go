package regress_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tierscope/analysis/regress"
)

// A thread works in two phases: rounds executions of size² each, and size executions of
// 50 + 3·rounds². The whole is no product of two variables, each phase is.
func TestAThreadIsPredictedByItsPhasesTogether(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 8))
	truth := func(size, rounds float64) float64 { return rounds*size*size + size*(50+3*rounds*rounds) }
	var rows []regress.Row
	for i := range 32 {
		size, rounds := math.Exp(1+4*random.Float64()), math.Exp(3*random.Float64())
		for phase, y := range map[string]map[string]float64{"": {"loads": truth(size, rounds)},
			"a→b": {"loads": size * size, regress.Executions: rounds}, "b→a": {"loads": 50 + 3*rounds*rounds, regress.Executions: size}} {
			rows = append(rows, regress.Row{Run: i, Phase: phase, Threads: 1, Variables: map[string]float64{"size": size, "rounds": rounds}, Behaviours: y})
		}
	}
	r, err := regress.Study{Phases: regress.PhasesAlways}.Run(context.Background(), rows)
	if err != nil {
		t.Fatal(err)
	}
	b := &r.Behaviours[0]
	if b.Phase != "" || b.Selection.Model.Form != regress.Sum || b.Evaluation.HeldOut < 0.99 {
		t.Fatalf("%s is a model of form %s with %.3f", b.Label(), b.Selection.Model.Form, b.Evaluation.HeldOut)
	}
	f, err := b.Forecast(map[string]float64{"size": 30, "rounds": 5})
	if want := truth(30, 5); err != nil || math.Abs(f.Value/want-1) > 0.02 {
		t.Errorf("size 30 and 5 rounds are predicted as %g (%v), want %g", f.Value, err, want)
	}
	// The report and the source keep it.
	var file bytes.Buffer
	if err := r.Write(&file); err != nil {
		t.Fatal(err)
	}
	again, err := regress.ReadReport(&file)
	if err != nil || again.Behaviours[0].Selection.Model.Formula() != b.Selection.Model.Formula() {
		t.Errorf("the report does not come back: %v", err)
	}
	var source strings.Builder
	if err := regress.WriteGo(&source, "models", regress.Function{Name: "Loads", Model: b.Selection.Model}); err != nil || !strings.Contains(source.String(), "func Loads(") {
		t.Errorf("source: %v\n%s", err, source.String())
	}
}

// Time is 2 ns an instruction and 100 ns a cache miss; instructions are a·b², misses c^1.7. No function of
// the pool is such a sum, but each part has one: the time is predicted by both together.
func TestATimeIsPredictedByWhatTheThreadDoes(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(9, 9))
	var rows []regress.Row
	for i := range 40 {
		a, b, c := math.Exp(1+3*random.Float64()), math.Exp(2*random.Float64()), math.Exp(2+3*random.Float64())
		instructions, misses := a*b*b, math.Pow(c, 1.7)/30
		rows = append(rows, regress.Row{Run: i, Threads: 1, Variables: map[string]float64{"a": a, "b": b, "c": c},
			Behaviours: map[string]float64{"instructions": instructions, "misses": misses, "wall_s": 2e-9*instructions + 1e-7*misses}})
	}
	r, err := regress.Study{}.Run(context.Background(), rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range r.Behaviours {
		if b.Name != "wall_s" {
			continue
		}
		if b.Selection.Model.Form != regress.Sum || b.Evaluation.HeldOut < 0.97 {
			t.Fatalf("the time is %s with %.3f on runs not seen, want the sum of instructions and misses", b.Selection.Model.Formula(), b.Evaluation.HeldOut)
		}
		f, err := b.Forecast(map[string]float64{"a": 10, "b": 3, "c": 40})
		if want := 2e-9*90 + 1e-7*math.Pow(40, 1.7)/30; err != nil || math.Abs(f.Value/want-1) > 0.05 {
			t.Errorf("the time of a, b, c = 10, 3, 40 is predicted as %g s (%v), want %g", f.Value, err, want)
		}
	}
}
