// Package gui puts the window together: session, pages, shell. It never
// imports fyne.io/fyne/v2/app, so everything here builds and is tested without
// cgo and without a display.
package gui

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"tierscope/analysis"
	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/gui/graphlayout"
	"tierscope/gui/inspector"
	"tierscope/gui/look"
	"tierscope/gui/page"
	"tierscope/gui/palette"
	"tierscope/gui/session"
	"tierscope/gui/shell"
	"tierscope/project"
	"tierscope/simulation"
)

// Options say what a window is made with.
type Options struct {
	Runner   *background.Runner    // nil: brings results home with fyne.Do
	Layouter *graphlayout.Layouter // nil: the program beside this one, and Cache
	Samples  string                // folder of the sample projects
	Own      string                // folder for the user's copies of the samples; "" opens the samples themselves
	Cache    string                // folder for layouts; "" keeps them in memory
	Version  string
	Cores    int                                  // for simulations, when the settings do not say; 0: all
	Target   func(program string) analysis.Target // front end of a program that is analysed
	Keys     string                               // file of the analyst's keys, see shell.ReadKeymap; "" or missing: none
	Theme    string                               // light, dark or system; "": as in the settings
}

// Window is the main window of the application.
type Window struct {
	Session *session.Session
	Shell   *shell.Shell
	Window  fyne.Window

	system string // what the environment says about the scale
}

// New makes the main window of app with nothing open. The caller shows it.
func New(app fyne.App, o Options) (*Window, error) {
	if o.Runner == nil {
		o.Runner = background.New(fyne.Do)
	}
	if o.Layouter == nil {
		o.Layouter = graphlayout.New("", o.Cache)
	}
	w := &Window{Session: session.New(o.Runner, app.Preferences()), Window: app.NewWindow("Tierscope"), system: os.Getenv(scaleVariable)}
	w.Session.Program = "Tierscope " + o.Version
	if o.Theme != "" {
		// Before anything is built: what is made for one theme and shown
		// first under another keeps the colours of the first.
		w.Session.ChangeSettings(func(s *session.Settings) { s.Theme = o.Theme })
	}
	settings := w.Session.Settings()
	pool := simulation.NewPool(cmp.Or(settings.Workers, o.Cores))
	pool.GiveWay()
	w.Session.UseSimulator(simulation.Run, pool)
	w.dress(app, settings)
	host := &page.Host{Session: w.Session, Layouter: o.Layouter, Window: w.Window, Open: w.Open,
		OpenSample: func(path string) { w.openSample(path, o.Own) }, Quit: w.Close, ShowKeys: func() { w.Shell.ShowKeys() }}
	keymap, err := shell.ReadKeymap(o.Keys)
	w.Shell = shell.New(host, Pages(o, func() { w.Shell.ShowOpen() }), inspector.New(host), keymap)
	if err != nil {
		w.Session.Notify(session.Failure("Some of your own keys do not work.", err))
	}
	w.Window.SetContent(w.Shell.Content())
	w.Window.SetPadded(false)
	w.Window.Resize(fyne.NewSize(settings.Width, settings.Height))
	w.Window.SetMainMenu(w.Shell.Menu())
	w.Window.SetMaster()
	w.Window.SetOnDropped(func(_ fyne.Position, uris []fyne.URI) { w.Drop(uris) })
	w.Window.SetCloseIntercept(w.Close)
	w.Session.Subscribe(func(e session.Event) {
		switch e {
		case session.SettingsChanged:
			s := w.Session.Settings()
			w.dress(app, s)
			_, pool := w.Session.Simulator()
			pool.SetWorkers(cmp.Or(s.Workers, o.Cores))
		case session.ModelChanged:
			w.Window.SetTitle(w.Session.Name() + " — Tierscope")
			w.Window.SetMainMenu(w.Shell.Menu())
		case session.PlaceChanged, session.SelectionChanged, session.ScenariosChanged, session.ResultsChanged,
			session.RunsChanged, session.MeasuredChanged, session.JobsChanged, session.NoticeChanged:
		}
	})
	return w, nil
}

// scaleVariable is where the toolkit's driver looks for the scale of this program alone,
// whenever it gets another theme.
const scaleVariable = "FYNE_SCALE"

// dress gives the window the look of the settings. At another scale it keeps its size on the screen.
func (w *Window) dress(app fyne.App, s session.Settings) {
	want := look.Theme{Mode: look.Mode(s.Theme), Lines: palette.Set(s.Palette), Scale: s.Scale}
	was, ok := app.Settings().Theme().(look.Theme)
	if ok && was == want {
		return
	}
	if was.Scale != want.Scale {
		scale := w.system
		if want.Scale > 0 {
			scale = strconv.FormatFloat(want.Scale, 'g', -1, 64)
		}
		_ = os.Setenv(scaleVariable, scale) // the name is one
		if ok && w.Window.Canvas() != nil {
			k := float32(cmp.Or(was.Scale, 1) / cmp.Or(want.Scale, 1))
			size := w.Window.Canvas().Size()
			w.Window.Resize(fyne.NewSize(size.Width*k, size.Height*k))
		}
	}
	app.Settings().SetTheme(want)
}

// Open reads a project, a bundle or a model in the background and shows it; a
// CSV file goes to the page that imports measurements.
func (w *Window) Open(path string) { w.OpenAt(path, "") }

// OpenAt is Open, and then goes to a page; "" goes from the start page to the
// model and stays otherwise.
func (w *Window) OpenAt(path, to string) {
	path = strings.TrimSpace(path)
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if strings.EqualFold(filepath.Ext(path), ".csv") {
		w.Session.Go(session.Place{Page: "validate", Part: path})
		return
	}
	background.Start(w.Session.Runner, func(context.Context, func(struct{})) (*session.Opened, error) {
		return session.Read(path)
	}, nil, func(o *session.Opened, err error) {
		if err != nil {
			w.Session.Notify(session.Failure(filepath.Base(path)+" was not opened.", err))
			return
		}
		if to == "" && w.Session.Place().Page == "start" {
			to = "model"
		}
		w.Session.Show(o, to)
	})
}

// openSample opens the user's own copy of a sample, made the first time: what
// is done with it is kept, and the sample stays as it is. A sample whose model
// has changed since is copied anew, beside the old copy.
func (w *Window) openSample(path, own string) {
	if own == "" {
		w.Open(path)
		return
	}
	background.Start(w.Session.Runner, func(context.Context, func(struct{})) (string, error) {
		m, err := project.LoadModel(path)
		if err != nil {
			return "", err
		}
		to := filepath.Join(own, core.Hash(m)[:8], filepath.Base(path))
		if _, err := os.Stat(to); err == nil {
			return to, nil
		}
		return to, project.Copy(path, to)
	}, nil, func(to string, err error) {
		if err != nil {
			w.Session.Notify(session.Failure("The sample was not opened.", err))
			return
		}
		w.Open(to)
	})
}

// Drop opens the files that were dropped on the window.
func (w *Window) Drop(uris []fyne.URI) {
	for _, u := range uris {
		w.Open(u.Path())
	}
}

// Close saves what the window looks like and closes it.
func (w *Window) Close() {
	w.Shell.Remember()
	for _, j := range w.Session.Jobs() {
		j.Cancel()
	}
	w.Window.Close()
}
