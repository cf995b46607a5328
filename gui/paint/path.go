// Package paint draws shapes and text on a picture or on a vector page, so
// that a figure on the screen, in a PNG and in a PDF comes from one painter.
//
// Coordinates are device-independent pixels (1/96 inch), y down.
package paint

import "math"

// Point is a position in device-independent pixels.
type Point struct{ X, Y float32 }

type verb uint8

const (
	moveTo verb = iota // one point
	lineTo             // one point
	cubeTo             // three points
	closed             // none
)

// Path is an outline of lines and cubic Bézier curves. The zero value is empty.
type Path struct {
	verbs  []verb
	points []Point
}

// MoveTo starts a new outline at (x, y).
func (p *Path) MoveTo(x, y float32) *Path {
	p.verbs, p.points = append(p.verbs, moveTo), append(p.points, Point{x, y})
	return p
}

// LineTo draws a line to (x, y).
func (p *Path) LineTo(x, y float32) *Path {
	p.verbs, p.points = append(p.verbs, lineTo), append(p.points, Point{x, y})
	return p
}

// CubeTo draws a cubic Bézier curve to c with the control points a and b.
func (p *Path) CubeTo(a, b, c Point) *Path {
	p.verbs, p.points = append(p.verbs, cubeTo), append(p.points, a, b, c)
	return p
}

// Close draws a line to the start of the outline.
func (p *Path) Close() *Path {
	p.verbs = append(p.verbs, closed)
	return p
}

// bounds returns the box of all points, control points included.
func (p *Path) bounds() (x0, y0, x1, y1 float32) {
	x0, y0 = math.MaxFloat32, math.MaxFloat32
	x1, y1 = -math.MaxFloat32, -math.MaxFloat32
	for _, q := range p.points {
		x0, y0, x1, y1 = min(x0, q.X), min(y0, q.Y), max(x1, q.X), max(y1, q.Y)
	}
	return x0, y0, x1, y1
}

// Line is the line from a to b.
func Line(a, b Point) *Path { return new(Path).MoveTo(a.X, a.Y).LineTo(b.X, b.Y) }

// Polygon is the closed outline through the points.
func Polygon(ps ...Point) *Path {
	p := new(Path)
	for i, q := range ps {
		if i == 0 {
			p.MoveTo(q.X, q.Y)
		} else {
			p.LineTo(q.X, q.Y)
		}
	}
	return p.Close()
}

// Rect is the rectangle with the corner (x, y).
func Rect(x, y, w, h float32) *Path {
	return Polygon(Point{x, y}, Point{x + w, y}, Point{x + w, y + h}, Point{x, y + h})
}

// kappa places the control points of a cubic that approximates a quarter
// circle: 4/3·(√2 − 1).
const kappa = 0.5522847

// RoundRect is a rectangle whose corners are quarter circles of radius r.
func RoundRect(x, y, w, h, r float32) *Path {
	r = min(r, w/2, h/2)
	if r <= 0 {
		return Rect(x, y, w, h)
	}
	k := r * (1 - kappa)
	p := new(Path)
	p.MoveTo(x+r, y).LineTo(x+w-r, y).CubeTo(Point{x + w - k, y}, Point{x + w, y + k}, Point{x + w, y + r})
	p.LineTo(x+w, y+h-r).CubeTo(Point{x + w, y + h - k}, Point{x + w - k, y + h}, Point{x + w - r, y + h})
	p.LineTo(x+r, y+h).CubeTo(Point{x + k, y + h}, Point{x, y + h - k}, Point{x, y + h - r})
	p.LineTo(x, y+r).CubeTo(Point{x, y + k}, Point{x + k, y}, Point{x + r, y})
	return p.Close()
}

// Ellipse is the ellipse around (cx, cy) with the radii rx and ry.
func Ellipse(cx, cy, rx, ry float32) *Path {
	kx, ky := rx*kappa, ry*kappa
	p := new(Path).MoveTo(cx+rx, cy)
	p.CubeTo(Point{cx + rx, cy + ky}, Point{cx + kx, cy + ry}, Point{cx, cy + ry})
	p.CubeTo(Point{cx - kx, cy + ry}, Point{cx - rx, cy + ky}, Point{cx - rx, cy})
	p.CubeTo(Point{cx - rx, cy - ky}, Point{cx - kx, cy - ry}, Point{cx, cy - ry})
	p.CubeTo(Point{cx + kx, cy - ry}, Point{cx + rx, cy - ky}, Point{cx + rx, cy})
	return p.Close()
}

// polylines flattens p into polylines, with n line segments per curve.
func (p *Path) polylines(n int) [][]Point {
	var out [][]Point
	var cur []Point
	k := 0
	for _, v := range p.verbs {
		switch v {
		case moveTo:
			if len(cur) > 1 {
				out = append(out, cur)
			}
			cur = []Point{p.points[k]}
			k++
		case lineTo:
			cur = append(cur, p.points[k])
			k++
		case cubeTo:
			a := cur[len(cur)-1]
			b, c, d := p.points[k], p.points[k+1], p.points[k+2]
			for i := 1; i <= n; i++ {
				cur = append(cur, cubicAt(a, b, c, d, float32(i)/float32(n)))
			}
			k += 3
		case closed:
			cur = append(cur, cur[0])
		}
	}
	if len(cur) > 1 {
		out = append(out, cur)
	}
	return out
}

func cubicAt(a, b, c, d Point, t float32) Point {
	u := 1 - t
	p, q, r, s := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
	return Point{p*a.X + q*b.X + r*c.X + s*d.X, p*a.Y + q*b.Y + r*c.Y + s*d.Y}
}

// dashed cuts polylines into dashes: lengths of ink and gap in turn.
func dashed(lines [][]Point, dash []float32) [][]Point {
	var out [][]Point
	for _, line := range lines {
		i, left, ink := 0, dash[0], true
		cur := []Point{line[0]}
		for j := 1; j < len(line); j++ {
			a, b := line[j-1], line[j]
			d := distance(a, b)
			at := float32(0)
			for d-at > left {
				at += left
				t := at / d
				q := Point{a.X + (b.X-a.X)*t, a.Y + (b.Y-a.Y)*t}
				if ink {
					out = append(out, append(cur, q))
				}
				cur = []Point{q}
				ink, i = !ink, (i+1)%len(dash)
				left = dash[i]
			}
			left -= d - at
			cur = append(cur, b)
		}
		if ink && len(cur) > 1 {
			out = append(out, cur)
		}
	}
	return out
}

func distance(a, b Point) float32 {
	return float32(math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)))
}
