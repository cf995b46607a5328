package widget

import (
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"time"

	"tierscope/gui/background"
)

// Motion keeps a picture that takes long to paint moving: what is seen at once
// is the last exact picture, shifted and scaled, and the exact one follows
// from the background. A picture that is cheap is always exact. All methods
// run on the window's goroutine.
type Motion struct {
	Runner  *background.Runner // nil: every picture is exact
	Refresh func()             // asks for another Frame; must be set with Runner

	exact    *image.RGBA
	at       Mapping
	revision int
	cost     time.Duration // of the last exact picture
	busy     bool
	scratch  *image.RGBA
}

// Mapping is where a picture's content is: pixel = scale · content + offset.
type Mapping struct{ SX, SY, X, Y float64 }

// Scene is one picture as a value: what to paint is fixed when it is made, so
// that it can be painted on any goroutine.
type Scene struct {
	At       Mapping
	Revision int // changes with everything but the mapping
	Paint    func() *image.RGBA
	// Move makes dst what is seen of last, which was painted with a mapping,
	// until the exact picture is there.
	Move func(dst, last *image.RGBA, from Mapping)
}

// affordable is what a picture may cost to be painted at once: half a frame
// at 60 Hz is left for everything else.
const affordable = 8 * time.Millisecond

// Frame returns the picture to show now, w×h pixels large.
func (m *Motion) Frame(w, h int, s Scene) image.Image {
	size := image.Pt(w, h)
	known := m.exact != nil && m.exact.Bounds().Size() == size
	switch {
	case known && m.at == s.At && m.revision == s.Revision:
		return m.exact
	case !known, m.Runner == nil, m.cost < affordable && !m.busy:
		began := time.Now()
		m.keep(s, s.Paint(), time.Since(began))
		m.cost = time.Since(began)
		return m.exact
	}
	if !m.busy {
		m.busy = true
		type painted struct {
			picture *image.RGBA
			cost    time.Duration
		}
		background.Start(m.Runner, func(context.Context, func(struct{})) (painted, error) {
			began := time.Now()
			return painted{s.Paint(), time.Since(began)}, nil
		}, nil, func(p painted, err error) {
			m.busy = false
			if err == nil {
				m.keep(s, p.picture, p.cost)
			}
			m.Refresh()
		})
	}
	if m.scratch == nil || m.scratch.Bounds().Size() != size {
		m.scratch = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	s.Move(m.scratch, m.exact, m.at)
	return m.scratch
}

func (m *Motion) keep(s Scene, picture *image.RGBA, cost time.Duration) {
	m.exact, m.at, m.revision, m.cost = picture, s.At, s.Revision, cost
}

// Move draws a region of a picture at another place and scale: the nearest
// pixels, and paper where the picture had nothing.
func Move(dst, src *image.RGBA, region image.Rectangle, from, to Mapping, paper color.NRGBA) {
	region = region.Intersect(dst.Bounds()).Intersect(src.Bounds())
	columns := make([]int, region.Dx()) // source column of every column, −1: none
	for i := range columns {
		columns[i] = source(float64(region.Min.X+i)+0.5, from.SX, from.X, to.SX, to.X, region.Min.X, region.Max.X)
	}
	shifted := from.SX == to.SX && len(columns) > 0
	blank := color.RGBAModel.Convert(paper).(color.RGBA)
	for y := region.Min.Y; y < region.Max.Y; y++ {
		out := dst.Pix[dst.PixOffset(region.Min.X, y) : dst.PixOffset(region.Max.X-1, y)+4]
		row := source(float64(y)+0.5, from.SY, from.Y, to.SY, to.Y, region.Min.Y, region.Max.Y)
		if row < 0 {
			fill(out, blank)
			continue
		}
		in := src.Pix[src.PixOffset(0, row) : src.PixOffset(0, row)+4*src.Bounds().Dx()]
		if shifted {
			shift(out, in, columns, blank)
			continue
		}
		for i, x := range columns {
			if x < 0 {
				out[4*i], out[4*i+1], out[4*i+2], out[4*i+3] = blank.R, blank.G, blank.B, blank.A
				continue
			}
			binary.NativeEndian.PutUint32(out[4*i:], binary.NativeEndian.Uint32(in[4*x:]))
		}
	}
}

// source is the pixel of the old picture that is seen at a place of the new
// one, −1 if it is not in [lo, hi).
func source(at, scale, offset, newScale, newOffset float64, lo, hi int) int {
	x := math.Floor(scale*((at-newOffset)/newScale) + offset)
	if !(x >= float64(lo) && x < float64(hi)) {
		return -1
	}
	return int(x)
}

// shift copies a row whose columns are in sequence, which is one copy.
func shift(out, in []uint8, columns []int, blank color.RGBA) {
	first, last := 0, len(columns)
	for first < last && columns[first] < 0 {
		first++
	}
	for last > first && columns[last-1] < 0 {
		last--
	}
	fill(out[:4*first], blank)
	fill(out[4*last:], blank)
	if first < last {
		from := columns[first]
		n := min(4*(last-first), len(in)-4*from)
		copy(out[4*first:4*first+n], in[4*from:4*from+n])
	}
}

func fill(out []uint8, c color.RGBA) {
	if len(out) == 0 {
		return
	}
	out[0], out[1], out[2], out[3] = c.R, c.G, c.B, c.A
	for n := 4; n < len(out); n *= 2 {
		copy(out[n:], out[:n])
	}
}
