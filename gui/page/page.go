// Package page says what a page of the window is. Every page lives in a
// package of its own below this one and is listed in gui.Pages.
package page

import (
	"fyne.io/fyne/v2"

	"tierscope/gui/graphlayout"
	"tierscope/gui/session"
)

// Host is what the window offers its pages.
type Host struct {
	Session  *session.Session
	Layouter *graphlayout.Layouter
	Window   fyne.Window // for dialogs
	// Open opens a project folder, a model or a CSV file in the background;
	// problems become a notice.
	Open func(path string)
	// OpenSample opens the user's copy of a sample project in the same way.
	OpenSample func(path string)
	// Quit closes the window.
	Quit func()
	// ShowKeys shows what every key does.
	ShowKeys func()
	// Pinning is set while a figure is asked for to be pinned to the report: what saves
	// figures pins it then, and asks nothing.
	Pinning bool

	dialogs []modal // that are open, the topmost last
}

// Page is one place of the window. All methods run on the window's goroutine.
type Page interface {
	// Content returns what the page shows; it is asked for once.
	Content() fyne.CanvasObject
	// Update shows a change of the session. It is called while the page is
	// visible, and with session.PlaceChanged whenever it becomes visible.
	// Another model gets pages of its own.
	Update(session.Event)
}

// Group is a group of the rail, in the order of the analyst's questions.
type Group string

// Groups.
const (
	Home  Group = ""
	Build Group = "Build"
	Ask   Group = "Ask"
	Judge Group = "Judge"
	Tell  Group = "Tell"
	// Special are the pages of specialists, folded under one item of the rail.
	Special Group = "Special"
	More    Group = "More"
)

// Entry is a page in the rail.
type Entry struct {
	ID    string // session.Place.Page
	Title string
	Group Group
	Icon  fyne.Resource
	Hint  string // what one finds there, for the palette and the status line
	New   func(*Host) Page
}

// Action is something that can be done on a page; the command palette and the
// menus offer it, and a key may start it.
type Action struct {
	Title string
	Key   string // such as "Ctrl+E" or "T", for the overlay; the shell binds it
	Also  string // an arrow key that does the same where nothing has the focus
	Run   func()
	// Figure says that Run saves a figure: it can be pinned to the report as well.
	Figure bool
}

// Actor is a page with actions of its own.
type Actor interface {
	Page
	Actions() []Action
}

// Key is a key that is no action: it is of a picture of the page.
type Key struct{ Name, Does string }

// Keyed is a page with such keys.
type Keyed interface {
	Page
	Keys() []Key
}

// GraphKeys are those of a graph.
func (h *Host) GraphKeys() []Key {
	return append([]Key{{"Arrows, Enter", "walk the graph, open"}, {"+  −", "zoom in, out"}, {"0", "show the whole graph"}}, h.WheelKeys()...)
}

// WheelScrolls reports whether the wheel of the mouse moves graphs and timelines
// instead of zooming them.
func (h *Host) WheelScrolls() bool { return h.Session.Settings().Wheel == session.Scrolls }

// WheelKeys say what the wheel of the mouse does to graphs and timelines.
func (h *Host) WheelKeys() []Key {
	if h.WheelScrolls() {
		return []Key{{"Mouse wheel", "move"}, {"Ctrl and wheel", "zoom about the pointer"}}
	}
	return []Key{{"Mouse wheel", "zoom about the pointer"}}
}

// Leaver is a page that has work done for who looks at it: it gives up what is left of that when
// another one comes into its place.
type Leaver interface {
	Page
	Leave()
}

// Closer is a page that follows more of the session than Update tells: it stops that when the model is closed, and
// is not shown again.
type Closer interface {
	Page
	Close()
}

// Parted is a page with parts that the breadcrumbs name, such as the tiers of
// a model.
type Parted interface {
	Page
	// Crumbs returns the way from the page to the present part.
	Crumbs() []Crumb
}

// Crumb is a step of the way to a place, with its siblings as a menu.
type Crumb struct {
	Title    string
	Place    session.Place
	Siblings []Crumb
}
