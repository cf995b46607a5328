package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tierscope/gui/vector"
)

// sans is the typeface of all figures; gonum/plot embeds it.
func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// FontFaces are the rules of a style sheet for the letters of figures that stand
// inline in an HTML page.
func FontFaces(figures string) string {
	return vector.FontFaces(figures, font.DefaultCache.Lookup(sans(0), 0).Face)
}

type seriesStyle struct {
	line  draw.LineStyle
	glyph draw.GlyphStyle
}

// style is the rule of every figure: measured is a neutral marker, predicted
// a coloured line.
func (s Series) style(t Theme) seriesStyle {
	colour := t.Series(s.Colour)
	switch s.Role {
	case Measured:
		return seriesStyle{glyph: draw.GlyphStyle{Color: t.Ink, Radius: vg.Points(3), Shape: marker(s.Colour)}}
	case Analytic:
		return seriesStyle{line: draw.LineStyle{Color: colour, Width: vg.Points(1.2), Dashes: []vg.Length{vg.Points(5), vg.Points(3)}}}
	case Bound:
		return seriesStyle{line: draw.LineStyle{Color: t.Edge, Width: vg.Points(1), Dashes: []vg.Length{vg.Points(1.5), vg.Points(2.5)}}}
	case Curve:
		return seriesStyle{line: draw.LineStyle{Color: colour, Width: vg.Points(1.8)}}
	case Beyond:
		return seriesStyle{line: draw.LineStyle{Color: colour, Width: vg.Points(1.4), Dashes: []vg.Length{vg.Points(1.5), vg.Points(2.5)}}}
	case Simulated:
		return seriesStyle{glyph: draw.GlyphStyle{Color: colour, Radius: vg.Points(2.6), Shape: draw.CircleGlyph{}}}
	case Predicted:
	}
	return seriesStyle{
		line:  draw.LineStyle{Color: colour, Width: vg.Points(1.8)},
		glyph: dot(colour, t.Again(s.Colour)),
	}
}

// dot is what stands at a predicted point: its shape tells lines of one colour apart.
func dot(colour color.Color, again int) draw.GlyphStyle {
	g := draw.GlyphStyle{Color: colour, Radius: vg.Points(1.8), Shape: draw.CircleGlyph{}}
	if again > 0 {
		shapes := []draw.GlyphDrawer{draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{}, draw.RingGlyph{}}
		g.Radius, g.Shape = vg.Points(3), shapes[(again-1)%len(shapes)]
	}
	return g
}

// marker tells measured series apart by shape, since they share one colour.
func marker(i int) draw.GlyphDrawer {
	shapes := []draw.GlyphDrawer{draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{}, draw.PyramidGlyph{}}
	return shapes[i%len(shapes)]
}

// newPlot returns an empty plot in the colours of the theme.
func newPlot(t Theme, grid bool) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = t.Paper
	style := func(s *text.Style, size vg.Length) { s.Color, s.Font = t.Ink, sans(size) }
	style(&p.Title.TextStyle, vg.Points(11))
	p.Title.Padding = vg.Points(6)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		style(&axis.Label.TextStyle, vg.Points(10))
		style(&axis.Tick.Label, vg.Points(9))
		axis.Label.Padding = vg.Points(3)
		axis.LineStyle.Color, axis.Tick.LineStyle.Color = t.Edge, t.Edge
		axis.LineStyle.Width, axis.Tick.LineStyle.Width = vg.Points(0.75), vg.Points(0.75)
		axis.Padding = 0
	}
	if grid {
		g := plotter.NewGrid()
		g.Vertical.Color, g.Horizontal.Color = t.Line, t.Line
		g.Vertical.Width, g.Horizontal.Width = vg.Points(0.6), vg.Points(0.6)
		p.Add(g)
	}
	return p
}

// zoneOpacity leaves what is drawn in a zone readable.
const zoneOpacity = 0.18

// shade fills a range of the X axis.
type shade struct {
	from, to float64
	colour   color.Color
}

// Plot implements plot.Plotter.
func (s shade) Plot(c draw.Canvas, p *plot.Plot) {
	from, to := math.Max(s.from, p.X.Min), math.Min(s.to, p.X.Max)
	if !(from < to) {
		return
	}
	left, right := c.X(p.X.Norm(from)), c.X(p.X.Norm(to))
	c.FillPolygon(s.colour, []vg.Point{{X: left, Y: c.Min.Y}, {X: right, Y: c.Min.Y}, {X: right, Y: c.Max.Y}, {X: left, Y: c.Max.Y}})
}

// verticalMark is a dashed vertical line with a label at its top or bottom.
type verticalMark struct {
	x      float64
	label  string
	colour color.Color
	low    bool
}

// Plot implements plot.Plotter.
func (m verticalMark) Plot(c draw.Canvas, p *plot.Plot) {
	f := p.X.Norm(m.x)
	if f < 0 || f > 1 {
		return
	}
	x := c.X(f)
	c.StrokeLine2(draw.LineStyle{Color: m.colour, Width: vg.Points(1), Dashes: []vg.Length{vg.Points(3), vg.Points(2)}}, x, c.Min.Y, x, c.Max.Y)
	style := draw.TextStyle{Color: m.colour, Font: sans(vg.Points(9)), Handler: p.Title.TextStyle.Handler, XAlign: draw.XLeft, YAlign: draw.YTop}
	if x+vg.Points(3)+style.Width(m.label) > c.Max.X {
		style.XAlign = draw.XRight
	}
	at := vg.Point{X: x + vg.Points(3), Y: c.Max.Y - vg.Points(2)}
	if style.XAlign == draw.XRight {
		at.X = x - vg.Points(3)
	}
	if m.low {
		at.Y -= vg.Points(12)
	}
	c.FillText(style, at, m.label)
}
