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
