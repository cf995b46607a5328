package paint

import (
	"image"
	"image/color"
	"image/draw"
)

// Hatch is a pattern on a block: what a state is must not depend on its
// colour alone.
type Hatch uint8

// Hatches.
const (
	Solid Hatch = iota
	Diagonal
	Cross
	Dots
	Vertical
)

// hatchPitch is the distance of the lines of a hatch in device-independent
// pixels, and hatchWidth the least width of a block that shows one.
const (
	hatchPitch = 5
	hatchWidth = 8
)

// narrow is the width in pixels up to which a block is filled by hand: a
// general fill costs more than so few pixels.
const narrow = 6

// Block fills a rectangle on whole pixels in an opaque colour, at least one
// wide: a timeline has a hundred thousand of them.
func (r *Raster) Block(x, y, w, h float32, c color.NRGBA, hatch Hatch) {
	b := image.Rect(int(x*r.k), int(y*r.k), max(int((x+w)*r.k), int(x*r.k)+1), int((y+h)*r.k)).Intersect(r.Image.Bounds())
	if b.Empty() {
		return
	}
	if b.Dx() <= narrow {
		for y := b.Min.Y; y < b.Max.Y; y++ {
			row := r.Image.Pix[r.Image.PixOffset(b.Min.X, y):]
			for x := range b.Dx() {
				row[4*x], row[4*x+1], row[4*x+2], row[4*x+3] = c.R, c.G, c.B, 0xff
			}
		}
		return
	}
	draw.Draw(r.Image, b, image.NewUniform(c), image.Point{}, draw.Src)
	if hatch == Solid || w < hatchWidth {
		return
	}
	line := color.RGBA{255, 255, 255, 255}
	if luma := 299*int(c.R) + 587*int(c.G) + 114*int(c.B); luma > 140_000 {
		line = color.RGBA{0, 0, 0, 255}
	}
	mixed := color.RGBA{mid(c.R, line.R), mid(c.G, line.G), mid(c.B, line.B), 255}
	pitch := max(int(hatchPitch*r.k), 3)
	for py := b.Min.Y; py < b.Max.Y; py++ {
		for px := b.Min.X; px < b.Max.X; px++ {
			if hatch.at(px, py, pitch) {
				r.Image.SetRGBA(px, py, mixed)
			}
		}
	}
}

// mid is a third of the way from a to b.
func mid(a, b uint8) uint8 { return uint8((2*int(a) + int(b)) / 3) }

func (h Hatch) at(x, y, pitch int) bool {
	switch h {
	case Diagonal:
		return (x+y)%pitch == 0
	case Cross:
		return (x+y)%pitch == 0 || (x-y+1<<20)%pitch == 0
	case Dots:
		return x%pitch == 0 && y%pitch == 0
	case Vertical:
		return x%pitch == 0
	case Solid:
	}
	return false
}
