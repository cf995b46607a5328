package judge

import (
	"math"
	"testing"
)

// With 1, 3 and 6 threads a rule that is wrong has the program compute 6 times as much in one case as in another. That is nearer than no answer
// at all, and still no evidence for it.
func TestARuleOfScalingIsTakenIfItExplainsTheChecks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name            string
		theirs, present float64
		want            bool
	}{
		{"the other rule is right", 0.05, math.Log(6), true},
		{"the present one has no answer, the other is wrong", math.Log(6), math.Inf(1), false},
		{"the present one has no answer, the other is right", 0.1, math.Inf(1), true},
		{"both are as near", 0.3, 0.32, false},
	} {
		if got := explains(c.theirs, c.present); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
