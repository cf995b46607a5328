package widget

import (
	"context"
	"image"
	"image/color"
	"image/draw"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/background"
	"tierscope/gui/chart"
	"tierscope/gui/look"
)

// Plot shows a figure. It renders in the background at the screen's own
// pixels, shows the value under the pointer, and turns into a table of the
// same numbers with T.
type Plot struct {
	widget.BaseWidget
	// OnTap is called with the ID of the point that was tapped.
	OnTap func(id string)

	runner  *background.Runner
	figure  chart.Figure
	picture chart.Picture
	shown   rendering // what picture is of
	wanted  rendering
	busy    bool
	failed  string

	raster *canvas.Raster
	mark   *canvas.Circle
	tip    *tip
	table  *DataTable
	twin   bool
	blank  *blank // instead of a figure that has nothing to show
	stack  *fyne.Container
}

// rendering identifies a picture.
type rendering struct {
	w, h, revision int
	scale          float32
	theme          chart.Theme
}

// NewPlot returns an empty plot that renders with r.
func NewPlot(r *background.Runner) *Plot {
	p := &Plot{runner: r, mark: canvas.NewCircle(color.Transparent), tip: newTip(), table: NewDataTable(), blank: newBlank("Nothing to show yet")}
	p.raster = canvas.NewRaster(p.paint)
	p.mark.Hide()
	p.mark.StrokeWidth = 2
	p.tip.Hide()
	p.table.Hide()
	p.stack = container.NewStack(p.raster, container.NewWithoutLayout(p.mark, p.tip), p.table, p.blank.root)
	p.arrange()
	p.ExtendBaseWidget(p)
	return p
}

// SetFigure shows another figure, or what Otherwise says if that has nothing to
// show.
func (p *Plot) SetFigure(f chart.Figure) {
	p.figure = f
	p.wanted.revision++
	p.mark.Hide()
	p.tip.Hide()
	if p.twin {
		p.fillTable()
	}
	p.arrange()
	p.Refresh()
}

// Otherwise says what stands instead of empty axes: why nothing is there, and what
// to do about it.
func (p *Plot) Otherwise(why, hint string, actions ...*widget.Button) {
	p.blank.say(why, hint, actions...)
}

// arrange shows the picture, its table, or why there is neither.
func (p *Plot) arrange() {
	empty := chart.Empty(p.figure)
	show(p.raster, !empty && !p.twin)
	show(p.table, !empty && p.twin)
	show(p.blank.root, empty)
}

// Figure returns the figure that is shown, nil if there is none.
func (p *Plot) Figure() chart.Figure { return p.figure }

// Summary returns the figure's sentence, for status lines and screen readers.
func (p *Plot) Summary() string {
	if p.figure == nil {
		return ""
	}
	return p.figure.Summary()
}

// Twin reports whether the table is shown instead of the picture.
func (p *Plot) Twin() bool { return p.twin }

// ToggleTwin switches between the picture and its table.
func (p *Plot) ToggleTwin() {
	p.twin = !p.twin
	if p.twin {
		p.fillTable()
	}
	p.arrange()
	p.Refresh()
}

func (p *Plot) fillTable() {
	if p.figure == nil {
		return
	}
	SetTable(p.table, p.figure.Table())
}

// Refresh renders again when the figure, the size or the theme has changed.
func (p *Plot) Refresh() {
	s := look.Scheme()
	p.mark.StrokeColor = s.Accent
	p.wanted.theme = s
	p.start()
	p.BaseWidget.Refresh()
}

// start renders what is wanted unless it is shown or a rendering is on its way.
func (p *Plot) start() {
	if p.figure == nil || p.busy || p.wanted == p.shown || p.wanted.w < 40 || p.wanted.h < 40 {
		return
	}
	want, figure := p.wanted, p.figure
	p.busy = true
	background.Start(p.runner, func(context.Context, func(struct{})) (chart.Picture, error) {
		return chart.Render(figure, want.theme, want.w, want.h, 96*float64(want.scale))
	}, nil, func(pic chart.Picture, err error) {
		p.busy = false
		p.shown, p.failed = want, ""
		if err != nil {
			p.failed = err.Error()
			p.tip.set(p.failed)
			p.tip.Show()
		} else {
			p.picture = pic
		}
		p.start()
		p.raster.Refresh()
	})
}

// paint gives Fyne the last picture, and asks for a new one when the size in
// pixels is not right any more.
func (p *Plot) paint(w, h int) image.Image {
	if width := p.raster.Size().Width; width > 0 {
		p.wanted.w, p.wanted.h, p.wanted.scale = w, h, float32(w)/width
		p.wanted.theme = look.Scheme()
		p.start()
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	if p.picture.Image != nil {
		draw.Draw(out, out.Bounds(), p.picture.Image, image.Point{}, draw.Src)
	}
	return out
}

// hit finds the point of the figure near a position.
func (p *Plot) hit(at fyne.Position) (chart.Hit, fyne.Position, bool) {
	k := p.shown.scale
	if k == 0 || p.twin {
		return chart.Hit{}, fyne.Position{}, false
	}
	h, px, ok := p.picture.At(float64(at.X*k), float64(at.Y*k), float64(24*k))
	return h, fyne.NewPos(float32(px.X)/k, float32(px.Y)/k), ok
}

// MouseIn shows the value under the pointer.
func (p *Plot) MouseIn(e *desktop.MouseEvent) { p.MouseMoved(e) }

// MouseMoved shows the value under the pointer.
func (p *Plot) MouseMoved(e *desktop.MouseEvent) {
	h, at, ok := p.hit(e.Position)
	if !ok || h.Text == "" {
		p.MouseOut()
		return
	}
	p.mark.Resize(fyne.NewSize(12, 12))
	p.mark.Move(at.SubtractXY(6, 6))
	p.mark.Show()
	p.tip.set(h.Text)
	p.tip.place(at, p.Size())
	p.tip.Show()
}

// MouseOut hides the value.
func (p *Plot) MouseOut() {
	p.mark.Hide()
	p.tip.Hide()
}

// Tip returns the text under the pointer, "" if there is none.
func (p *Plot) Tip() string {
	if !p.tip.Visible() {
		return ""
	}
	return p.tip.text.Text
}

// Tapped tells whose point was tapped.
func (p *Plot) Tapped(e *fyne.PointEvent) {
	if h, _, ok := p.hit(e.Position); ok && h.ID != "" && p.OnTap != nil {
		p.OnTap(h.ID)
	}
}

// MinSize is the least in which axes can be read.
func (p *Plot) MinSize() fyne.Size { return fyne.NewSize(220, 150) }

// CreateRenderer shows the picture with its overlay.
func (p *Plot) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(p.stack) }

// SetTable fills a data table with a figure's table; columns of numbers align
// right.
func SetTable(d *DataTable, t chart.Table) {
	columns := make([]Column, len(t.Header))
	for i, h := range t.Header {
		columns[i] = Column{Title: h, Right: i > 0}
	}
	rows := make([][]Cell, len(t.Rows))
	for i, r := range t.Rows {
		for _, s := range r {
			rows[i] = append(rows[i], parsedCell(s))
		}
	}
	d.SetColumns(columns...)
	d.SetRows(rows)
}

// tip is a small text on a raised surface.
type tip struct {
	widget.BaseWidget
	back *surface
	text *canvas.Text
}

func newTip() *tip {
	t := &tip{back: newSurface(theme.ColorNameButton, theme.ColorNameInputBorder, 4), text: canvas.NewText("", color.Black)}
	t.ExtendBaseWidget(t)
	return t
}

func (t *tip) set(s string) {
	t.text.Text, t.text.TextSize, t.text.Color = s, look.TextSize, look.Scheme().Ink
	t.Resize(t.MinSize())
	t.Refresh()
}

// place puts the tip beside a point, inside the given size.
func (t *tip) place(at fyne.Position, in fyne.Size) {
	s := t.MinSize()
	x, y := at.X+12, at.Y-s.Height-8
	if x+s.Width > in.Width {
		x = max(0, at.X-12-s.Width)
	}
	if y < 0 {
		y = at.Y + 12
	}
	t.Resize(s)
	t.Move(fyne.NewPos(x, y))
}

func (t *tip) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(t.back, container.NewPadded(t.text)))
}
