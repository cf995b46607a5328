package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// IconButton is a button without words. It has a name all the same: for screen
// readers, for driven tests, and for whoever rests the pointer on it.
type IconButton struct {
	widget.Button
	label string
}

// NewIconButton returns a quiet button; label says what it does.
func NewIconButton(label string, icon fyne.Resource, tapped func()) *IconButton {
	b := &IconButton{label: label}
	b.Icon, b.OnTapped, b.Importance = icon, tapped, widget.LowImportance
	b.ExtendBaseWidget(b)
	return b
}

// AccessibilityLabel implements fyne.Accessible.
func (b *IconButton) AccessibilityLabel() string { return b.label }

// SetLabel changes what the button says that it does.
func (b *IconButton) SetLabel(label string) { b.label = label }
