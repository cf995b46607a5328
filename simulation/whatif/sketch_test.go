package whatif_test

import (
	"math"
	"testing"

	"tierscope/simulation/whatif"
)

// A forecast that leaves a constant factor out is right everywhere once one point is simulated; without a point, or
// where the forecast is none, it stays what it is.
func TestAForecastGoesThroughASimulatedPoint(t *testing.T) {
	t.Parallel()
	truth := func(v float64) float64 { return .003 / (1 - v/1000) }
	forecast := func(v float64) float64 { return truth(v) / 2.5 }
	at := []whatif.Anchor{{At: 400, Mean: truth(400)}}
	for _, v := range []float64{50, 400, 900} {
		if got := whatif.Through(at, forecast) * forecast(v); math.Abs(got/truth(v)-1) > 1e-12 {
			t.Errorf("%g at %g, want %g", got, v, truth(v))
		}
	}
	for name, f := range map[string]float64{
		"no point": whatif.Through(nil, forecast), "no mean": whatif.Through([]whatif.Anchor{{At: 400, Mean: math.NaN()}}, forecast),
		"unstable":    whatif.Through(at, func(float64) float64 { return math.Inf(1) }),
		"no forecast": whatif.Through(at, func(float64) float64 { return math.NaN() }),
		"nothing":     whatif.Through(at, func(float64) float64 { return 0 }),
	} {
		if f != 1 {
			t.Errorf("%s: factor %g, want 1", name, f)
		}
	}
}
