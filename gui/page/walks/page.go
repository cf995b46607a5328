// Package walks is the page of what the recorded threads did: the episodes of each pool by their
// shape, and the walk of a thread, move by move, through its call graph.
package walks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/gui/background"
	"tierscope/gui/page"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
)

// ID is the page in session.Place.
const ID = "walks"

// widest is how many letters of what a shape does the table shows.
const widest = 90

// twoLines is the height of what is said of a move, which takes one line or two.
const twoLines = 48

// Page shows recorded walks.
type Page struct {
	host *page.Host
	root *fyne.Container
	main fyne.CanvasObject

	pool    *own.Choice
	says    *widget.Label
	shapes  *own.DataTable
	letters *widget.Label // what those of the table mean
	graph   *own.Graph
	slider  *widget.Slider
	at      *widget.Label // what the move is
	moving  bool          // the slider is being set
	model   *core.Model
	walks   *core.Walks
	all     []core.Shapes
	trouble string

	thread, move int
	example      core.Episode // that is shown
	graphOf      string       // which call graph is drawn
}

// New returns the page.
func New(h *page.Host) page.Page {
	p := &Page{host: h, root: container.NewStack(), graph: own.NewGraph(), says: own.Wrapped(""), letters: own.Caption(""), at: own.Wrapped("")}
	p.graph.PaintWith(h.Session.Runner)
	p.graph.Scrolls = h.WheelScrolls
	p.graph.OnArrow = func(k fyne.KeyName) bool { return p.press(func(a page.Action) bool { return a.Also == string(k) }) }
	p.graph.OnRune = func(r rune) { p.press(func(a page.Action) bool { return a.Key == strings.ToUpper(string(r)) }) }
	p.pool = own.NewChoice(func(string) { p.fill() })
	p.shapes = own.NewDataTable(own.Column{Title: "Episodes", Right: true}, own.Column{Title: "Time", Right: true}, own.Column{Title: "Mean", Right: true},
		own.Column{Title: "Longest", Right: true}, own.Column{Title: "Does"})
	p.shapes.Otherwise("No thread of this pool was recorded", "Choose another pool.")
	p.shapes.OnSelect = func(row int) {
		if s := p.chosen(); s != nil && row < len(s.Shapes) {
			p.show(s.Shapes[row].Longest)
		}
	}
	p.slider = widget.NewSlider(0, 1)
	p.slider.OnChanged = func(v float64) {
		if !p.moving {
			p.step(int(v) - p.move)
		}
	}
	buttons := container.NewHBox(
		own.NewIconButton("Previous episode", theme.MediaSkipPreviousIcon(), func() { p.episode(-1) }),
		own.NewIconButton("Previous move", theme.NavigateBackIcon(), func() { p.step(-1) }),
		own.NewIconButton("Next move", theme.NavigateNextIcon(), func() { p.step(1) }),
		own.NewIconButton("Next episode", theme.MediaSkipNextIcon(), func() { p.episode(1) }))
	left := container.NewBorder(container.NewVBox(p.pool, p.says), p.letters, nil, nil, p.shapes)
	at := container.NewStack(own.Gap(0, twoLines), p.at) // the buttons stay where they are
	right := container.NewBorder(nil, container.NewVBox(container.NewBorder(nil, nil, buttons, nil, p.slider), at), nil, nil, p.graph)
	split := container.NewHSplit(own.Titled("Episodes by their shape", left), own.Titled("The walk of a thread", right))
	split.SetOffset(0.5)
	p.main = split
	return p
}

// Content implements page.Page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Actions implements page.Actor.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Next move of the thread", Key: "]", Also: "Right", Run: func() { p.step(1) }},
		{Title: "Previous move of the thread", Key: "[", Also: "Left", Run: func() { p.step(-1) }},
		{Title: "Next episode of the thread", Key: "N", Run: func() { p.episode(1) }},
		{Title: "Previous episode of the thread", Key: "P", Run: func() { p.episode(-1) }},
		{Title: "Copy as command", Key: "Ctrl+Shift+C", Run: func() {
			fyne.CurrentApp().Clipboard().SetContent("tierctl walks " + session.Quote(p.host.Session.Path()) + " --pool " + session.Quote(p.pool.Value()))
		}},
	}
}

// press runs the first action that is meant.
func (p *Page) press(meant func(page.Action) bool) bool {
	all := p.Actions()
	i := slices.IndexFunc(all, meant)
	if i >= 0 {
		all[i].Run()
	}
	return i >= 0
}

// Keys implements page.Keyed.
func (p *Page) Keys() []page.Key { return p.host.GraphKeys()[1:] } // arrows go along the walk

// Update implements page.Page.
func (p *Page) Update(e session.Event) {
	switch e {
	case session.ModelChanged, session.PlaceChanged:
		p.open()
	case session.SettingsChanged:
		p.graph.Refresh()
	case session.ScenariosChanged, session.SelectionChanged, session.ResultsChanged, session.RunsChanged, session.MeasuredChanged, session.JobsChanged, session.NoticeChanged:
	}
}

// open reads the walks of a model that was not seen so far.
func (p *Page) open() {
	m := p.host.Session.Model()
	if m == p.model && len(p.root.Objects) > 0 {
		return
	}
	p.model, p.walks, p.all, p.trouble, p.graphOf = m, nil, nil, "", ""
	p.say()
	if m == nil || len(m.Walks) == 0 {
		return
	}
	type read struct {
		walks *core.Walks
		all   []core.Shapes
	}
	background.Start(p.host.Session.Runner, func(context.Context, func(struct{})) (read, error) {
		w, err := core.UnpackWalks(m.Walks)
		if err != nil {
			return read{}, err
		}
		return read{w, m.Shapes(w)}, nil
	}, nil, func(r read, err error) {
		if p.model != m {
			return
		}
		if err != nil {
			p.trouble = err.Error()
			p.say()
			return
		}
		p.walks, p.all = r.walks, r.all
		var pools []string
		for _, s := range r.all {
			pools = append(pools, s.Pool)
		}
		p.pool.SetValues(pools, func(id string) string { return "pool " + id })
		p.say()
		p.pool.Choose(busiest(r.all))
		p.fill()
	})
}

// busiest is the pool whose threads did most.
func busiest(all []core.Shapes) string {
	best, most := "", int64(-1)
	for i := range all {
		sum := int64(0)
		for j := range all[i].Shapes {
			sum += all[i].Shapes[j].Time()
		}
		if sum > most {
			best, most = all[i].Pool, sum
		}
	}
	return best
}

// say shows the walks, or why there are none.
func (p *Page) say() {
	var body fyne.CanvasObject
	switch {
	case p.model == nil:
		body = own.Empty("No model is open", "Open a project or a sample on the start page.",
			widget.NewButton("Start page", func() { p.host.Session.GoPage("start") }))
	case p.trouble != "":
		body = own.Empty("The walks cannot be read", p.trouble)
	case len(p.model.Walks) == 0:
		body = own.Empty("The model has no walks",
			"It was not made of the recording of a batch program, or by an older version: analyse the program again. A server's threads do what comes from outside, and have none.")
	case p.walks == nil:
		body = own.Empty("Reading what the threads did …", "")
	default:
		body = p.main
	}
	p.root.Objects = []fyne.CanvasObject{body}
	p.root.Refresh()
}

// chosen are the shapes of the pool that is chosen.
func (p *Page) chosen() *core.Shapes {
	i := slices.IndexFunc(p.all, func(s core.Shapes) bool { return s.Pool == p.pool.Value() })
	if i < 0 {
		return nil
	}
	return &p.all[i]
}

// fill lists the shapes of the pool, and shows the longest episode of the first.
func (p *Page) fill() {
	s := p.chosen()
	if s == nil {
		return
	}
	whole := int64(0)
	for i := range s.Shapes {
		whole += s.Shapes[i].Time()
	}
	var rows [][]own.Cell
	does, letters := spelled(s.Shapes)
	p.letters.SetText(letters)
	p.letters.Hidden = letters == ""
	for i := range s.Shapes {
		x := &s.Shapes[i]
		time := func(ns float64) own.Cell { return own.NumberCell(quantity.Format(ns*1e-9, "s"), ns) }
		share := float64(x.Time()) / float64(max(whole, 1))
		rows = append(rows, []own.Cell{own.NumberCell(quantity.Count(x.Episodes), float64(x.Episodes)), own.NumberCell(quantity.Share(share), share),
			time(float64(x.Time()) / float64(x.Episodes)), time(float64(x.Longest.Busy + x.Longest.Away)), own.TextCell(does[i])})
	}
	p.shapes.SetRows(rows)
	from := "what each thread did is one episode"
	if len(s.Takes) > 0 {
		from = "an episode is from " + strings.Join(s.Takes, " or ") + " to the next"
	}
	p.says.SetText(fmt.Sprintf("%s, %s: %s. Times are CPU times and delays, without waits for others.",
		quantity.Plural(s.Threads, "thread"), quantity.Plural(int(s.Episodes), "episode"), from))
	if len(s.Shapes) > 0 {
		p.shapes.Mark(0)
		p.show(s.Shapes[0].Longest)
	}
}
