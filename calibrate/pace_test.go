package calibrate

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/analysis/trust"
	"tierscope/core"
)

// built is the model of a recording and what plain runs showed, of a program that ends when its
// workers do, on cores that are shared evenly.
func built(t *testing.T, tr *trace.Trace) (core.Model, trust.Evidence) {
	t.Helper()
	m, r, err := analysis.Build(trail.Input{Trace: tr}, trail.Options{Threshold: -1})
	if err != nil {
		t.Fatal(err)
	}
	m.CPU.Policy = core.ProcessorSharing
	for i := range m.Pools {
		m.Pools[i].Main = false
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return *m, r.Evidence
}

// On one core code is four times as slow before it is compiled, and on two, where
// threads that compute it at the same time hinder each other, twice as slow as that. A recording on
// two cores cannot tell, but what plain runs take on one and on two does. The
// recording is of a host that was slower by a tenth than the plain runs'.
func TestPlainRunsOnOneCoreShowWhatCodeLosesInCompany(t *testing.T) {
	t.Parallel()
	const host = 1.1
	_, alone := compiles(1, 4)
	tr, both := compiles(2, 4)
	tr.RecordedSystem, tr.Recorded, tr.ProcessCPU = compiler, both+compiler, int64(1e9*(both+compiler))
	for _, noise := range []float64{.99, 1, 1.01} {
		tr.Plain = append(tr.Plain, (noise*both+compiler)/host)
		tr.PlainSystem = append(tr.PlainSystem, compiler/host)
		tr.PlainAlone = append(tr.PlainAlone, noise*alone/host)
	}
	m, e := built(t, tr)
	before := content(t, m)
	got, says, _ := Paced(t.Context(), m, e)
	if content(t, m) != before {
		t.Error("the model of Build was changed in place")
	}
	for i, want := range []float64{alone, both} {
		with := got
		with.CPU.Cores = 1 + i
		if cpu, err := programCPU(t.Context(), with); err != nil || math.Abs(cpu*host/want-1) > .02 {
			t.Errorf("on %d cores the model takes %.3f s (error %v), plain runs %.3f s", 1+i, cpu, err, want/host)
		}
	}
	if len(got.Background) != 1 {
		t.Fatalf("background work is %+v, want one compiler", got.Background)
	}
	done := 0.0
	for _, s := range got.Background[0].Stages {
		if done += s.Demand; done < compiler/2 {
			continue
		}
		if math.Abs(s.Slowdown/3-1) > .15 || math.Abs(s.Company/4-1) > .15 {
			t.Errorf("when half is compiled, the slowdown is %.2f alone and %.2f for another core, want 3 and 4", s.Slowdown, s.Company)
		}
		break
	}
	if !strings.Contains(says, "threads that compute at the same time") {
		t.Errorf("it is not said what company costs: %s", says)
	}
	again, _, _ := Paced(t.Context(), got, e)
	if a, b := content(t, got), content(t, again); a != b {
		t.Errorf("calibrated again, the model is\n%s\nafter\n%s", b, a)
	}
}

// What is too different is not for one factor, and fewer runs show nothing.
func TestAModelThatIsTooFarFromPlainRunsIsLeftAsRecorded(t *testing.T) {
	t.Parallel()
	m := recordedBatch(.010, .011, true)
	for name, c := range map[string]struct {
		e    trust.Evidence
		says string
	}{
		"twice as much":       {trust.Evidence{CPU: []float64{.02, .02, .02}, AloneCPU: []float64{.02, .02, .02}}, "too different"},
		"two runs":            {trust.Evidence{CPU: []float64{.011, .011}, AloneCPU: []float64{.011, .011, .011}}, ""},
		"two runs on a core":  {trust.Evidence{CPU: []float64{.011, .011, .011}, AloneCPU: []float64{.011, .011}}, ""},
		"no runs":             {trust.Evidence{}, ""},
		"as much as recorded": {trust.Evidence{CPU: []float64{.01, .01, .01}, AloneCPU: []float64{.01, .01, .01}}, "1.000 times"},
	} {
		got, says, _ := Paced(t.Context(), m, c.e)
		if content(t, got) != content(t, m) {
			t.Errorf("%s: the model is not as it was recorded", name)
		}
		if (c.says == "") != (says == "") || !strings.Contains(says, c.says) {
			t.Errorf("%s: %q is said, want %q", name, says, c.says)
		}
	}
	stuck := recordedBatch(.010, .011, false)
	if _, says, _ := Paced(t.Context(), stuck, trust.Evidence{CPU: []float64{1, 1, 1}, AloneCPU: []float64{1, 1, 1}}); !strings.Contains(says, "could not be simulated") {
		t.Errorf("of a model that stands still it is said: %q", says)
	}
}

// However much of it is company's, code is as slow as it was on average, and what is compiled is not slower.
func TestSlownessIsDividedSoThatItsMeanStays(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		alone, others := random.Float64(), .05+3*random.Float64()
		stages := []core.Stage{{Slowdown: 9 * random.Float64()}}
		stages = append(stages, core.Stage{Slowdown: stages[0].Slowdown * random.Float64()}, core.Stage{})
		before := slices.Clone(stages)
		share(stages, alone, others)
		for i, s := range stages {
			q, company := min(1, others), s.Company*max(1, others)
			speed := (1-q)/(1+s.Slowdown) + q/(1+s.Slowdown+company)
			if want := 1 / (1 + before[i].Slowdown); math.Abs(speed/want-1) > 1e-9 {
				t.Fatalf("%.3f alone, %.3f others: speed %.6f, want %.6f", alone, others, speed, want)
			}
			if i > 0 && (s.Slowdown > stages[i-1].Slowdown || s.Company > stages[i-1].Company) {
				t.Fatalf("%.3f alone, %.3f others: slower when compiled: %+v of %+v", alone, others, stages, before)
			}
		}
	}
}
