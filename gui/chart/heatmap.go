package chart

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tierscope/core/quantity"
	"tierscope/gui/palette"
)

// HeatMap shows a number per configuration: rows × columns of a grid, with the
// value printed in the cell and "·" where there was no run. The number is a signed
// residual ε on a diverging scale whose zero is the colour of the paper, unless
// Value says what else it is; that has a sequential scale, or a diverging one if
// it is a Difference.
type HeatMap struct {
	Title         string
	X, Y          Axis // Label and Unit only
	Value         Axis // Label and Unit only; no label: ε
	Difference    bool
	Columns, Rows []float64
	Cells         [][]Cell // by row, then column
	// Full is the |ε| with the strongest colour; 0 means the largest present,
	// but at least 20 %.
	Full float64
}

// Cell is one configuration of a HeatMap. NaN: no run.
type Cell struct {
	Value float64
	Text  string // hover text
	ID    string
}

func (f HeatMap) draw(p *plot.Plot, t Theme) (layout, error) {
	var l layout
	if len(f.Cells) != len(f.Rows) {
		return l, fmt.Errorf("chart: heat-map with %d rows of cells for %d row values", len(f.Cells), len(f.Rows))
	}
	p.Title.Text = f.Title
	if unit := quantity.For(f.Value.Unit, f.largest()).Unit; f.Value.Label != "" && unit != "" {
		p.Title.Text += " [" + unit + "]"
	}
	f.X.scaled(&p.X, 0)
	f.Y.scaled(&p.Y, 0)
	p.X.Min, p.X.Max = -0.5, float64(len(f.Columns))-0.5
	p.Y.Min, p.Y.Max = -0.5, float64(len(f.Rows))-0.5
	p.X.Tick.Marker, p.Y.Tick.Marker = names(f.Columns, f.X.Unit, false), names(f.Rows, f.Y.Unit, true)
	p.X.Tick.Length, p.Y.Tick.Length = 0, 0
	p.X.LineStyle.Width, p.Y.LineStyle.Width = 0, 0
	p.Add(cells{f, t})
	for i, row := range f.Cells {
		if len(row) != len(f.Columns) {
			return l, fmt.Errorf("chart: heat-map row %d has %d cells for %d columns", i, len(row), len(f.Columns))
		}
		for j, c := range row {
			text := fmt.Sprintf("%s %s, %s %s\n", f.X.Label, quantity.Format(f.Columns[j], f.X.Unit), f.Y.Label, quantity.Format(f.Rows[i], f.Y.Unit))
			if math.IsNaN(c.Value) {
				text += "no run"
			} else {
				text += f.says(c.Value)
			}
			if c.Text != "" {
				text += "\n" + c.Text
			}
			l.hits = append(l.hits, Hit{X: float64(j), Y: float64(len(f.Rows) - 1 - i), Text: text, ID: c.ID})
		}
	}
	return l, nil
}

// full returns the residual that has the strongest colour.
func (f HeatMap) full() float64 {
	if f.Full > 0 {
		return f.Full
	}
	largest := 0.2
	for _, row := range f.Cells {
		for _, c := range row {
			if !math.IsNaN(c.Value) && !math.IsInf(c.Value, 0) {
				largest = math.Max(largest, math.Abs(c.Value))
			}
		}
	}
	return largest
}

type cells struct {
	HeatMap
	theme Theme
}

// Plot implements plot.Plotter.
func (f cells) Plot(c draw.Canvas, p *plot.Plot) {
	text := p.X.Tick.Label
	text.XAlign, text.YAlign = draw.XCenter, draw.YCenter
	colour := f.colours(f.theme)
	scale := quantity.For(f.Value.Unit, f.largest())
	for i, row := range f.Cells {
		for j, cell := range row {
			x, y := float64(j), float64(len(f.Rows)-1-i)
			box := vg.Rectangle{
				Min: vg.Point{X: c.X(p.X.Norm(x-0.5)) + 1, Y: c.Y(p.Y.Norm(y-0.5)) + 1},
				Max: vg.Point{X: c.X(p.X.Norm(x+0.5)) - 1, Y: c.Y(p.Y.Norm(y+0.5)) - 1},
			}
			label := "·"
			text.Color = f.theme.Edge
			if !math.IsNaN(cell.Value) {
				fill := colour(cell.Value)
				c.SetColor(fill)
				c.Fill(box.Path())
				text.Color = readable(fill, f.theme)
				label = f.short(cell.Value, scale)
			}
			c.StrokeLines(draw.LineStyle{Color: f.theme.Line, Width: vg.Points(0.6)}, append(corners(box), box.Min))
			c.FillText(text, vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}, label)
		}
	}
}

func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}

// readable returns the text colour with the higher contrast on fill.
func readable(fill color.NRGBA, t Theme) color.NRGBA {
	if palette.Contrast(fill, t.Ink) >= palette.Contrast(fill, t.Paper) {
		return t.Ink
	}
	return t.Paper
}

// names are the ticks of a grid; rows are drawn from the top down.
func names(values []float64, unit string, down bool) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for i, v := range values {
		at := float64(i)
		if down {
			at = float64(len(values) - 1 - i)
		}
		s := quantity.For(unit, 0)
		ticks = append(ticks, plot.Tick{Value: at, Label: quantity.Fixed(v/s.Divisor, decimalsOf(v))})
	}
	return ticks
}

func decimalsOf(v float64) int {
	if v == math.Trunc(v) {
		return 0
	}
	return quantity.Decimals(v, 3)
}

// Table implements Figure: the grid itself.
func (f HeatMap) Table() Table {
	t := Table{Header: []string{f.Y.Label + " \\ " + f.X.Label}}
	for _, v := range f.Columns {
		t.Header = append(t.Header, quantity.Fixed(v, decimalsOf(v)))
	}
	for i, row := range f.Cells {
		line := []string{quantity.Fixed(f.Rows[i], decimalsOf(f.Rows[i]))}
		for _, c := range row {
			if math.IsNaN(c.Value) {
				line = append(line, "·")
			} else {
				line = append(line, f.number(c.Value))
			}
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// Summary implements Figure.
func (f HeatMap) Summary() string {
	runs, sum, worst := 0, 0.0, 0.0
	for _, row := range f.Cells {
		for _, c := range row {
			if math.IsNaN(c.Value) {
				continue
			}
			runs++
			sum += math.Abs(c.Value)
			if math.Abs(c.Value) > math.Abs(worst) {
				worst = c.Value
			}
		}
	}
	switch {
	case runs == 0 && f.Value.Label != "":
		return f.Title + ": nothing is simulated yet."
	case runs == 0:
		return f.Title + ": no configuration has been measured and predicted yet."
	case f.Value.Label != "":
		return fmt.Sprintf("%s over %s and %s: %d configurations, the largest %s.", f.Title, f.X.Label, f.Y.Label, runs, f.number(worst))
	}
	return fmt.Sprintf("%s: mean |ε| %s over %d configurations, worst %s.", f.Title, quantity.Share(sum/float64(runs)), runs, quantity.Change(worst))
}
