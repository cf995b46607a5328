package paint

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"io"

	"gonum.org/v1/plot/vg"

	"tierscope/gui/vector"
)

// Formats are the file types that Export writes.
var Formats = []string{"svg", "pdf", "png", "eps"}

// Export writes a figure as svg, pdf, eps or png; scale is the number of
// picture pixels per device-independent pixel of a png; about is its metadata.
func Export(w io.Writer, format string, p Painter, background color.Color, scale float32, fonts *Fonts, about vector.About) error {
	width, height := p.Size()
	if format == "png" {
		r := NewRaster(int(width*scale+.5), int(height*scale+.5), scale, fonts)
		r.Clear(background)
		p.Paint(r)
		var b bytes.Buffer
		if err := png.Encode(&b, r.Image); err != nil {
			return err
		}
		_, err := w.Write(about.Describe(b.Bytes()))
		return err
	}
	c, err := vector.NewPage(format, vg.Length(width)*pxToPoint, vg.Length(height)*pxToPoint, about)
	if err != nil {
		return fmt.Errorf("paint: no format %q: use svg, pdf, png or eps", format)
	}
	page := NewPage(c, height, fonts)
	page.Fill(Rect(0, 0, width, height), background)
	p.Paint(page)
	_, err = c.WriteTo(w)
	return err
}
