package java

import (
	"math"
	"testing"
)

// A request costs 1 ms, 8 % more while it is recorded, and from turn to turn 3 %
// more because the machine becomes slower, in one turn twice as much: the 8 %
// are what recording costs.
func TestTurnsTellWhatRecordingCostsFromTheSpeedOfTheMachine(t *testing.T) {
	t.Parallel()
	const costs = 0.08
	turn := 0
	more, err := byTurns(func(recorded bool) (float64, error) {
		c := 1e-3 * math.Pow(1.03, float64(turn))
		if turn++; turn == 7 {
			c *= 2
		}
		if recorded {
			c *= 1 + costs
		}
		return c, nil
	})
	if err != nil || math.Abs(more-costs) > 1e-9 {
		t.Errorf("recording costs %.4f more (%v), want %g", more, err, costs)
	}
	if more, err = byTurns(func(bool) (float64, error) { return math.NaN(), nil }); err != nil || !math.IsNaN(more) {
		t.Errorf("recording costs %.4f more (%v) where nothing was answered: not known", more, err)
	}
}
