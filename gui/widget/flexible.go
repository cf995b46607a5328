package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// flexibleWidth is the least width of a control that shortens its text.
const flexibleWidth = 76

// Flexible lets a control that shortens its text, such as a select, be narrower
// than its longest one.
func Flexible(o fyne.CanvasObject) fyne.CanvasObject {
	return container.New(flexible{}, o)
}

type flexible struct{}

// MinSize implements fyne.Layout.
func (flexible) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var s fyne.Size
	for _, o := range objects {
		s = s.Max(o.MinSize())
	}
	return fyne.NewSize(min(s.Width, flexibleWidth), s.Height)
}

// Layout implements fyne.Layout.
func (flexible) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.Position{})
		o.Resize(size)
	}
}
