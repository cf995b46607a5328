// Package session is the state of one window without any toolkit: the open
// model, where the analyst is and was, what is selected, the scenarios with
// their undo history, the jobs and the notices. Pages render it and call its
// methods; it tells them what has changed.
//
// Everything runs on the window's goroutine.
package session

import (
	"path/filepath"
	"slices"
	"strings"

	"tierscope/analysis/predictability"
	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/gui/recipe"
	"tierscope/judge"
	"tierscope/project"
	"tierscope/simulation"
)

// Event says what has changed.
type Event uint8

// Events.
const (
	ModelChanged     Event = iota // another project or another model
	PlaceChanged                  // another page or another part of it
	SelectionChanged              // another element of the model
	ScenariosChanged              // the deck, the current scenario or its settings
	ResultsChanged                // a simulation result arrived or grew sharper
	RunsChanged                   // the runs of the project: one more, or another ledger
	MeasuredChanged               // the measurements of the project
	JobsChanged                   // the queue of runs
	NoticeChanged                 // the banner
	SettingsChanged               // preferences, and what the analyst calls elements
)

// Session is the state of one window.
type Session struct {
	Runner  *background.Runner
	Program string // with its version, as figures and reports name it

	path    string
	project *project.Project // nil: a model file alone
	model   *core.Model
	hash    string // of model; "": not asked yet

	place         Place
	back, forward []Place

	deck            deck
	saving, unsaved bool       // of the deck
	kept            []Scenario // what this window has read or written of the deck in the project
	jobs            []*Job
	nextID          int
	notice          *Notice

	results   map[string]*Outcome
	forecasts map[string]forecast
	sharper   map[string]int                // how often a configuration was asked to be more precise
	builds    map[string]*simulation.Result // of other builds, by path and configuration; nil: on its way
	others    map[string]*core.Model        // other builds that have been read, by path
	runs      runs

	measured       []MeasuredFile
	charts         []recipe.Recipe // pinned to the report
	pins           []recipe.Pin    // figures pinned to it as they were
	keptPins       []recipe.Pin    // what this window knows of the project's
	keepingPins    bool
	pinsChanged    bool // while they were written
	predictability *predictability.Study
	trust          *trust.Trust
	validation     *judge.Validation

	settings Settings
	recent   []string
	store    Store

	names       map[string]string // by path
	film        *Film
	watchers    map[int]func() // of the film
	nextWatcher int

	listeners map[int]func(Event)
	order     []int // of listeners, in subscription order
	nextSub   int
}

// New returns a session without a model. store keeps settings between
// sessions and may be nil.
func New(r *background.Runner, store Store) *Session {
	s := &Session{Runner: r, place: Place{Page: "start"}, store: store, listeners: map[int]func(Event){}, results: map[string]*Outcome{}, builds: map[string]*simulation.Result{}, others: map[string]*core.Model{}, forecasts: map[string]forecast{}, sharper: map[string]int{}}
	s.settings = defaultSettings()
	s.load()
	s.deck.reset()
	return s
}

// Subscribe calls f after every change until the returned function is called.
func (s *Session) Subscribe(f func(Event)) (unsubscribe func()) {
	id := s.nextSub
	s.nextSub++
	s.listeners[id] = f
	s.order = append(s.order, id)
	return func() {
		delete(s.listeners, id)
		s.order = slices.DeleteFunc(s.order, func(x int) bool { return x == id })
	}
}

func (s *Session) emit(e Event) {
	if s.film != nil && (e == ModelChanged || e == ScenariosChanged) { // it was of something else
		s.SetFilm("", nil)
	}
	for _, id := range slices.Clone(s.order) {
		if f, ok := s.listeners[id]; ok {
			f(e)
		}
	}
}

// Model returns the open model, nil if there is none.
func (s *Session) Model() *core.Model { return s.model }

// Hash returns the hash of the open model, which takes a while of a large one: it is worked out once.
func (s *Session) Hash() string {
	if s.hash == "" && s.model != nil {
		s.hash = core.Hash(*s.model)
	}
	return s.hash
}

// Path returns the file or project folder of the open model.
func (s *Session) Path() string { return s.path }

// Name returns the name of what is open for titles and breadcrumbs.
func (s *Session) Name() string {
	switch {
	case s.model == nil:
		return ""
	case s.path != "":
		b := filepath.Base(s.path)
		return strings.TrimSuffix(b, filepath.Ext(b))
	}
	return s.model.Name
}

// SetModel opens a valid model that was read from path. Scenarios, results and
// history of the previous one are dropped; callers save them first.
func (s *Session) SetModel(m *core.Model, path string) {
	s.setModel(m, path, "")
	s.emit(ModelChanged)
}

// setModel is SetModel of a model whose hash may be known; it tells nobody yet.
func (s *Session) setModel(m *core.Model, path, hash string) {
	s.model, s.path, s.hash = m, path, hash
	s.back, s.forward = nil, nil
	s.place.Part, s.place.Selected = "", ""
	s.deck.reset()
	for _, j := range s.jobs {
		j.Cancel()
	}
	s.jobs, s.notice = nil, nil
	s.results, s.builds, s.others, s.forecasts = map[string]*Outcome{}, map[string]*simulation.Result{}, map[string]*core.Model{}, map[string]forecast{}
	s.sharper = map[string]int{}
	s.runs.predictions = nil
	s.measured, s.charts, s.pins, s.keptPins, s.names = nil, nil, nil, nil, nil
	s.predictability, s.trust, s.validation = nil, nil, nil
	if path != "" {
		s.remember(path)
	}
}
