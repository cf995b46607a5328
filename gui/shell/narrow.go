package shell

import (
	"fyne.io/fyne/v2"

	"tierscope/gui/session"
)

// narrowWidth is the width of the window in device-independent pixels below
// which the page needs the room of the inspector.
const narrowWidth = 1180

// widthWatch tells the shell of the width of the window before it lays out
// what is in it.
type widthWatch struct {
	inner   fyne.Layout
	resized func(width float32)
}

// MinSize implements fyne.Layout.
func (w *widthWatch) MinSize(objects []fyne.CanvasObject) fyne.Size { return w.inner.MinSize(objects) }

// Layout implements fyne.Layout.
func (w *widthWatch) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w.resized(size.Width)
	w.inner.Layout(objects, size)
}

// resized closes the inspector of a window that becomes narrow, and opens it
// again when there is room.
func (s *Shell) resized(width float32) {
	if narrow := width < narrowWidth; narrow != s.narrow {
		s.narrow, s.asked = narrow, false
		s.top.shorten(narrow)
		s.applyLayout()
	}
}

// inspectorOpen reports whether the inspector is shown: as the settings say,
// but in a narrow window only while it is asked for.
func (s *Shell) inspectorOpen() bool {
	return s.asked || s.host.Session.Settings().InspectorOpen && !s.narrow
}

// ToggleInspector shows or hides the inspector.
func (s *Shell) ToggleInspector() {
	if s.narrow {
		s.asked = !s.asked
		s.applyLayout()
		return
	}
	s.host.Session.ChangeSettings(func(p *session.Settings) { p.InspectorOpen = !p.InspectorOpen })
}
