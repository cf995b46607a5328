package figure

import (
	"math"
	"testing"

	"tierscope/core"
)

// A read that hits in 3 of 4 executions of 400, and otherwise makes two requests
// of 4 KiB: k = 0.5 with the variance 0.25·4 − 0.25 = 0.75, so its standard error is
// √(0.75/400) = 0.0433.
func TestAHitIsAnExecutionWithoutRequests(t *testing.T) {
	t.Parallel()
	m := core.Model{Graphs: []core.Graph{{ID: "g", Fragments: []core.Fragment{{ID: "read", Class: core.IOFragment, IO: &core.IO{Disk: "sda",
		Requests: []core.RequestType{{Type: "read", Bytes: core.Const(4096),
			Count: core.Distribution{Kind: core.Discrete, Values: []float64{0, 2}, Weights: []float64{0.75, 0.25}, Samples: 400}}}}}}}}}
	u := DiskUses(&m)[0]
	if u.Hits != 0.75 || u.Requests != 0.5 || u.Bytes != 4096 || math.Abs(u.Error-0.0433) > 1e-4 {
		t.Errorf("%+v; want 75 %% hits and 0.5 ± 0.0433 requests of 4096 bytes", u)
	}
}

// A disk twice as fast has half the times, and a row without observations is
// marked as what it is.
func TestTheLawIsDrawnAsTheSimulatorUsesIt(t *testing.T) {
	t.Parallel()
	f := DiskLaw(&core.Disk{ID: "sda", Speed: 2, Service: []core.ServiceLaw{{Given: core.InFlight, Rows: []core.ServiceRow{
		{X: 1, Time: core.Const(0.01), Samples: 50}, {X: 16, Time: core.Const(0.03)}}}}})
	p := f.Series[0].Points
	if len(p) != 2 || p[0].Y != 0.005 || p[1].Y != 0.015 || p[0].Note != "" || p[1].Note != "extrapolated" {
		t.Errorf("points %+v; want 5 ms, and 15 ms extrapolated", p)
	}
}
