package chart

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tierscope/core/quantity"
)

// Waterfall shows how one value becomes another: a bar for each, and between
// them, from top to bottom, what each change adds or takes away, where the one
// before it ended. A change whose interval includes zero is drawn grey.
type Waterfall struct {
	Title    string
	Axis     Axis
	From, To Effect // the values; without intervals
	Steps    []Effect
}

// rows are the bars from top to bottom: name, where it begins and ends.
func (f Waterfall) rows() (names []string, from, to []float64) {
	add := func(name string, a, b float64) { names, from, to = append(names, name), append(from, a), append(to, b) }
	add(f.From.Name, 0, f.From.Mean)
	at := f.From.Mean
	for _, s := range f.Steps {
		add(s.Name, at, at+s.Mean)
		at += s.Mean
	}
	add(f.To.Name, 0, f.To.Mean)
	return names, from, to
}

func (f Waterfall) draw(p *plot.Plot, t Theme) (layout, error) {
	var l layout
	p.Title.Text = f.Title
	names, from, to := f.rows()
	lo, hi := math.Inf(1), 0.0
	for i := range names {
		lo, hi = min(lo, to[i]), max(hi, from[i], to[i])
	}
	d := f.Axis.scaled(&p.X, hi)
	// The axis begins near the bars' ends when the changes are small beside the values.
	begin := 0.0
	if span := hi - lo; lo > 0 && span < 0.5*hi {
		begin = max(lo-0.5*max(span, 0.02*hi), 0)
	}
	p.X.Min, p.X.Max = begin/d, max(hi+0.05*(hi-begin), 1e-9)/d
	p.Y.Min, p.Y.Max = -0.5, float64(len(names))-0.5
	var ticks plot.ConstantTicks
	for i, name := range names {
		if f.From.Name == "" && f.To.Name == "" {
			break // nothing is compared
		}
		at := float64(len(names) - 1 - i)
		ticks = append(ticks, plot.Tick{Value: at, Label: name})
		text, id := name+"\n"+quantity.Format(to[i], f.Axis.Unit), ""
		if i > 0 && i <= len(f.Steps) {
			text, id = name+"\n"+f.text(f.Steps[i-1]), f.Steps[i-1].ID
		}
		l.hits = append(l.hits, Hit{X: (max(from[i], begin) + max(to[i], begin)) / 2 / d, Y: at, Text: text, ID: id})
	}
	p.Y.Tick.Marker, p.Y.Tick.Length, p.Y.LineStyle.Width = ticks, 0, 0
	p.Add(cascade{f, t, d})
	return l, nil
}

func (f Waterfall) text(e Effect) string {
	return Ranking{Axis: f.Axis}.text(e)
}

type cascade struct {
	Waterfall
	theme   Theme
	divisor float64
}

// Plot implements plot.Plotter.
func (f cascade) Plot(c draw.Canvas, p *plot.Plot) {
	x := func(v float64) vg.Length { return c.X(max(p.X.Norm(v/f.divisor), 0)) }
	names, from, to := f.rows()
	half := min((c.Y(p.Y.Norm(1))-c.Y(p.Y.Norm(0)))*0.32, vg.Points(14))
	for i := range names {
		y := c.Y(p.Y.Norm(float64(len(names) - 1 - i)))
		colour := f.theme.Series(0)
		step := i > 0 && i <= len(f.Steps)
		if step && !f.Steps[i-1].Clear() {
			colour = f.theme.Edge
		} else if step {
			colour = f.theme.Series(1)
		}
		left, right := min(x(from[i]), x(to[i])), max(x(from[i]), x(to[i]), min(x(from[i]), x(to[i]))+vg.Points(1))
		c.SetColor(colour)
		c.Fill(vg.Rectangle{Min: vg.Point{X: left, Y: y - half}, Max: vg.Point{X: right, Y: y + half}}.Path())
		if step {
			s := f.Steps[i-1]
			style := draw.LineStyle{Color: f.theme.Ink, Width: vg.Points(1)}
			c.StrokeLine2(style, x(from[i]+s.Lo), y, x(from[i]+s.Hi), y)
		}
		if i+1 < len(names) { // where the next one begins
			below := c.Y(p.Y.Norm(float64(len(names) - 2 - i)))
			c.StrokeLine2(draw.LineStyle{Color: f.theme.Muted, Width: vg.Points(0.5)}, x(to[i]), y-half, x(to[i]), below+half)
		}
	}
}

// Table implements Figure.
func (f Waterfall) Table() Table {
	t := Table{Header: []string{"", f.Axis.Label}, Rows: [][]string{{f.From.Name, quantity.Format(f.From.Mean, f.Axis.Unit)}}}
	for _, s := range f.Steps {
		t.Rows = append(t.Rows, []string{s.Name, f.text(s)})
	}
	t.Rows = append(t.Rows, []string{f.To.Name, quantity.Format(f.To.Mean, f.Axis.Unit)})
	return t
}

// Summary implements Figure.
func (f Waterfall) Summary() string {
	if f.From.Name == "" && f.To.Name == "" {
		return f.Title + ": nothing to compare yet."
	}
	text := fmt.Sprintf("%s: from %s to %s", f.Title, quantity.Format(f.From.Mean, f.Axis.Unit), quantity.Format(f.To.Mean, f.Axis.Unit))
	if len(f.Steps) > 0 {
		text += fmt.Sprintf("; most by %s, %s", f.Steps[0].Name, f.text(f.Steps[0]))
	}
	return text + "."
}
