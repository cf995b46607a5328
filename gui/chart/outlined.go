package chart

import (
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// outlined is a canvas that fills the outlines of letters instead of naming
// them.
type outlined struct{ vg.Canvas }

// unitsPerEm is the grid on which outlines are asked for.
const unitsPerEm = 2048

// FillString fills the outlines of s, starting at pt on the baseline.
func (c outlined) FillString(f font.Face, pt vg.Point, s string) {
	var buffer sfnt.Buffer
	scale := f.Font.Size / unitsPerEm
	length := func(v fixed.Int26_6) vg.Length { return scale * vg.Length(v) / 64 }
	for _, r := range s {
		glyph, err := f.Face.GlyphIndex(&buffer, r)
		if err != nil {
			continue
		}
		if segments, err := f.Face.LoadGlyph(&buffer, glyph, fixed.I(unitsPerEm), nil); err == nil && len(segments) > 0 {
			c.Fill(outline(segments, func(p fixed.Point26_6) vg.Point {
				return vg.Point{X: pt.X + length(p.X), Y: pt.Y - length(p.Y)}
			}))
		}
		if advance, err := f.Face.GlyphAdvance(&buffer, glyph, fixed.I(unitsPerEm), 0); err == nil {
			pt.X += length(advance)
		}
	}
}

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
