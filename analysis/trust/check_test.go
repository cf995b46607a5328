package trust

import (
	"math"
	"testing"
)

func check(measured, predicted, work float64) Check {
	return Check{Name: "threads 2", Measured: measured, Low: measured, High: measured, Runs: 3, Predicted: &predicted, Work: &work}
}

// A prediction that is off by 15 % allows no better grade than B, whose promise is 20 %; by 30 % C; by 50 % D. A grade that is worse
// already stays.
func TestAGradeIsNoBetterThanTheErrorsThatAreKnown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before    string
		predicted float64
		after     string
	}{{"A", 1.05, "A"}, {"A", 1.15, "B"}, {"A", 0.70, "C"}, {"B", 1.5, "D"}, {"C", 1.05, "C"}} {
		x := Trust{Grade: c.before}
		x.Check([]Check{check(1, c.predicted, 1)})
		if x.Grade != c.after || (x.Grade != c.before) != (len(x.Reasons) == 1) {
			t.Errorf("a model of grade %s that says %v s where 1 s was measured gets %s (%v), want %s", c.before, c.predicted, x.Grade, x.Reasons, c.after)
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
	x.Check([]Check{slow, slow})
	if x.Grade != "B" {
		t.Errorf("times that cannot be judged make grade %s, want B", x.Grade)
	}
	x = Trust{Grade: "A"}
	x.Check([]Check{slow, wrong})
	if x.Grade != "D" {
		t.Errorf("a CPU time that is 50 %% off makes grade %s, want D", x.Grade)
	}
	if got := Spread([]Check{slow, wrong}); math.Abs(got-math.Log(1.5)) > 1e-12 {
		t.Errorf("the spread is %v, want ln 1.5", got)
	}
}

// What the model has no answer for is the worst.
func TestAModelWithoutAnAnswerIsNotUsable(t *testing.T) {
	t.Parallel()
	x := Trust{Grade: "A"}
	x.Check([]Check{{Name: "threads 1", Measured: 1, Low: 1, High: 1, Runs: 3}})
	if x.Grade != "D" {
		t.Errorf("it gets %s", x.Grade)
	}
}
