// Package inspector is the pane beside the page: everything about the selected
// element of the model, and what could be changed about it.
package inspector

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/gui/chart"
	"tierscope/gui/diagram"
	"tierscope/gui/knob"
	"tierscope/gui/page"
	"tierscope/gui/recipe"
	"tierscope/gui/session"
	ours "tierscope/gui/widget"
)

// Inspector is the pane.
type Inspector struct {
	host    *page.Host
	body    *fyne.Container
	results *fyne.Container
	knobs   map[string]*ours.Knob // by the name of what they set, a parameter or a path
	shown   string                // path that body shows
	named   string                // what the title says
	model   *core.Model
	root    fyne.CanvasObject
}

// New returns the pane.
func New(h *page.Host) page.Page {
	i := &Inspector{host: h, body: ours.Stacked(), results: ours.Stacked(), shown: "-"}
	i.root = container.NewVScroll(container.NewPadded(i.body))
	i.show()
	return i
}

// Content returns the pane.
func (i *Inspector) Content() fyne.CanvasObject { return i.root }

// Update shows a change of the session.
func (i *Inspector) Update(e session.Event) {
	switch e {
	case session.SelectionChanged, session.ModelChanged, session.PlaceChanged:
		i.show()
	case session.ResultsChanged:
		i.showResults()
	case session.ScenariosChanged:
		i.showResults()
		for name, k := range i.knobs {
			i.setKnob(name, k)
		}
	case session.SettingsChanged:
		if i.shown != "-" && i.model != nil && i.named != i.host.Session.NameOf(i.shown) {
			i.shown = "-"
			i.show()
		}
	case session.RunsChanged, session.MeasuredChanged, session.JobsChanged, session.NoticeChanged:
	}
}

func (i *Inspector) show() {
	ses := i.host.Session
	path := ses.Selected()
	if ses.Model() == i.model && path == i.shown {
		return
	}
	i.model, i.shown = ses.Model(), path
	i.knobs = map[string]*ours.Knob{}
	i.body.RemoveAll()
	switch {
	case i.model == nil:
		i.body.Add(ours.Heading("Inspector"))
		i.body.Add(ours.Caption("Open a model; whatever you select is explained here."))
	case path == "":
		i.showModel()
	default:
		i.showElement(path)
	}
	i.body.Refresh()
}

// showModel describes the model when nothing is selected.
func (i *Inspector) showModel() {
	m := i.model
	i.body.Add(title(m.Name))
	i.body.Add(ours.Muted("model"))
	fragments := 0
	for _, g := range m.Graphs {
		fragments += len(g.Fragments)
	}
	f := newFacts()
	f.add("Pools", quantity.Count(int64(len(m.Pools))))
	f.add("Queues", quantity.Count(int64(len(m.Queues))))
	f.add("Fragments", quantity.Count(int64(fragments)))
	f.add("Locks", quantity.Count(int64(len(m.Locks))))
	f.add("Disks", quantity.Count(int64(len(m.Disks))))
	f.add("Cores", quantity.Count(int64(m.CPU.Cores)))
	i.body.Add(f.form)
	p := m.Provenance
	f = newFacts()
	f.add("Program", p.Program)
	f.add("Build", p.Build)
	f.add("Machine", p.Machine)
	f.add("Made", moment(p.Created))
	f.add("By", p.Tool)
	i.section("Provenance", f)
	if p.Command != "" {
		i.body.Add(ours.Caption(p.Command))
	}
	for _, w := range i.warnings(m) {
		i.body.Add(warning(w))
	}
	i.body.Add(ours.Caption("Select an element in a graph or a table to see its parameters, results and what could be changed."))
}

// warnings are those of the model, and of the analysis that made it.
func (i *Inspector) warnings(m *core.Model) []string {
	all := slices.Concat(m.Provenance.Warnings, m.Warnings())
	if t := i.host.Session.Trust(); t != nil {
		for _, w := range t.Warnings {
			if !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
	}
	return all
}

func title(s string) *widget.Label {
	l := ours.Heading(s)
	l.Wrapping = fyne.TextWrapWord
	return l
}

func warning(s string) fyne.CanvasObject {
	l := ours.Caption(s)
	l.Importance = widget.WarningImportance
	icon := widget.NewIcon(theme.NewWarningThemedResource(theme.WarningIcon()))
	return container.NewBorder(nil, nil, container.NewVBox(container.NewPadded(icon)), nil, l)
}

// section adds facts under a title unless there are none.
func (i *Inspector) section(name string, f *facts) {
	if f.n == 0 {
		return
	}
	i.body.Add(widget.NewSeparator())
	i.body.Add(ours.Section(name))
	i.body.Add(f.form)
}

func (i *Inspector) showElement(path string) {
	e, ok := describe(i.model, path)
	if !ok {
		i.body.Add(title(path))
		i.body.Add(ours.Caption("This model has no such element."))
		return
	}
	i.named = i.host.Session.NameOf(path)
	if i.named == "" || i.host.Session.Names()[path] == "" {
		i.body.Add(title(e.title))
		i.body.Add(ours.Muted(e.class))
	} else {
		i.body.Add(title(i.named))
		i.body.Add(ours.Wrapped(e.class + " " + e.title))
	}
	i.addName(path)
	i.body.Add(e.facts.form)
	i.addDistributions(e)
	i.body.Add(i.results)
	i.showResults()
	i.addWhatIf(path)
	i.section("Measured", e.observed)
	i.section("Source", e.origin)
	if e.note != "" {
		i.body.Add(ours.Caption(e.note))
	}
	if e.open != "" {
		i.body.Add(widget.NewButton("Open its call graph", func() {
			i.host.Session.Go(session.Place{Page: "model", Part: e.open, Selected: path})
		}))
	}
}

// addName lets the analyst call a pool, lock or queue something else.
func (i *Inspector) addName(path string) {
	if kind, _, _ := strings.Cut(path, "/"); kind != "pools" && kind != "locks" && kind != "queues" {
		return
	}
	name := widget.NewEntry()
	name.SetPlaceHolder("call it …, Enter")
	name.SetText(i.host.Session.Names()[path])
	name.OnSubmitted = func(text string) { i.host.Session.Call(path, text) }
	i.body.Add(name)
}

// addDistributions draws the laws of the element's parameters.
func (i *Inspector) addDistributions(e element) {
	for _, d := range e.laws {
		if d.law.IsZero() || d.law.Kind == core.Constant {
			continue
		}
		plot := ours.NewPlot(i.host.Session.Runner)
		plot.SetFigure(chart.Steps{X: chart.Axis{Label: d.name, Unit: d.unit}, Laws: []chart.Law{curve(d.law)}})
		i.body.Add(widget.NewSeparator())
		i.body.Add(ours.Section(d.name))
		i.body.Add(container.NewStack(ours.Gap(0, plotHeight), plot))
		i.body.Add(ours.Caption(lawWords(d)))
	}
}

// plotHeight is the height of a distribution; its width is that of the pane.
const plotHeight = 190

// points is how finely a distribution function is drawn.
const points = 60

func curve(d core.Distribution) chart.Law {
	l := chart.Law{} // one curve needs no legend
	for k := 0; k <= points; k++ {
		p := float64(k) / points
		q := min(max(p, 0.001), 0.995) // unbounded laws end somewhere
		l.Values, l.Probabilities = append(l.Values, d.Quantile(q)), append(l.Probabilities, q)
	}
	return l
}

func lawWords(d law) string {
	text := fmt.Sprintf("%s, mean %s, median %s, 95 %% at most %s", d.law.Kind,
		quantity.Format(d.law.Expectation(), d.unit), quantity.Format(d.law.Quantile(0.5), d.unit), quantity.Format(d.law.Quantile(0.95), d.unit))
	if d.law.Samples > 0 {
		text += fmt.Sprintf(", from %s observations", quantity.Count(d.law.Samples))
	}
	return text
}

// showResults lists what the current scenario's simulation says about the
// element.
func (i *Inspector) showResults() {
	i.results.RemoveAll()
	ses := i.host.Session
	if i.model == nil || i.shown == "" {
		return
	}
	o := ses.Outcome(ses.Scenario())
	if o == nil || o.Result == nil {
		return
	}
	f := newFacts()
	for _, m := range diagram.MetricsOf(o.Result, i.shown) {
		name, _, _ := strings.Cut(recipe.Label(m.Key()), ",")
		if m.Stat != "mean" {
			name += " " + m.Stat
		}
		f.add(name, quantity.Amount(m.Estimate.Mean, m.Estimate.Lo, m.Estimate.Hi, m.Unit))
	}
	if f.n == 0 {
		return
	}
	i.results.Add(widget.NewSeparator())
	i.results.Add(ours.Section("Simulated, scenario " + ses.Scenario().Name))
	i.results.Add(f.form)
	i.body.Refresh()
}

// addWhatIf offers the numbers of the element that a scenario can change; one that a parameter sets is that parameter.
func (i *Inspector) addWhatIf(path string) {
	m := i.model
	var knobs []core.Knob
	for _, k := range m.Knobs() {
		if strings.HasPrefix(k.Path, path+"/") && !strings.Contains(k.Path[len(path)+1:], "/") {
			knobs = append(knobs, k)
		}
	}
	lock, isLock := strings.CutPrefix(path, "locks/")
	if len(knobs) == 0 && !isLock {
		return
	}
	i.body.Add(widget.NewSeparator())
	i.body.Add(ours.Section("What if…"))
	for _, k := range knobs {
		spec, name := knob.Of(k), k.Path
		if p, _, driven := m.Driver(k.Path); driven {
			spec, name = knob.OfParameter(p), p.Name
		}
		if i.knobs[name] != nil {
			continue
		}
		view := ours.NewKnob(spec)
		view.OnChanged = func(v float64) { i.host.Session.Set(name, v) }
		view.OnReset = func() { i.host.Session.Reset(name) }
		i.knobs[name] = view
		i.setKnob(name, view)
		i.body.Add(view)
	}
	if isLock {
		edit := func(e core.Edit) func() {
			e.Lock = lock
			return func() { i.host.Session.SetEdit(e); i.host.Session.GoPage("scenarios") }
		}
		i.body.Add(widget.NewButton("Split into 4 stripes", edit(core.Edit{Kind: core.SplitLock, N: 4})))
		i.body.Add(widget.NewButton("Read-write lock, 90 % reads", edit(core.Edit{Kind: core.ReadWrite, Share: 0.9})))
		i.body.Add(widget.NewButton("Hold it half as long", edit(core.Edit{Kind: core.FasterCS, Factor: 2})))
	}
	i.body.Add(widget.NewButtonWithIcon("Open scenarios", theme.NavigateNextIcon(), func() { i.host.Session.GoPage("scenarios") }))
}

func (i *Inspector) setKnob(name string, k *ours.Knob) {
	v, ok := i.model.Resolved(i.host.Session.Scenario().Settings)[name]
	if !ok {
		v = k.Baseline()
	}
	k.Set(v)
}

// facts is a list of names and values; empty values are left out.
type facts struct {
	form *fyne.Container
	n    int
}

func newFacts() *facts { return &facts{form: ours.Close()} }

// nameWidth is the width of the names' column; a name or value of more letters
// than these gets lines of its own.
const (
	nameWidth = 118
	longName  = 17
	longValue = 40
	longPath  = 18 // of letters without a space between
	lineOf    = 36 // letters of a path in a line
)

func (f *facts) add(name, value string) {
	if value == "" {
		return
	}
	f.n++
	l := ours.Muted(name)
	l.Truncation = fyne.TextTruncateEllipsis
	path := len(value) > longPath && strings.Contains(value, "/") && !strings.ContainsAny(value, " \n")
	if path {
		value = folded(value)
	}
	v := ours.Wrapped(value)
	if path || len(value) > longValue || len(name) > longName {
		f.form.Add(l)
		f.form.Add(v)
		return
	}
	f.form.Add(container.NewBorder(nil, nil, container.NewGridWrap(fyne.NewSize(nameWidth, l.MinSize().Height), l), nil, v))
}

// folded breaks a path into lines after slashes: a text that wraps where its letters end is no path any more.
func folded(path string) string {
	var out strings.Builder
	line := 0
	for part := range strings.SplitAfterSeq(path, "/") {
		if line > 0 && line+len(part) > lineOf {
			out.WriteByte('\n')
			line = 0
		}
		out.WriteString(part)
		line += len(part)
	}
	return out.String()
}

// moment writes a time of a file as people read it; another text stays.
func moment(text string) string {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return t.Local().Format("2006-01-02 15:04")
}
