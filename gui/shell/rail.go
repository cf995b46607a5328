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

// rail is the column of pages, in groups of questions. The pages of
// specialists are folded under one item.
type rail struct {
	items map[string]*railItem
	more  *railItem       // folds and unfolds
	extra *fyne.Container // what it folds
	fold  map[string]bool // pages that are folded
	root  fyne.CanvasObject
}

func newRail(entries []page.Entry, open func(id string)) *rail {
	column := func() *fyne.Container { return container.New(layout.NewCustomPaddedVBoxLayout(1)) }
	r := &rail{items: map[string]*railItem{}, extra: column(), fold: map[string]bool{}}
	box, below := column(), column()
	r.more = newRailItem("More", theme.MenuDropUpIcon(), func() { r.unfold(!r.extra.Visible()) })
	group := page.Home
	for _, e := range entries {
		item := newRailItem(e.Title, e.Icon, func() { open(e.ID) })
		r.items[e.ID] = item
		to := box
		switch {
		case e.Group == page.Special:
			to = r.extra
			r.fold[e.ID] = true
		case e.Group == page.More:
			to = below
		case e.Group != group:
			group = e.Group
			box.Add(newCaption(string(group)))
		}
		to.Add(item)
	}
	r.extra.Hide()
	bottom := column()
	if len(r.fold) > 0 {
		bottom.Add(r.extra)
		bottom.Add(r.more)
	}
	bottom.Add(below)
	r.root = ours.Bar(container.NewStack(ours.Gap(railWidth, 0), container.NewPadded(container.NewBorder(nil, bottom, nil, nil, container.NewVScroll(box)))))
	return r
}

// unfold shows or hides the pages of specialists.
func (r *rail) unfold(on bool) {
	r.more.icon = theme.MenuDropUpIcon()
	if on {
		r.more.icon = theme.MenuDropDownIcon()
		r.extra.Show()
	} else {
		r.extra.Hide()
	}
	r.more.Refresh()
	r.root.Refresh()
}

// mark shows which page is open.
func (r *rail) mark(id string) {
	if r.fold[id] && !r.extra.Visible() {
		r.unfold(true)
	}
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

// AccessibilityLabel and AccessibilityRole implement fyne.Accessible.
func (i *railItem) AccessibilityLabel() string { return i.title }

// AccessibilityRole says that it can be pressed.
func (i *railItem) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

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
	r.icon.SetResource(r.i.icon)
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
