package core_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tierscope/core"
)

func workers(n float64) map[string]float64 { return map[string]float64{"workers": n} }

// law is one whose numbers are in the expectations below; alike is the same where all programs are as far off.
var (
	law   = core.Errors{Common: .4, Reach: 4, Cores: 4, Alone: 1, Noise: .2, Scale: .05, Spread: 1}
	alike = core.Errors{Common: .4, Reach: 4, Cores: 4, Alone: 1, Noise: .2, Scale: .05}
)

// One run that took e^0.1 of what was predicted: kriging takes 1/(1 + noise) of it for the error there, and
// of one that is 4 octaves away the part that both have in common.
func TestOneRunTellsOfItsNeighbours(t *testing.T) {
	t.Parallel()
	f := alike.Field([]core.Checked{{At: workers(2), Off: .1, Runs: 1}})
	here, half := f.At(workers(2))
	if want := .1 / 1.2; math.Abs(here-want) > 1e-12 {
		t.Errorf("there the error is %g, want %g", here, want)
	}
	if want := 1.959964 * .05 * math.Sqrt(1-1/1.2); math.Abs(half-want) > 1e-6 {
		t.Errorf("known to ±%g, want ±%g", half, want)
	}
	there, wider := f.At(workers(32))
	if want := .1 / 1.2 * (.4 + .6/math.E); math.Abs(there-want) > 1e-12 || wider <= half {
		t.Errorf("4 octaves away the error is %g ± %g, want %g and a wider interval", there, wider, want)
	}
}

// Who has seen nothing knows what programs are like: 95 % of the errors, of a normal law whose deviation is drawn
// of a log-normal one, are inside. Runs that agree with the model make every interval narrower, runs that do not make them wider.
func TestRunsThatAgreeMakeIntervalsNarrow(t *testing.T) {
	t.Parallel()
	half := func(seen ...core.Checked) float64 {
		_, half := law.Field(seen).At(workers(4))
		return half
	}
	off := func(n, off float64) core.Checked { return core.Checked{At: workers(n), Off: off, Runs: 2} }
	nothing := half()
	random, inside := rand.New(rand.NewPCG(1, 1)), 0
	const draws = 100_000 // a standard error of 0.0007
	for range draws {
		if math.Abs(random.NormFloat64()*.05*math.Exp(random.NormFloat64())) < nothing {
			inside++
		}
	}
	if share := float64(inside) / draws; math.Abs(share-.95) > .0025 {
		t.Errorf("without a run ±%g, which contains %g, want 0.95", nothing, share)
	}
	agree := half(off(1, .01), off(2, .01), off(8, .01))
	differ := half(off(1, .3), off(2, -.2), off(8, .3))
	if agree > .1 || differ < 3*agree {
		t.Errorf("±%.2f where runs agree and ±%.2f where they do not", agree, differ)
	}
}

// What runs alone is less far off than what runs side by side: nobody has seen anything, and the parts that configurations do not have in
// common deviate half as much, 0.4 + 0.6/4 beside 1. A check that was off on one core tells little of what two cores add.
func TestErrorsOnOneCoreAreSmaller(t *testing.T) {
	t.Parallel()
	l := alike
	l.Alone, l.Cores = .5, 1
	at := func(cores float64) map[string]float64 { return map[string]float64{core.CoresPath: cores} }
	_, one := l.Field(nil).At(at(1))
	_, two := l.Field(nil).At(at(2))
	if math.Abs(one/two-math.Sqrt(.55)) > 1e-4 {
		t.Errorf("±%g on one core and ±%g on two, want √0.55 of it", one, two)
	}
	f := l.Field([]core.Checked{{At: at(1), Off: .1, Runs: 1}})
	told, _ := f.At(at(2))
	if want := .1 * (.4 + .6*.5*math.Exp(-1)) / (.55 + .25*.2); math.Abs(told-want) > 1e-12 {
		t.Errorf("on two cores the error is %g, want %g", told, want)
	}
}

// Of two configurations, one known to ±a and one to ±b, 95 % of the errors together are within something between: where the mean of what is
// inside of both is 95 %.
func TestManyPredictionsTogetherAreWithinWhatOneAloneIsNot(t *testing.T) {
	t.Parallel()
	l := alike
	l.Day = .01
	f := l.Field([]core.Checked{{At: workers(1), Off: 0, Runs: 3}})
	_, near := f.Another(workers(1))
	_, far := f.Another(workers(64))
	both := f.Within([]map[string]float64{workers(1), workers(64)})
	inside := (math.Erf(1.959964*both/near/math.Sqrt2) + math.Erf(1.959964*both/far/math.Sqrt2)) / 2
	if !(near < both && both < far) || math.Abs(inside-.95) > 1e-4 {
		t.Errorf("±%g and ±%g, together ±%g, which contains %g", near, far, both, inside)
	}
}

// The density of one error e under the variance 0.05²·(1 + noise) is exp(−e²/(2·0.05²·1.2)), up to a constant.
func TestTheLikelihoodOfOneErrorIsThatOfANormalLaw(t *testing.T) {
	t.Parallel()
	density := func(e float64) float64 {
		return alike.Likelihood([]core.Checked{{At: workers(1), Off: e, Runs: 1}})
	}
	if got, want := density(.1)-density(0), -.1*.1/(2*.05*.05*1.2); math.Abs(got-want) > 1e-9 {
		t.Errorf("an error of 0.1 is less likely than none by %g, want %g", got, want)
	}
}

// Checks with 2 and 8 workers took 10 % longer than predicted: with 4 the model's times become longer by
// nearly that, its own factor is what is left unknown, and nothing else changes.
func TestAModelIsCorrectedByItsChecks(t *testing.T) {
	t.Parallel()
	m := webServer()
	m.Uncertain = []core.Uncertain{{Name: "model", Key: core.ModelKey, Deviation: .3, Targets: []core.Loading{{Path: core.EveryScale}}}}
	size := func(n float64) map[string]float64 { return map[string]float64{"pools/worker/size": n} }
	now, err := m.Lookup("pools/worker/size")
	if err != nil {
		t.Fatal(err)
	}
	m.Checked = []core.Checked{{At: size(now.Value / 2), Off: math.Log(1.1), Runs: 3}, {At: size(2 * now.Value), Off: math.Log(1.1), Runs: 3}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	c := m.AsChecked()
	plain := m
	plain.Checked = nil
	was, is := plain.Demands(), c.Demands()
	a, _ := was.Station("disk/sda")
	b, _ := is.Station("disk/sda")
	if ratio := b.Demand / a.Demand; ratio < 1.08 || ratio > 1.1 || math.Abs(ratio-1-m.Correction()) > 1e-9 {
		t.Errorf("the demand is %.4f times as large, the correction %.4f; want a little less than 1.1", ratio, m.Correction())
	}
	if c.Uncertain[0].Deviation >= .1 || m.Uncertain[0].Deviation != .3 || len(c.Checked) != 0 || c.Correction() != 0 {
		t.Errorf("left is %v, the model itself has %v, corrections are made once", c.Uncertain[0].Deviation, m.Uncertain[0].Deviation)
	}
	m.Checked[0] = core.Checked{At: map[string]float64{"pools/nobody/size": 1}, Off: math.Inf(1)}
	if err := m.Validate(); err == nil {
		t.Error("a check of an unknown path, that is off by ∞, is valid")
	}
}

// Of a server the fragments take longer, but not what waits until a time that was asked for; a program that nothing comes to
// takes longer as a whole, in which it says so, and its service demands with it.
func TestWhatIsStretchedIsWhatAnAnalysisCanErrIn(t *testing.T) {
	t.Parallel()
	server := webServer()
	server.Graphs[0].Fragments = append(server.Graphs[0].Fragments,
		core.Fragment{ID: "nap", Class: core.DelayFragment, Delay: core.Const(.002), Timer: true},
		core.Fragment{ID: "away", Class: core.DelayFragment, Delay: core.Const(.002)})
	longer := server.Stretched(1.5)
	for i, f := range longer.Graphs[0].Fragments {
		want := 0.0
		switch was := server.Graphs[0].Fragments[i]; {
		case was.Class == core.CPUFragment, was.Class == core.IOFragment, was.ID == "away":
			want = 1.5 * max(was.Scale, 1)
		}
		if f.Scale != want {
			t.Errorf("%s is scaled by %g, want %g", f.ID, f.Scale, want)
		}
	}
	server.Dilation = 2
	if err := server.Validate(); err == nil || !strings.Contains(err.Error(), "when they come") {
		t.Errorf("a server that is dilated: %v", err)
	}
	batch := server
	batch.Dilation = 0
	batch.Parameters = nil
	batch.Sources = []core.Source{{ID: "all", Kind: core.Batch, To: server.Sources[0].To, Class: server.Sources[0].Class, Count: 10}}
	twice := batch.Stretched(2)
	if twice.Dilation != 2 || twice.Stretched(3).Dilation != 6 {
		t.Errorf("dilated by %g, and three times that by %g", twice.Dilation, twice.Stretched(3).Dilation)
	}
	if err := twice.Validate(); err != nil {
		t.Error(err)
	}
	was, is := batch.Demands(), twice.Demands()
	if a, b := was.Bounds().Response, is.Bounds().Response; math.Abs(b-2*a) > 1e-9*a {
		t.Errorf("T is at least %g, dilated %g; want twice that", a, b)
	}
}
