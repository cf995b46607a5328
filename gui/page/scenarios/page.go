// Package scenarios is the page of what-if questions: a deck of differences
// from the baseline, knobs for everything that can be changed, and an answer
// that is an estimate at once and sharpens as replications arrive.
package scenarios

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/gui/knob"
	"tierscope/gui/page"
	"tierscope/gui/session"
	ours "tierscope/gui/widget"
)

// ID is the page in session.Place.
const ID = "scenarios"

// Page is the scenario deck.
type Page struct {
	host *page.Host

	deck    *widget.List
	name    *widget.Entry
	knobs   *fyne.Container
	byKey   map[string]*ours.Knob
	edits   *fyne.Container
	panel   *fyne.Container // knobs, edits and add
	add     *ours.Choice
	answer  *answer
	root    *fyne.Container
	browser fyne.CanvasObject
	undo    *ours.IconButton
	model   *core.Model
	layout  string // keys of the knobs that are shown
	// Pause is how long the page waits after a change before it simulates, so
	// that a slider that is being dragged starts one run and not thirty.
	Pause time.Duration
	wait  context.CancelFunc
	asked session.Scenario
	away  bool // another page is shown
}

// pause is how long a knob that was moved may move on before its value is
// simulated.
const pause = 250 * time.Millisecond

// New returns the page.
func New(h *page.Host) page.Page { return NewPage(h, pause) }

// NewPage returns the page with a pause between a change and its simulation.
func NewPage(h *page.Host, pause time.Duration) *Page {
	p := &Page{host: h, byKey: map[string]*ours.Knob{}, knobs: container.NewVBox(), edits: container.NewVBox(), root: container.NewStack(), Pause: pause}
	p.answer = newAnswer(h, func() { p.showCurves() })
	split := container.NewHSplit(container.NewVSplit(p.deckPane(), p.controls()), p.answer.root)
	split.SetOffset(0.38)
	split.Leading.(*container.Split).SetOffset(0.24)
	p.browser = split
	return p
}

// Content returns the page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

func (p *Page) deckPane() fyne.CanvasObject {
	ses := p.host.Session
	p.deck = widget.NewList(func() int { return len(ses.Scenarios()) },
		func() fyne.CanvasObject {
			name := widget.NewLabelWithStyle("baseline", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
			what := ours.Muted("as measured")
			what.Truncation = fyne.TextTruncateEllipsis
			return container.NewBorder(nil, nil, name, nil, what)
		},
		func(i widget.ListItemID, o fyne.CanvasObject) {
			c := ses.Scenarios()[i]
			row := o.(*fyne.Container).Objects
			row[0].(*widget.Label).SetText(p.cardText(i, c))
			row[1].(*widget.Label).SetText(c.Name)
		})
	p.deck.OnSelected = func(i widget.ListItemID) { ses.UseScenario(i) }
	p.undo = ours.NewIconButton("Undo", theme.ContentUndoIcon(), ses.Undo)
	row := container.NewHBox(
		widget.NewButtonWithIcon("New", theme.ContentAddIcon(), func() { ses.AddScenario(0) }),
		ours.NewIconButton("Duplicate the scenario", theme.ContentCopyIcon(), func() { ses.AddScenario(ses.Current()) }),
		ours.NewIconButton("Delete the scenario", theme.DeleteIcon(), func() { ses.RemoveScenario(ses.Current()) }), p.undo)
	return container.NewBorder(container.NewBorder(nil, nil, ours.Heading("Scenarios"), row), nil, nil, nil, p.deck)
}

func (p *Page) cardText(i int, c session.Scenario) string {
	if i == 0 {
		return "as measured"
	}
	if p.model == nil {
		return ""
	}
	if d := session.Differences(p.model, c); len(d) > 0 {
		return strings.Join(d, ", ")
	}
	return "no change yet"
}

func (p *Page) controls() fyne.CanvasObject {
	ses := p.host.Session
	p.name = widget.NewEntry()
	p.name.OnSubmitted = func(s string) { ses.RenameScenario(ses.Current(), strings.TrimSpace(s)) }
	p.add = ours.NewChoice(func(path string) {
		p.addKnob(path)
	})
	p.add.PlaceHolder = "Change something else…"
	p.panel = container.NewVBox(p.knobs, p.edits, p.add)
	head := container.NewBorder(nil, nil, ours.Muted("Controls of"), container.NewHBox(widget.NewButton("Reset all", ses.ResetAll)), p.name)
	return container.NewBorder(head, nil, nil, nil, container.NewVScroll(p.panel))
}

// addKnob puts the present value of a number of the model into the current
// scenario, so that its knob appears.
func (p *Page) addKnob(path string) {
	if k, err := p.model.Lookup(path); err == nil {
		p.host.Session.Set(path, k.Value)
	}
	p.add.Choose("")
}

// Update shows a change of the session.
func (p *Page) Update(e session.Event) {
	ses := p.host.Session
	if ses.Model() != p.model || len(p.root.Objects) == 0 {
		p.setModel(ses.Model())
	}
	if p.model == nil {
		return
	}
	p.away = false
	switch e {
	case session.PlaceChanged, session.ModelChanged, session.ScenariosChanged:
		p.show()
		p.simulateSoon()
	case session.ResultsChanged:
		p.answer.show()
		if !p.answer.explore.busy() {
			p.answer.ask()
		}
	case session.SettingsChanged:
		p.answer.plot.Refresh()
	case session.NoticeChanged: // a message takes some of the room
		ses.Runner.Post(func() { p.deck.ScrollTo(ses.Current()) })
	case session.SelectionChanged, session.RunsChanged, session.MeasuredChanged, session.JobsChanged:
	}
}

func (p *Page) setModel(m *core.Model) {
	p.model, p.layout = m, "-"
	p.root.RemoveAll()
	if m == nil {
		p.root.Add(ours.Empty("No model is open", "A scenario is a named difference from what was measured: more threads, fewer cores, twice the load, a faster function, a split lock.",
			widget.NewButton("Start page", func() { p.host.Session.GoPage("start") })))
		return
	}
	p.root.Add(p.browser)
	p.answer.setModel(m)
	var paths []string
	for _, k := range m.Knobs() {
		if _, _, driven := m.Driver(k.Path); !driven { // what a parameter sets has its knob
			paths = append(paths, k.Path)
		}
	}
	p.add.SetValues(paths, func(s string) string { return s })
}

func (p *Page) show() {
	ses := p.host.Session
	c := ses.Scenario()
	p.deck.Refresh()
	p.deck.Select(ses.Current())
	if p.name.Text != c.Name {
		p.name.SetText(c.Name)
	}
	if ses.Current() == 0 {
		p.name.Disable()
	} else {
		p.name.Enable()
	}
	if ses.CanUndo() == "" {
		p.undo.Disable()
	} else {
		p.undo.Enable()
	}
	p.showKnobs(c)
	p.showEdits(c)
	p.answer.show()
}

// showKnobs shows a knob for every parameter and for every other number that
// the scenario changes.
func (p *Page) showKnobs(c session.Scenario) {
	var keys []string
	for _, x := range p.model.Parameters {
		keys = append(keys, x.Name)
	}
	var more []string
	for k := range c.Settings {
		if _, ok := p.model.Parameter(k); !ok {
			more = append(more, k)
		}
	}
	slices.Sort(more)
	keys = append(keys, more...)
	if layout := strings.Join(keys, "\n"); layout != p.layout {
		p.layout = layout
		p.byKey = map[string]*ours.Knob{}
		p.knobs.RemoveAll()
		for _, k := range keys {
			p.byKey[k] = p.newKnob(k)
			p.knobs.Add(p.byKey[k])
		}
		if len(keys) == 0 {
			p.knobs.Add(ours.Caption("This model declares no parameters. Choose any of its numbers below."))
		}
	}
	settings := p.model.Resolved(c.Settings)
	for k, view := range p.byKey {
		v, ok := settings[k]
		if !ok {
			v = view.Baseline()
		}
		if v != view.Value() {
			view.Set(v)
		}
	}
}

// showCurves shows the answer over the range of every knob.
func (p *Page) showCurves() {
	for key, view := range p.byKey {
		if x, ok := p.model.Parameter(key); ok {
			view.ShowCurve(p.answer.spark(x))
		}
	}
}

func (p *Page) newKnob(key string) *ours.Knob {
	var spec ours.KnobSpec
	if x, ok := p.model.Parameter(key); ok {
		spec = knob.OfParameter(x)
	} else if k, err := p.model.Lookup(key); err == nil {
		spec = knob.Of(k)
		spec.Title = knob.Title(k)
	}
	view := ours.NewKnob(spec)
	set := func(v float64) {
		p.answer.follow(key)
		p.host.Session.Set(key, v)
	}
	moves := background.NewLatest(p.host.Session.Runner, set)
	view.OnMoved = moves.Follow
	view.OnChanged = func(v float64) {
		moves.Forget()
		set(v)
	}
	view.OnReset = func() {
		moves.Forget()
		p.host.Session.Reset(key)
	}
	return view
}

func (p *Page) showEdits(c session.Scenario) {
	p.edits.RemoveAll()
	for i, e := range c.Edits {
		remove := ours.NewIconButton("Take the change back", theme.ContentUndoIcon(), func() { p.host.Session.ResetEdit(i) })
		p.edits.Add(container.NewBorder(nil, nil, nil, remove, widget.NewLabel(session.EditWords(e))))
	}
	p.panel.Refresh()
}

// simulateSoon simulates the current scenario and the baseline after the
// pause, unless something changes again; a run of a configuration that is not
// wanted any more is cancelled.
func (p *Page) simulateSoon() {
	ses := p.host.Session
	c := ses.Scenario()
	if p.wait != nil {
		p.wait()
	}
	if o := ses.Outcome(p.asked); o != nil && o.Job != nil && !slices.ContainsFunc(ses.Scenarios(), func(x session.Scenario) bool { return ses.Outcome(x) == o }) {
		o.Job.Cancel()
	}
	p.wait = background.Start(ses.Runner, func(ctx context.Context, _ func(struct{})) (struct{}, error) {
		select {
		case <-ctx.Done():
		case <-time.After(p.Pause):
		}
		return struct{}{}, ctx.Err()
	}, nil, func(_ struct{}, err error) {
		if err != nil || ses.Model() != p.model {
			return
		}
		p.asked = c
		ses.Simulate(ses.Scenarios()[0])
		ses.Simulate(c)
		if !p.away {
			p.answer.ask()
		}
	})
}

// Leave stops the curves: nobody sees them, and what another page asks for comes sooner. Scenarios are simulated to their end.
func (p *Page) Leave() {
	p.away = true
	p.answer.explore.rest()
}

// Actions are what the keys and the palette can do here.
func (p *Page) Actions() []page.Action {
	ses := p.host.Session
	return []page.Action{
		{Title: "New scenario", Key: "Ctrl+N", Run: func() { ses.AddScenario(0) }},
		{Title: "Duplicate the scenario", Key: "D", Run: func() { ses.AddScenario(ses.Current()) }},
		{Title: "Delete the scenario", Run: func() { ses.RemoveScenario(ses.Current()) }},
		{Title: "Simulate now", Key: "Ctrl+Enter", Run: func() { ses.Simulate(ses.Scenario()) }},
		{Title: "Copy as command", Key: "Ctrl+Shift+C", Run: p.answer.copyCommand},
		{Title: "Save the figure", Key: "Ctrl+E", Figure: true, Run: p.answer.save},
		{Title: "Table of the figure", Key: "T", Run: p.answer.plot.ToggleTwin},
	}
}

// finite reports whether a number can be drawn.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
