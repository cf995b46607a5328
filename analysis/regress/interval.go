package regress

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Interval is a coefficient with its confidence interval. The intervals take
// the terms as given: what the choice of terms adds to the uncertainty is not
// in them.
type Interval struct {
	Term     string  `json:"term"` // "1" is the constant
	Estimate float64 `json:"estimate"`
	Lo       float64 `json:"lo"`
	Hi       float64 `json:"hi"`
}

// Intervals returns the t intervals of the coefficients of a linear or log-log
// model that was fitted to the samples: b ± t·s·√(X′WX)⁻¹ᵢᵢ with s² the weighted
// residual variance (Draper & Smith 1998, §5). It returns nil for a tree, and
// where there are no degrees of freedom or the terms are collinear.
func Intervals(samples []Sample, m Model, o Options, confidence float64) []Interval {
	samples = m.Absent.rest(samples)
	if m.Form == LogLog {
		samples = present(samples)
	}
	freedom := len(samples) - len(m.Coefficients)
	if m.Form == TreeForm || m.Form == Sum || freedom < 1 {
		return nil
	}
	x, y, w := design(samples, m.Terms, m.Form, o)
	normal, ok := normalOf(x, w)
	if !ok {
		return nil
	}
	var squares float64
	for i, row := range x {
		residual := (y[i] - dot(m.Coefficients, row)) * w[i]
		squares += residual * residual
	}
	variances := normal.variances()
	t := distuv.StudentsT{Sigma: 1, Nu: float64(freedom)}.Quantile((1 + confidence) / 2)
	out := make([]Interval, len(m.Coefficients))
	for j, b := range m.Coefficients {
		half := t * math.Sqrt(squares/float64(freedom)*variances[j])
		out[j] = Interval{Term: "1", Estimate: b, Lo: b - half, Hi: b + half}
		if j > 0 {
			out[j].Term = m.Terms[j-1].String()
		}
	}
	return out
}
