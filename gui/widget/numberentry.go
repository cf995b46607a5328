package widget

import "fyne.io/fyne/v2/widget"

// NumberEntry is the entry of a knob: it says when it loses the focus, because what was typed counts, with Enter or without.
type NumberEntry struct {
	widget.Entry
	OnBlur func()
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
