package output

import "math"

// Difference compares two configurations: b − a and (b − a)/a.
type Difference struct {
	Absolute Estimate `json:"absolute"`
	Relative Estimate `json:"relative"` // 0.1: b is 10 % larger
	Paired   bool     `json:"paired"`   // under common random numbers
}

// Clear reports whether the interval of the difference excludes 0.
func (d Difference) Clear() bool { return d.Absolute.Lo > 0 || d.Absolute.Hi < 0 }

// Paired compares two configurations that were simulated with common random
// numbers, from the observations of replications 0, 1, 2, … of either: the
// paired-t interval (Law & Kelton, 3rd ed., §10.2.1), and for the relative
// difference Fieller's interval of the ratio of two correlated means, which
// is unbounded if a may be 0. Replications that only one of them has are
// left out.
func Paired(a, b []float64, confidence float64) Difference {
	var x, y, d []float64
	for i := range min(len(a), len(b)) {
		if !math.IsNaN(a[i]) && !math.IsNaN(b[i]) {
			x, y, d = append(x, a[i]), append(y, b[i]), append(d, b[i]-a[i])
		}
	}
	return Difference{
		Absolute: Replications(d, confidence),
		Relative: fieller(x, y, confidence),
		Paired:   true,
	}
}

// Independent compares two configurations that were simulated with different
// seeds: Welch's interval (Law & Kelton, 3rd ed., §10.2.2). The relative
// difference is its linearisation.
func Independent(a, b []float64, confidence float64) Difference {
	ea, eb := Replications(a, confidence), Replications(b, confidence)
	va, vb := squaredError(ea), squaredError(eb)
	diff := eb.Mean - ea.Mean
	e := Estimate{Mean: diff, Lo: math.Inf(-1), Hi: math.Inf(1), N: min(ea.N, eb.N), Confidence: confidence}
	r := e
	r.Mean = diff / ea.Mean
	if e.N < 2 {
		return Difference{Absolute: e.Warn("one observation: no interval"), Relative: r.Warn("one observation: no interval")}
	}
	df := (va + vb) * (va + vb) / (va*va/float64(ea.N-1) + vb*vb/float64(eb.N-1))
	if va+vb == 0 {
		df = float64(e.N - 1)
	}
	t := studentT(max(int(df), 1), confidence)
	h := t * math.Sqrt(va+vb)
	e.Lo, e.Hi = diff-h, diff+h
	ratio := eb.Mean / ea.Mean
	h = t * math.Sqrt(vb+ratio*ratio*va) / math.Abs(ea.Mean)
	r.Lo, r.Hi = r.Mean-h, r.Mean+h
	return Difference{Absolute: e, Relative: r}
}

// squaredError returns the squared standard error of a mean.
func squaredError(e Estimate) float64 {
	if e.N < 2 {
		return math.NaN()
	}
	s := (e.Hi - e.Lo) / 2 / studentT(e.N-1, e.Confidence)
	return s * s
}

// fieller estimates E[y]/E[x] − 1 from pairs: the ratios r for which
// |ȳ − r·x̄| ≤ t·s(y − r·x)/√n, the roots of a quadratic in r (Fieller 1954).
func fieller(x, y []float64, confidence float64) Estimate {
	checkConfidence(confidence)
	n := len(x)
	e := Estimate{Mean: math.NaN(), Lo: math.Inf(-1), Hi: math.Inf(1), N: n, Confidence: confidence}
	var tx, ty Tally
	for i := range x {
		tx.Add(x[i])
		ty.Add(y[i])
	}
	mx, my := tx.Mean(), ty.Mean()
	if n > 0 && mx != 0 {
		e.Mean = my/mx - 1
	}
	if n < 2 {
		return e.Warn("one observation: no interval")
	}
	var cov float64
	for i := range x {
		cov += (x[i] - mx) * (y[i] - my)
	}
	t := studentT(n-1, confidence)
	q := t * t / float64(n)
	vx, vy := q*tx.Variance(), q*ty.Variance()
	cov *= q / float64(n-1)
	// (x̄² − vx)·r² − 2(x̄·ȳ − cov)·r + (ȳ² − vy) ≤ 0
	a, b, c := mx*mx-vx, mx*my-cov, my*my-vy
	if a <= 0 {
		return e.Warn("the reference is not clearly different from 0: no relative difference")
	}
	root := math.Sqrt(max(b*b-a*c, 0))
	e.Lo, e.Hi = (b-root)/a-1, (b+root)/a-1
	return e
}
