// Package vector makes pages of vector graphics — SVG, PDF and EPS — that look
// the same on every machine: letters are glyph outlines, not names of fonts,
// which also escapes the garbled letters of gonum's PDF and EPS (gonum/plot
// issue 347). It knows nothing of Fyne.
package vector

import (
	"bytes"
	"fmt"
	"io"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgeps"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Page is a canvas that can be written to a file.
type Page interface {
	vg.CanvasSizer
	io.WriterTo
}

// NewPage returns an empty page in "svg", "pdf" or "eps".
func NewPage(format string, width, height vg.Length) (Page, error) {
	switch format {
	case "svg":
		return vgsvg.New(width, height), nil
	case "pdf":
		return vgpdf.New(width, height), nil
	case "eps":
		return eps{vgeps.New(width, height)}, nil
	}
	return nil, fmt.Errorf("vector: no format %q: use svg, pdf or eps", format)
}

// FillText fills the outlines of a line of text that starts at pt on its
// baseline.
func FillText(c vg.Canvas, face *sfnt.Font, size vg.Length, pt vg.Point, text string) {
	var buffer sfnt.Buffer
	scale := size / unitsPerEm
	length := func(v fixed.Int26_6) vg.Length { return scale * vg.Length(v) / 64 }
	for _, r := range text {
		glyph, err := face.GlyphIndex(&buffer, r)
		if err != nil {
			continue // a face without the letter draws nothing for it
		}
		if segments, err := face.LoadGlyph(&buffer, glyph, fixed.I(unitsPerEm), nil); err == nil && len(segments) > 0 {
			c.Fill(outline(segments, func(p fixed.Point26_6) vg.Point {
				return vg.Point{X: pt.X + length(p.X), Y: pt.Y - length(p.Y)}
			}))
		}
		if advance, err := face.GlyphAdvance(&buffer, glyph, fixed.I(unitsPerEm), 0); err == nil {
			pt.X += length(advance)
		}
	}
}

// unitsPerEm is the grid on which outlines are asked for.
const unitsPerEm = 2048

func outline(segments sfnt.Segments, at func(fixed.Point26_6) vg.Point) vg.Path {
	var path vg.Path
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				path.Close()
			}
			path.Move(at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	path.Close()
	return path
}

// eps mends the first line of gonum's EPS files, "%%!PS-Adobe…": the format
// wants one per cent sign (EPSF 3.0, §2.2), and strict readers do too.
type eps struct{ *vgeps.Canvas }

// WriteTo implements io.WriterTo.
func (e eps) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if _, err := e.Canvas.WriteTo(&b); err != nil {
		return 0, err
	}
	if bytes.HasPrefix(b.Bytes(), []byte("%%!")) {
		b.Next(1)
	}
	return b.WriteTo(w)
}
