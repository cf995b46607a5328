package chart

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tierscope/core/quantity"
)

// Ranking shows effects as dots with intervals around a zero line, in the
// order given: the gain of making each resource or fragment faster. An
// interval that includes zero is drawn grey: no clear change.
type Ranking struct {
	Title string
	Axis  Axis
	Rows  []Effect
}

// Effect is one row of a Ranking.
type Effect struct {
	Name         string
	Mean, Lo, Hi float64
	ID           string
}

// within returns the first rows, as many as can be named in a picture of some height: what helps most
// comes first. The title says that there are more.
func (f Ranking) within(height vg.Length) Ranking {
	const row, others = vg.Length(9), vg.Length(75) // of letters that are easily read; of title, axis and margins
	n := max(int((height-others)/row), 1)
	if n < len(f.Rows) {
		f.Title += fmt.Sprintf(" (first %d of %d)", n, len(f.Rows))
		f.Rows = f.Rows[:n]
	}
	return f
}

// Clear reports whether the interval excludes zero.
func (e Effect) Clear() bool { return e.Lo > 0 || e.Hi < 0 }

func (f Ranking) draw(p *plot.Plot, t Theme) (layout, error) {
	var l layout
	p.Title.Text = f.Title
	lo, hi := 0.0, 0.0
	for _, r := range f.Rows {
		lo, hi = math.Min(lo, math.Min(r.Lo, r.Mean)), math.Max(hi, math.Max(r.Hi, r.Mean))
	}
	d := f.Axis.scaled(&p.X, math.Max(-lo, hi))
	pad := 0.05 * (hi - lo)
	if pad == 0 {
		pad = 1
	}
	p.X.Min, p.X.Max = (lo-pad)/d, (hi+pad)/d
	p.Y.Min, p.Y.Max = -0.5, math.Max(float64(len(f.Rows))-0.5, 0.5)
	var ticks plot.ConstantTicks
	for i, r := range f.Rows {
		at := float64(len(f.Rows) - 1 - i)
		ticks = append(ticks, plot.Tick{Value: at, Label: shortened(r.Name)})
		l.hits = append(l.hits, Hit{X: r.Mean / d, Y: at, Text: r.Name + "\n" + f.text(r), ID: r.ID})
	}
	p.Y.Tick.Marker, p.Y.Tick.Length, p.Y.LineStyle.Width = ticks, 0, 0
	p.Add(dots{f, t, d})
	return l, nil
}

// longestName is how many letters of a name stand beside the axis; hovering
// and the table tell all.
const longestName = 30

// shortened keeps both ends of a long name: the beginning says what it is, the
// end where.
func shortened(name string) string {
	letters := []rune(name)
	if len(letters) <= longestName {
		return name
	}
	half := (longestName - 1) / 2
	return string(letters[:half]) + "…" + string(letters[len(letters)-half:])
}

func (f Ranking) text(r Effect) string {
	text := quantity.Interval(r.Mean, r.Lo, r.Hi, f.Axis.Unit)
	if f.Axis.Unit == "1" {
		text = quantity.ChangeInterval(r.Mean, r.Lo, r.Hi)
	}
	if !r.Clear() {
		text += ", no clear change"
	}
	return text
}

type dots struct {
	Ranking
	theme   Theme
	divisor float64
}

// Plot implements plot.Plotter.
func (f dots) Plot(c draw.Canvas, p *plot.Plot) {
	x := func(v float64) vg.Length { return c.X(p.X.Norm(v / f.divisor)) }
	c.StrokeLine2(draw.LineStyle{Color: f.theme.Ink, Width: vg.Points(0.8)}, x(0), c.Min.Y, x(0), c.Max.Y)
	for i, r := range f.Rows {
		colour := f.theme.Series(0)
		if !r.Clear() {
			colour = f.theme.Edge
		}
		y := c.Y(p.Y.Norm(float64(len(f.Rows) - 1 - i)))
		c.StrokeLine2(draw.LineStyle{Color: colour, Width: vg.Points(1.4)}, x(r.Lo), y, x(r.Hi), y)
		c.DrawGlyph(draw.GlyphStyle{Color: colour, Radius: vg.Points(3), Shape: draw.CircleGlyph{}}, vg.Point{X: x(r.Mean), Y: y})
	}
}

// Table implements Figure.
func (f Ranking) Table() Table {
	t := Table{Header: []string{"", f.Axis.Label}}
	for _, r := range f.Rows {
		t.Rows = append(t.Rows, []string{r.Name, f.text(r)})
	}
	return t
}

// Summary implements Figure.
func (f Ranking) Summary() string {
	if len(f.Rows) == 0 {
		return f.Title + ": nothing to rank yet."
	}
	return fmt.Sprintf("%s: first is %s, %s.", f.Title, f.Rows[0].Name, f.text(f.Rows[0]))
}
