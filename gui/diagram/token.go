package diagram

import (
	"image/color"
	"strconv"

	"tierscope/gui/paint"
	"tierscope/gui/palette"
)

// Token is a thread or a task on a diagram at one moment: at a node, or on its way along an edge.
type Token struct {
	Node  int     // −1: on its way
	Edge  int     // that it goes along
	Way   float32 // how far, 0…1
	State palette.State
	Pale  bool // it would go on, if it had a core
}

// Sizes of tokens at scale 1, in device-independent pixels.
const (
	tokenRadius = 4.5
	tokenPitch  = 11
	tokenRows   = 2 // below a node; more are a number
)

// tokens draws the tokens of the view: those of a node in rows at its lower edge.
func (g *painter) tokens() {
	at := map[int]int{} // how many of a node are drawn
	of := map[int]int{}
	for _, t := range g.v.Tokens {
		if t.Node >= 0 {
			of[t.Node]++
		}
	}
	k := max(g.v.Scale, 0.5)
	for _, t := range g.v.Tokens {
		if t.Node < 0 {
			if x, y, ok := g.along(t); ok {
				g.token(x, y, k, t)
			}
			continue
		}
		b := g.Boxes[t.Node]
		x, y := g.v.ToScreen(b.X-b.W/2, b.Y+b.H/2)
		row := max(1, int(b.W*g.v.Scale/(tokenPitch*k)))
		i := at[t.Node]
		at[t.Node]++
		if i == row*tokenRows-1 && of[t.Node] > row*tokenRows {
			g.c.Text(paint.Text{At: paint.Point{X: x + (float32(i%row)+0.5)*tokenPitch*k, Y: y + (float32(i/row)+0.5)*tokenPitch*k},
				S: "+" + strconv.Itoa(of[t.Node]-i), Size: detailSize * k, Color: g.s.Ink})
		}
		if i < row*tokenRows-1 || i < row*tokenRows && of[t.Node] <= row*tokenRows {
			g.token(x+(float32(i%row)+0.5)*tokenPitch*k, y+(float32(i/row)+0.5)*tokenPitch*k, k, t)
		}
	}
}

func (g *painter) token(x, y, k float32, t Token) {
	fill := g.s.State(t.State)
	if t.Pale {
		fill = palette.Mix(g.s.Paper, fill, 0.45)
	}
	dot := paint.Ellipse(x, y, tokenRadius*k, tokenRadius*k)
	g.c.Fill(dot, fill)
	g.c.Stroke(paint.Pen{Color: color.Color(g.s.Ink), Width: 0.8}, dot)
}

// along is where a token is on its edge: the points of an edge are those of cubic curves.
func (g *painter) along(t Token) (x, y float32, ok bool) {
	if t.Edge < 0 || t.Edge >= len(g.Lines) || len(g.Lines[t.Edge].Points) < 4 {
		return 0, 0, false
	}
	ps := g.Lines[t.Edge].Points
	pieces := (len(ps) - 1) / 3
	whole := min(max(t.Way, 0), 1) * float32(pieces)
	i := min(int(whole), pieces-1)
	u := whole - float32(i)
	a, b, c, d := ps[3*i], ps[3*i+1], ps[3*i+2], ps[3*i+3]
	v := 1 - u
	bez := func(a, b, c, d float32) float32 { return v*v*v*a + 3*v*v*u*b + 3*v*u*u*c + u*u*u*d }
	x, y = g.v.ToScreen(bez(a.X, b.X, c.X, d.X), bez(a.Y, b.Y, c.Y, d.Y))
	return x, y, true
}
