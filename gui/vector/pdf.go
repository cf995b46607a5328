package vector

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pdf is a page in which text is text, in fonts of which the file holds the
// letters that it uses. gonum's own page garbles every letter that is not ASCII
// (gonum/plot issue 347).
type pdf struct {
	doc    *fpdf.Fpdf
	w, h   vg.Length
	faces  map[*sfnt.Font]string // their names in the document
	images int
	stack  []pen
}

// pen is the state that Push keeps.
type pen struct {
	colour color.Color
	width  vg.Length
	dashes []vg.Length
	offset vg.Length
}

func newPDF(w, h vg.Length, about About) *pdf {
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: w.Points(), Ht: h.Points()}})
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	doc.SetTitle(about.Title, true)
	doc.SetSubject(about.Description, true)
	doc.SetKeywords(about.keywords(), true)
	doc.SetCreator(about.Creator, true)
	doc.SetCreationDate(about.Date)
	doc.SetModificationDate(about.Date)
	doc.SetCatalogSort(true) // equal figures are equal files
	doc.AddPage()
	p := &pdf{doc: doc, w: w, h: h, faces: map[*sfnt.Font]string{}, stack: []pen{{colour: color.Black, width: vg.Points(1)}}}
	vg.Initialize(p)
	return p
}

func (p *pdf) pen() *pen { return &p.stack[len(p.stack)-1] }

// raw writes operators of the page description (ISO 32000-2, §8): its
// coordinates are those of vg.
func (p *pdf) raw(format string, args ...any) { p.doc.RawWriteStr(fmt.Sprintf(format, args...) + "\n") }

// Size implements vg.CanvasSizer.
func (p *pdf) Size() (w, h vg.Length) { return p.w, p.h }

// SetLineWidth implements vg.Canvas.
func (p *pdf) SetLineWidth(w vg.Length) {
	p.pen().width = w
	p.raw("%.4f w", w.Points())
}

// SetLineDash implements vg.Canvas.
func (p *pdf) SetLineDash(pattern []vg.Length, offset vg.Length) {
	p.pen().dashes, p.pen().offset = pattern, offset
	text := ""
	for _, d := range pattern {
		text += fmt.Sprintf("%.4f ", d.Points())
	}
	p.raw("[%s] %.4f d", text, offset.Points())
}

// SetColor implements vg.Canvas.
func (p *pdf) SetColor(c color.Color) {
	if c == nil {
		c = color.Black
	}
	p.pen().colour = c
	r, g, b, a := rgba(c)
	p.doc.SetAlpha(a, "Normal")
	p.raw("%.4f %.4f %.4f RG %.4f %.4f %.4f rg", r, g, b, r, g, b)
}

// rgba returns the parts of a colour, 0…1, not multiplied with its opacity.
func rgba(c color.Color) (r, g, b, a float64) {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	return float64(n.R) / 255, float64(n.G) / 255, float64(n.B) / 255, float64(n.A) / 255
}

func (p *pdf) transform(a, b, c, d, e, f float64) {
	p.raw("%.6f %.6f %.6f %.6f %.4f %.4f cm", a, b, c, d, e, f)
}

// Rotate implements vg.Canvas.
func (p *pdf) Rotate(rad float64) {
	s, c := math.Sincos(rad)
	p.transform(c, s, -s, c, 0, 0)
}

// Translate implements vg.Canvas.
func (p *pdf) Translate(pt vg.Point) { p.transform(1, 0, 0, 1, pt.X.Points(), pt.Y.Points()) }

// Scale implements vg.Canvas.
func (p *pdf) Scale(x, y float64) { p.transform(x, 0, 0, y, 0, 0) }

// Push implements vg.Canvas.
func (p *pdf) Push() {
	p.stack = append(p.stack, *p.pen())
	p.raw("q")
}

// Pop implements vg.Canvas.
func (p *pdf) Pop() {
	p.stack = p.stack[:len(p.stack)-1]
	p.raw("Q")
	p.SetColor(p.pen().colour) // the document keeps track of opacity itself
}

// Stroke implements vg.Canvas.
func (p *pdf) Stroke(path vg.Path) {
	if p.pen().width > 0 {
		p.trace(path)
		p.raw("S")
	}
}

// Fill implements vg.Canvas.
func (p *pdf) Fill(path vg.Path) {
	p.trace(path)
	p.raw("f")
}

// trace writes the operators of a path.
func (p *pdf) trace(path vg.Path) {
	var at vg.Point
	begun := false
	for _, c := range path {
		switch c.Type {
		case vg.MoveComp:
			p.raw("%.4f %.4f m", c.Pos.X.Points(), c.Pos.Y.Points())
		case vg.LineComp:
			p.raw("%.4f %.4f l", c.Pos.X.Points(), c.Pos.Y.Points())
		case vg.CurveComp:
			a, b := cubic(at, c)
			p.raw("%.4f %.4f %.4f %.4f %.4f %.4f c", a.X.Points(), a.Y.Points(), b.X.Points(), b.Y.Points(), c.Pos.X.Points(), c.Pos.Y.Points())
		case vg.ArcComp:
			at, begun = p.arc(c, begun), true
			continue
		case vg.CloseComp:
			p.raw("h")
			begun = false
			continue
		}
		at, begun = c.Pos, true
	}
}

// cubic returns the control points of a curve; a quadratic one is raised to a
// cubic.
func cubic(from vg.Point, c vg.PathComp) (a, b vg.Point) {
	if len(c.Control) == 2 {
		return c.Control[0], c.Control[1]
	}
	q := c.Control[0]
	return from.Add(q.Sub(from).Scale(2. / 3)), c.Pos.Add(q.Sub(c.Pos).Scale(2. / 3))
}

// arc writes an arc as cubics of at most a quarter of a circle, after a line from
// where the path is, and returns its end.
func (p *pdf) arc(c vg.PathComp, connected bool) vg.Point {
	n := int(math.Ceil(math.Abs(c.Angle)/(math.Pi/2) - 1e-9))
	on := func(a float64) (vg.Point, vg.Point) { // point and direction
		s, k := math.Sincos(a)
		return vg.Point{X: c.Pos.X + c.Radius*vg.Length(k), Y: c.Pos.Y + c.Radius*vg.Length(s)}, vg.Point{X: -vg.Length(s), Y: vg.Length(k)}
	}
	from, along := on(c.Start)
	operator := "m"
	if connected {
		operator = "l"
	}
	p.raw("%.4f %.4f %s", from.X.Points(), from.Y.Points(), operator)
	step := c.Angle / float64(max(n, 1))
	reach := c.Radius * vg.Length(4./3*math.Tan(step/4))
	for i := range n {
		to, next := on(c.Start + step*float64(i+1))
		a, b := from.Add(along.Scale(reach)), to.Sub(next.Scale(reach))
		p.raw("%.4f %.4f %.4f %.4f %.4f %.4f c", a.X.Points(), a.Y.Points(), b.X.Points(), b.Y.Points(), to.X.Points(), to.Y.Points())
		from, along = to, next
	}
	return from
}

// FillString implements vg.Canvas.
func (p *pdf) FillString(f font.Face, pt vg.Point, text string) {
	name, ok := p.faces[f.Face]
	if !ok {
		name = fmt.Sprintf("face%d", len(p.faces)+1)
		p.doc.AddUTF8FontFromBytes(name, "", source(f.Face))
		p.faces[f.Face] = name
	}
	p.doc.SetFont(name, "", f.Font.Size.Points())
	r, g, b, _ := rgba(p.pen().colour)
	p.doc.SetTextColor(int(255*r+0.5), int(255*g+0.5), int(255*b+0.5))
	p.doc.Text(pt.X.Points(), (p.h - pt.Y).Points(), text)
}

// DrawImage implements vg.Canvas.
func (p *pdf) DrawImage(rect vg.Rectangle, img image.Image) {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		p.doc.SetError(err)
		return
	}
	p.images++
	name := fmt.Sprintf("image%d", p.images)
	o := fpdf.ImageOptions{ImageType: "PNG"}
	p.doc.RegisterImageOptionsReader(name, o, &b)
	size := rect.Size()
	p.doc.ImageOptions(name, rect.Min.X.Points(), (p.h - rect.Max.Y).Points(), size.X.Points(), size.Y.Points(), false, o, 0, "")
}

// WriteTo implements io.WriterTo.
func (p *pdf) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if err := p.doc.Output(&b); err != nil {
		return 0, fmt.Errorf("vector: PDF: %w", err)
	}
	return b.WriteTo(w)
}
