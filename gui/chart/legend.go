package chart

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry is one line of the legend.
type entry struct {
	label string
	line  draw.LineStyle
	glyph draw.GlyphStyle
	fill  color.Color // a box instead, for bars
}

const swatchWidth, entryGap = vg.Length(18), vg.Length(5)

// swatch is the room for what an entry shows before its label; one that shows nothing needs none.
func (e entry) swatch() vg.Length {
	if e.fill == nil && e.line.Width == 0 && e.glyph.Radius == 0 {
		return 0
	}
	return swatchWidth + entryGap
}

func (e entry) width(style draw.TextStyle) vg.Length {
	return e.swatch() + style.Width(e.label) + 3*entryGap
}

func (e entry) draw(c draw.Canvas, x, y vg.Length) {
	if e.fill != nil {
		c.SetColor(e.fill)
		c.Fill(vg.Rectangle{Min: vg.Point{X: x + 4, Y: y - 4}, Max: vg.Point{X: x + swatchWidth, Y: y + 4}}.Path())
		return
	}
	if e.line.Width > 0 {
		c.StrokeLine2(e.line, x, y, x+swatchWidth, y)
	}
	if e.glyph.Radius > 0 {
		c.DrawGlyph(e.glyph, vg.Point{X: x + swatchWidth/2, Y: y})
	}
}

// mostLegend is the share of a picture that a legend may take before symbols and lines of one name share an entry.
const mostLegend = 0.25

// beneath draws the legend and returns what is left of the canvas: all of it where there is no room for a legend.
func beneath(c draw.Canvas, p *plot.Plot, entries []entry) draw.Canvas {
	style := p.X.Tick.Label
	style.XAlign, style.YAlign = draw.XLeft, draw.YCenter
	height := c.Max.Y - c.Min.Y
	rows := rowsOf(entries, style, c.Max.X-c.Min.X)
	if heightOf(rows) > mostLegend*height {
		rows = rowsOf(together(entries), style, c.Max.X-c.Min.X)
	}
	if height-heightOf(rows) < leastHeight {
		return c
	}
	for k, row := range rows {
		x, y := c.Min.X, c.Max.Y-legendRow/2-vg.Length(k)*legendRow
		for _, e := range row {
			e.draw(c, x, y)
			c.FillText(style, vg.Point{X: x + e.swatch(), Y: y}, e.label)
			x += e.width(style)
		}
	}
	return draw.Crop(c, 0, 0, 0, -heightOf(rows))
}

// together lets measured symbols share the entry of the line of their name, and says so in a last one.
func together(entries []entry) (out []entry) {
	shared := false
	for _, e := range entries {
		of := slices.IndexFunc(out, func(o entry) bool { return o.label+measuredSuffix == e.label })
		if of < 0 {
			out = append(out, e)
			continue
		}
		out[of].glyph, shared = e.glyph, true
	}
	if shared {
		out = append(out, entry{label: "symbols: measured"})
	}
	return out
}

// measuredSuffix tells measurements from the line that they belong to.
const measuredSuffix = ", measured"

// legendRow is the height of a row of a legend, which is so far from the plot below.
const legendRow, legendSpace = vg.Length(13), vg.Length(3)

func heightOf(rows [][]entry) vg.Length {
	if len(rows) == 0 {
		return 0
	}
	return vg.Length(len(rows))*legendRow + legendSpace
}

// rowsOf are the entries of a legend in rows; a single one without a name needs none.
func rowsOf(entries []entry, style draw.TextStyle, width vg.Length) (rows [][]entry) {
	if len(entries) < 2 && (len(entries) == 0 || entries[0].label == "") {
		return nil
	}
	x := vg.Length(0)
	for _, e := range entries {
		if w := e.width(style); len(rows) == 0 || x > 0 && x+w > width {
			rows, x = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		x += e.width(style)
	}
	return rows
}
