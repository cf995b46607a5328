package scenarios

import (
	"slices"
	"testing"

	"tierscope/gui/chart"
	"tierscope/simulation/whatif"
)

// A curve of response times ends where queues grow, on either side, and a mark says so.
func TestACurveEndsWhereQueuesGrow(t *testing.T) {
	t.Parallel()
	d := drawing{curve: whatif.NewCurve([]whatif.Anchor{{At: 4, Mean: 1}, {At: 8, Mean: 2}, {At: 16, Mean: 3}}, nil)}
	for _, c := range []struct {
		grows []float64
		want  []chart.Mark
	}{
		{nil, nil},
		{[]float64{32, 64}, []chart.Mark{{X: 32, Label: "queues grow from here on"}}},
		{[]float64{1, 2}, []chart.Mark{{X: 2, Label: "queues grow up to here"}}},
		{[]float64{2, 32}, []chart.Mark{{X: 2, Label: "queues grow up to here"}, {X: 32, Label: "queues grow from here on"}}},
	} {
		d.grows = c.grows
		if got := growth(d); !slices.Equal(got, c.want) {
			t.Errorf("queues grow at %v: marks %v, want %v", c.grows, got, c.want)
		}
	}
	if growth(drawing{grows: []float64{1}}) != nil {
		t.Error("a mark beside no curve")
	}
}
