package widget

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Pointer is what dragging and hovering do to a picture that is larger than
// its window; the picture embeds it. All three functions must be set.
type Pointer struct {
	pan  func(dx, dy float32)
	over func(fyne.Position)
	out  func()
}

// NewPointer returns a pointer whose drags pan, and which tells over what it
// is and that it has left.
func NewPointer(pan func(dx, dy float32), over func(fyne.Position), out func()) Pointer {
	return Pointer{pan, over, out}
}

// Dragged pans.
func (p Pointer) Dragged(e *fyne.DragEvent) { p.pan(e.Dragged.DX, e.Dragged.DY) }

// DragEnd ends a pan.
func (Pointer) DragEnd() {}

// MouseIn tells what is under the pointer.
func (p Pointer) MouseIn(e *desktop.MouseEvent) { p.over(e.Position) }

// MouseMoved tells what is under the pointer.
func (p Pointer) MouseMoved(e *desktop.MouseEvent) { p.over(e.Position) }

// MouseOut tells that nothing is.
func (p Pointer) MouseOut() { p.out() }

// Focus gives a widget the keys, if it is on a canvas.
func Focus(w fyne.Focusable) {
	if o, ok := w.(fyne.CanvasObject); ok {
		if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil {
			c.Focus(w)
		}
	}
}

// Turned is what a turn of the wheel of the mouse does to a picture: it zooms by a factor, or
// moves if scrolls says so and Ctrl is not pressed.
func Turned(e *fyne.ScrollEvent, scrolls func() bool) (factor float64, zooms bool) {
	ctrl := false
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		ctrl = d.CurrentKeyModifiers()&fyne.KeyModifierShortcutDefault != 0
	}
	return math.Exp(float64(e.Scrolled.DY) / 120), ctrl || scrolls == nil || !scrolls()
}
