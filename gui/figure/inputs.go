package figure

import (
	"slices"

	"gonum.org/v1/gonum/stat"

	"tierscope/gui/chart"
	"tierscope/inputs"
)

// CapturedInputs is the figure of the times of captured inputs: by the curves of the model, with the
// interval of a run, over what was measured.
func CapturedInputs(checks []inputs.Check) chart.Scatter {
	f := chart.Scatter{Title: "Captured inputs", Label: "T", Unit: "s", Log: true}
	for _, c := range checks {
		f.Points = append(f.Points, chart.Pair{Measured: stat.Mean(c.Measured, nil), MeasuredLo: slices.Min(c.Measured), MeasuredHi: slices.Max(c.Measured),
			Predicted: c.Time, PredictedLo: c.Lo, PredictedHi: c.Hi, ID: inputs.Text(c.Input), Name: inputs.Text(c.Input)})
	}
	return f
}
