package paint

import (
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"
)

// Raster paints on a picture. It is not safe for concurrent use.
type Raster struct {
	Image *image.RGBA
	k     float32 // picture pixels per device-independent pixel
	fonts *Fonts
	z     vector.Rasterizer

	coverage []uint8 // reused by blend
}

// NewRaster paints on a w×h picture of which k pixels are one
// device-independent pixel.
func NewRaster(w, h int, k float32, fonts *Fonts) *Raster {
	return &Raster{Image: image.NewRGBA(image.Rect(0, 0, w, h)), k: k, fonts: fonts}
}

// On paints on a picture that is there.
func On(img *image.RGBA, k float32, fonts *Fonts) *Raster {
	return &Raster{Image: img, k: k, fonts: fonts}
}

// Clear paints everything in one colour.
func (r *Raster) Clear(c color.Color) {
	draw.Draw(r.Image, r.Image.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
}

// box is the part of the picture that a path with a margin touches.
func (r *Raster) box(x0, y0, x1, y1, margin float32) image.Rectangle {
	f := func(v float32) int { return int(math.Floor(float64(max(min(v, 1<<20), -1<<20)))) }
	b := image.Rect(f((x0-margin)*r.k), f((y0-margin)*r.k), f((x1+margin)*r.k)+1, f((y1+margin)*r.k)+1)
	return b.Intersect(r.Image.Bounds())
}

// Fill fills a path.
func (r *Raster) Fill(p *Path, c color.Color) {
	b := r.box4(p, 0)
	if b.Empty() {
		return
	}
	r.z.Reset(b.Dx(), b.Dy())
	dx, dy := float32(b.Min.X), float32(b.Min.Y)
	at := func(q Point) (float32, float32) { return q.X*r.k - dx, q.Y*r.k - dy }
	k := 0
	for _, v := range p.verbs {
		switch v {
		case moveTo:
			r.z.MoveTo(at(p.points[k]))
			k++
		case lineTo:
			r.z.LineTo(at(p.points[k]))
			k++
		case cubeTo:
			ax, ay := at(p.points[k])
			bx, by := at(p.points[k+1])
			cx, cy := at(p.points[k+2])
			r.z.CubeTo(ax, ay, bx, by, cx, cy)
			k += 3
		case closed:
			r.z.ClosePath()
		}
	}
	r.z.ClosePath()
	r.z.Draw(r.Image, b, image.NewUniform(c), image.Point{})
}

func (r *Raster) box4(p *Path, margin float32) image.Rectangle {
	x0, y0, x1, y1 := p.bounds()
	return r.box(x0, y0, x1, y1, margin)
}

// Stroke draws all paths in one pass: crossing lines of one pen do not darken
// each other, and a thousand edges cost one sweep over the picture.
func (r *Raster) Stroke(pen Pen, paths ...*Path) {
	var b image.Rectangle
	for _, p := range paths {
		if q := r.box4(p, pen.Width); !q.Empty() {
			b = b.Union(q)
		}
	}
	if b.Empty() {
		return
	}
	r.z.Reset(b.Dx(), b.Dy())
	half := max(pen.Width*r.k, 0.5) / 2
	for _, p := range paths {
		q := r.box4(p, pen.Width)
		if q.Empty() {
			continue
		}
		// A curve gets a segment per 6 pixels of its box, at most 16: finer is not seen.
		x0, y0, x1, y1 := p.bounds()
		n := int(max(x1-x0, y1-y0) * r.k / 6)
		lines := p.polylines(min(max(n, 2), 16))
		if len(pen.Dash) > 0 {
			lines = dashed(lines, pen.Dash)
		}
		for _, l := range lines {
			r.ribbon(l, half, b)
		}
	}
	r.blend(b, pen.Color)
}

// blend puts a colour where the rasterizer has coverage. Lines cover little of
// their box, and the rasterizer's own drawing computes every pixel of it.
func (r *Raster) blend(b image.Rectangle, c color.Color) {
	n := b.Dx() * b.Dy()
	if cap(r.coverage) < n {
		r.coverage = make([]uint8, n)
	}
	mask := &image.Alpha{Pix: r.coverage[:n], Stride: b.Dx(), Rect: image.Rect(0, 0, b.Dx(), b.Dy())}
	r.z.DrawOp = draw.Src
	r.z.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	r.z.DrawOp = draw.Over
	cr, cg, cb, ca := c.RGBA() // premultiplied, 16 bits
	for y := range b.Dy() {
		row := mask.Pix[y*mask.Stride : y*mask.Stride+b.Dx()]
		out := r.Image.Pix[r.Image.PixOffset(b.Min.X, b.Min.Y+y):]
		for x := 0; x < len(row); x++ {
			if row[x] == 0 {
				if x+8 <= len(row) && binary.NativeEndian.Uint64(row[x:]) == 0 {
					x += 7
				}
				continue
			}
			cover := uint32(row[x]) * 0x101
			rest := 0xffff - ca*cover/0xffff
			p := out[4*x : 4*x+4 : 4*x+4]
			p[0] = uint8((uint32(p[0])*0x101*rest/0xffff + cr*cover/0xffff) >> 8)
			p[1] = uint8((uint32(p[1])*0x101*rest/0xffff + cg*cover/0xffff) >> 8)
			p[2] = uint8((uint32(p[2])*0x101*rest/0xffff + cb*cover/0xffff) >> 8)
			p[3] = uint8((uint32(p[3])*0x101*rest/0xffff + ca*cover/0xffff) >> 8)
		}
	}
}

// ribbon adds a polyline as quads that all turn the same way, so that
// overlaps add up instead of cancelling. Segments outside the box are left
// out: the rasterizer would walk through all of their rows.
func (r *Raster) ribbon(line []Point, half float32, box image.Rectangle) {
	dx, dy := float32(box.Min.X), float32(box.Min.Y)
	w, h := float32(box.Dx()), float32(box.Dy())
	for i := 1; i < len(line); i++ {
		ax, ay := line[i-1].X*r.k-dx, line[i-1].Y*r.k-dy
		bx, by := line[i].X*r.k-dx, line[i].Y*r.k-dy
		if max(ax, bx) < -half || min(ax, bx) > w+half || max(ay, by) < -half || min(ay, by) > h+half {
			continue
		}
		d := float32(math.Hypot(float64(bx-ax), float64(by-ay)))
		if d == 0 {
			continue
		}
		tx, ty := (bx-ax)/d*half, (by-ay)/d*half
		// A square cap of a third of the width hides the notch at a bend.
		ex, ey := tx/3, ty/3
		if len(line) == 2 {
			ex, ey = 0, 0
		}
		r.z.MoveTo(ax-ex-ty, ay-ey+tx)
		r.z.LineTo(bx+ex-ty, by+ey+tx)
		r.z.LineTo(bx+ex+ty, by+ey-tx)
		r.z.LineTo(ax-ex+ty, ay-ey-tx)
		r.z.ClosePath()
	}
}

// Text draws a line of text from a cached picture.
func (r *Raster) Text(t Text) {
	if t.S == "" {
		return
	}
	x := t.At.X
	switch t.Align {
	case Left:
	case Center:
		x -= r.fonts.Width(t.S, t.Size, t.Bold) / 2
	case Right:
		x -= r.fonts.Width(t.S, t.Size, t.Bold)
	}
	m := r.fonts.mask(t.S, t.Size*r.k, t.Bold)
	o := image.Pt(int(x*r.k+.5), int((t.At.Y+capHeight/2*t.Size)*r.k+.5)).Sub(m.origin)
	draw.DrawMask(r.Image, m.img.Bounds().Add(o), image.NewUniform(t.Color), image.Point{}, m.img, image.Point{}, draw.Over)
}
