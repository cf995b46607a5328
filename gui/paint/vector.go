package paint

import (
	"image/color"

	"gonum.org/v1/plot/vg"

	"tierscope/gui/vector"
)

// Page paints on a vector page: SVG, PDF, EPS and others.
type Page struct {
	c      vg.Canvas
	height vg.Length
	fonts  *Fonts
}

// pxToPoint converts device-independent pixels (1/96 inch) to points (1/72 inch).
const pxToPoint = 72.0 / 96

// NewPage paints on c, a page of the given height in device-independent pixels.
func NewPage(c vg.Canvas, height float32, fonts *Fonts) *Page {
	return &Page{c: c, height: vg.Length(height) * pxToPoint, fonts: fonts}
}

func (g *Page) at(p Point) vg.Point {
	return vg.Point{X: vg.Length(p.X) * pxToPoint, Y: g.height - vg.Length(p.Y)*pxToPoint}
}

func (g *Page) path(p *Path) vg.Path {
	var out vg.Path
	k := 0
	for _, v := range p.verbs {
		switch v {
		case moveTo:
			out.Move(g.at(p.points[k]))
			k++
		case lineTo:
			out.Line(g.at(p.points[k]))
			k++
		case cubeTo:
			out.CubeTo(g.at(p.points[k]), g.at(p.points[k+1]), g.at(p.points[k+2]))
			k += 3
		case closed:
			out.Close()
		}
	}
	return out
}

// Fill fills a path.
func (g *Page) Fill(p *Path, c color.Color) {
	g.c.SetColor(c)
	g.c.Fill(g.path(p))
}

// Stroke draws paths.
func (g *Page) Stroke(pen Pen, paths ...*Path) {
	g.c.SetColor(pen.Color)
	g.c.SetLineWidth(vg.Length(pen.Width) * pxToPoint)
	var dash []vg.Length
	for _, d := range pen.Dash {
		dash = append(dash, vg.Length(d)*pxToPoint)
	}
	g.c.SetLineDash(dash, 0)
	for _, p := range paths {
		g.c.Stroke(g.path(p))
	}
}

// Text writes a line of text.
func (g *Page) Text(t Text) {
	x := t.At.X
	switch t.Align {
	case Left:
	case Center:
		x -= g.fonts.Width(t.S, t.Size, t.Bold) / 2
	case Right:
		x -= g.fonts.Width(t.S, t.Size, t.Bold)
	}
	g.c.SetColor(t.Color)
	vector.FillText(g.c, g.fonts.font(t.Bold), vg.Length(t.Size)*pxToPoint, g.at(Point{x, t.At.Y + capHeight/2*t.Size}), t.S)
}

// Painter paints a figure of a fixed size.
type Painter interface {
	Size() (w, h float32) // device-independent pixels
	Paint(c Canvas)
}
