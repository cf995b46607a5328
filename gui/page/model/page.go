// Package model is the model browser: the three tiers of a model as graphs
// that can be walked, searched and overlaid with results, each with its table
// twin.
package model

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/gui/diagram"
	"tierscope/gui/graphlayout"
	"tierscope/gui/look"
	"tierscope/gui/page"
	"tierscope/gui/save"
	"tierscope/gui/session"
	ours "tierscope/gui/widget"
	"tierscope/simulation"
)

// ID is the page in session.Place.
const ID = "model"

// Page is the model browser.
type Page struct {
	host *page.Host

	graph   *ours.Graph
	minimap *ours.Minimap
	table   *ours.DataTable
	paths   []string // of the rows of the table
	twin    bool
	message *widget.Label // over the graph: laying out, or why it failed

	tiers        map[string]*widget.Button
	pool         *widget.Select
	overlay      *widget.Select
	significance *widget.Slider
	significant  *widget.Label
	hide         fyne.CanvasObject
	find         *widget.Entry
	found        *widget.Label
	legend       *widget.Label
	browser      fyne.CanvasObject
	root         *fyne.Container

	shown      string // what the graph shows: part, direction, threshold
	model      *core.Model
	direction  map[string]graphlayout.Direction
	threshold  float64 // visits per task below which a fragment is hidden
	cancel     context.CancelFunc
	updating   bool // widgets are being set, not tapped
	contrasted bool // the table shows a comparison
	player     *player
}

// New returns the page.
func New(h *page.Host) page.Page {
	p := &Page{host: h, graph: ours.NewGraph(), table: ours.NewDataTable(), message: ours.Muted(""),
		tiers: map[string]*widget.Button{}, direction: map[string]graphlayout.Direction{}, root: container.NewStack()}
	p.graph.PaintWith(h.Session.Runner)
	p.graph.Scrolls = h.WheelScrolls
	p.minimap = ours.NewMinimap(p.graph)
	p.graph.OnSelect = p.selectNode
	p.graph.OnOpen = p.openNode
	p.graph.OnMenu = p.menu
	p.graph.OnView = p.minimap.Refresh
	p.graph.OnRune = p.typed
	p.graph.OnKey = func(e *fyne.KeyEvent) {
		if e.Name == fyne.KeyBackspace {
			p.up()
		}
	}
	p.table.OnSelect = func(row int) { h.Session.Select(p.paths[row]) }
	p.table.Hide()
	p.message.Alignment = fyne.TextAlignCenter
	p.player = newPlayer(h, p.moment)
	p.browser = container.NewBorder(p.toolbar(), container.NewVBox(p.player.bar, p.footer()), nil, nil,
		container.NewStack(p.graph, p.corner(), container.NewCenter(p.message), p.table))
	return p
}

// Content returns the browser, or why there is nothing to browse.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Close implements page.Closer.
func (p *Page) Close() {
	p.player.stop()
	p.player.leave()
}

func (p *Page) toolbar() fyne.CanvasObject {
	tier := func(part, title string) *widget.Button {
		b := widget.NewButton(title, func() { p.goPart(part) })
		p.tiers[part] = b
		return b
	}
	p.pool = widget.NewSelect(nil, func(id string) {
		if !p.updating {
			p.goPart("tier2/" + id)
		}
	})
	p.pool.PlaceHolder = "of pool …"
	var names []string
	for _, o := range diagram.Overlays {
		names = append(names, string(o))
	}
	p.overlay = widget.NewSelect(names, func(string) { p.showOverlay() })
	p.overlay.SetSelected(string(diagram.NoOverlay))
	p.find = widget.NewEntry()
	p.find.SetPlaceHolder("Find  /")
	p.found = ours.Muted("")
	p.find.OnChanged = p.search
	p.find.OnSubmitted = p.search
	left := container.NewHBox(tier("tier1", "1 Network"), tier("tier2", "2 Call graph"), container.NewGridWrap(fyne.NewSize(150, p.pool.MinSize().Height), p.pool), tier("tier3", "3 Resources"))
	right := container.NewHBox(p.found,
		container.NewGridWrap(fyne.NewSize(130, p.find.MinSize().Height), p.find),
		ours.NewIconButton("Fit the graph", theme.ZoomFitIcon(), p.graph.Fit), ours.NewIconButton("Turn the layout", theme.ViewRefreshIcon(), p.turn),
		ours.NewIconButton("Table of the graph", theme.ListIcon(), p.toggleTwin), ours.NewIconButton("Save the graph", theme.DocumentSaveIcon(), p.export))
	return container.NewBorder(nil, nil, left, right)
}

func (p *Page) footer() fyne.CanvasObject {
	p.significance = widget.NewSlider(0, 100)
	p.significance.OnChangeEnded = func(float64) { p.show() }
	p.significance.OnChanged = func(v float64) { p.setThreshold(v); p.sayThreshold() }
	p.significant = ours.Muted("")
	p.hide = container.NewHBox(ours.Muted("Hide rare fragments"), container.NewGridWrap(fyne.NewSize(140, 30), p.significance), p.significant)
	p.legend = ours.Muted("")
	p.legend.SizeName = theme.SizeNameCaptionText
	p.legend.Truncation = fyne.TextTruncateEllipsis
	colour := container.NewHBox(ours.Muted("Colour"), p.overlay)
	return ours.Tight(nil, p.legend, nil, nil, container.NewBorder(nil, nil, colour, p.hide))
}

// corner puts the minimap into the lower right corner over the graph.
func (p *Page) corner() fyne.CanvasObject {
	return container.NewVBox(layout.NewSpacer(), container.NewHBox(layout.NewSpacer(), container.NewPadded(p.minimap)))
}

// setThreshold maps the slider's 0…100 to visits per task: 0, then 0.0001 to 1
// on a logarithmic scale.
func (p *Page) setThreshold(v float64) { p.threshold = threshold(v) }

func (p *Page) sayThreshold() {
	d := p.graph.Diagram()
	switch {
	case d == nil:
		p.significant.SetText("")
	case p.threshold == 0:
		p.significant.SetText(fmt.Sprintf("%d fragments, all shown", d.Total))
	default:
		p.significant.SetText(fmt.Sprintf("%d of %d fragments, at least %s per task", d.Total-d.Hidden, d.Total, rare(p.threshold)))
	}
}

// part returns the tier that the place asks for.
func (p *Page) part() string {
	if part := p.host.Session.Place().Part; part != "" {
		return part
	}
	return "tier1"
}

func (p *Page) goPart(part string) {
	ses := p.host.Session
	if part == "tier2" {
		pools := p.model.Pools
		i := slices.IndexFunc(pools, func(x core.Pool) bool { return "pools/"+x.ID == ses.Selected() })
		part += "/" + pools[max(i, 0)].ID
	}
	ses.Go(session.Place{Page: ID, Part: part, Selected: ses.Selected()})
}

// Update shows a change of the session.
func (p *Page) Update(e session.Event) {
	ses := p.host.Session
	if ses.Model() != p.model || len(p.root.Objects) == 0 {
		p.setModel(ses.Model())
	}
	if p.model == nil || ses.Place().Page != ID {
		return
	}
	switch e {
	case session.PlaceChanged, session.ModelChanged:
		p.show()
	case session.SelectionChanged:
		p.markSelected()
	case session.ResultsChanged, session.ScenariosChanged:
		p.showOverlay()
	case session.RunsChanged, session.MeasuredChanged, session.JobsChanged, session.NoticeChanged:
	case session.SettingsChanged:
		p.show()
		p.graph.Refresh()
		p.minimap.Refresh()
	}
}

func (p *Page) setModel(m *core.Model) {
	p.model, p.shown = m, ""
	p.root.RemoveAll()
	if m == nil {
		p.root.Add(ours.Empty("No model is open", "A model shows the queueing network of a program, the call graph of every thread pool, and the CPU, disks and locks that they share.",
			widget.NewButton("Start page", func() { p.host.Session.GoPage("start") })))
		return
	}
	p.root.Add(p.browser)
	var pools []string
	for _, x := range m.Pools {
		pools = append(pools, x.ID)
	}
	p.updating = true
	p.pool.SetOptions(pools)
	p.updating = false
}

// build makes the diagram of a part.
func (p *Page) build(part string) *diagram.Diagram {
	tier, pool, _ := strings.Cut(part, "/")
	switch tier {
	case "tier2":
		if g := graphOf(p.model, pool); g != nil {
			visits, least := g.Visits().Count, p.threshold
			keep := map[string]bool{}
			for i, f := range g.Fragments {
				keep[f.ID] = visits[i] >= least || f.ID == g.Entry
			}
			return diagram.CallGraph(g, func(id string) bool { return keep[id] })
		}
	case "tier3":
		return diagram.Resources(p.model)
	}
	return diagram.Network(p.model)
}

func graphOf(m *core.Model, pool string) *core.Graph {
	for _, x := range m.Pools {
		if x.ID != pool {
			continue
		}
		for i := range m.Graphs {
			if m.Graphs[i].ID == x.Graph {
				return &m.Graphs[i]
			}
		}
	}
	return nil
}

// show lays out what the place asks for, in the background.
func (p *Page) show() {
	part := p.part()
	tier, pool, _ := strings.Cut(part, "/")
	for name, b := range p.tiers {
		b.Importance = widget.MediumImportance
		if name == tier {
			b.Importance = widget.HighImportance
		}
		b.Refresh()
	}
	p.updating = true
	if tier == "tier2" {
		p.pool.SetSelected(pool)
		p.hide.Show()
	} else {
		p.pool.ClearSelected()
		p.hide.Hide()
	}
	p.updating = false
	p.player.offer(tier != "tier3")
	want := fmt.Sprintf("%s %s %g %v", part, p.direction[part], p.threshold, p.host.Session.Names())
	if want == p.shown { // results and what is compared may have changed while another page was shown
		p.showOverlay()
		p.markSelected()
		return
	}
	p.shown = want
	p.legend.SetText(legend(tier)) // of what is coming; colours say more
	d := p.build(part)
	d.Call(p.host.Session.Names())
	if dir := p.direction[part]; dir != "" {
		d.Direction = dir
	}
	p.fillTable(d)
	if p.cancel != nil {
		p.cancel()
	}
	p.graph.SetDiagram(nil) // not the last graph under the name of this one
	p.message.SetText("Laying out " + d.Name + " …")
	p.cancel = background.Start(p.host.Session.Runner, func(ctx context.Context, _ func(struct{})) (*diagram.Placed, error) {
		return diagram.Place(ctx, d, p.host.Layouter, look.Fonts())
	}, nil, func(placed *diagram.Placed, err error) {
		if p.shown != want {
			return // something else is wanted by now
		}
		if err != nil {
			p.message.SetText("The graph could not be laid out: " + err.Error() + "\nThe table (T) shows the same content.")
			return
		}
		p.message.SetText("")
		p.graph.SetDiagram(placed)
		p.moment()
		p.sayThreshold()
		p.showOverlay()
		p.markSelected()
	})
}

// markSelected shows the session's selection in graph and table.
func (p *Page) markSelected() {
	path := p.host.Session.Selected()
	if d := p.graph.Diagram(); d != nil && d.Index(path) != p.graph.Selected() {
		p.graph.Mark(d.Index(path))
	}
	p.table.Mark(slices.Index(p.paths, path))
}

func (p *Page) selectNode(i int) {
	if i < 0 {
		p.host.Session.Select("")
		return
	}
	p.host.Session.Select(p.graph.Diagram().Nodes[i].Path)
}

func (p *Page) openNode(i int) {
	n := p.graph.Diagram().Nodes[i]
	if n.Open != "" {
		p.host.Session.Go(session.Place{Page: ID, Part: n.Open, Selected: n.Path})
	}
}

// up leaves a pool for the network.
func (p *Page) up() {
	if part := p.part(); part != "tier1" {
		selected := ""
		if tier, pool, _ := strings.Cut(part, "/"); tier == "tier2" {
			selected = "pools/" + pool
		}
		p.host.Session.Go(session.Place{Page: ID, Part: "tier1", Selected: selected})
	}
}

func (p *Page) menu(i int, at fyne.Position) {
	n := p.graph.Diagram().Nodes[i]
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("What if…", func() { p.host.Session.GoPage("scenarios") }),
		fyne.NewMenuItem("Fit to selection", p.graph.FitSelection),
		fyne.NewMenuItem("Copy path", func() { fyne.CurrentApp().Clipboard().SetContent(n.Path) }),
	}
	if n.Open != "" {
		items = append([]*fyne.MenuItem{fyne.NewMenuItem("Open call graph", func() { p.openNode(i) })}, items...)
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), p.host.Window.Canvas(), at)
}

func (p *Page) search(text string) {
	n := p.graph.Find(text)
	switch {
	case text == "":
		p.found.SetText("")
	case n == 0:
		p.found.SetText("nothing found")
	default:
		p.found.SetText(fmt.Sprintf("%d found", n))
	}
}

// turn changes the direction of the edges.
func (p *Page) turn() {
	part := p.part()
	now := p.direction[part]
	if now == "" {
		if d := p.graph.Diagram(); d != nil {
			now = d.Direction
		}
	}
	p.direction[part] = map[graphlayout.Direction]graphlayout.Direction{
		graphlayout.LeftRight: graphlayout.TopDown, graphlayout.TopDown: graphlayout.LeftRight, "": graphlayout.LeftRight}[now]
	p.show()
}

func (p *Page) toggleTwin() {
	p.twin = !p.twin
	if p.twin {
		p.table.Show()
		p.graph.Hide()
		p.minimap.Hide()
	} else {
		p.table.Hide()
		p.graph.Show()
		p.minimap.Show()
	}
}

func (p *Page) typed(r rune) {
	if r == ' ' {
		p.player.toggle()
		return
	}
	for _, a := range p.Actions() {
		if a.Key == strings.ToUpper(string(r)) {
			a.Run()
			return
		}
	}
}

// result returns what colours the nodes: the current scenario's result, or
// the baseline's.
func (p *Page) result() *simulation.Result {
	ses := p.host.Session
	for _, c := range []session.Scenario{ses.Scenario(), ses.Scenarios()[0]} {
		if o := ses.Outcome(c); o != nil && o.Result != nil {
			return o.Result
		}
	}
	return nil
}

func (p *Page) showOverlay() {
	d := p.graph.Diagram()
	if d == nil {
		return
	}
	if p.showContrast(d.Diagram) {
		return
	}
	p.legend.SetText(legend(strings.SplitN(p.part(), "/", 2)[0]))
	o := diagram.Overlay(p.overlay.Selected)
	if o == diagram.NoOverlay {
		p.graph.SetOverlay(nil, nil)
		return
	}
	r := p.result()
	if r == nil {
		p.graph.SetOverlay(nil, nil)
		p.host.Session.Simulate(p.host.Session.Scenario())
		return
	}
	p.graph.SetOverlay(o.Show(d.Diagram, r))
}

func (p *Page) export() {
	d := p.graph.Diagram()
	if d == nil {
		return
	}
	save.Graph(p.host, d, look.Fonts())
}

// Keys implements page.Keyed.
func (p *Page) Keys() []page.Key { return p.host.GraphKeys() }

// Actions are what the keys and the palette can do here.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Fit the graph", Key: "0", Run: p.graph.Fit},
		{Title: "Fit the selection", Key: "F", Run: p.graph.FitSelection},
		{Title: "Find in the graph", Key: "/", Run: func() { p.host.Window.Canvas().Focus(p.find) }},
		{Title: "Turn the layout", Key: "L", Run: p.turn},
		{Title: "Table of the graph", Key: "T", Run: p.toggleTwin},
		{Title: "Up to the queueing network", Key: "Alt+Up", Run: p.up},
		{Title: "Tier 1: queueing network", Key: "1", Run: func() { p.goPart("tier1") }},
		{Title: "Tier 2: call graph", Key: "2", Run: func() { p.goPart("tier2") }},
		{Title: "Tier 3: CPU, disk and locks", Key: "3", Run: func() { p.goPart("tier3") }},
		{Title: "Save the graph as a picture", Key: "Ctrl+E", Figure: true, Run: p.export},
		{Title: "Watch the model run", Key: "Space", Run: p.player.toggle},
	}
}

// Crumbs name the tier and the pool.
func (p *Page) Crumbs() []page.Crumb {
	if p.model == nil {
		return nil
	}
	place := func(part string) session.Place { return session.Place{Page: ID, Part: part} }
	tiers := []page.Crumb{
		{Title: "tier 1: queueing network", Place: place("tier1")},
		{Title: "tier 2: call graphs", Place: place("tier2/" + p.model.Pools[0].ID)},
		{Title: "tier 3: CPU, disk, locks", Place: place("tier3")},
	}
	tier, pool, _ := strings.Cut(p.part(), "/")
	i := map[string]int{"tier1": 0, "tier2": 1, "tier3": 2}[tier]
	out := []page.Crumb{{Title: tiers[i].Title, Place: tiers[i].Place, Siblings: tiers}}
	if tier == "tier2" {
		name := p.host.Session.NameOf
		c := page.Crumb{Title: name("pools/" + pool), Place: place(p.part())}
		for _, x := range p.model.Pools {
			c.Siblings = append(c.Siblings, page.Crumb{Title: name("pools/" + x.ID), Place: place("tier2/" + x.ID)})
		}
		out = append(out, c)
	}
	return out
}
