package diagram

import (
	"image/color"
	"math"

	"tierscope/gui/graphlayout"
	"tierscope/gui/paint"
	"tierscope/gui/palette"
)

// View is how a placed diagram is seen: scale and place, what is marked, and
// the overlay.
type View struct {
	Scale    float32
	X, Y     float32 // of the diagram's corner
	Selected int     // node, −1: none
	Hover    int     // node, −1: none
	Found    map[int]bool
	Heat     []float64 // per node 0…1, negative: not known; nil: no overlay
	Note     []string  // per node: the overlay's value in words; replaces Detail
	Signed   []float64 // per node −1…1: a difference, in the place of Heat
	Flow     []float64 // per edge −1…1: a difference
	Tokens   []Token   // what is where at a moment
	Focused  bool
}

// Fit is the view that shows everything in a w×h box.
func (p *Placed) Fit(w, h float32) View {
	const margin = 24
	k := min((w-2*margin)/max(p.W, 1), (h-2*margin)/max(p.H, 1), 1.25)
	k = max(k, 0.02)
	return View{Scale: k, X: (w - p.W*k) / 2, Y: (h - p.H*k) / 2, Selected: -1, Hover: -1}
}

// ToScreen maps a point of the diagram to the view.
func (v View) ToScreen(x, y float32) (float32, float32) { return v.X + x*v.Scale, v.Y + y*v.Scale }

// ToDiagram maps a point of the view to the diagram.
func (v View) ToDiagram(x, y float32) (float32, float32) {
	return (x - v.X) / v.Scale, (y - v.Y) / v.Scale
}

// At returns the node at a point of the view, −1 if there is none.
func (p *Placed) At(v View, x, y float32) int {
	x, y = v.ToDiagram(x, y)
	for i, b := range p.Boxes {
		if b.Contains(x, y) {
			return i
		}
	}
	return -1
}

// leastOutline is the height below which a node is a block of its colour: its
// shape could not be seen, and thousands of outlines cost a frame each.
const leastOutline = 10

// minText is the size below which text is not drawn: nobody could read it.
const minText = 5.5

// Paint draws what is inside a w×h box.
func (p *Placed) Paint(c paint.Canvas, v View, w, h float32, s palette.Scheme, fonts *paint.Fonts) {
	g := &painter{Placed: p, c: c, v: v, w: w, h: h, s: s, fonts: fonts}
	g.edges()
	for i := range p.Nodes {
		g.node(i)
	}
	g.labels()
	g.tokens()
}

type painter struct {
	*Placed
	c     paint.Canvas
	v     View
	w, h  float32
	s     palette.Scheme
	fonts *paint.Fonts
}

func (g *painter) at(p graphlayout.Point) paint.Point {
	x, y := g.v.ToScreen(p.X, p.Y)
	return paint.Point{X: x, Y: y}
}

// outside reports whether a box cannot be seen.
func (g *painter) outside(x0, y0, x1, y1 float32) bool {
	return x1 < 0 || y1 < 0 || x0 > g.w || y0 > g.h
}

// stroke classes of edges: width by share, in three steps so that all edges of
// a step are drawn in one pass.
var widths = []float32{1, 1.5, 2.2}

func step(share float64) int {
	switch {
	case share < 0.1:
		return 0
	case share < 0.6:
		return 1
	}
	return 2
}

// tone is what the colour of an edge says.
type tone uint8

const (
	plain  tone = iota
	latent      // a dependency that no call shows
	strong      // of the selected node
	less        // taken less often than in what it is compared with
	more
)

func (g *painter) edges() {
	type class struct {
		step   int
		dashed bool
		tone   tone
	}
	lines := map[class][]*paint.Path{}
	heads := map[tone][]*paint.Path{}
	for i, l := range g.Lines {
		e := g.Edges[i]
		if len(l.Points) < 4 {
			continue
		}
		path, x0, y0, x1, y1 := g.curve(l)
		if g.outside(x0, y0, x1, y1) {
			continue
		}
		t := plain
		switch {
		case g.v.Selected >= 0 && (e.From == g.v.Selected || e.To == g.v.Selected):
			t = strong
		case e.Latent:
			t = latent
		}
		k := class{step(e.Share), e.Dashed || e.Latent, t}
		if i < len(g.v.Flow) && t != strong {
			k.step = 0
			switch f := g.v.Flow[i]; {
			case f > 0:
				t, k.step = more, step(f)+1
			case f < 0:
				t, k.step = less, step(-f)+1
			}
			k.step, k.tone = min(k.step, len(widths)-1), t
		}
		lines[k] = append(lines[k], path)
		if g.v.Scale > 0.15 {
			heads[t] = append(heads[t], g.head(l, widths[k.step]))
		}
	}
	colours := map[tone]color.NRGBA{plain: g.s.Edge, strong: g.s.Accent, latent: g.s.Bad, more: g.s.Fair, less: g.s.Accent}
	for _, t := range []tone{plain, latent, less, more, strong} {
		col := colours[t]
		for st, width := range widths {
			for _, dashed := range []bool{false, true} {
				if ps := lines[class{st, dashed, t}]; len(ps) > 0 {
					pen := paint.Pen{Color: col, Width: max(width*min(g.v.Scale, 1.4), 0.6)}
					if dashed {
						pen.Dash = []float32{6 * g.v.Scale, 4 * g.v.Scale}
					}
					g.c.Stroke(pen, ps...)
				}
			}
		}
		for _, p := range heads[t] {
			g.c.Fill(p, col)
		}
	}
}

// curve is the path of an edge on the screen, with its box.
func (g *painter) curve(l graphlayout.Curve) (path *paint.Path, x0, y0, x1, y1 float32) {
	a := g.at(l.Points[0])
	path = new(paint.Path).MoveTo(a.X, a.Y)
	x0, y0, x1, y1 = a.X, a.Y, a.X, a.Y
	grow := func(p paint.Point) { x0, y0, x1, y1 = min(x0, p.X), min(y0, p.Y), max(x1, p.X), max(y1, p.Y) }
	for i := 1; i+2 < len(l.Points); i += 3 {
		b, c, d := g.at(l.Points[i]), g.at(l.Points[i+1]), g.at(l.Points[i+2])
		path.CubeTo(b, c, d)
		grow(b)
		grow(c)
		grow(d)
	}
	return path, x0, y0, x1, y1
}

// arrowLength is what Graphviz leaves between the end of a curve and the node:
// 10 points.
const arrowLength = 10 * 96.0 / 72

// head is the arrow head of an edge.
func (g *painter) head(l graphlayout.Curve, width float32) *paint.Path {
	n := len(l.Points)
	a, b := g.at(l.Points[n-2]), g.at(l.Points[n-1])
	d := float32(math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)))
	if d == 0 {
		a, d = paint.Point{X: b.X, Y: b.Y - 1}, 1
	}
	ux, uy := (b.X-a.X)/d, (b.Y-a.Y)/d
	length, half := arrowLength*g.v.Scale, (2.6+width)*g.v.Scale
	return paint.Polygon(
		paint.Point{X: b.X + ux*length, Y: b.Y + uy*length},
		paint.Point{X: b.X - uy*half, Y: b.Y + ux*half},
		paint.Point{X: b.X + uy*half, Y: b.Y - ux*half})
}

func (g *painter) labels() {
	size := labelSize * g.v.Scale
	if size < minText {
		return
	}
	for i, l := range g.Lines {
		e := g.Edges[i]
		if e.Label == "" || len(l.Points) < 4 {
			continue
		}
		p := g.at(l.Label)
		if g.outside(p.X-60, p.Y-10, p.X+60, p.Y+10) {
			continue
		}
		width := g.fonts.Width(e.Label, size, false)
		back := g.s.Paper
		back.A = 0xD8
		g.c.Fill(paint.RoundRect(p.X-width/2-2, p.Y-size*0.62, width+4, size*1.24, 2), back)
		g.c.Text(paint.Text{At: p, S: e.Label, Size: size, Align: paint.Center, Color: g.s.Muted})
	}
}

func (g *painter) node(i int) {
	b, n, k := g.Boxes[i], g.Nodes[i], g.v.Scale
	x, y := g.v.ToScreen(b.X-b.W/2, b.Y-b.H/2)
	w, h := b.W*k, b.H*k
	if g.outside(x-6, y-6, x+w+6, y+h+6) {
		return
	}
	fill := palette.Mix(g.s.Paper, g.s.State(n.State), 0.10)
	known := g.v.Heat != nil && i < len(g.v.Heat) && g.v.Heat[i] >= 0
	if i < len(g.v.Signed) {
		fill, known = g.s.Diverging(g.v.Signed[i]), true
	} else if g.v.Heat != nil {
		fill = g.s.Paper
		if known {
			fill = g.s.Heat(g.v.Heat[i])
		}
	}
	stroke := paint.Pen{Color: g.s.State(n.State), Width: max(1.4*min(k, 1.3), 0.7)}
	if r, ok := g.c.(*paint.Raster); ok && h < leastOutline && i != g.v.Selected && i != g.v.Hover && !g.v.Found[i] {
		if !known {
			fill = palette.Mix(g.s.Paper, g.s.State(n.State), 0.45)
		}
		r.Block(x, y, w, h, fill, paint.Solid)
		return
	}
	outline := n.Shape.outline(x, y, w, h)
	switch {
	case i == g.v.Selected:
		g.c.Stroke(paint.Pen{Color: g.s.Tint, Width: 9}, outline)
		stroke.Color, stroke.Width = color.Color(g.s.Accent), 2.6
	case g.v.Found[i]:
		g.c.Stroke(paint.Pen{Color: g.s.Fair, Width: 6}, outline)
	case i == g.v.Hover:
		stroke.Width += 1.2
	}
	g.c.Fill(outline, fill)
	g.c.Stroke(stroke, outline)
	for _, extra := range n.Shape.extras(x, y, w, h, k) {
		g.c.Stroke(paint.Pen{Color: stroke.Color, Width: max(1.1*k, 0.5)}, extra)
	}
	if n.Entry && k > 0.3 {
		g.c.Fill(paint.Polygon(paint.Point{X: x - 12*k, Y: y + h/2 - 6*k}, paint.Point{X: x - 2*k, Y: y + h/2}, paint.Point{X: x - 12*k, Y: y + h/2 + 6*k}), g.s.Ink)
	}
	g.text(i, x, y, w, h, fill)
}

func (g *painter) text(i int, x, y, w, h float32, fill color.NRGBA) {
	n, k := g.Nodes[i], g.v.Scale
	size := titleSize * k
	if size < minText || n.Title == "" {
		return
	}
	detail := n.Detail
	if i < len(g.v.Note) && g.v.Note[i] != "" {
		detail = g.v.Note[i]
	}
	cx, cy := x+w/2, y+h/2
	if n.Shape == Cylinder {
		cy += 5 * k
	}
	room := w - (n.side()-10)*k
	if n.Shape == Clock { // the words stand beside it
		cx += clockRoom / 2 * k
	}
	if detail == "" || detailSize*k < minText {
		g.c.Text(paint.Text{At: paint.Point{X: cx, Y: cy}, S: g.fonts.FitMiddle(n.Title, size, true, room), Size: size, Bold: true, Align: paint.Center, Color: g.s.Ink})
		return
	}
	g.c.Text(paint.Text{At: paint.Point{X: cx, Y: cy - 8*k}, S: g.fonts.FitMiddle(n.Title, size, true, room), Size: size, Bold: true, Align: paint.Center, Color: g.s.Ink})
	second := g.s.Muted
	if palette.Contrast(second, fill) < 4.5 {
		second = g.s.Ink
	}
	g.c.Text(paint.Text{At: paint.Point{X: cx, Y: cy + 9*k}, S: g.fonts.Fit(detail, detailSize*k, false, room), Size: detailSize * k, Align: paint.Center, Color: second})
}

// clockRoom is what the clock of a delay takes from its words.
const clockRoom = 14

// outline is the shape of a node in the box with the corner (x, y).
func (s Shape) outline(x, y, w, h float32) *paint.Path {
	pt := func(a, b float32) paint.Point { return paint.Point{X: a, Y: b} }
	cut := min(h*0.34, w/4)
	switch s {
	case Cylinder:
		e := h * 0.13
		p := new(paint.Path).MoveTo(x, y+e)
		p.CubeTo(pt(x, y-e/3), pt(x+w, y-e/3), pt(x+w, y+e)).LineTo(x+w, y+h-e)
		return p.CubeTo(pt(x+w, y+h+e/3), pt(x, y+h+e/3), pt(x, y+h-e)).Close()
	case Hexagon:
		return paint.Polygon(pt(x, y+h/2), pt(x+cut, y), pt(x+w-cut, y), pt(x+w, y+h/2), pt(x+w-cut, y+h), pt(x+cut, y+h))
	case TrayIn:
		return paint.Polygon(pt(x, y), pt(x+w, y), pt(x+w, y+h), pt(x, y+h), pt(x+cut, y+h/2))
	case TrayOut:
		return paint.Polygon(pt(x, y), pt(x+w-cut, y), pt(x+w, y+h/2), pt(x+w-cut, y+h), pt(x, y+h))
	case Tray:
		return paint.Rect(x, y, w, h)
	case Pill, Clock:
		return paint.RoundRect(x, y, w, h, h/2)
	case Dot:
		return paint.RoundRect(x, y, w, h, h/2)
	case Box:
		return paint.RoundRect(x, y, w, h, 3)
	case Ring, Chip:
	}
	return paint.RoundRect(x, y, w, h, min(h/5, 9))
}

// extras are the lines that a shape has inside its outline.
func (s Shape) extras(x, y, w, h, k float32) []*paint.Path {
	pt := func(a, b float32) paint.Point { return paint.Point{X: a, Y: b} }
	switch s {
	case Cylinder:
		e := h * 0.13
		p := new(paint.Path).MoveTo(x, y+e)
		return []*paint.Path{p.CubeTo(pt(x, y+e*2.33), pt(x+w, y+e*2.33), pt(x+w, y+e))}
	case Tray: // three waiting tasks at the end where they leave
		var out []*paint.Path
		for i := range 3 {
			at := x + w - float32(i+1)*4.5*k
			out = append(out, paint.Line(pt(at, y), pt(at, y+h)))
		}
		return out
	case Ring:
		return []*paint.Path{paint.RoundRect(x+3*k, y+3*k, w-6*k, h-6*k, min(h/6, 7))}
	case Chip: // pins
		var out []*paint.Path
		for i := range 4 {
			at := x + w*(float32(i)+1)/5
			out = append(out, paint.Line(pt(at, y-5*k), pt(at, y)), paint.Line(pt(at, y+h), pt(at, y+h+5*k)))
		}
		return out
	case Clock:
		c := pt(x+13*k, y+h/2)
		return []*paint.Path{paint.Ellipse(c.X, c.Y, 6*k, 6*k), paint.Line(c, pt(c.X, c.Y-4*k)), paint.Line(c, pt(c.X+3*k, c.Y))}
	case Box, Hexagon, TrayIn, TrayOut, Pill, Dot:
	}
	return nil
}
