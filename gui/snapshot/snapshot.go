// Package snapshot renders every page of a project to pictures with Fyne's
// software driver: no display, no cgo.
package snapshot

import (
	"context"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"tierscope/gui"
	"tierscope/gui/background"
	"tierscope/gui/session"
)

// Options say what is rendered.
type Options struct {
	Dir           string // made if missing
	Project       string // project folder or model; "" is a window with nothing open
	Theme         string // "light", "dark"; "" is light
	Scale         float32
	Width, Height float32 // of the window; 0: 1280×800
	GUI           gui.Options
	Progress      io.Writer // gets the name of every picture; nil: nobody
}

// settled is how often a page is drawn until its plots and graphs, which
// render in the background at the size of the drawing before, are all there.
const settled = 3

// asked are the pages that show nothing of a model before they are asked to
// simulate.
var asked = map[string]bool{"explain": true, "timeline": true, "prolongation": true}

// Write renders every page, and every part of the model page, to
// DIR/NN-page.png.
func Write(o Options) error {
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return err
	}
	if o.Width == 0 {
		o.Width, o.Height = 1280, 800
	}
	app := test.NewApp()
	defer app.Quit()
	o.GUI.Runner = background.NewLocal()
	w, err := gui.New(app, o.GUI)
	if err != nil {
		return err
	}
	appearance := o.Theme
	if appearance == "" {
		appearance = "light"
	}
	w.Session.ChangeSettings(func(s *session.Settings) { s.Theme = appearance })
	if c, ok := w.Window.Canvas().(interface{ SetScale(float32) }); ok && o.Scale > 0 {
		c.SetScale(o.Scale)
	}
	stop := keepAwake(w)
	defer stop()
	size := fyne.NewSize(o.Width, o.Height)
	w.Window.Resize(size)
	if o.Project != "" {
		w.Open(o.Project)
		settle(w)
		if w.Session.Model() == nil {
			return fmt.Errorf("%s", w.Session.Notice().Why)
		}
	}
	for i, p := range places(w) {
		w.Session.Go(p.place)
		if w.Session.Model() != nil && asked[p.name] {
			settle(w)
			w.Shell.Press("Ctrl+Enter")
		}
		for range settled {
			settle(w)
			layOut(w.Window, size)
			w.Window.Canvas().Capture()
		}
		name := fmt.Sprintf("%02d-%s.png", i+1, p.name)
		if err := save(filepath.Join(o.Dir, name), w.Window); err != nil {
			return err
		}
		if o.Progress != nil {
			fmt.Fprintln(o.Progress, filepath.Join(o.Dir, name))
		}
	}
	return nil
}

// redrawn is how often the window is drawn while it simulates: the toolkit
// forgets where things are that it has not drawn for a minute.
const redrawn = 10 * time.Second

// keepAwake lets settle look at the clock while the background is silent.
func keepAwake(w *gui.Window) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		tick := time.NewTicker(redrawn)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				w.Session.Runner.Post(func() {})
			}
		}
	}()
	return cancel
}

// settle waits until nothing is worked on in the background.
func settle(w *gui.Window) {
	for late := true; late; w.Window.Canvas().Capture() {
		began := time.Now()
		w.Session.Runner.SettleUntil(func() bool {
			late = time.Since(began) > redrawn
			return late
		})
	}
}

// layOut places everything anew. A window on a display does so whenever something
// in it has grown; the software driver only when the window does.
func layOut(w fyne.Window, size fyne.Size) {
	w.Resize(size.AddWidthHeight(1, 1))
	w.Resize(size)
}

type named struct {
	name  string
	place session.Place
}

// places lists what is rendered: all pages in the order of the rail, the model
// page by tiers.
func places(w *gui.Window) []named {
	var out []named
	m := w.Session.Model()
	for _, e := range w.Shell.Entries() {
		if e.ID != "model" || m == nil {
			out = append(out, named{e.ID, session.Place{Page: e.ID}})
			continue
		}
		out = append(out, named{"model-tier1", session.Place{Page: e.ID, Part: "tier1", Selected: "pools/" + m.Pools[0].ID}})
		for _, p := range m.Pools {
			selected := ""
			for _, g := range m.Graphs {
				if g.ID == p.Graph {
					selected = "graphs/" + g.ID + "/fragments/" + g.Fragments[len(g.Fragments)/2].ID
				}
			}
			out = append(out, named{"model-tier2-" + p.ID, session.Place{Page: e.ID, Part: "tier2/" + p.ID, Selected: selected}})
		}
		out = append(out, named{"model-tier3", session.Place{Page: e.ID, Part: "tier3", Selected: "cpu"}})
	}
	return out
}

func save(path string, w fyne.Window) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := png.Encode(f, w.Canvas().Capture()); err != nil {
		_ = f.Close() // the first error is the one that matters
		return err
	}
	return f.Close()
}
