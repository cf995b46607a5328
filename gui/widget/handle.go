package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Handle is what one grips to drag a row to another place among others.
type Handle struct {
	widget.BaseWidget
	// OnDragged is called when it is let go, with how far down it was dragged.
	OnDragged func(dy float32)

	label string
	icon  *widget.Icon
	dy    float32
}

// NewHandle returns a handle; label says what it moves.
func NewHandle(label string, dragged func(dy float32)) *Handle {
	h := &Handle{OnDragged: dragged, label: label, icon: widget.NewIcon(theme.MenuIcon())}
	h.ExtendBaseWidget(h)
	return h
}

// Dragged follows the pointer, and shows that something is held.
func (h *Handle) Dragged(e *fyne.DragEvent) {
	h.dy += e.Dragged.DY
	h.icon.SetResource(theme.NewPrimaryThemedResource(theme.MenuIcon()))
}

// DragEnd lets go.
func (h *Handle) DragEnd() {
	dy := h.dy
	h.dy = 0
	h.icon.SetResource(theme.MenuIcon())
	h.OnDragged(dy)
}

// Cursor says that it moves up and down.
func (h *Handle) Cursor() desktop.Cursor { return desktop.VResizeCursor }

// AccessibilityLabel implements fyne.Accessible.
func (h *Handle) AccessibilityLabel() string { return h.label }

// AccessibilityRole implements fyne.Accessible.
func (h *Handle) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// CreateRenderer shows three lines.
func (h *Handle) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(h.icon) }
