package chart

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"io"

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
	// Inline is an SVG element for an HTML page, whose style sheet has the letters (FontFaces).
	Inline Format = vector.Inline
)

// Formats lists all file formats.
var Formats = []Format{SVG, PDF, PNG, EPS}

// Options of an export. The zero value of each means its default.
type Options struct {
	Format        Format
	Width, Height vg.Length // 160 mm × 100 mm
	Scale         float64   // PNG: pixels per 1/96 inch, 1
	Theme         *Theme    // Light
	// Provenance is written into the file as metadata.
	Provenance Provenance
	// Title is that of the file; "" is the figure's own.
	Title string
	// Footer is the line under the figure, such as Provenance.Line(); "": none.
	Footer string
}

// Export writes a figure to a file format.
func Export(w io.Writer, f Figure, o Options) error {
	theme := Light
	if o.Theme != nil {
		theme = *o.Theme
	}
	if o.Width == 0 || o.Height == 0 {
		o.Width, o.Height = 160*vg.Millimeter, 100*vg.Millimeter
	}
	about := o.Provenance.About(cmp.Or(o.Title, Title(f)), f.Summary())
	if o.Format == PNG {
		dpi := 96 * max(o.Scale, 1)
		px := func(l vg.Length) int { return int(l.Points()/vg.Inch.Points()*dpi + 0.5) }
		c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseImage(image.NewRGBA(image.Rect(0, 0, px(o.Width), px(o.Height)))), vgimg.UseDPI(int(dpi)))}
		var b bytes.Buffer
		if err := write(&b, c, draw.New(c), f, theme, o.Footer); err != nil {
			return err
		}
		_, err := w.Write(about.Describe(b.Bytes()))
		return err
	}
	page, err := vector.NewPage(string(o.Format), o.Width, o.Height, about)
	if err != nil {
		return fmt.Errorf("chart: no file format %q: use svg, pdf, png or eps", o.Format)
	}
	return write(w, page, draw.NewCanvas(page, o.Width, o.Height), f, theme, o.Footer)
}

func write(w io.Writer, file io.WriterTo, c draw.Canvas, f Figure, t Theme, footer string) error {
	if _, _, _, err := paint(c, f, t, footer); err != nil {
		return err
	}
	_, err := file.WriteTo(w)
	return err
}

// Title is that of a figure as it is drawn, or what its axes are of.
func Title(f Figure) string {
	p := newPlot(Light, true)
	if _, err := f.draw(p, Light); err != nil {
		return ""
	}
	if lines, ok := f.(Lines); ok && lines.Title == "" && lines.Y.Label != "" && lines.X.Label != "" {
		return lines.Y.Label + " over " + lines.X.Label
	}
	return cmp.Or(p.Title.Text, p.Y.Label.Text, p.X.Label.Text)
}
