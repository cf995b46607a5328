// Package start is the page on which the window opens: what to do first, the
// samples, what was open last, and where to drop a file.
package start

import (
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/page"
	"tierscope/gui/session"
	ours "tierscope/gui/widget"
)

// ID is the page in session.Place.
const ID = "start"

// Sample is a project that comes with the program.
type Sample struct {
	Path, Title, Text string
}

// Page is the start page.
type Page struct {
	host    *page.Host
	samples []Sample
	open    func() // the dialog
	recent  *fyne.Container
	present *fyne.Container
	root    fyne.CanvasObject
}

// New returns the page with the samples that exist under dir; open asks for a
// project.
func New(h *page.Host, dir string, open func()) page.Page {
	p := &Page{host: h, samples: find(dir), open: open, recent: container.NewVBox(), present: container.NewStack()}
	p.root = container.NewVScroll(ours.Centered(1040, container.NewVBox(
		ours.Gap(0, 12), p.title(), ours.Gap(0, 4), p.present, p.sampleCards(), ours.Gap(0, 6),
		ours.Columns(cardWidth, p.own(), ours.Titled("Recent", p.recent)), ours.Gap(0, 6), p.steps())))
	p.show()
	return p
}

// cardWidth is the least width of a card.
const cardWidth = 230

// known are the samples in the order shown, by folder name.
var known = []Sample{
	{"web-server.tier", "Web server", "An HTTP server puts its requests into a bounded queue, and a pool of workers renders a document for each. At which load does it tip over, and would more workers help?"},
	{"renderer.tier", "Tile renderer", "A pool renders the tiles of a picture; some cost far more than others. How far does it scale with threads and cores?"},
	{"cache.tier", "Cache under a lock", "Workers share one cache and copy its blocks while they hold the lock. What would more threads bring, or splitting the lock?"},
	{"montecarlo.tier", "Java executor", "An executor of the JVM prices options by simulation; until its code is compiled it is slow. How much do more threads and cores bring?"},
	{"slow-disk.tier", "Web server on a slow disk", "Workers read thousands of files from a disk with an arm. The disk decides when it tips over: 52 configurations were measured, from one that was recorded."},
}

// find returns the known samples that are in dir, and others that are.
func find(dir string) []Sample {
	var out []Sample
	listed := map[string]bool{}
	for _, s := range known {
		listed[s.Path] = true
		path := filepath.Join(dir, s.Path)
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			s.Path = path
			out = append(out, s)
		}
	}
	entries, _ := os.ReadDir(dir) // a missing folder has no samples
	for _, e := range entries {
		if e.IsDir() && strings.HasSuffix(e.Name(), ".tier") && !listed[e.Name()] {
			out = append(out, Sample{filepath.Join(dir, e.Name()), strings.TrimSuffix(e.Name(), ".tier"), "A project that came with the program."})
		}
	}
	return out
}

// Content returns the page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

func (p *Page) title() fyne.CanvasObject {
	title := widget.NewLabelWithStyle("How fast would it be, if …?", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	title.SizeName = theme.SizeNameHeadingText
	text := ours.Wrapped("Tierscope watches a multithreaded program in one run, builds a model of it, and predicts response time, throughput and utilization in configurations that nobody has run.")
	return container.NewVBox(title, text)
}

func (p *Page) sampleCards() fyne.CanvasObject {
	if len(p.samples) == 0 {
		return container.NewVBox()
	}
	var cards []fyne.CanvasObject
	for _, s := range p.samples {
		b := widget.NewButtonWithIcon("Open "+s.Title, theme.MediaPlayIcon(), func() { p.host.OpenSample(s.Path) })
		b.Importance = widget.HighImportance
		cards = append(cards, ours.Titled(s.Title, container.NewBorder(nil, ours.Inset(b), nil, nil, ours.Wrapped(s.Text))))
	}
	return container.NewVBox(ours.Section("Try it in one minute"), ours.Columns(cardWidth, cards...))
}

func (p *Page) own() fyne.CanvasObject {
	analyse := widget.NewButtonWithIcon("Analyse my program", theme.SearchIcon(), func() { p.host.Session.GoPage("analyse") })
	analyse.Importance = widget.HighImportance
	open := widget.NewButtonWithIcon("Open project or model…", theme.FolderOpenIcon(), p.open)
	return ours.Titled("Your own program", container.NewVBox(ours.Inset(analyse), ours.Inset(open),
		ours.Caption("Or drop a project folder (.tier), a bundle (.tierz), a model (.json) or measurements (.csv) anywhere on the window.")))
}

func (p *Page) steps() fyne.CanvasObject {
	step := func(n, title, text string) fyne.CanvasObject {
		return ours.Card(container.NewVBox(ours.Section(n+"  "+title), ours.Caption(text)))
	}
	return ours.Columns(cardWidth,
		step("1", "Build", "One run of the real program gives the model: queues, call graphs, CPU, disk and locks."),
		step("2", "Ask", "Change threads, cores, load or code. An estimate comes at once, the simulation sharpens it."),
		step("3", "Judge", "Compare scenarios, check predictions against measurements, find the best configuration."),
		step("4", "Tell", "Figures and a report that say where every number came from."))
}

// Update shows what is open and what was.
func (p *Page) Update(e session.Event) {
	switch e {
	case session.PlaceChanged, session.ModelChanged, session.SettingsChanged:
		p.show()
	case session.SelectionChanged, session.ScenariosChanged, session.ResultsChanged, session.RunsChanged, session.MeasuredChanged, session.JobsChanged, session.NoticeChanged:
	}
}

func (p *Page) show() {
	ses := p.host.Session
	p.present.RemoveAll()
	if m := ses.Model(); m != nil {
		text := ours.Wrapped(m.Name + " is open.")
		text.TextStyle.Bold = true
		buttons := container.NewHBox(
			widget.NewButton("Look at the model", func() { ses.GoPage("model") }),
			widget.NewButton("Ask what if", func() { ses.GoPage("scenarios") }))
		p.present.Add(ours.Card(container.NewBorder(nil, nil, nil, container.NewCenter(buttons), text)))
	}
	p.recent.RemoveAll()
	for _, path := range ses.Recent() {
		open := widget.NewButton(filepath.Base(path), func() { p.host.Open(path) })
		open.Alignment, open.Importance = widget.ButtonAlignLeading, widget.LowImportance
		forget := ours.NewIconButton("Forget "+filepath.Base(path), theme.CancelIcon(), func() { ses.Forget(path) })
		where := ours.Muted(filepath.Dir(path))
		where.Truncation = fyne.TextTruncateEllipsis
		p.recent.Add(container.New(layout.NewBorderLayout(nil, nil, open, forget), open, forget, where))
	}
	if len(ses.Recent()) == 0 {
		p.recent.Add(ours.Caption("Nothing yet. What you open appears here."))
	}
	p.present.Refresh()
	p.recent.Refresh()
}

// Actions are what the palette can do here.
func (p *Page) Actions() []page.Action {
	var out []page.Action
	for _, s := range p.samples {
		out = append(out, page.Action{Title: "Open sample " + s.Title, Run: func() { p.host.OpenSample(s.Path) }})
	}
	return out
}
