package chart

import (
	"bytes"
	"fmt"
	"image"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgeps"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
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

// Export writes a figure to a file format. Letters are drawn as outlines in
// PDF, EPS and SVG, so that the file looks the same everywhere; gonum/plot
// cannot encode what is not Latin-1 (its issue 347).
func Export(w io.Writer, f Figure, o Options) error {
	theme := Light
	if o.Theme != nil {
		theme = *o.Theme
	}
	return ExportPainting(w, o, func(c draw.Canvas) error {
		_, _, _, err := paint(c, f, theme, o.Footer)
		return err
	})
}

// ExportPainting writes what paint draws, for pictures that are not figures,
// such as graphs. The canvas has the size of o and outlined letters.
func ExportPainting(w io.Writer, o Options, paint func(draw.Canvas) error) error {
	if o.Width == 0 || o.Height == 0 {
		o.Width, o.Height = 160*vg.Millimeter, 100*vg.Millimeter
	}
	if o.Scale == 0 {
		o.Scale = 1
	}
	switch o.Format {
	case PNG:
		dpi := 96 * o.Scale
		px := func(l vg.Length) int { return int(l.Points()/vg.Inch.Points()*dpi + 0.5) }
		c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseImage(image.NewRGBA(image.Rect(0, 0, px(o.Width), px(o.Height)))), vgimg.UseDPI(int(dpi)))}
		return write(w, c, c, o, paint)
	case SVG:
		c := vgsvg.New(o.Width, o.Height)
		return write(w, c, outlined{c}, o, paint)
	case PDF:
		c := vgpdf.New(o.Width, o.Height)
		return write(w, c, outlined{c}, o, paint)
	case EPS:
		c := vgeps.New(o.Width, o.Height)
		return write(&epsHeader{w: w}, c, outlined{c}, o, paint)
	}
	return fmt.Errorf("chart: no file format %q: use svg, pdf, png or eps", o.Format)
}

func write(w io.Writer, file io.WriterTo, c vg.Canvas, o Options, paint func(draw.Canvas) error) error {
	if err := paint(draw.NewCanvas(c, o.Width, o.Height)); err != nil {
		return err
	}
	_, err := file.WriteTo(w)
	return err
}

// epsHeader mends the first line of gonum's EPS files, "%%!PS-Adobe…": the
// format wants one per cent sign (EPSF 3.0, §2.2), and strict readers do too.
type epsHeader struct {
	w       io.Writer
	started bool
}

// Write implements io.Writer.
func (e *epsHeader) Write(b []byte) (int, error) {
	if e.started || len(b) == 0 {
		return e.w.Write(b)
	}
	e.started = true
	rest := bytes.TrimPrefix(b, []byte("%%"))
	if len(rest) == len(b) {
		return e.w.Write(b)
	}
	n, err := e.w.Write(append([]byte("%"), rest...))
	return n + 1, err
}
