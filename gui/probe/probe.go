// Package probe tells a driven test where things are in a real window and what
// the session's state is, so that the test clicks real pixels without
// recognising pictures.
package probe

import (
	"encoding/json"
	"fmt"
	"io"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/session"
	ours "tierscope/gui/widget"
)

// Box is where something is, in pixels of the window.
type Box struct {
	Kind, Name string
	X, Y, W, H int
}

// State is what a test checks.
type State struct {
	Page, Part, Selected string
	Path                 string // of the project
	Model                string
	Scenario             string
	Settings             map[string]float64
	Jobs                 []string
	Stopping             []float64 // of each job: ms from the tap on Cancel until it had stopped, 0: nobody cancelled it
	Runs                 int
	Notice               string
	Overlays             int // dialogs, menus and palettes that are open
	Scale                float32
}

// Write writes boxes and state as one line of JSON.
func Write(w io.Writer, win fyne.Window, s *session.Session) {
	b, err := json.Marshal(struct {
		Boxes []Box
		State State
	}{Boxes(win), Look(win, s)})
	if err != nil {
		panic("probe: plain data: " + err.Error())
	}
	fmt.Fprintf(w, "%s\n", b)
}

// Look returns the state of the session.
func Look(win fyne.Window, s *session.Session) State {
	p := s.Place()
	st := State{Page: p.Page, Part: p.Part, Selected: p.Selected, Path: s.Path(), Scenario: s.Scenario().Name, Settings: s.Scenario().Settings,
		Runs: len(s.Runs()), Overlays: len(win.Canvas().Overlays().List()), Scale: win.Canvas().Scale()}
	if m := s.Model(); m != nil {
		st.Model = m.Name
	}
	for _, j := range s.Jobs() {
		st.Jobs = append(st.Jobs, fmt.Sprintf("%s: %s", j.Title, j.State))
		st.Stopping = append(st.Stopping, float64(j.Stopping.Microseconds())/1000)
	}
	if n := s.Notice(); n != nil {
		st.Notice = n.What + " " + n.Why
	}
	return st
}

// Boxes returns what can be clicked or read, topmost last.
func Boxes(win fyne.Window) []Box {
	c := &collector{k: win.Canvas().Scale()}
	c.walk(win.Content(), fyne.Position{}, win.Canvas().Size())
	for _, o := range win.Canvas().Overlays().List() {
		c.walk(o, fyne.Position{}, win.Canvas().Size())
	}
	return c.boxes
}

type collector struct {
	k     float32
	boxes []Box
}

func (c *collector) add(kind, name string, at fyne.Position, size fyne.Size) {
	f := func(v float32) int { return int(v*c.k + 0.5) }
	c.boxes = append(c.boxes, Box{kind, name, f(at.X), f(at.Y), f(size.Width), f(size.Height)})
}

func (c *collector) walk(o fyne.CanvasObject, at fyne.Position, _ fyne.Size) {
	if o == nil || !o.Visible() {
		return
	}
	at = at.Add(o.Position())
	switch w := o.(type) {
	case *fyne.Container:
		for _, child := range w.Objects {
			c.walk(child, at, w.Size())
		}
		return
	case *canvas.Text:
		c.add("text", w.Text, at, w.Size())
		return
	case *widget.Label:
		c.add("label", w.Text, at, w.Size())
		return
	case *widget.Button:
		c.add("button", w.Text, at, w.Size())
		return
	case *ours.DialogButton:
		c.add("button", w.Text, at, w.Size())
		return
	case *ours.IconButton:
		c.add("button", w.AccessibilityLabel(), at, w.Size())
		return
	case *widget.SelectEntry:
		c.add("selectentry", w.Text, at, w.Size())
		return
	case *ours.DialogSelectEntry:
		c.add("selectentry", w.Text, at, w.Size())
		return
	case *ours.DialogEntry:
		c.add("entry", w.PlaceHolder+"|"+w.Text, at, w.Size())
		return
	case *ours.NumberEntry:
		c.add("entry", w.PlaceHolder+"|"+w.Text, at, w.Size())
		return
	case *widget.Entry:
		c.add("entry", w.PlaceHolder+"|"+w.Text, at, w.Size())
		return
	case *widget.Select:
		c.add("select", w.Selected, at, w.Size())
		return
	case *ours.DialogSelect:
		c.add("select", w.Selected, at, w.Size())
		return
	case *ours.Choice:
		c.add("select", w.Selected, at, w.Size())
		return
	case *widget.Slider:
		c.add("slider", fmt.Sprint(w.Value), at, w.Size())
		return
	case *ours.Graph:
		c.add("graph", "", at, w.Size())
		if d := w.Diagram(); d != nil {
			for i, n := range d.Nodes {
				p := w.NodePosition(i)
				c.add("node", n.Path, at.Add(p).SubtractXY(4, 4), fyne.NewSize(8, 8))
			}
		}
		return
	case *ours.Plot:
		c.add("plot", w.Summary(), at, w.Size())
		return
	}
	if w, ok := o.(fyne.Widget); ok {
		for _, child := range test.WidgetRenderer(w).Objects() {
			c.walk(child, at, w.Size())
		}
	}
}
