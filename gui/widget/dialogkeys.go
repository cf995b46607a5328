package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Keys has the keys of a control before the control, and reports whether it took one: those of a dialog act wherever
// in it the focus is.
type Keys func(*fyne.KeyEvent) bool

// DialogEntry is an entry that gives up some of its keys.
type DialogEntry struct {
	widget.Entry
	keys Keys
}

// NewDialogEntry returns an empty entry.
func NewDialogEntry(keys Keys) *DialogEntry {
	e := &DialogEntry{keys: keys}
	e.ExtendBaseWidget(e)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *DialogEntry) TypedKey(k *fyne.KeyEvent) {
	if !e.keys(k) {
		e.Entry.TypedKey(k)
	}
}

// DialogSelectEntry is an entry with a menu of texts that gives up some of its keys.
type DialogSelectEntry struct {
	widget.SelectEntry
	keys Keys
}

// NewDialogSelectEntry returns an empty entry.
func NewDialogSelectEntry(options []string, keys Keys) *DialogSelectEntry {
	e := &DialogSelectEntry{keys: keys}
	e.ExtendBaseWidget(e)
	e.SetOptions(options)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *DialogSelectEntry) TypedKey(k *fyne.KeyEvent) {
	if !e.keys(k) {
		e.SelectEntry.TypedKey(k)
	}
}

// DialogSelect is a select that gives up some of its keys.
type DialogSelect struct {
	widget.Select
	keys Keys
}

// NewDialogSelect returns a select of which nothing is chosen.
func NewDialogSelect(options []string, changed func(string), keys Keys) *DialogSelect {
	s := &DialogSelect{keys: keys}
	s.Options, s.OnChanged = options, changed
	s.ExtendBaseWidget(s)
	return s
}

// TypedKey implements fyne.Focusable.
func (s *DialogSelect) TypedKey(k *fyne.KeyEvent) {
	if !s.keys(k) {
		s.Select.TypedKey(k)
	}
}

// DialogCheck is a check box that gives up some of its keys.
type DialogCheck struct {
	widget.Check
	keys Keys
}

// NewDialogCheck returns a box that is not checked.
func NewDialogCheck(text string, keys Keys) *DialogCheck {
	c := &DialogCheck{keys: keys}
	c.Text = text
	c.ExtendBaseWidget(c)
	return c
}

// TypedKey implements fyne.Focusable.
func (c *DialogCheck) TypedKey(k *fyne.KeyEvent) {
	if !c.keys(k) {
		c.Check.TypedKey(k)
	}
}

// DialogButton is a button that Enter presses too, and that gives up other keys.
type DialogButton struct {
	widget.Button
	keys Keys
}

// NewDialogButton returns a button; icon may be nil.
func NewDialogButton(text string, icon fyne.Resource, tapped func(), keys Keys) *DialogButton {
	b := &DialogButton{keys: keys}
	b.Text, b.Icon, b.OnTapped = text, icon, tapped
	b.ExtendBaseWidget(b)
	return b
}

// TypedKey implements fyne.Focusable.
func (b *DialogButton) TypedKey(k *fyne.KeyEvent) {
	switch {
	case k.Name == fyne.KeyReturn || k.Name == fyne.KeyEnter:
		b.Tapped(nil)
	case !b.keys(k):
		b.Button.TypedKey(k)
	}
}
