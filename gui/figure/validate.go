package figure

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"tierscope/core/quantity"
	"tierscope/gui/chart"
	"tierscope/gui/recipe"
	"tierscope/measure/validate"
)

// Comparisons returns the comparisons of the means of one metric.
func Comparisons(r *validate.Report, metric string) []validate.Comparison {
	var some []validate.Comparison
	for _, c := range r.Comparisons {
		if c.Metric == metric && c.Stat == "mean" {
			some = append(some, c)
		}
	}
	return some
}

// axes returns the two parameters that vary most: the one to draw over, and
// the one with a line per value ("" if only one varies).
func axes(r *validate.Report, metric string) (x, by string) {
	values := map[string]map[float64]bool{}
	for _, c := range Comparisons(r, metric) {
		for name, v := range c.Settings {
			if values[name] == nil {
				values[name] = map[float64]bool{}
			}
			values[name][v] = true
		}
	}
	names := slices.SortedFunc(maps.Keys(values), func(a, b string) int {
		if d := len(values[b]) - len(values[a]); d != 0 {
			return d
		}
		return slices.Index(r.Parameters, a) - slices.Index(r.Parameters, b)
	})
	if len(names) > 0 {
		x = names[0]
	}
	if len(names) > 1 && len(values[names[1]]) > 1 {
		by = names[1]
	}
	return x, by
}

// PredictedMeasured is predicted and measured over the parameter that varies most.
func PredictedMeasured(r *validate.Report, metric string, units map[string]string, log bool) chart.Lines {
	var all []recipe.Observation
	for _, c := range Comparisons(r, metric) {
		key := c.Metric + " " + c.Of + " " + c.Stat
		all = append(all,
			recipe.Observation{Configuration: c.Settings, Metric: key, Unit: c.Unit, Value: c.Predicted.Mean, Lo: quantity.AtLeastZero(c.Predicted.Lo, c.Predicted.Mean), Hi: c.Predicted.Hi, ID: c.Name, Warnings: c.Predicted.Warnings},
			recipe.Observation{Configuration: c.Settings, Metric: key, Unit: c.Unit, Value: c.Measured.Median, Lo: quantity.AtLeastZero(c.Measured.Lo, c.Measured.Median), Hi: c.Measured.Hi, Measured: true, ID: c.Name, Warnings: c.Measured.Warnings})
	}
	x, by := axes(r, metric)
	key := ""
	if len(all) > 0 {
		key = all[0].Metric
	}
	f := recipe.Recipe{Title: recipe.Label(key) + ": predicted and measured", Metric: key, X: x, By: by, LogY: log}.Lines(all, units)
	for _, k := range r.Knees {
		if k.Parameter == x && len(r.Knees) == 1 {
			f.Marks = append(f.Marks, chart.Mark{X: k.Predicted, Label: "knee, predicted"}, chart.Mark{X: k.Measured, Label: "knee, measured", Measured: true})
		}
	}
	return f
}

// Scatter is predicted against measured with the 45° line.
func Scatter(r *validate.Report, metric string, log bool) chart.Scatter {
	f := chart.Scatter{Title: "Predicted against measured", Label: metric, Log: log}
	for _, c := range Comparisons(r, metric) {
		f.Unit, f.Label = c.Unit, recipe.Label(c.Metric+" "+c.Of+" "+c.Stat)
		f.Points = append(f.Points, chart.Pair{Name: c.Name, ID: c.Name,
			Measured: c.Measured.Median, MeasuredLo: quantity.AtLeastZero(c.Measured.Lo, c.Measured.Median), MeasuredHi: c.Measured.Hi,
			Predicted: c.Predicted.Mean, PredictedLo: quantity.AtLeastZero(c.Predicted.Lo, c.Predicted.Mean), PredictedHi: c.Predicted.Hi})
	}
	return f
}

// Residuals is the signed errors over the two parameters that vary most.
func Residuals(r *validate.Report, metric string, units map[string]string) chart.HeatMap {
	x, by := axes(r, metric)
	f := chart.HeatMap{Title: "Signed error ε of " + metric + " [%]", X: chart.Axis{Label: x, Unit: units[x]}, Y: chart.Axis{Label: by, Unit: units[by]}}
	some := Comparisons(r, metric)
	column := func(name string) []float64 {
		var values []float64
		for _, c := range some {
			if v := c.Settings[name]; !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		return values
	}
	f.Columns = column(x)
	f.Rows = []float64{0}
	if by != "" {
		f.Rows = column(by)
	}
	for range f.Rows {
		row := make([]chart.Cell, len(f.Columns))
		for j := range row {
			row[j].Value = math.NaN()
		}
		f.Cells = append(f.Cells, row)
	}
	for _, c := range some {
		i, j := max(slices.Index(f.Rows, c.Settings[by]), 0), slices.Index(f.Columns, c.Settings[x])
		if cell := &f.Cells[i][j]; math.IsNaN(cell.Value) || math.Abs(c.Error) > math.Abs(cell.Value) {
			*cell = chart.Cell{Value: c.Error, ID: c.Name, Text: fmt.Sprintf("measured %s\npredicted %s",
				quantity.Amount(c.Measured.Median, c.Measured.Lo, c.Measured.Hi, c.Unit),
				quantity.Amount(c.Predicted.Mean, c.Predicted.Lo, c.Predicted.Hi, c.Unit))}
		}
	}
	return f
}

// Blame is where the error comes from, as bars around zero.
func Blame(r *validate.Report) chart.Ranking {
	const shown = 10
	f := chart.Ranking{Title: "Where does the error come from?", Axis: chart.Axis{Label: "Part of the measured time of the base configuration", Unit: "1"}}
	for _, b := range r.Blame[:min(shown, len(r.Blame))] {
		f.Rows = append(f.Rows, chart.Effect{Name: b.Of, Mean: b.Share, Lo: math.Min(b.Share, 0), Hi: math.Max(b.Share, 0)})
	}
	return f
}
