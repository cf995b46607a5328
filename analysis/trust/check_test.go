package trust

import (
	"math"
	"strings"
	"testing"

	"tierscope/core"
)

func check(measured, predicted, work float64) Check {
	return Check{Name: "threads 2", Metric: "T", Unit: "s", Measured: measured, Low: measured, High: measured, Runs: 3, Predicted: &predicted, Work: &work}
}

// A model of whose predictions 95 % are within 15 % has no better grade than B, whose promise is 20 %; within 30 % C; 50 % D. What the recording
// lacks does not count beside that, unless the model is of no use.
func TestAGradeIsNoBetterThanTheErrorsThatAreKnown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before string
		within float64
		after  string
	}{{"A", .10, "A"}, {"A", .15, "B"}, {"A", .30, "C"}, {"B", .5, "D"}, {"C", .05, "A"}, {"D", .05, "D"}} {
		x := Trust{Grade: c.before}
		x.Check([]Check{check(1, 1.05, 1)}, c.within)
		if x.Grade != c.after || (c.within > .10) != (len(x.Reasons) == 1) {
			t.Errorf("a model of grade %s whose predictions are within %v gets %s (%v), want %s", c.before, c.within, x.Grade, x.Reasons, c.after)
		}
	}
}

// The error of a check is that of its time, known as well as that is. Where others ran beside the program, it is that of its CPU time where
// the time follows that: what does not may be as far off as models are, and if the time is known better, it counts. What is not
// predicted has none, and a disturbed time of which nobody knows how much says nothing without a CPU time.
func TestErrorsOfChecksAreOfWhatIsKnownBest(t *testing.T) {
	t.Parallel()
	usual, half := core.ErrorsOfModels().Usual(), 0.5
	for _, c := range []struct {
		name     string
		change   func(*Check)
		e, noise float64
		says     bool
	}{
		{"undisturbed", func(c *Check) { c.Noise = .02 }, math.Log(1.1), .02, true},
		{"disturbed, nobody knows how", func(c *Check) { c.Disturbed = "others ran" }, math.Log(1.2), 0, true},
		{"disturbed by up to 10 %", func(c *Check) { c.Disturbed, c.Noise, c.FollowsCPU = "others ran", .05, &half }, math.Log(1.1), .05, true},
		{"disturbed by more than models are off", func(c *Check) { c.Disturbed, c.Noise, c.FollowsCPU = "others ran", .3, &half }, math.Log(1.2) / 2, usual / 2, true},
		{"disturbed, without a CPU time", func(c *Check) { c.Disturbed, c.Noise, c.Work = "others ran", .3, nil }, math.Log(1.1), .3, true},
		{"disturbed, nobody knows how, without a CPU time", func(c *Check) { c.Disturbed, c.Work = "others ran", nil }, 0, 0, false},
		{"a server, disturbed by up to 10 %", func(c *Check) { c.Metric, c.Disturbed, c.Noise = "R", "others ran", .05 }, math.Log(1.1), .05, true},
		{"not predicted", func(c *Check) { c.Predicted = nil }, 0, 0, false},
	} {
		k := check(1, 1.1, 1.2)
		c.change(&k)
		e, noise, ok := k.Off()
		if ok != c.says || ok && (math.Abs(e-c.e) > 1e-12 || math.Abs(noise-c.noise) > 1e-12) {
			t.Errorf("%s: %v ± %v, %t; want %v ± %v, %t", c.name, e, noise, ok, c.e, c.noise, c.says)
		}
	}
}

// Times that others disturbed say nothing, but the CPU time does: one run that needs 1.5 times what the model says beside one that needs as
// much as it says is 50 % off, D.
func TestCPUTimeIsJudgedBesideOthers(t *testing.T) {
	t.Parallel()
	slow, wrong := check(5, 1, 1), check(5, 1, 1/1.5)
	slow.Disturbed, wrong.Disturbed = "others ran", "others ran"
	x := Trust{Grade: "A"}
	x.Check([]Check{slow, slow}, 0)
	if x.Grade != "B" {
		t.Errorf("times that cannot be judged make grade %s, want B", x.Grade)
	}
	x = Trust{Grade: "A"}
	x.Check([]Check{slow, wrong}, 0)
	if x.Grade != "D" {
		t.Errorf("a CPU time that is 50 %% off makes grade %s, want D", x.Grade)
	}
	if got := Spread([]Check{slow, wrong}); math.Abs(got-math.Log(1.5)) > 1e-12 {
		t.Errorf("the spread is %v, want ln 1.5", got)
	}
}

// A CPU time that is 50 % off is no more than 0.2 of that in a T that follows it by so little: ln 1.5 · 0.2 is 8 %, A. Where one check
// follows it wholly, or nobody knows, it is 50 %.
func TestCPUTimeCountsAsMuchAsTheTimeFollowsIt(t *testing.T) {
	t.Parallel()
	some, all := 0.2, 1.0
	for _, c := range []struct {
		follows [2]*float64
		grade   string
	}{{[2]*float64{&some, &some}, "A"}, {[2]*float64{&some, &all}, "D"}, {[2]*float64{nil, &some}, "D"}} {
		right, wrong := check(1, 1, 1), check(1, 1, 1/1.5)
		right.FollowsCPU, wrong.FollowsCPU = c.follows[0], c.follows[1]
		x := Trust{Grade: "A"}
		x.Check([]Check{right, wrong}, 0)
		if x.Grade != c.grade {
			t.Errorf("the grade is %s (%v), want %s", x.Grade, x.Reasons, c.grade)
		}
	}
}

// What the model has no answer for is the worst.
func TestAModelWithoutAnAnswerIsNotUsable(t *testing.T) {
	t.Parallel()
	x := Trust{Grade: "A"}
	x.Check([]Check{{Name: "threads 1", Metric: "T", Unit: "s", Measured: 1, Low: 1, High: 1, Runs: 3}}, 0)
	if x.Grade != "D" {
		t.Errorf("it gets %s", x.Grade)
	}
}

// Of a server that is given another load R and X are compared, and CPU times decide nothing.
func TestAServerIsJudgedByRAndX(t *testing.T) {
	t.Parallel()
	x := Trust{Grade: "A"}
	r, rate, off, none := 1.3e-3, 100.0, 0.3, 0.0
	x.Check([]Check{
		{Name: "rate 100", Metric: "X", Unit: "1/s", Measured: 100, Low: 99, High: 101, Runs: 3, Predicted: &rate, Error: &none},
		{Name: "rate 100", Metric: "R", Unit: "s", Measured: 1e-3, Low: 1e-3, High: 1e-3, Runs: 3, Predicted: &r, Error: &off},
	}, 0.3)
	if x.Grade != "C" || !strings.Contains(x.Reasons[0], "R was 1.00 ms, the model says 1.30 ms (+30 %)") {
		t.Errorf("it gets %s: %v", x.Grade, x.Reasons)
	}
}

// Why a model without errors that are known has no better grade: nobody ran the program, or others ran beside it and its CPU time is
// not known.
func TestAGradeSaysWhyNoErrorIsKnown(t *testing.T) {
	t.Parallel()
	disturbed := check(1, 1, 1)
	disturbed.Disturbed, disturbed.Work = "others ran", nil
	for want, checks := range map[string][]Check{"did not run the program": nil, "can be judged": {disturbed}} {
		x := Trust{Grade: "A"}
		x.Check(checks, .3)
		if x.Grade != "C" || !strings.Contains(x.Reasons[0], want) {
			t.Errorf("grade %s: %v, want C because %q", x.Grade, x.Reasons, want)
		}
	}
}

// However well models like it predict, one that misses a run by 30 % at least is no better than C; where the miss is known to ±30 % only it says nothing.
func TestAClearMissLowersTheGrade(t *testing.T) {
	t.Parallel()
	for noise, want := range map[float64]string{.01: "C", .15: "A"} {
		missed := check(1, 1.35, 1)
		missed.Noise = noise
		x := Trust{Grade: "A"}
		x.Check([]Check{check(1, 1.01, 1), missed}, .08)
		if x.Grade != want {
			t.Errorf("a miss of 35 %% with a deviation of %v makes grade %s, want %s", noise, x.Grade, want)
		}
		if want == "C" && (len(x.Warnings) != 1 || !strings.Contains(x.Warnings[0], "+35 %")) {
			t.Errorf("warnings %q, want the miss", x.Warnings)
		}
	}
}
