package factor

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"tierscope/core/robust"
)

// Run is one run of a program, or of its model, with at most one module
// prolonged.
type Run struct {
	Module  int       `json:"module"`  // that was prolonged, or Nothing
	Delay   float64   `json:"delay_s"` // really taken per execution of the module
	Times   []float64 `json:"times_s"` // mean time per execution of each module
	Elapsed float64   `json:"elapsed_s"`
	Loaded  float64   `json:"load_from_outside"` // share of the machine that others used, 0…1
	// Control marks a run whose delay only computed, in an experiment whose others
	// touch memory.
	Control bool `json:"control,omitempty"`
}

// Nothing is the module of a run in which none was prolonged.
const Nothing = -1

// Experiment is the runs of a prolongation.
type Experiment struct {
	Modules []string `json:"modules"`
	Runs    []Run    `json:"runs"`
	// Calls[i][j] says that module i calls module j, directly or not.
	Calls [][]bool `json:"calls"`
	// Carriers are, for each module, the locks and other resources that it
	// uses: what two modules share can carry a dependency.
	Carriers [][]string `json:"carriers"`
	// Adjust divides what is common to all modules of a run out of it first:
	// right for measured runs, wrong for simulated ones, which know no load
	// from outside.
	Adjust bool `json:"adjust"`
}

// table returns the times, runs × modules.
func (e *Experiment) table() *mat.Dense {
	t := mat.NewDense(len(e.Runs), len(e.Modules), nil)
	for i, r := range e.Runs {
		t.SetRow(i, r.Times)
	}
	return t
}

// Sensitivity is how much longer a module takes for each second that is put
// into another, with a test against none.
type Sensitivity struct {
	Slope       float64 `json:"slope"` // seconds per second
	Lo          float64 `json:"lo"`    // of the 95 % interval
	Hi          float64 `json:"hi"`
	P           float64 `json:"p"` // two-sided, against 0
	Significant bool    `json:"significant"`
}

// discoveries bounds the expected share of false ones among the significant
// sensitivities (Benjamini & Hochberg 1995).
const discoveries = 0.01

// Sensitivities returns the matrix: row i is prolonged, column j reacts. The
// slope is that of least squares over the runs in which i or nothing was
// prolonged.
func (e *Experiment) Sensitivities() [][]Sensitivity {
	return e.slopes(func(x, _ []float64, y []float64) Sensitivity { return slope(x, y) }, false)
}

// Touching returns by how much larger sensitivities are where a delay touches memory than
// where it only computes; nil if the experiment has no runs to compare with.
func (e *Experiment) Touching() [][]Sensitivity {
	if !slices.ContainsFunc(e.Runs, func(r Run) bool { return r.Control }) {
		return nil
	}
	return e.slopes(extraSlope, true)
}

// slopes fits every pair: x are the delays, extra those that touched memory, y the
// times of the module that reacts.
func (e *Experiment) slopes(fit func(x, extra, y []float64) Sensitivity, control bool) [][]Sensitivity {
	n := len(e.Modules)
	times, delays := e.adjusted()
	out := make([][]Sensitivity, n)
	for i := range out {
		out[i] = make([]Sensitivity, n)
		var x, extra []float64
		var rows []int
		for r, run := range e.Runs {
			if run.Control && !control || run.Module != i && run.Module != Nothing {
				continue
			}
			d := 0.0
			if run.Module == i {
				d = delays[r]
			}
			touched := d
			if run.Control {
				touched = 0
			}
			x, extra, rows = append(x, d), append(extra, touched), append(rows, r)
		}
		for j := range n {
			y := make([]float64, len(rows))
			for k, r := range rows {
				y[k] = times.At(r, j)
			}
			out[i][j] = fit(x, extra, y)
		}
	}
	markSignificant(out)
	return out
}

// adjusted returns the times and the delays of all runs, in the seconds of a
// machine that is as fast in all of them. A run's factor is the median over the
// modules of their times relative to what they are without delays: most modules do not
// depend on the one that is delayed. In a run that was slower by the factor f as
// a whole, a delay of d is one of d/f of such seconds.
func (e *Experiment) adjusted() (times *mat.Dense, delays []float64) {
	times = e.table()
	for _, r := range e.Runs {
		delays = append(delays, r.Delay)
	}
	if !e.Adjust {
		return times, delays
	}
	usual := e.usual()
	for r, run := range e.Runs {
		var relative []float64
		for j, t := range run.Times {
			if j != run.Module { // the one that is delayed is slower for sure
				relative = append(relative, t/usual[j])
			}
		}
		f := robust.Median(relative)
		delays[r] /= f
		for j, t := range run.Times {
			times.Set(r, j, t/f)
		}
	}
	return times, delays
}

// usual returns the time of each module without delays: the geometric mean of
// those runs, or of all if there are none.
func (e *Experiment) usual() []float64 {
	times := make([]float64, len(e.Modules))
	for j := range times {
		var plain, all []float64
		for _, r := range e.Runs {
			if r.Module < 0 {
				plain = append(plain, r.Times[j])
			}
			all = append(all, r.Times[j])
		}
		if len(plain) == 0 {
			plain = all
		}
		times[j] = stat.GeometricMean(plain, nil)
	}
	return times
}

// undecided is the sensitivity of too few runs.
var undecided = Sensitivity{P: 1, Lo: -math.MaxFloat64, Hi: math.MaxFloat64}

// slope fits a line and tests its slope with Student's t.
func slope(x, y []float64) Sensitivity {
	if len(x) < 3 || slices.Min(x) == slices.Max(x) {
		return undecided
	}
	return slopeOf(x, y, len(x)-2)
}

// slopeOf is the slope of a line with so many degrees of freedom.
func slopeOf(x, y []float64, freedom int) Sensitivity {
	n := float64(len(x))
	my, variance := stat.MeanVariance(y, nil)
	sxx, sxy, syy := (n-1)*stat.Variance(x, nil), (n-1)*stat.Covariance(x, y, nil), (n-1)*variance
	b := sxy / sxx
	// Rounding of the sums leaves a residue of this size in a perfect line.
	residual := math.Max(syy-b*sxy, 1e-14*(syy+n*my*my))
	se := math.Sqrt(residual / float64(freedom) / sxx)
	t := distuv.StudentsT{Sigma: 1, Nu: float64(freedom)}
	half := t.Quantile(0.975) * se
	return Sensitivity{Slope: b, Lo: b - half, Hi: b + half, P: 2 * t.Survival(math.Abs(b/se))}
}

// extraSlope fits y = a + b·x + c·extra and tests c: by the residuals of y and of extra
// about lines in x (Frisch & Waugh 1933).
func extraSlope(x, extra, y []float64) Sensitivity {
	residuals := func(of []float64) []float64 {
		a, b := stat.LinearRegression(x, of, nil, false)
		out := make([]float64, len(of))
		for i := range of {
			out[i] = of[i] - a - b*x[i]
		}
		return out
	}
	if len(x) < 4 || slices.Min(x) == slices.Max(x) || slices.Equal(x, extra) {
		return undecided
	}
	return slopeOf(residuals(extra), residuals(y), len(x)-3)
}

// markSignificant controls the false discovery rate over all pairs of
// different modules.
func markSignificant(s [][]Sensitivity) {
	type cell struct{ i, j int }
	var cells []cell
	for i := range s {
		for j := range s[i] {
			if i != j {
				cells = append(cells, cell{i, j})
			}
			s[i][j].Significant = i == j && s[i][j].P < discoveries
		}
	}
	slices.SortStableFunc(cells, func(a, b cell) int {
		return cmp.Compare(s[a.i][a.j].P, s[b.i][b.j].P)
	})
	last := -1
	for k, c := range cells {
		if s[c.i][c.j].P <= discoveries*float64(k+1)/float64(len(cells)) {
			last = k
		}
	}
	for _, c := range cells[:last+1] {
		s[c.i][c.j].Significant = true
	}
}
