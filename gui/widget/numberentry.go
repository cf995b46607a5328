package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// NumberEntry is the entry of a knob: it says when it loses the focus, because what was typed counts, with Enter or
// without, and which way the arrow keys ask the number to go.
type NumberEntry struct {
	widget.Entry
	OnBlur func()
	OnStep func(direction int) // 1 up, −1 down
}

func newNumberEntry() *NumberEntry {
	e := &NumberEntry{}
	e.ExtendBaseWidget(e)
	return e
}

// FocusLost implements fyne.Focusable.
func (e *NumberEntry) FocusLost() {
	e.Entry.FocusLost()
	if e.OnBlur != nil {
		e.OnBlur()
	}
}

// TypedKey steps with the arrow keys up and down, which have no other meaning in one line.
func (e *NumberEntry) TypedKey(k *fyne.KeyEvent) {
	switch {
	case e.OnStep != nil && k.Name == fyne.KeyUp:
		e.OnStep(1)
	case e.OnStep != nil && k.Name == fyne.KeyDown:
		e.OnStep(-1)
	default:
		e.Entry.TypedKey(k)
	}
}
