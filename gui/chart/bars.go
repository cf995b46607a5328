package chart

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tierscope/core/quantity"
	"tierscope/gui/palette"
)

// Bars shows stacked horizontal bars, one per scenario or resource: where a
// task's time goes, or how busy each resource is. The order of the parts is
// the same in every bar.
type Bars struct {
	Title string
	Axis  Axis // of the lengths
	Parts []Part
	Bars  []Bar
	Limit float64 // a line at this length, such as 1 for full utilization; 0: none
}

// Part is a kind of segment.
type Part struct {
	Name  string
	State palette.State // its colour
}

// Bar is one stacked bar with a length per Part, in the order of Parts.
type Bar struct {
	Name    string
	Lengths []float64
	Lo, Hi  float64 // interval of the sum; both 0: none
	ID      string
}

func (b Bar) sum() float64 {
	var s float64
	for _, v := range b.Lengths {
		s += v
	}
	return s
}

func (f Bars) largest() float64 {
	largest := f.Limit
	for _, b := range f.Bars {
		largest = math.Max(largest, math.Max(b.sum(), b.Hi))
	}
	return largest
}

func (f Bars) draw(p *plot.Plot, t Theme) (layout, error) {
	var l layout
	p.Title.Text = f.Title
	d := f.Axis.scaled(&p.X, f.largest())
	p.X.Min, p.X.Max = 0, math.Max(f.largest()/d*1.05, 1e-9)
	p.Y.Min, p.Y.Max = -0.5, math.Max(float64(len(f.Bars))-0.5, 0.5)
	var ticks plot.ConstantTicks
	for i, b := range f.Bars {
		if len(b.Lengths) != len(f.Parts) {
			return l, fmt.Errorf("chart: bar %q has %d lengths for %d parts", b.Name, len(b.Lengths), len(f.Parts))
		}
		at := float64(len(f.Bars) - 1 - i)
		ticks = append(ticks, plot.Tick{Value: at, Label: b.Name})
		x := 0.0
		for j, v := range b.Lengths {
			if v > 0 {
				text := fmt.Sprintf("%s\n%s %s (%s)", b.Name, f.Parts[j].Name, quantity.Format(v, f.Axis.Unit), quantity.Share(v/b.sum()))
				l.hits = append(l.hits, Hit{X: (x + v/2) / d, Y: at, Text: text, ID: b.ID})
			}
			x += v
		}
	}
	p.Y.Tick.Marker, p.Y.Tick.Length, p.Y.LineStyle.Width = ticks, 0, 0
	p.Add(stack{f, t, d})
	for _, part := range f.Parts {
		l.legend = append(l.legend, entry{label: part.Name, fill: t.State(part.State)})
	}
	if len(f.Parts) < 2 {
		l.legend = nil
	}
	return l, nil
}

type stack struct {
	Bars
	theme   Theme
	divisor float64
}

// Plot implements plot.Plotter.
func (f stack) Plot(c draw.Canvas, p *plot.Plot) {
	x := func(v float64) vg.Length { return c.X(p.X.Norm(v / f.divisor)) }
	for i, b := range f.Bars.Bars {
		middle := c.Y(p.Y.Norm(float64(len(f.Bars.Bars) - 1 - i)))
		half := (c.Y(p.Y.Norm(1)) - c.Y(p.Y.Norm(0))) * 0.32
		half = min(half, vg.Points(14))
		at := 0.0
		for j, v := range b.Lengths {
			box := vg.Rectangle{Min: vg.Point{X: x(at), Y: middle - half}, Max: vg.Point{X: x(at + v), Y: middle + half}}
			c.SetColor(f.theme.State(f.Parts[j].State))
			c.Fill(box.Path())
			c.StrokeLines(draw.LineStyle{Color: f.theme.Paper, Width: vg.Points(0.6)}, append(corners(box), box.Min))
			at += v
		}
		if b.Lo != 0 || b.Hi != 0 {
			style := draw.LineStyle{Color: f.theme.Ink, Width: vg.Points(1)}
			c.StrokeLine2(style, x(b.Lo), middle, x(b.Hi), middle)
			for _, end := range []float64{b.Lo, b.Hi} {
				c.StrokeLine2(style, x(end), middle-half/2, x(end), middle+half/2)
			}
		}
	}
	if f.Limit > 0 {
		c.StrokeLine2(draw.LineStyle{Color: f.theme.Ink, Width: vg.Points(0.8), Dashes: []vg.Length{2, 2}}, x(f.Limit), c.Min.Y, x(f.Limit), c.Max.Y)
	}
}

// Table implements Figure.
func (f Bars) Table() Table {
	s := quantity.For(f.Axis.Unit, f.largest())
	t := Table{Header: []string{""}}
	for _, part := range f.Parts {
		t.Header = append(t.Header, heading(part.Name, s))
	}
	t.Header = append(t.Header, heading("sum", s))
	for _, b := range f.Bars {
		row := []string{b.Name}
		for _, v := range append(b.Lengths[:len(b.Lengths):len(b.Lengths)], b.sum()) {
			row = append(row, quantity.Digits(v/s.Divisor, 3))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Summary implements Figure.
func (f Bars) Summary() string {
	if len(f.Bars) == 0 {
		return f.Title + ": nothing to show yet."
	}
	var parts []string
	for _, b := range f.Bars {
		largest := 0
		for j, v := range b.Lengths {
			if v > b.Lengths[largest] {
				largest = j
			}
		}
		text := b.Name + " " + quantity.Format(b.sum(), f.Axis.Unit)
		if len(f.Parts) > 1 && b.sum() > 0 {
			text += fmt.Sprintf(", most of it %s (%s)", f.Parts[largest].Name, quantity.Share(b.Lengths[largest]/b.sum()))
		}
		parts = append(parts, text)
	}
	return f.Title + ": " + strings.Join(parts, "; ") + "."
}
