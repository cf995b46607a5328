package knob

import (
	"testing"

	"tierscope/core"
)

// Twice the evidence and ten times the value, whichever is more; within what the model allows, and all of that where
// there is no evidence.
func TestTheSliderOfAParameterCoversTheEvidenceAndMore(t *testing.T) {
	for _, c := range []struct {
		what core.Parameter
		want [2]float64
	}{
		{core.Parameter{Name: "rate", Default: 200, Min: 0.2, Max: 200_000, SupportedMin: 25, SupportedMax: 1600}, [2]float64{12.5, 3200}},
		{core.Parameter{Name: "cores", Integer: true, Default: 1, Min: 1, Max: 256, SupportedMin: 1, SupportedMax: 2}, [2]float64{1, 10}},
		{core.Parameter{Name: "workers", Integer: true, Default: 3, Min: 1, Max: 40, SupportedMin: 1, SupportedMax: 24}, [2]float64{1, 40}},
		{core.Parameter{Name: "threads", Integer: true, Default: 4, Min: 1, Max: 100}, [2]float64{}},
	} {
		if got := OfParameter(c.what).Slide; got != c.want {
			t.Errorf("%s: the slider covers %v, want %v", c.what.Name, got, c.want)
		}
	}
}
