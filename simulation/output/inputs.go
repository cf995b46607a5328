package output

import "math"

// WithInputs returns e, an estimate for a model as it is, for one of which something is
// not known: changes are what draws of that add to e, under the random numbers of e. What is
// not known does not become known by more replications, so its share is not divided by
// their number: the half-widths of both add as squares.
func (e Estimate) WithInputs(changes []float64) Estimate {
	half := normal(e.Confidence) * rootMeanSquare(changes)
	if !(half > 0) {
		return e
	}
	e.Inputs = changes
	return e.wider(half)
}

// AsUnsureAs returns e, whose inputs nobody drew, with those of another estimate, in proportion to the means; e itself if it
// has some.
func (e Estimate) AsUnsureAs(other Estimate) Estimate {
	if len(e.Inputs) == 0 && len(other.Inputs) > 0 && other.Mean != 0 {
		e.Inputs = scaled(other.Inputs, e.Mean/other.Mean)
	}
	return e
}

// wider adds the half-width of something independent.
func (e Estimate) wider(half float64) Estimate {
	e.Lo, e.Hi = e.Mean-math.Hypot(e.Mean-e.Lo, half), e.Mean+math.Hypot(e.Hi-e.Mean, half)
	return e
}

// OfRuns returns e, of which every replication was like one run of what it predicts, for the mean of
// so many runs instead of that of all that there could be: the prediction interval of normal
// observations, t(n−1)·S·√(1/n + 1/runs) (Hahn & Meeker 1991, §4.7).
func (e Estimate) OfRuns(runs int) Estimate {
	if half, _ := e.Shares(); half > 0 && e.N > 0 && runs > 0 {
		return e.wider(half * math.Sqrt(float64(e.N)/float64(runs)))
	}
	return e
}

// Shares returns the half-widths that replications and inputs have in e.
func (e Estimate) Shares() (replications, inputs float64) {
	inputs = normal(e.Confidence) * rootMeanSquare(e.Inputs)
	return math.Sqrt(max(0, e.HalfWidth()*e.HalfWidth()-inputs*inputs)), inputs
}

// rootMeanSquare is 0 for no values; those that are NaN are left out.
func rootMeanSquare(values []float64) float64 {
	sum, n := 0.0, 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum += v * v
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return math.Sqrt(sum / n)
}

// Between compares two estimates as Paired or Independent do, in the light of what is not
// known of the inputs of either: what both have in common cancels, draw by draw.
func Between(a, b Estimate, paired bool, confidence float64) Difference {
	d := Independent(a.Samples, b.Samples, confidence)
	if paired {
		d = Paired(a.Samples, b.Samples, confidence)
	}
	var absolute, relative []float64
	for i := range max(len(a.Inputs), len(b.Inputs)) {
		da, db := at(a.Inputs, i), at(b.Inputs, i)
		absolute = append(absolute, db-da)
		relative = append(relative, (b.Mean+db)/(a.Mean+da)-b.Mean/a.Mean)
	}
	d.Absolute, d.Relative = d.Absolute.WithInputs(absolute), d.Relative.WithInputs(relative)
	return d
}

func at(values []float64, i int) float64 {
	if i < len(values) {
		return values[i]
	}
	return 0
}
