package chart

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tierscope/core/quantity"
)

// Lines shows quantities over a parameter: predicted lines with bands,
// measured markers with error bars, dashed estimates, dotted bounds, and
// vertical marks such as a knee.
type Lines struct {
	Title  string
	X, Y   Axis
	Series []Series
	Marks  []Mark
	Zones  []Zone
}

// Zone is a shaded range of the parameter, such as one in which nothing can be
// predicted. An infinite end is the end of the axis.
type Zone struct{ From, To float64 }

// Mark is a labelled vertical line.
type Mark struct {
	X        float64
	Label    string
	Measured bool
}

func (f Lines) draw(p *plot.Plot, t Theme) (layout, error) {
	var l layout
	p.Title.Text = f.Title
	x, y := f.Steep()
	f.X.Log, f.Y.Log = f.X.Log || x && !f.X.Linear, f.Y.Log || y && !f.Y.Linear
	largestX, largestY := f.largest()
	dx, dy := f.X.scaled(&p.X, largestX), f.Y.scaled(&p.Y, largestY)
	whole := f
	if !f.Y.Log {
		f = f.within(farthest * largestY)
	}
	for i, s := range f.Series {
		if s.Role == Predicted || s.Role == Curve || s.Role == Beyond {
			f.band(p, s, dx, dy, faded(t.Series(s.Colour), 0.12), Point.hasWide, func(q Point) (float64, float64) { return q.Lo2, q.Hi2 })
			f.band(p, s, dx, dy, faded(t.Series(s.Colour), 0.25), Point.hasInterval, func(q Point) (float64, float64) { return q.Lo, q.Hi })
		}
		entry, err := f.series(p, i, dx, dy, t)
		if err != nil {
			return l, err
		}
		if s.Name != "" || len(f.Series) == 1 {
			l.legend = append(l.legend, entry)
		}
		for _, q := range whole.Series[i].Points {
			if f.X.drawable(q.X) && f.Y.drawable(q.Y) {
				l.hits = append(l.hits, Hit{X: q.X / dx, Y: q.Y / dy, Text: f.hover(s, q), ID: q.ID})
			}
		}
	}
	f.X.fix(&p.X, dx)
	f.Y.fix(&p.Y, dy)
	if ticks, ok := p.X.Tick.Marker.(decimalTicks); ok && dx == 1 {
		ticks.whole = f.counted()
		p.X.Tick.Marker = ticks
	}
	for _, z := range f.Zones {
		p.Add(shade{from: z.From / dx, to: z.To / dx, colour: faded(t.Edge, zoneOpacity)})
	}
	for _, m := range f.Marks {
		colour := t.Edge
		if m.Measured {
			colour = t.Ink
		}
		p.Add(verticalMark{x: m.X / dx, label: m.Label, colour: colour, low: m.Measured})
	}
	return l, nil
}

// counted reports whether the parameter has whole values only, such as threads,
// cores or tasks.
func (f Lines) counted() bool {
	for _, s := range f.Series {
		for _, q := range s.Points {
			if q.X != math.Trunc(q.X) {
				return false
			}
		}
	}
	return true
}

func (f Lines) largest() (x, y float64) {
	for _, s := range f.Series {
		for _, q := range s.Points {
			if f.X.drawable(q.X) && f.Y.drawable(q.Y) {
				x, y = math.Max(x, math.Abs(q.X)), math.Max(y, math.Abs(q.Y))
			}
		}
	}
	return x, y
}

// farthest is how far, times the largest value, intervals are drawn: one that reaches farther would leave no room for the values, and
// says that hardly anything is known wherever it ends. Pointing at a value tells.
const farthest = 3

// within returns the figure with intervals that end at a distance from zero.
func (f Lines) within(most float64) Lines {
	f.Series = slices.Clone(f.Series)
	for i := range f.Series {
		s := &f.Series[i]
		s.Points = slices.Clone(s.Points)
		for k := range s.Points {
			q := &s.Points[k]
			for _, end := range []*float64{&q.Lo, &q.Hi, &q.Lo2, &q.Hi2} {
				if !math.IsInf(*end, 0) { // which is no interval
					*end = max(-most, min(*end, most))
				}
			}
		}
	}
	return f
}

// band fills the areas between the interval bounds of consecutive points, between which no point is without.
func (f Lines) band(p *plot.Plot, s Series, dx, dy float64, colour color.NRGBA, has func(Point) bool, bounds func(Point) (float64, float64)) {
	var upper, lower plotter.XYs
	for _, q := range s.Points {
		lo, hi := bounds(q)
		switch {
		case (!has(q) || math.IsInf(lo, 0) || math.IsInf(hi, 0)) && f.X.drawable(q.X) && f.Y.drawable(q.Y):
			fill(p, upper, lower, colour)
			upper, lower = nil, nil
		case has(q) && f.X.drawable(q.X) && f.Y.drawable(lo) && f.Y.drawable(hi):
			upper = append(upper, plotter.XY{X: q.X / dx, Y: hi / dy})
			lower = append(lower, plotter.XY{X: q.X / dx, Y: lo / dy})
		}
	}
	fill(p, upper, lower, colour)
}

// fill fills the area between two lines of as many points.
func fill(p *plot.Plot, upper, lower plotter.XYs, colour color.NRGBA) {
	if len(upper) < 2 {
		return
	}
	for i := len(lower) - 1; i >= 0; i-- {
		upper = append(upper, lower[i])
	}
	area, err := plotter.NewPolygon(upper)
	if err != nil {
		return
	}
	area.Color, area.LineStyle.Width = colour, 0
	p.Add(area)
}

func (f Lines) series(p *plot.Plot, i int, dx, dy float64, t Theme) (entry, error) {
	s := f.Series[i]
	var xys plotter.XYs
	var errs plotter.YErrors
	intervals := false
	for _, q := range s.Points {
		if !f.X.drawable(q.X) || !f.Y.drawable(q.Y) {
			continue
		}
		xys = append(xys, plotter.XY{X: q.X / dx, Y: q.Y / dy})
		e := struct{ Low, High float64 }{}
		if q.hasInterval() && f.Y.drawable(q.Lo) && f.Y.drawable(q.Hi) {
			e.Low, e.High = (q.Y-q.Lo)/dy, (q.Hi-q.Y)/dy
			intervals = true
		}
		errs = append(errs, e)
	}
	style := s.style(t)
	if n := f.under(i); n > 0 && style.line.Width > 0 {
		style.line.Dashes, style.line.DashOffs = []vg.Length{dashLength, vg.Length(n) * dashLength}, vg.Length(n)*dashLength
	}
	result := entry{label: s.Name, line: style.line, glyph: style.glyph}
	if len(xys) == 0 {
		return result, nil
	}
	if style.line.Width > 0 {
		line, err := plotter.NewLine(xys)
		if err != nil {
			return result, fmt.Errorf("chart: series %q: %w", s.Name, err)
		}
		line.LineStyle = style.line
		p.Add(line)
	}
	if intervals && (s.Role == Measured || s.Role == Simulated || len(xys) == 1) {
		bars, err := plotter.NewYErrorBars(struct {
			plotter.XYs
			plotter.YErrors
		}{xys, errs})
		if err != nil {
			return result, fmt.Errorf("chart: series %q: %w", s.Name, err)
		}
		bars.LineStyle = draw.LineStyle{Color: style.glyph.Color, Width: vg.Points(1)}
		p.Add(bars)
	}
	if style.glyph.Radius > 0 {
		dots, err := plotter.NewScatter(xys)
		if err != nil {
			return result, fmt.Errorf("chart: series %q: %w", s.Name, err)
		}
		dots.GlyphStyle = style.glyph
		p.Add(dots)
	}
	return result, nil
}

func (f Lines) hover(s Series, q Point) string {
	text := strings.TrimPrefix(s.Name+"\n", "\n") + f.X.Label + " " + quantity.Format(q.X, f.X.Unit) + "\n" + f.Y.Label + " "
	if q.hasInterval() {
		text += quantity.Interval(q.Y, q.Lo, q.Hi, f.Y.Unit)
	} else {
		text += quantity.Format(q.Y, f.Y.Unit)
	}
	if q.Note != "" {
		text += "\n" + q.Note
	}
	return text
}

// Table implements Figure: one row per point.
func (f Lines) Table() Table {
	x, y := f.largest()
	sx, sy := quantity.For(f.X.Unit, x), quantity.For(f.Y.Unit, y)
	t := Table{Header: []string{"series", heading(f.X.Label, sx), heading(f.Y.Label, sy), "low", "high", "note"}}
	for _, s := range f.Series {
		for _, q := range s.Points {
			row := []string{s.Name, quantity.Digits(q.X/sx.Divisor, 4), quantity.Digits(q.Y/sy.Divisor, 4), "", "", q.Note}
			if q.hasInterval() {
				row[3], row[4] = quantity.Digits(q.Lo/sy.Divisor, 4), quantity.Digits(q.Hi/sy.Divisor, 4)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// Summary implements Figure.
func (f Lines) Summary() string {
	name := cmp.Or(f.Title, f.Y.Label)
	points, drawable, of := 0, 0, map[Role]int{}
	for _, s := range f.Series {
		points += len(s.Points)
		for _, q := range s.Points {
			if f.X.drawable(q.X) && f.Y.drawable(q.Y) {
				drawable++
			}
		}
		of[s.Role] += len(s.Points)
	}
	switch {
	case points == 0:
		return name + ": nothing to show yet."
	case drawable == 0:
		return name + ": no value is finite, or none is positive on a logarithmic axis."
	}
	text := fmt.Sprintf("%s: %d series, %d points", name, len(f.Series), points)
	for _, known := range []struct {
		role Role
		name string
	}{{Simulated, "simulated"}, {Measured, "measured"}} {
		if n := of[known.role]; n > 0 {
			text += fmt.Sprintf(", %d of them %s", n, known.name)
		}
	}
	return text + "."
}

func heading(label string, s quantity.Scale) string {
	if s.Unit == "" {
		return label
	}
	return label + " [" + s.Unit + "]"
}
