package diagram

import (
	"io"

	"tierscope/gui/paint"
	"tierscope/gui/palette"
	"tierscope/gui/vector"
)

// Figure is a placed diagram as a picture of its own, with its provenance
// below: what a file holds.
type Figure struct {
	*Placed
	Scheme palette.Scheme
	Fonts  *paint.Fonts
	Footer string
}

// margin is the space around the diagram, and footerHeight the room for the
// footer.
const (
	margin       = 20
	footerHeight = 22
)

// Size returns the size of the picture.
func (f Figure) Size() (w, h float32) {
	w = max(f.W, f.Fonts.Width(f.Footer, 9, false)) + 2*margin
	return w, f.H + 2*margin + footerHeight
}

// Paint draws it.
func (f Figure) Paint(c paint.Canvas) {
	w, h := f.Size()
	v := View{Scale: 1, X: (w - f.W) / 2, Y: margin, Selected: -1, Hover: -1}
	f.Placed.Paint(c, v, w, h-footerHeight, f.Scheme, f.Fonts)
	c.Text(paint.Text{At: paint.Point{X: margin, Y: h - footerHeight/2}, S: f.Footer, Size: 9, Color: f.Scheme.Muted})
}

// pngScale is how many pixels of a file are one on a usual screen: it is sharp in
// print and on every display.
const pngScale = 2

// Export writes a diagram in one of paint.Formats, in the colours of print; about is
// the metadata of the file.
func Export(w io.Writer, format string, d *Placed, fonts *paint.Fonts, footer string, about vector.About) error {
	scheme := palette.Light()
	return paint.Export(w, format, Figure{Placed: d, Scheme: scheme, Fonts: fonts, Footer: footer}, scheme.Paper, pngScale, fonts, about)
}
