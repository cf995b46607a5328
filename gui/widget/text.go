// Package widget holds the building blocks of the pages. They know Fyne and
// the palette, and nothing of models or simulations.
package widget

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Heading is the title of a page.
func Heading(s string) *widget.Label {
	l := widget.NewLabelWithStyle(s, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	l.SizeName = theme.SizeNameSubHeadingText
	return l
}

// Section is the title of a part of a page.
func Section(s string) *widget.Label {
	return widget.NewLabelWithStyle(s, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
}

// Muted is secondary text.
func Muted(s string) *widget.Label {
	l := widget.NewLabel(s)
	l.Importance = widget.LowImportance
	return l
}

// Caption is small secondary text that wraps.
func Caption(s string) *widget.Label {
	l := widget.NewLabel(s)
	l.SizeName = theme.SizeNameCaptionText
	l.Importance = widget.LowImportance
	l.Wrapping = fyne.TextWrapWord
	return l
}

// Wrapped is body text that wraps.
func Wrapped(s string) *widget.Label {
	l := widget.NewLabel(s)
	l.Wrapping = fyne.TextWrapWord
	return l
}

// Card is content on a raised surface with a hairline around it.
func Card(content fyne.CanvasObject) fyne.CanvasObject {
	return container.NewStack(newSurface(theme.ColorNameHeaderBackground, theme.ColorNameSeparator, 6), container.NewPadded(content))
}

// Titled is a card with a section title.
func Titled(title string, content fyne.CanvasObject) fyne.CanvasObject {
	return Card(container.NewBorder(Section(title), nil, nil, nil, content))
}

// Bar is content on a surface without an outline.
func Bar(content fyne.CanvasObject) fyne.CanvasObject {
	return container.NewStack(newSurface(theme.ColorNameHeaderBackground, "", 0), content)
}

// tight is a border layout without gaps, for bars that touch.
type tight struct{ top, bottom, left, right fyne.CanvasObject }

// Tight arranges a bar at each side of center without gaps; nil sides are
// left out.
func Tight(top, bottom, left, right, center fyne.CanvasObject) *fyne.Container {
	c := container.New(&tight{top, bottom, left, right})
	for _, o := range []fyne.CanvasObject{center, top, bottom, left, right} {
		if o != nil {
			c.Add(o)
		}
	}
	return c
}

func (t *tight) is(o fyne.CanvasObject) bool {
	return o == t.top || o == t.bottom || o == t.left || o == t.right
}

// height and width of a side, 0 if it is not there.
func height(o fyne.CanvasObject) float32 {
	if o == nil || !o.Visible() {
		return 0
	}
	return o.MinSize().Height
}

func width(o fyne.CanvasObject) float32 {
	if o == nil || !o.Visible() {
		return 0
	}
	return o.MinSize().Width
}

// MinSize fits all sides around the center.
func (t *tight) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var inner fyne.Size
	for _, o := range objects {
		if !t.is(o) && o.Visible() {
			inner = inner.Max(o.MinSize())
		}
	}
	inner.Height = max(inner.Height, height(t.left), height(t.right)) + height(t.top) + height(t.bottom)
	inner.Width += width(t.left) + width(t.right)
	return inner
}

// Layout places the sides, and the center in what is left.
func (t *tight) Layout(objects []fyne.CanvasObject, s fyne.Size) {
	top, bottom, left, right := height(t.top), height(t.bottom), width(t.left), width(t.right)
	put := func(o fyne.CanvasObject, x, y, w, h float32) {
		if o != nil && o.Visible() {
			o.Move(fyne.NewPos(x, y))
			o.Resize(fyne.NewSize(w, h))
		}
	}
	middle := max(s.Height-top-bottom, 0)
	put(t.top, 0, 0, s.Width, top)
	put(t.bottom, 0, s.Height-bottom, s.Width, bottom)
	put(t.left, 0, top, left, middle)
	put(t.right, s.Width-right, top, right, middle)
	for _, o := range objects {
		if !t.is(o) {
			put(o, left, top, max(s.Width-left-right, 0), middle)
		}
	}
}

// Close stacks lines of text without the room that labels leave for themselves.
func Close(lines ...fyne.CanvasObject) *fyne.Container {
	return container.New(wrapping{layout.NewCustomPaddedVBoxLayout(-9)}, lines...)
}

// Stacked stacks objects of which some wrap their text.
func Stacked(objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(wrapping{layout.NewVBoxLayout()}, objects...)
}

// wrapping lays out twice: text that wraps at a new width is as high as its lines only after
// the first time. Fyne would notice later, but not always (2.8.1: a layout that is pending is
// forgotten when an object beside wraps into as many lines as before).
type wrapping struct{ lines fyne.Layout }

// MinSize implements fyne.Layout.
func (w wrapping) MinSize(objects []fyne.CanvasObject) fyne.Size { return w.lines.MinSize(objects) }

// Layout implements fyne.Layout.
func (w wrapping) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w.lines.Layout(objects, size)
	w.lines.Layout(objects, size)
}

// surface is a rectangle in colours of the theme.
type surface struct {
	widget.BaseWidget
	fill, stroke fyne.ThemeColorName
	radius       float32
}

func newSurface(fill, stroke fyne.ThemeColorName, radius float32) *surface {
	s := &surface{fill: fill, stroke: stroke, radius: radius}
	s.ExtendBaseWidget(s)
	return s
}

// CreateRenderer draws the rectangle.
func (s *surface) CreateRenderer() fyne.WidgetRenderer {
	r := &surfaceRenderer{s: s, rect: canvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

type surfaceRenderer struct {
	s    *surface
	rect *canvas.Rectangle
}

func (r *surfaceRenderer) Layout(size fyne.Size) { r.rect.Resize(size) }
func (r *surfaceRenderer) MinSize() fyne.Size    { return fyne.Size{} }
func (r *surfaceRenderer) Destroy()              {}

func (r *surfaceRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.rect} }

func (r *surfaceRenderer) Refresh() {
	r.rect.FillColor = theme.Color(r.s.fill)
	r.rect.CornerRadius = r.s.radius
	if r.s.stroke != "" {
		r.rect.StrokeColor, r.rect.StrokeWidth = theme.Color(r.s.stroke), 1
	}
	r.rect.Refresh()
}

// Field is an entry that calls changed with every letter typed. While it is
// empty it shows an example, which begins with "such as": nobody takes it for
// what is typed.
func Field(example string, changed func()) *widget.Entry {
	e := widget.NewEntry()
	if example != "" {
		e.SetPlaceHolder("such as " + example)
	}
	e.OnChanged = func(string) { changed() }
	return e
}

// Gap is empty space.
func Gap(w, h float32) fyne.CanvasObject {
	r := canvas.NewRectangle(color.Transparent)
	r.SetMinSize(fyne.NewSize(w, h))
	return r
}

// Empty is what a page shows instead of nothing: why there is nothing, and
// what to press.
func Empty(why, hint string, actions ...*widget.Button) fyne.CanvasObject {
	title := widget.NewLabelWithStyle(why, fyne.TextAlignCenter, fyne.TextStyle{Bold: true})
	title.SizeName = theme.SizeNameSubHeadingText
	title.Wrapping = fyne.TextWrapWord
	text := widget.NewLabelWithStyle(hint, fyne.TextAlignCenter, fyne.TextStyle{})
	text.Importance = widget.LowImportance
	text.Wrapping = fyne.TextWrapWord
	row := container.NewHBox(layout.NewSpacer())
	for _, a := range actions {
		row.Add(a)
	}
	row.Add(layout.NewSpacer())
	column := container.New(&columnLayout{width: 520}, container.NewVBox(title, text, row))
	return container.NewBorder(nil, nil, nil, nil, container.NewVBox(layout.NewSpacer(), column, layout.NewSpacer(), layout.NewSpacer()))
}

// middleLayout puts its objects, at their own height, into the middle of the height there is.
type middleLayout struct{}

// MinSize is the size of the largest object.
func (middleLayout) MinSize(objects []fyne.CanvasObject) (s fyne.Size) {
	for _, o := range objects {
		s = s.Max(o.MinSize())
	}
	return s
}

// Layout implements fyne.Layout; what wraps knows its height only at its width.
func (middleLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Resize(size)
		h := min(o.MinSize().Height, size.Height)
		o.Resize(fyne.NewSize(size.Width, h))
		o.Move(fyne.NewPos(0, (size.Height-h)/2))
	}
}

// Inset is content of a card that begins and ends where its text does.
func Inset(content fyne.CanvasObject) fyne.CanvasObject {
	side := theme.InnerPadding()
	return container.New(layout.NewCustomPaddedLayout(0, side/2, side, side), content)
}

// Scrolled is a column that scrolls, with room beside it for the bar and the outlines of cards.
func Scrolled(content fyne.CanvasObject) *container.Scroll {
	return container.NewVScroll(container.New(layout.NewCustomPaddedLayout(0, 0, 0, columnMargin), content))
}

// Columns arranges cards of equal size in rows: as few rows as the width allows when each card
// is at least so wide, filled as evenly as can be.
func Columns(least float32, cards ...fyne.CanvasObject) *fyne.Container {
	return container.New(&columnsLayout{least: least}, cards...)
}

type columnsLayout struct{ least, width float32 }

// cardGap is the space between cards.
const cardGap = 10

// columns is how many cards stand side by side.
func (c *columnsLayout) columns(n int) int {
	most := max(int((c.width+cardGap)/(c.least+cardGap)), 1)
	rows := (n + most - 1) / most
	return max((n+rows-1)/max(rows, 1), 1)
}

// MinSize has room for all rows at the width of the last layout.
func (c *columnsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var each fyne.Size
	for _, o := range objects {
		each = each.Max(o.MinSize())
	}
	if len(objects) == 0 {
		return each
	}
	n := c.columns(len(objects))
	rows := float32((len(objects) + n - 1) / n)
	return fyne.NewSize(min(each.Width, c.least), rows*each.Height+(rows-1)*cardGap)
}

// Layout implements fyne.Layout; twice, as text that wraps asks for.
func (c *columnsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	c.width = size.Width
	if len(objects) == 0 {
		return
	}
	n := c.columns(len(objects))
	w := (size.Width - float32(n-1)*cardGap) / float32(n)
	for range 2 {
		h := float32(0)
		for _, o := range objects {
			h = max(h, o.MinSize().Height)
		}
		for i, o := range objects {
			o.Move(fyne.NewPos(float32(i%n)*(w+cardGap), float32(i/n)*(h+cardGap)))
			o.Resize(fyne.NewSize(w, h))
		}
	}
}

// columnLayout centres its objects in a column of limited width, beside which
// there is room for a scroll bar.
type columnLayout struct{ width float32 }

// columnMargin is the least space on each side of a column.
const columnMargin = 8

// MinSize is the size of the largest object.
func (c *columnLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var s fyne.Size
	for _, o := range objects {
		s = s.Max(o.MinSize())
	}
	return s.AddWidthHeight(2*columnMargin, 0)
}

// Layout gives every object the column.
func (c *columnLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w := min(c.width, size.Width-2*columnMargin)
	for _, o := range objects {
		o.Resize(fyne.NewSize(w, size.Height))
		o.Move(fyne.NewPos((size.Width-w)/2, 0))
	}
}

// Centered centres content in a column of at most the given width, for text
// that is to be read.
func Centered(width float32, content fyne.CanvasObject) fyne.CanvasObject {
	return container.New(&columnLayout{width: width}, content)
}
