package chart

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Matrix shows how much each of several named things acts on each other: row
// acts on column. Zero has the colour of the paper; what is significant is
// outlined and starred, the diagonal stays as faint as it is.
type Matrix struct {
	Title         string
	Rows, Columns []string
	Values        [][]float64 // by row, then column; NaN: not known
	Marked        [][]bool    // significant; nil: none
	Unit          string      // in words, such as "ms per ms"
}

func (f Matrix) draw(p *plot.Plot, t Theme) (layout, error) {
	var l layout
	if len(f.Values) != len(f.Rows) {
		return l, fmt.Errorf("chart: matrix with %d rows of values for %d names", len(f.Values), len(f.Rows))
	}
	p.Title.Text = f.Title
	p.X.Min, p.X.Max = -0.5, float64(len(f.Columns))-0.5
	p.Y.Min, p.Y.Max = -0.5, float64(len(f.Rows))-0.5
	var x, y plot.ConstantTicks
	for j, name := range f.Columns {
		x = append(x, plot.Tick{Value: float64(j), Label: name})
	}
	for i, name := range f.Rows {
		y = append(y, plot.Tick{Value: float64(len(f.Rows) - 1 - i), Label: name})
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = x, y
	p.X.Tick.Length, p.Y.Tick.Length = 0, 0
	p.X.LineStyle.Width, p.Y.LineStyle.Width = 0, 0
	if len(f.Columns) > 4 { // names side by side would overlap
		p.X.Tick.Label.Rotation = math.Pi / 4
		p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YTop
	}
	p.Add(matrixCells{f, t})
	for i, row := range f.Values {
		if len(row) != len(f.Columns) {
			return l, fmt.Errorf("chart: matrix row %d has %d values for %d columns", i, len(row), len(f.Columns))
		}
		for j, v := range row {
			text := fmt.Sprintf("%s acts on %s\n%.2f %s", f.Rows[i], f.Columns[j], v, f.Unit)
			if f.marked(i, j) {
				text += ", significant"
			}
			l.hits = append(l.hits, Hit{X: float64(j), Y: float64(len(f.Rows) - 1 - i), Text: text, ID: f.Rows[i] + "\x00" + f.Columns[j]})
		}
	}
	return l, nil
}

func (f Matrix) marked(i, j int) bool { return f.Marked != nil && f.Marked[i][j] }

type matrixCells struct {
	Matrix
	theme Theme
}

// Plot implements plot.Plotter.
func (f matrixCells) Plot(c draw.Canvas, p *plot.Plot) {
	text := p.X.Tick.Label
	text.Rotation, text.XAlign, text.YAlign = 0, draw.XCenter, draw.YCenter
	for i, row := range f.Values {
		for j, v := range row {
			x, y := float64(j), float64(len(f.Rows)-1-i)
			box := vg.Rectangle{
				Min: vg.Point{X: c.X(p.X.Norm(x-0.5)) + 1, Y: c.Y(p.Y.Norm(y-0.5)) + 1},
				Max: vg.Point{X: c.X(p.X.Norm(x+0.5)) - 1, Y: c.Y(p.Y.Norm(y+0.5)) - 1},
			}
			fill := f.theme.Paper
			label := "·"
			if !math.IsNaN(v) {
				fill = f.theme.Diverging(math.Max(-1, math.Min(1, v)))
				label = fmt.Sprintf("%.2f", v)
			}
			c.SetColor(fill)
			c.Fill(box.Path())
			outline := draw.LineStyle{Color: f.theme.Line, Width: vg.Points(0.6)}
			if f.marked(i, j) {
				label += "*"
				outline = draw.LineStyle{Color: f.theme.Ink, Width: vg.Points(1.4)}
			}
			c.StrokeLines(outline, append(corners(box), box.Min))
			text.Color = readable(fill, f.theme)
			c.FillText(text, vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}, label)
		}
	}
}

// Table implements Figure.
func (f Matrix) Table() Table {
	t := Table{Header: append([]string{f.Unit}, f.Columns...)}
	for i, row := range f.Values {
		line := []string{f.Rows[i]}
		for j, v := range row {
			text := "·"
			if !math.IsNaN(v) {
				text = fmt.Sprintf("%.2f", v)
			}
			if f.marked(i, j) {
				text += "*"
			}
			line = append(line, text)
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// Summary implements Figure.
func (f Matrix) Summary() string {
	best, at := 0.0, [2]int{-1, -1}
	for i, row := range f.Values {
		for j, v := range row {
			if f.Rows[i] != f.Columns[j] && math.Abs(v) > math.Abs(best) {
				best, at = v, [2]int{i, j}
			}
		}
	}
	if at[0] < 0 {
		return f.Title + ": nothing acts on anything else."
	}
	return fmt.Sprintf("%s: the largest effect is of %s on %s, %.2f %s.", f.Title, f.Rows[at[0]], f.Columns[at[1]], best, f.Unit)
}
