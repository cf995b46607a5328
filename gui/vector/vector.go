// Package vector makes pages of vector graphics — SVG, PDF and EPS — that look
// the same on every machine: in SVG and PDF letters are text in fonts that the
// file brings along, so that it can be searched, copied and read aloud; in EPS
// they are glyph outlines, because PostScript knows no Unicode. It knows nothing of
// Fyne.
package vector

import (
	"bytes"
	"fmt"
	"io"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgeps"
)

// Page is a canvas that can be written to a file.
type Page interface {
	vg.CanvasSizer
	io.WriterTo
}

// Inline is the format of an SVG element that stands inside an HTML page: without
// fonts, which are those of the page (FontFaces), as an element's would be everybody's.
const Inline = "svg inline"

// NewPage returns an empty page in "svg", "pdf" or "eps" that says what it is
// about.
func NewPage(format string, width, height vg.Length, about About) (Page, error) {
	switch format {
	case "svg":
		return newSVG(width, height, about), nil
	case Inline:
		s := newSVG(width, height, about)
		s.inline = true
		return s, nil
	case "pdf":
		return newPDF(width, height, about), nil
	case "eps":
		return eps{vgeps.NewTitle(width, height, about.Title)}, nil
	}
	return nil, fmt.Errorf("vector: no format %q: use svg, pdf or eps", format)
}

// FillText writes a line of text that starts at pt on its baseline.
func FillText(c vg.Canvas, face *sfnt.Font, size vg.Length, pt vg.Point, text string) {
	c.FillString(font.Face{Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}, Face: face}, pt, text)
}

// outlines fills the outlines of a line of text.
func outlines(c vg.Canvas, face *sfnt.Font, size vg.Length, pt vg.Point, text string) {
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

// eps mends gonum's EPS files: their letters (gonum/plot issue 347), and their
// first line, "%%!PS-Adobe…", which the format wants with one per cent sign (EPSF
// 3.0, §2.2).
type eps struct{ *vgeps.Canvas }

// FillString implements vg.Canvas.
func (e eps) FillString(f font.Face, pt vg.Point, text string) {
	outlines(e.Canvas, f.Face, f.Font.Size, pt, text)
}

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

// source returns the file of a face.
func source(face *sfnt.Font) []byte {
	var b bytes.Buffer
	if _, err := face.WriteSourceTo(nil, &b); err != nil {
		panic("vector: a font that was parsed has no file: " + err.Error())
	}
	return b.Bytes()
}
