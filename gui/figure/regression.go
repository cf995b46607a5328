package figure

import (
	"fmt"
	"slices"
	"strings"

	"tierscope/analysis/regress"
	"tierscope/gui/chart"
)

// HeldOut is the figure of predictions against measurements of a behaviour, for
// runs that the fit has not seen, with 95 % prediction intervals.
func HeldOut(b regress.Behaviour) chart.Scatter {
	f := chart.Scatter{Title: b.Label() + ", runs not seen", Label: b.Name, Unit: unitOf(b.Name)}
	lo, hi := 0.0, 0.0
	from, to := b.Evaluation.Intervals95(b.Samples)
	for i, p := range b.Evaluation.Predictions {
		s := b.Samples[p.Sample]
		var parts []string
		for _, name := range b.Selection.Model.Inputs() {
			parts = append(parts, fmt.Sprintf("%s %g", name, s.Variables[name]))
		}
		f.Points = append(f.Points, chart.Pair{Measured: p.Measured, Predicted: p.Predicted, PredictedLo: from[i], PredictedHi: to[i], ID: fmt.Sprint(p.Sample),
			Name: strings.Join(append(parts, fmt.Sprintf("n %g", s.Threads)), ", ")})
		if lo == 0 || p.Measured < lo {
			lo = p.Measured
		}
		hi = max(hi, p.Measured)
	}
	const decades = 30 // a range that a linear axis does not show
	f.Log = lo > 0 && hi > decades*lo
	return f
}

// Coefficients is the figure of the coefficients of a behaviour's model. Each is
// relative to its own size, so that terms of different units share an axis.
func Coefficients(b regress.Behaviour) chart.Ranking {
	f := chart.Ranking{Title: "Coefficients, 95 % intervals", Axis: chart.Axis{Label: "Relative to the estimate", Unit: "1"}}
	if b.Selection.Model.Form == regress.LogLog {
		f.Axis = chart.Axis{Label: "Exponent"}
	}
	for _, i := range b.Intervals {
		if i.Term == "1" {
			continue
		}
		e := chart.Effect{Name: i.Term, Mean: i.Estimate, Lo: i.Lo, Hi: i.Hi, ID: i.Term}
		if b.Selection.Model.Form == regress.Linear && i.Estimate != 0 {
			e.Mean, e.Lo, e.Hi = 1, i.Lo/i.Estimate, i.Hi/i.Estimate
			if e.Lo > e.Hi {
				e.Lo, e.Hi = e.Hi, e.Lo
			}
		}
		f.Rows = append(f.Rows, e)
	}
	return f
}

// unitOf guesses a behaviour's unit from its name, as in cpu_s.
func unitOf(name string) string {
	for suffix, unit := range map[string]string{"_s": "s", "_bytes": "B"} {
		if strings.HasSuffix(name, suffix) {
			return unit
		}
	}
	return ""
}

// Effect is the figure of a behaviour over one input of its model, the other
// inputs as given.
func Effect(b regress.Behaviour, input string, at map[string]float64, threads float64) chart.Lines {
	f := chart.Lines{Title: b.Name + " over " + input, X: chart.Axis{Label: input}, Y: chart.Axis{Label: b.Name, Unit: unitOf(b.Name)}}
	var values []float64
	seen := chart.Series{Name: "measured, other inputs as they were", Role: chart.Measured}
	for _, s := range b.Samples {
		v := s.Variables[input]
		values = append(values, v)
		seen.Points = append(seen.Points, chart.Point{X: v, Y: s.Y})
	}
	if len(values) == 0 {
		return f
	}
	slices.SortFunc(seen.Points, func(p, q chart.Point) int {
		if p.X < q.X {
			return -1
		}
		return 1
	})
	lo, hi := slices.Min(values), slices.Max(values)
	line := chart.Series{Name: "model", Role: chart.Predicted}
	const steps = 60
	for k := range steps + 1 {
		x := lo + (hi-lo)*float64(k)/steps
		inputs := map[string]float64{}
		for name, v := range at {
			inputs[name] = v
		}
		inputs[input] = x
		line.Points = append(line.Points, chart.Point{X: x, Y: b.Selection.Model.Predict(inputs, threads)})
	}
	f.Series = []chart.Series{line, seen}
	return f
}
