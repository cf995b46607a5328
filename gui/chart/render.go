package chart

import (
	"image"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Picture is a rendered figure with the places one can point at.
type Picture struct {
	Image image.Image
	hits  []placed
	area  image.Rectangle // of the data, in pixels
}

type placed struct {
	Hit
	x, y float64 // pixels, y down
}

// Render draws a figure as an image of w×h pixels. dpi is 96 × the device's
// scale factor, so that text keeps its size on any screen.
func Render(f Figure, t Theme, w, h int, dpi float64) (Picture, error) {
	canvas := vgimg.NewWith(vgimg.UseImage(image.NewRGBA(image.Rect(0, 0, w, h))), vgimg.UseDPI(int(dpi)))
	p, l, data, err := paint(draw.New(canvas), f, t, "")
	if err != nil {
		return Picture{}, err
	}
	k := dpi / vg.Inch.Points()
	px := func(v vg.Length) float64 { return v.Points() * k }
	pic := Picture{Image: canvas.Image(), area: image.Rect(int(px(data.Min.X)), h-int(px(data.Max.Y)), int(px(data.Max.X)), h-int(px(data.Min.Y)))}
	for _, hit := range l.hits {
		x, y := data.X(p.X.Norm(hit.X)), data.Y(p.Y.Norm(hit.Y))
		pic.hits = append(pic.hits, placed{Hit: hit, x: px(x), y: float64(h) - px(y)})
	}
	return pic, nil
}

// Area returns the rectangle of the data in pixels.
func (p Picture) Area() image.Rectangle { return p.area }

// At returns the place nearest to a pixel, if one is within reach pixels, and
// where in the picture it is.
func (p Picture) At(x, y, reach float64) (hit Hit, at image.Point, found bool) {
	best := reach
	for _, h := range p.hits {
		if d := math.Hypot(h.x-x, h.y-y); d <= best {
			best, hit, at, found = d, h.Hit, image.Pt(int(h.x), int(h.y)), true
		}
	}
	return hit, at, found
}

// footerLines breaks a footer between its parts, so that each line fits.
func footerLines(style draw.TextStyle, footer string, room vg.Length) []string {
	const between = " · "
	var lines []string
	for part := range strings.SplitSeq(footer, between) {
		if n := len(lines); n > 0 && style.Width(lines[n-1]+between+part) <= room {
			lines[n-1] += between + part
		} else {
			lines = append(lines, part)
		}
	}
	return lines
}

// paint draws a figure with its legend above and its footer below, and
// returns the canvas of the data. Instead of axes without anything stands a sentence.
func paint(c draw.Canvas, f Figure, t Theme, footer string) (*plot.Plot, layout, draw.Canvas, error) {
	if r, ok := f.(Ranking); ok {
		f = r.within(c.Max.Y - c.Min.Y)
	}
	_, heat := f.(HeatMap)
	p := newPlot(t, !heat)
	l, err := f.draw(p, t)
	if err != nil {
		return nil, l, c, err
	}
	c.SetColor(t.Paper)
	c.Fill(c.Rectangle.Path())
	margin := vg.Points(8)
	c = draw.Crop(c, margin, -2*margin, margin, -margin)
	if footer != "" {
		style := p.X.Tick.Label
		style.Color, style.Font, style.XAlign, style.YAlign = t.Edge, sans(vg.Points(7)), draw.XLeft, draw.YBottom
		line := vg.Points(9)
		lines := footerLines(style, footer, c.Max.X-c.Min.X)
		for i, text := range lines {
			c.FillText(style, vg.Point{X: c.Min.X, Y: c.Min.Y + line*vg.Length(len(lines)-1-i)}, text)
		}
		c = draw.Crop(c, 0, 0, vg.Points(3)+line*vg.Length(len(lines)), 0)
	}
	if len(l.hits) == 0 {
		style := p.X.Tick.Label
		style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
		c.FillText(style, c.Center(), f.Summary())
		return p, l, c, nil
	}
	if p.Title.Text != "" {
		style := p.Title.TextStyle
		style.XAlign, style.YAlign = draw.XLeft, draw.YTop
		c.FillText(style, vg.Point{X: c.Min.X, Y: c.Max.Y}, fitted(&style, p.Title.Text, c.Max.X-c.Min.X))
		c = draw.Crop(c, 0, 0, 0, -vg.Points(18))
		p.Title.Text = ""
	}
	c = beneath(c, p, l.legend)
	if _, named := p.X.Tick.Marker.(plot.ConstantTicks); !named {
		fitLabel(&p.X, mostLabel*(c.Max.X-c.Min.X))
		fit(&p.X, c.Max.X-c.Min.X)
	}
	data := besideLabel(c, p)
	return p, l, data, nil
}

// besideLabel draws a plot, and the label of its Y axis in the middle of the data, which it returns: where the axis is logarithmic
// the plot would put the middle of the numbers there, and leave room for half the label above.
func besideLabel(c draw.Canvas, p *plot.Plot) draw.Canvas {
	label := &p.Y.Label
	text, style := label.Text, label.TextStyle
	inner := c
	if text != "" {
		inner = draw.Crop(c, style.Height(text)+label.Padding, 0, 0, 0)
	}
	label.Text = ""
	data := p.DataCanvas(inner)
	fit(&p.Y, data.Size().Y)
	p.Draw(inner)
	data = p.DataCanvas(inner)
	label.Text = text
	fitLabel(&p.Y, data.Size().Y)
	style = label.TextStyle
	style.Rotation, style.XAlign, style.YAlign = math.Pi/2, draw.XCenter, draw.YTop
	c.FillText(style, vg.Point{X: c.Min.X, Y: data.Center().Y}, label.Text)
	return data
}

// leastHeight is what axes and lines need; a smaller picture has no legend, which its table replaces.
const leastHeight = vg.Length(60)

// leastLetters is the size of the smallest letters of rows.
const leastLetters = vg.Length(6)

// mostLabel is the share of the width of a picture for the label of its axis.
const mostLabel = 0.85

// fitLabel lets the label of an axis keep within some room.
func fitLabel(a *plot.Axis, room vg.Length) {
	if s := symbol(a.Label.Text); s != "" && leastPart*a.Label.TextStyle.Width(a.Label.Text) > room {
		a.Label.Text = s
	}
	a.Label.Text = fitted(&a.Label.TextStyle, a.Label.Text, room)
}

// symbol is a label without its words: "R [ms]" for "Response time R, task (p95) [ms]"; "" if it has no symbol.
func symbol(label string) string {
	words, unit, _ := strings.Cut(label, " [")
	for _, w := range strings.Fields(words) {
		if w = strings.TrimSuffix(w, ","); len(w) == 1 && w >= "A" && w <= "Z" {
			if unit != "" {
				w += " [" + unit
			}
			return w
		}
	}
	return ""
}

// fit lets the numbers of an axis keep within its length: a small picture has
// fewer, and many rows have smaller letters; of more rows than there is room for,
// every second or third is named.
func fit(a *plot.Axis, length vg.Length) {
	const room = vg.Length(24) // points for a number
	if ticks, ok := a.Tick.Marker.(decimalTicks); ok {
		ticks.wanted = min(max(int(length/room), 2), usualTicks)
		a.Tick.Marker = ticks
	}
	if rows, ok := a.Tick.Marker.(plot.ConstantTicks); ok && len(rows) > 0 {
		each := 0.95 * length / vg.Length(len(rows))
		a.Tick.Label.Font.Size = max(min(a.Tick.Label.Font.Size, each), leastLetters)
		if every := int(math.Ceil(float64(leastLetters / each))); every > 1 {
			some := slices.Clone(rows)
			for i := range some {
				if i%every != 0 {
					some[i].Label = ""
				}
			}
			a.Tick.Marker = some
		}
	}
}

// leastPart is the part of its size to which a text is made smaller before it is
// shortened.
const leastPart = 0.75

// fitted makes a text as small, or as short, as its room asks for: the end, where
// an axis has its unit, stays.
func fitted(style *draw.TextStyle, s string, room vg.Length) string {
	if width := style.Width(s); width > room {
		style.Font.Size *= max(room/width, leastPart)
	}
	rs := []rune(s)
	for n := len(rs) - 1; n > 0 && style.Width(s) > room; n-- {
		s = string(rs[:n-n/2]) + "…" + string(rs[len(rs)-n/2:])
	}
	return s
}
