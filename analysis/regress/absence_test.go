package regress_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tierscope/analysis/regress"
)

// Threads that meet at barriers wait 3 µs·work^1.2·√n, ± 5 %; one that is alone never does. A quarter of the runs are of those:
// a function that is close to 0 there, and not 0, would have an accuracy of three quarters at most.
func TestAThreadThatIsAloneWaitsForNobody(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 1))
	waits := func(work, n float64) float64 { return 3e-6 * math.Pow(work, 1.2) * math.Sqrt(n) }
	var samples []regress.Sample
	for i := range 40 {
		s := regress.Sample{Variables: map[string]float64{"work": 10 * math.Pow(100, random.Float64())}, Threads: float64(1 + i%4)}
		if s.Threads > 1 {
			s.Y = waits(s.Variables["work"], s.Threads) * math.Exp(0.05*random.NormFloat64())
		}
		samples = append(samples, s)
	}
	e, err := regress.Evaluate(samples, regress.Options{}, 5, 1)
	if err != nil || e.HeldOut < 0.9 {
		t.Errorf("accuracy %.3f on runs not seen (%v), want 0.9", e.HeldOut, err)
	}
	m, err := regress.Fit(samples, regress.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(m.Formula(), "0 where n ≤ 1, else ") || !m.PerThread() {
		t.Errorf("the model is %s", m.Formula())
	}
	at := map[string]float64{"work": 300}
	if alone, three := m.Predict(at, 1), m.Predict(at, 3); alone != 0 || math.Abs(three/waits(300, 3)-1) > 0.1 {
		t.Errorf("one thread waits %g s and each of three %g s, want 0 and %g", alone, three, waits(300, 3))
	}
	var file bytes.Buffer
	if err := regress.WriteJSON(&file, m); err != nil {
		t.Fatal(err)
	}
	read, err := regress.ReadJSON(&file)
	if err != nil || read.Predict(at, 1) != 0 || read.Predict(at, 3) != m.Predict(at, 3) {
		t.Errorf("read from its file it says %g and %g (%v)", read.Predict(at, 1), read.Predict(at, 3), err)
	}
	if source, err := regress.Source(regress.Function{Name: "Waits", Model: m}); err != nil || !strings.Contains(source, "if n <= 1 {\n\t\treturn 0") {
		t.Errorf("as Go source it is\n%s(%v)", source, err)
	}
}

// A single run in which nobody happened to wait is no rule, and does not keep a power law from being found:
// 2·size^1.5 in 39 runs, 0 in one.
func TestARunWithoutABehaviourDoesNotHideItsLaw(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 1))
	var samples []regress.Sample
	for i := range 40 {
		size := 10 * math.Pow(1000, random.Float64())
		s := regress.Sample{Variables: map[string]float64{"size": size}, Threads: 2, Y: 2 * math.Pow(size, 1.5)}
		if i == 17 {
			s.Y = 0
		}
		samples = append(samples, s)
	}
	m, err := regress.Fit(samples, regress.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// A size 4 times as large as any: 2·40,000^1.5 is 1.6e7.
	if got := m.Predict(map[string]float64{"size": 40_000}, 2); math.Abs(got/1.6e7-1) > 0.01 {
		t.Errorf("%s says %g, want 1.6e7", m.Formula(), got)
	}
}
