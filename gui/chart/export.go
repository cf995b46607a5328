package chart

import (
	"fmt"
	"image"
	"io"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"tierscope/gui/vector"
)

// Format is a file format of figures.
type Format string

// Formats.
const (
	PNG Format = "png"
	SVG Format = "svg"
	PDF Format = "pdf"
	EPS Format = "eps"
)

// Formats lists all file formats.
var Formats = []Format{SVG, PDF, PNG, EPS}

// Options of an export. The zero value of each means its default.
type Options struct {
	Format        Format
	Width, Height vg.Length // 160 mm × 100 mm
	Scale         float64   // PNG: pixels per 1/96 inch, 1
	Theme         *Theme    // Light
	// Footer is the provenance: model, scenario, seed, n, version.
	Footer string
}

// Export writes a figure to a file format. Letters are outlines in vector
// files, so that the file looks the same everywhere.
func Export(w io.Writer, f Figure, o Options) error {
	theme := Light
	if o.Theme != nil {
		theme = *o.Theme
	}
	if o.Width == 0 || o.Height == 0 {
		o.Width, o.Height = 160*vg.Millimeter, 100*vg.Millimeter
	}
	if o.Format == PNG {
		dpi := 96 * max(o.Scale, 1)
		px := func(l vg.Length) int { return int(l.Points()/vg.Inch.Points()*dpi + 0.5) }
		c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseImage(image.NewRGBA(image.Rect(0, 0, px(o.Width), px(o.Height)))), vgimg.UseDPI(int(dpi)))}
		return write(w, c, draw.New(c), f, theme, o.Footer)
	}
	page, err := vector.NewPage(string(o.Format), o.Width, o.Height)
	if err != nil {
		return fmt.Errorf("chart: no file format %q: use svg, pdf, png or eps", o.Format)
	}
	return write(w, page, draw.NewCanvas(outlined{page}, o.Width, o.Height), f, theme, o.Footer)
}

func write(w io.Writer, file io.WriterTo, c draw.Canvas, f Figure, t Theme, footer string) error {
	if _, _, _, err := paint(c, f, t, footer); err != nil {
		return err
	}
	_, err := file.WriteTo(w)
	return err
}

// outlined is a canvas that fills the outlines of letters instead of naming
// them.
type outlined struct{ vg.Canvas }

// FillString implements vg.Canvas.
func (c outlined) FillString(f font.Face, pt vg.Point, text string) {
	vector.FillText(c, f.Face, f.Font.Size, pt, text)
}
