package simulation

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"tierscope/simulation/des"
)

// The integral of a step function is the sum of its rectangles since the last
// restart, to the last bit that a float64 has, however long the run.
func TestALevelIsTheAreaUnderItsSteps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var l level
		now, area := des.Time(0), 0.0
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			d := des.Time(rapid.Int64Range(0, 1e16).Draw(t, "time")) // up to 116 days
			area += float64(l.value) * d.Seconds()
			now += d
			l.set(now, rapid.IntRange(0, 1_000_000).Draw(t, "value"))
			if rapid.IntRange(0, 9).Draw(t, "restart") == 0 {
				l.restart(now)
				area = 0
			}
			if got := l.integral(now); math.Abs(got-area) > 1e-12*math.Abs(area)+1e-6 {
				t.Fatalf("integral is %v, want %v", got, area)
			}
		}
	})
}
