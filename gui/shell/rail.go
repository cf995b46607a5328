package shell

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/look"
	"tierscope/gui/page"
	"tierscope/gui/palette"
	ours "tierscope/gui/widget"
)

// railWidth is the width of the rail in device-independent pixels: the
// longest word, "Experiments", with its icon.
const railWidth = 138

// rail is the column of pages, in groups of questions.
type rail struct {
	items map[string]*railItem
	root  fyne.CanvasObject
}

func newRail(entries []page.Entry, open func(id string)) *rail {
	r := &rail{items: map[string]*railItem{}}
	box := container.New(layout.NewCustomPaddedVBoxLayout(1))
	more := container.New(layout.NewCustomPaddedVBoxLayout(1))
	group := page.Home
	for _, e := range entries {
		item := newRailItem(e.Title, e.Icon, func() { open(e.ID) })
		r.items[e.ID] = item
		to := box
		if e.Group == page.More {
			to = more
		} else if e.Group != group {
			group = e.Group
			box.Add(newCaption(string(group)))
		}
		to.Add(item)
	}
	r.root = ours.Bar(container.NewStack(ours.Gap(railWidth, 0), container.NewPadded(container.NewBorder(nil, more, nil, nil, container.NewVScroll(box)))))
	return r
}

// mark shows which page is open.
func (r *rail) mark(id string) {
	for k, item := range r.items {
		if on := k == id; on != item.on {
			item.on = on
			item.Refresh()
		}
	}
}

// newCaption is the word over a group.
func newCaption(s string) fyne.CanvasObject {
	l := widget.NewLabel(s)
	l.SizeName = theme.SizeNameCaptionText
	l.Importance = widget.LowImportance
	l.TextStyle.Bold = true
	return l
}

// railItem is a page in the rail: icon and word.
type railItem struct {
	widget.BaseWidget
	title string
	icon  fyne.Resource
	tap   func()

	on, hover, focused bool
}

func newRailItem(title string, icon fyne.Resource, tap func()) *railItem {
	i := &railItem{title: title, icon: icon, tap: tap}
	i.ExtendBaseWidget(i)
	return i
}

// Tapped opens the page.
func (i *railItem) Tapped(*fyne.PointEvent) { i.tap() }

// MouseIn, MouseMoved and MouseOut show that it can be tapped.
func (i *railItem) MouseIn(*desktop.MouseEvent) { i.hover = true; i.Refresh() }

// MouseMoved does nothing more.
func (i *railItem) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the hover away.
func (i *railItem) MouseOut() { i.hover = false; i.Refresh() }

// FocusGained and the next three make it reachable with Tab.
func (i *railItem) FocusGained() { i.focused = true; i.Refresh() }

// FocusLost hides the focus ring.
func (i *railItem) FocusLost() { i.focused = false; i.Refresh() }

// TypedRune does nothing.
func (i *railItem) TypedRune(rune) {}

// TypedKey opens the page with Enter or Space.
func (i *railItem) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter || e.Name == fyne.KeySpace {
		i.tap()
	}
}

// CreateRenderer draws the item.
func (i *railItem) CreateRenderer() fyne.WidgetRenderer {
	r := &railItemRenderer{i: i, back: canvas.NewRectangle(color.Transparent), bar: canvas.NewRectangle(color.Transparent),
		text: canvas.NewText(i.title, color.Black), icon: widget.NewIcon(i.icon)}
	r.Refresh()
	return r
}

type railItemRenderer struct {
	i         *railItem
	back, bar *canvas.Rectangle
	text      *canvas.Text
	icon      *widget.Icon
}

func (r *railItemRenderer) Destroy() {}

func (r *railItemRenderer) MinSize() fyne.Size { return fyne.NewSize(railWidth-8, 27) }

func (r *railItemRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.back, r.bar, r.icon, r.text}
}

func (r *railItemRenderer) Layout(s fyne.Size) {
	r.back.Resize(s)
	r.bar.Move(fyne.NewPos(0, 6))
	r.bar.Resize(fyne.NewSize(3, s.Height-12))
	r.icon.Move(fyne.NewPos(11, (s.Height-18)/2))
	r.icon.Resize(fyne.NewSize(18, 18))
	h := r.text.MinSize().Height
	r.text.Move(fyne.NewPos(38, (s.Height-h)/2))
	r.text.Resize(fyne.NewSize(s.Width-40, h))
}

func (r *railItemRenderer) Refresh() {
	s := look.Scheme()
	r.back.CornerRadius, r.bar.CornerRadius = 5, 1.5
	r.back.FillColor, r.bar.FillColor, r.back.StrokeWidth = color.Transparent, color.Transparent, 0
	r.text.TextSize, r.text.Color, r.text.TextStyle.Bold = look.TextSize, s.Ink, r.i.on
	switch {
	case r.i.on:
		r.back.FillColor, r.bar.FillColor = s.Tint, s.Accent
	case r.i.hover:
		r.back.FillColor = palette.Mix(s.Surface, s.Ink, 0.07)
	}
	if r.i.focused {
		r.back.StrokeColor, r.back.StrokeWidth = s.Accent, 2
	}
	r.back.Refresh()
	r.bar.Refresh()
	r.text.Refresh()
	r.icon.Refresh()
}
