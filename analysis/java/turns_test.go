package java

import (
	"math"
	"testing"

	"tierscope/analysis/trace"
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

// 240 requests are due in 3 s, 15.5 of which may be missing by chance for every standard
// deviation, and 7000 in 3 s: there 1000 missing ones have piled up.
func TestAServerThatDoesNotKeepUpTellsNothingOfWhatRequestsCost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rate     float64
		answered int64
		want     bool
	}{{80, 230, true}, {80, 200, true}, {80, 150, false}, {7000.0 / 3, 6950, true}, {7000.0 / 3, 6000, false}, {80, 0, false}} {
		if got := keepsUp(trace.Load{Rate: c.rate, Duration: 3}, c.answered); got != c.want {
			t.Errorf("%d answers in 3 s at %g/s: keeps up is %v, want %v", c.answered, c.rate, got, c.want)
		}
	}
}
