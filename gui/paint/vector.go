package paint

import (
	"image/color"
	"io"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"
)

// Page paints on a vector page of gonum/plot: SVG, PDF, EPS and others. Text
// becomes glyph outlines, which look the same on every machine and escape the
// garbled letters of gonum's PDF and EPS (gonum/plot issue 347).
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

// Text fills the outlines of a line of text.
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
	const em = 1024
	var (
		buf  sfnt.Buffer
		f    = g.fonts.font(t.Bold)
		k    = t.Size / em
		base = t.At.Y + capHeight/2*t.Size
	)
	for _, r := range t.S {
		i, err := f.GlyphIndex(&buf, r)
		if err != nil {
			continue // a face without the rune draws nothing for it
		}
		segments, err := f.LoadGlyph(&buf, i, fixed.I(em), nil)
		if err == nil && len(segments) > 0 {
			g.c.Fill(g.path(outline(segments, x, base, k)))
		}
		if adv, err := f.GlyphAdvance(&buf, i, fixed.I(em), 0); err == nil {
			x += k * float32(adv) / 64
		}
	}
}

// outline converts glyph segments to a path at (x, y), k pixels per font unit.
func outline(segments sfnt.Segments, x, y, k float32) *Path {
	at := func(p fixed.Point26_6) Point { return Point{x + k*float32(p.X)/64, y + k*float32(p.Y)/64} }
	p := new(Path)
	var last Point
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				p.Close()
			}
			last = at(s.Args[0])
			p.MoveTo(last.X, last.Y)
		case sfnt.SegmentOpLineTo:
			last = at(s.Args[0])
			p.LineTo(last.X, last.Y)
		case sfnt.SegmentOpQuadTo:
			c, e := at(s.Args[0]), at(s.Args[1])
			// A quadratic curve is the cubic with control points two thirds of the way.
			p.CubeTo(Point{last.X + (c.X-last.X)*2/3, last.Y + (c.Y-last.Y)*2/3},
				Point{e.X + (c.X-e.X)*2/3, e.Y + (c.Y-e.Y)*2/3}, e)
			last = e
		case sfnt.SegmentOpCubeTo:
			e := at(s.Args[2])
			p.CubeTo(at(s.Args[0]), at(s.Args[1]), e)
			last = e
		}
	}
	return p.Close()
}

// Painter paints a figure of a fixed size.
type Painter interface {
	Size() (w, h float32) // device-independent pixels
	Paint(c Canvas)
}

// WriterTo is a vector canvas that can be written to a file.
type WriterTo interface {
	vg.CanvasSizer
	io.WriterTo
}
