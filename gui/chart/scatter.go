package chart

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tierscope/core/quantity"
)

// Scatter shows predicted against measured values, with the 45° line of a
// perfect prediction and corridors of ±10 % and ±20 %.
type Scatter struct {
	Title  string
	Label  string // of the quantity, both axes
	Unit   string
	Log    bool
	Points []Pair
}

// Pair is one configuration: measured and predicted value with intervals.
// Lo = Hi = 0 means that there is none.
type Pair struct {
	Measured, MeasuredLo, MeasuredHi    float64
	Predicted, PredictedLo, PredictedHi float64
	Name                                string // of the configuration
	ID                                  string
}

// Error returns the signed relative error (predicted − measured)/measured.
func (p Pair) Error() float64 { return (p.Predicted - p.Measured) / p.Measured }

func (f Scatter) draw(p *plot.Plot, t Theme) (layout, error) {
	var l layout
	p.Title.Text = f.Title
	x := Axis{Label: "Measured " + f.Label, Unit: f.Unit, Log: f.Log}
	y := Axis{Label: "Predicted " + f.Label, Unit: f.Unit, Log: f.Log}
	lo, hi := math.Inf(1), 0.0
	for _, q := range f.Points {
		for _, v := range []float64{q.Measured, q.Predicted} {
			if x.drawable(v) {
				lo, hi = math.Min(lo, v), math.Max(hi, v)
			}
		}
	}
	if math.IsInf(lo, 1) {
		lo, hi = 0.1, 1
	}
	d := x.scaled(&p.X, hi)
	y.scaled(&p.Y, hi)
	if f.Log {
		lo, hi = lo/1.25, hi*1.25
	} else {
		lo, hi = 0, hi*1.08
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = lo/d, hi/d, lo/d, hi/d
	p.Add(corridors{lo: lo / d, hi: hi / d, theme: t, log: f.Log})

	var xys plotter.XYs
	var ex plotter.XErrors
	var ey plotter.YErrors
	for _, q := range f.Points {
		if !x.drawable(q.Measured) || !y.drawable(q.Predicted) {
			continue
		}
		xys = append(xys, plotter.XY{X: q.Measured / d, Y: q.Predicted / d})
		ex = append(ex, span(q.Measured, q.MeasuredLo, q.MeasuredHi, d))
		ey = append(ey, span(q.Predicted, q.PredictedLo, q.PredictedHi, d))
		text := fmt.Sprintf("%s\nmeasured %s\npredicted %s\nε %s", q.Name, quantity.Format(q.Measured, f.Unit), quantity.Format(q.Predicted, f.Unit), quantity.Change(q.Error()))
		l.hits = append(l.hits, Hit{X: q.Measured / d, Y: q.Predicted / d, Text: text, ID: q.ID})
	}
	if len(xys) == 0 {
		return l, nil
	}
	xb, err := plotter.NewXErrorBars(struct {
		plotter.XYs
		plotter.XErrors
	}{xys, ex})
	if err != nil {
		return l, fmt.Errorf("chart: %w", err)
	}
	yb, err := plotter.NewYErrorBars(struct {
		plotter.XYs
		plotter.YErrors
	}{xys, ey})
	if err != nil {
		return l, fmt.Errorf("chart: %w", err)
	}
	dots, err := plotter.NewScatter(xys)
	if err != nil {
		return l, fmt.Errorf("chart: %w", err)
	}
	xb.LineStyle = draw.LineStyle{Color: t.Ink, Width: vg.Points(0.75)}
	yb.LineStyle = draw.LineStyle{Color: t.Series(0), Width: vg.Points(0.75)}
	xb.CapWidth, yb.CapWidth = vg.Points(3), vg.Points(3)
	dots.GlyphStyle = draw.GlyphStyle{Color: t.Series(0), Radius: vg.Points(2.6), Shape: draw.CircleGlyph{}}
	p.Add(xb, yb, dots)
	return l, nil
}

func span(v, lo, hi, d float64) struct{ Low, High float64 } {
	if lo == 0 && hi == 0 {
		return struct{ Low, High float64 }{}
	}
	return struct{ Low, High float64 }{(v - lo) / d, (hi - v) / d}
}

// corridors are the 45° line and the bands of ±10 % and ±20 %.
type corridors struct {
	lo, hi float64
	theme  Theme
	log    bool
}

// Plot implements plot.Plotter.
func (k corridors) Plot(c draw.Canvas, p *plot.Plot) {
	at := func(x, y float64) vg.Point {
		y = math.Max(math.Min(y, p.Y.Max), p.Y.Min)
		return vg.Point{X: c.X(p.X.Norm(x)), Y: c.Y(p.Y.Norm(y))}
	}
	const steps = 64
	grid := make([]float64, steps+1)
	for i := range grid {
		f := float64(i) / steps
		if k.log {
			grid[i] = k.lo * math.Pow(k.hi/k.lo, f)
		} else {
			grid[i] = k.lo + f*(k.hi-k.lo)
		}
	}
	for _, e := range []float64{0.2, 0.1} {
		var area []vg.Point
		for _, x := range grid {
			area = append(area, at(x, x*(1+e)))
		}
		for i := steps; i >= 0; i-- {
			area = append(area, at(grid[i], grid[i]*(1-e)))
		}
		c.FillPolygon(faded(k.theme.Edge, 0.13), area)
	}
	c.StrokeLines(draw.LineStyle{Color: k.theme.Edge, Width: vg.Points(1)}, []vg.Point{at(k.lo, k.lo), at(k.hi, k.hi)})
}

// Table implements Figure.
func (f Scatter) Table() Table {
	largest := 0.0
	for _, q := range f.Points {
		largest = math.Max(largest, math.Max(q.Measured, q.Predicted))
	}
	s := quantity.For(f.Unit, largest)
	t := Table{Header: []string{"configuration", heading("measured", s), heading("predicted", s), "ε"}}
	for _, q := range f.Points {
		t.Rows = append(t.Rows, []string{q.Name, quantity.Digits(q.Measured/s.Divisor, 4), quantity.Digits(q.Predicted/s.Divisor, 4), quantity.Change(q.Error())})
	}
	return t
}

// Summary implements Figure.
func (f Scatter) Summary() string {
	if len(f.Points) == 0 {
		return f.Title + ": nothing measured yet."
	}
	within := 0
	for _, q := range f.Points {
		if math.Abs(q.Error()) <= 0.1 {
			within++
		}
	}
	return fmt.Sprintf("%s: %d of %d configurations within ±10 %% of the measurement.", f.Title, within, len(f.Points))
}
