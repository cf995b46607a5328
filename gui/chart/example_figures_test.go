package chart_test

import (
	"math"

	"tierscope/gui/chart"
	"tierscope/gui/palette"
)

// responseTime is the figure of a web server's response time over the load:
// M/M/c-like curves, so that the shapes are those of real figures.
func responseTime() chart.Lines {
	f := chart.Lines{
		Title: "Response time", X: chart.Axis{Label: "Arrival rate λ", Unit: "1/s"}, Y: chart.Axis{Label: "Response time R", Unit: "s", Log: true},
		Marks: []chart.Mark{{X: 118, Label: "knee, predicted"}, {X: 114, Label: "knee, measured", Measured: true}},
	}
	for i, threads := range []string{"4 threads", "8 threads"} {
		capacity := 120 * float64(i+1)
		line := chart.Series{Name: threads, Role: chart.Predicted, Colour: i}
		seen := chart.Series{Name: threads + ", measured", Role: chart.Measured, Colour: i}
		for rate := 10.0; rate <= 130; rate += 10 {
			r := 0.012 / math.Max(1-rate/capacity, 0.02)
			line.Points = append(line.Points, chart.Point{X: rate, Y: r, Lo: 0.95 * r, Hi: 1.05 * r, Lo2: 0.85 * r, Hi2: 1.15 * r, ID: threads})
			if int(rate)%20 == 0 {
				seen.Points = append(seen.Points, chart.Point{X: rate, Y: 1.04 * r, Lo: 0.9 * r, Hi: 1.2 * r})
			}
		}
		f.Series = append(f.Series, line, seen)
	}
	f.Series = append(f.Series, chart.Series{Name: "estimate", Role: chart.Analytic, Colour: 0, Points: []chart.Point{{X: 10, Y: 0.01}, {X: 100, Y: 0.06}}},
		chart.Series{Name: "bound", Role: chart.Bound, Points: []chart.Point{{X: 10, Y: 0.009}, {X: 130, Y: 0.012}}})
	return f
}

func figures() map[string]chart.Figure {
	nan := math.NaN()
	return map[string]chart.Figure{
		"lines": responseTime(),
		"scatter": chart.Scatter{Title: "Predicted against measured", Label: "R", Unit: "s", Log: true, Points: []chart.Pair{
			{Name: "1 thread", Measured: 0.014, MeasuredLo: 0.0136, MeasuredHi: 0.0144, Predicted: 0.0139, PredictedLo: 0.0138, PredictedHi: 0.014, ID: "a"},
			{Name: "8 threads", Measured: 1.31, MeasuredLo: 1.2, MeasuredHi: 1.4, Predicted: 1.716, PredictedLo: 1.6, PredictedHi: 1.8, ID: "b"}}},
		"heatmap": chart.HeatMap{Title: "Signed error of R", X: chart.Axis{Label: "Arrival rate λ", Unit: "1/s"}, Y: chart.Axis{Label: "Threads"},
			Columns: []float64{48, 84, 100, 120, 156}, Rows: []float64{1, 3, 5, 8},
			Cells: [][]chart.Cell{{{Value: -.02}, {Value: -.1}, {Value: -.06}, {Value: .03}, {Value: .01}}, {{Value: -.01}, {Value: .02}, {Value: .05}, {Value: .09}, {Value: .04}},
				{{Value: 0}, {Value: .04}, {Value: .08}, {Value: .12}, {Value: nan}}, {{Value: .01}, {Value: .03}, {Value: .09}, {Value: .31}, {Value: nan}}}},
		"bars": chart.Bars{Title: "Where a task's time goes", Axis: chart.Axis{Label: "Time per task", Unit: "s"},
			Parts: []chart.Part{{Name: "queue", State: palette.Queue}, {Name: "ready", State: palette.Idle}, {Name: "CPU", State: palette.CPU}, {Name: "lock", State: palette.Lock}, {Name: "disk", State: palette.Disk}},
			Bars:  []chart.Bar{{Name: "baseline", Lengths: []float64{.011, .001, .003, .004, .029}, Lo: .046, Hi: .05}, {Name: "8 threads, twice the load", Lengths: []float64{.002, .004, .003, .009, .031}}}},
		"ranking": chart.Ranking{Title: "Response time when 30 % faster", Axis: chart.Axis{Label: "Change of R", Unit: "1"}, Rows: []chart.Effect{
			{Name: "disk sda", Mean: -.55, Lo: -.57, Hi: -.53, ID: "disk/sda"}, {Name: "pool worker", Mean: -.14, Lo: -.17, Hi: -.11}, {Name: "parse()", Mean: -.01, Lo: -.03, Hi: .01}}},
		"waterfall": chart.Waterfall{Title: "What the changes do", Axis: chart.Axis{Label: "Response time R", Unit: "s"},
			From: chart.Effect{Name: "v1.8", Mean: .201}, To: chart.Effect{Name: "v1.9", Mean: .237}, Steps: []chart.Effect{
				{Name: "code of parse", Mean: .0194, Lo: .017, Hi: .022, ID: "code of parse"}, {Name: "lock L7", Mean: .0122, Lo: .01, Hi: .014},
				{Name: "disk", Mean: .0029, Lo: -.001, Hi: .007}, {Name: "interaction", Mean: .0015, Lo: 0, Hi: .003}}},
		"steps": chart.Steps{Title: "Response time", X: chart.Axis{Label: "R", Unit: "s"}, Laws: []chart.Law{
			{Name: "measured", Role: chart.Measured, Values: []float64{.01, .02, .04, .1}, Probabilities: []float64{0, .5, .9, 1}},
			{Name: "predicted", Values: []float64{.01, .021, .045, .11}, Probabilities: []float64{0, .5, .9, 1}}}},
	}
}
