// Package predictability is the page of the problem sizes between which the
// time of a program can be predicted: CPU time over size with the point of
// predictability and that of unpredictability, the slow-down in a heap, and what
// compilation and collection take. Every number comes from
// analysis/predictability, as for `tierctl predictability`.
package predictability

import (
	"fmt"
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/analysis/predictability"
	"tierscope/core/quantity"
	"tierscope/gui/figure"
	"tierscope/gui/page"
	"tierscope/gui/save"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
)

// ID is the page's place.
const ID = "predictability"

// Page shows a study.
type Page struct {
	host *page.Host
	root *fyne.Container

	load           *widget.Button
	verdict        *own.Verdict
	plot           *own.Plot
	slow, shares   *own.Plot
	limits         *own.DataTable
	heap, size     *widget.Slider
	heapAt, sizeAt *widget.Label
	answer         *widget.Label
	notes          *fyne.Container
	drawn          *predictability.Study // what the figures show
}

// New returns the page.
func New(h *page.Host) page.Page {
	p := &Page{host: h, root: container.NewStack(), notes: container.NewVBox()}
	p.load = widget.NewButtonWithIcon("Open a study", theme.FolderOpenIcon(), p.open)
	p.verdict = own.NewVerdict()
	p.plot, p.slow, p.shares = own.NewPlot(h.Session.Runner), own.NewPlot(h.Session.Runner), own.NewPlot(h.Session.Runner)
	p.limits = own.NewDataTable(own.Column{Title: "Heap", Right: true}, own.Column{Title: "PoU", Right: true}, own.Column{Title: "interval", Right: true},
		own.Column{Title: "exhausted", Right: true}, own.Column{Title: "measured", Right: true}, own.Column{Title: "error", Right: true})
	p.slow.Otherwise("No heap was studied", "tierctl predictability java (or go) finds with --heap SIZE from which problem size on that heap is too small.")
	p.shares.Otherwise("No shares", "The study has no run of which compilation and collection are known.")
	p.limits.Otherwise("No heap was studied", "--heap SIZE studies one.")
	p.limits.OnSelect = func(row int) { p.heap.SetValue(math.Log2(float64(p.study().PoU[row].Heap))) }
	p.heap, p.size = widget.NewSlider(0, 1), widget.NewSlider(0, 1)
	p.heap.Step, p.size.Step = 0.01, 0.01 // of a doubling
	p.heap.OnChanged = func(float64) { p.draw() }
	p.size.OnChanged = func(float64) { p.predict() }
	p.heapAt, p.sizeAt = own.Muted(""), own.Muted("")
	p.answer = own.Wrapped("")
	p.answer.TextStyle.Bold = true
	return p
}

// Content implements page.Page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Actions implements page.Actor.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Open a study of predictability", Key: "Ctrl+Enter", Run: p.open},
		{Title: "Save the figure", Key: "Ctrl+E", Figure: true, Run: func() { save.Figure(p.host, p.plot.Figure(), "predictability", p.host.Session.Provenance()) }},
		{Title: "Show the plots as tables", Key: "T", Run: func() { p.plot.ToggleTwin(); p.slow.ToggleTwin(); p.shares.ToggleTwin() }},
		{Title: "Copy as a command", Run: func() { fyne.CurrentApp().Clipboard().SetContent(p.command()) }},
	}
}

// command is the line that makes the study again.
func (p *Page) command() string {
	s := p.study()
	if s == nil {
		return "tierctl predictability java -- java -cp CLASSES MAIN {n}"
	}
	words := []string{"tierctl predictability", string(s.Runtime)}
	rest := s.Command
	if s.Runtime == predictability.Go {
		words, rest = append(words, session.Quote(rest[0])), rest[1:]
	}
	for _, u := range s.PoU {
		words = append(words, "--heap", fmt.Sprintf("%gMB", float64(u.Heap)/(1<<20)))
	}
	if p.host.Session.Path() != "" {
		words = append(words, "--project", session.Quote(p.host.Session.Path()))
	}
	words = append(words, "--")
	for _, w := range rest {
		words = append(words, session.Quote(w))
	}
	return strings.Join(words, " ")
}

// Update implements page.Page.
func (p *Page) Update(e session.Event) {
	switch e {
	case session.ModelChanged, session.PlaceChanged, session.ScenariosChanged:
		p.show()
	case session.JobsChanged, session.MeasuredChanged, session.SelectionChanged, session.ResultsChanged, session.RunsChanged, session.NoticeChanged, session.SettingsChanged:
	}
}

func (p *Page) study() *predictability.Study { return p.host.Session.Predictability() }

func (p *Page) show() {
	s := p.study()
	switch {
	case s == nil:
		p.drawn = nil
		p.root.Objects = []fyne.CanvasObject{own.Empty("No study of predictability",
			"tierctl predictability java (or go) runs a program at small sizes and finds between which sizes its time can be predicted. With --project it belongs to this project, and scenarios outside carry a warning.", p.load)}
	case p.drawn != s:
		p.drawn = s
		p.fill()
		below := container.NewHSplit(p.slow, p.shares)
		left := container.NewVSplit(p.plot, below)
		left.SetOffset(0.58)
		side := container.NewBorder(container.NewVBox(own.Titled("Heap", container.NewBorder(nil, nil, p.heapAt, nil, p.heap)),
			own.Titled("Problem size", container.NewBorder(nil, nil, p.sizeAt, nil, p.size)), p.answer), own.Titled("Notes", p.notes), nil, nil, p.limits)
		all := container.NewHSplit(left, side)
		all.SetOffset(0.66)
		p.root.Objects = []fyne.CanvasObject{container.NewBorder(container.NewBorder(nil, nil, nil, p.load, p.verdict), nil, nil, nil, all)}
	default:
		p.sentence()
	}
	p.root.Refresh()
}

// fill shows another study.
func (p *Page) fill() {
	s := p.study()
	var rows [][]own.Cell
	smallest, largest := math.Inf(1), 0.0
	for _, u := range s.PoU {
		measured, missed := own.TextCell(u.MeasuredText()), own.TextCell("")
		if at, ok := u.Measured(); ok {
			measured = own.NumberCell(u.MeasuredText(), at)
			missed = own.NumberCell(quantity.Change(u.Size/at-1), u.Size/at-1)
		}
		rows = append(rows, []own.Cell{own.NumberCell(predictability.Megabytes(u.Heap), float64(u.Heap)), own.NumberCell(fmt.Sprintf("%.4g", u.Size), u.Size),
			own.TextCell(fmt.Sprintf("%.4g…%.4g", u.Lower, u.Upper)), own.NumberCell(fmt.Sprintf("%.4g", u.Exhausted), u.Exhausted), measured, missed})
		smallest, largest = math.Min(smallest, float64(u.Heap)), math.Max(largest, float64(u.Heap))
	}
	p.limits.SetRows(rows)
	p.heap.OnChanged, p.size.OnChanged = nil, nil
	if s.Surface != nil && len(s.PoU) > 0 {
		p.heap.Min, p.heap.Max = math.Log2(smallest)-1, math.Log2(largest)+1
		p.heap.Value = math.Log2(float64(s.PoU[0].Heap))
		p.heap.Enable()
	} else {
		p.heap.Disable()
	}
	lo, hi := s.Range()
	p.size.Min, p.size.Max = math.Log2(lo), math.Log2(hi)+1
	p.size.Value = math.Log2(math.Sqrt(lo * hi))
	p.heap.OnChanged, p.size.OnChanged = func(float64) { p.draw() }, func(float64) { p.predict() }
	p.heap.Refresh()
	p.size.Refresh()
	p.shares.SetFigure(figure.Shares(s))
	p.notes.RemoveAll()
	p.notes.Add(own.Wrapped(fmt.Sprintf("CPU time: %s s; the order is by %s.", s.Formula(), s.OrderBy)))
	if mean, n := s.CheckError(); n > 0 {
		p.notes.Add(own.Wrapped(fmt.Sprintf("It misses %d larger sizes, which it has not seen, by %s on average.", n, quantity.Share(mean))))
	}
	for _, w := range s.Warnings {
		p.notes.Add(own.Wrapped(w))
	}
	p.draw()
}

// limit is the PoU of the heap that the slider says, nil without one.
func (p *Page) limit() *predictability.PoU {
	s := p.study()
	if s.Surface == nil {
		if len(s.PoU) > 0 {
			return &s.PoU[0]
		}
		return nil
	}
	heap := int64(math.Exp2(p.heap.Value))
	for i := range s.PoU {
		if near := math.Log2(float64(s.PoU[i].Heap)) - p.heap.Value; math.Abs(near) <= p.heap.Step {
			return &s.PoU[i]
		}
	}
	return s.PoUOf(heap)
}

func (p *Page) draw() {
	s, u := p.study(), p.limit()
	p.plot.SetFigure(figure.Predictability(s, u))
	p.heapAt.SetText("")
	p.slow.SetFigure(nil)
	if u != nil {
		p.heapAt.SetText(predictability.Megabytes(u.Heap))
		p.slow.SetFigure(figure.Slowdown(s, u.Heap))
	}
	p.sentence()
	p.predict()
}

// sentence says between which sizes the time is predictable, and what that
// means for the scenario.
func (p *Page) sentence() {
	s, u := p.study(), p.limit()
	text := s.Program + " is predictable "
	switch {
	case s.PoP != nil && u != nil:
		text += fmt.Sprintf("from size %.4g to %.4g in a heap of %s.", s.PoP.Size, u.Size, predictability.Megabytes(u.Heap))
	case s.PoP != nil:
		text += fmt.Sprintf("from size %.4g on; heaps were not studied.", s.PoP.Size)
	case u != nil:
		text += fmt.Sprintf("up to size %.4g with a limit of %s.", u.Size, predictability.Megabytes(u.Heap))
	default:
		text += "at all sizes; heaps were not studied."
	}
	confidence, rule := own.Good, "CPU time is the median of several runs. PoP: compilation takes less than its share from there on. PoU: extrapolated from smaller sizes in smaller heaps."
	if len(s.Warnings) > 0 {
		confidence = own.Fair
	}
	if why := p.host.Session.Outside(p.host.Session.Scenario()); why != "" {
		text += " The scenario " + p.host.Session.Scenario().Name + " is not: " + why + "."
		confidence = own.Weak
	}
	p.verdict.Set(text, confidence, rule)
}

// predict says what the slider's size costs.
func (p *Page) predict() {
	s, u := p.study(), p.limit()
	n := math.Round(math.Exp2(p.size.Value))
	p.sizeAt.SetText(fmt.Sprintf("%.4g", n))
	text := "CPU time " + quantity.Format(s.At(n), "s") + " in an ample heap"
	heap := int64(0)
	if u != nil {
		heap = u.Heap
		if s.Surface != nil {
			if slow := s.SlowdownAt(n, heap); math.IsInf(slow, 0) || n >= u.Exhausted {
				text += "; " + predictability.Megabytes(heap) + " are exhausted"
			} else {
				text += fmt.Sprintf(", %.2f times that in %s", slow, predictability.Megabytes(heap))
			}
		}
	}
	if why := s.Outside(n, heap); why != "" {
		text += ". Not predictable: " + why
	}
	p.answer.SetText(text + ".")
}

// open asks for a study.
func (p *Page) open() {
	p.host.OpenFile("The study could not be read.", []string{".json"}, func(_ string, data []byte) { p.Read(string(data)) })
}

// Read takes a study that tierctl predictability wrote.
func (p *Page) Read(text string) {
	var s predictability.Study
	if err := predictability.Format.Unmarshal([]byte(text), &s); err != nil {
		p.host.Session.Notify(session.Failure("The study cannot be used.", err))
		return
	}
	p.host.Session.SetPredictability(&s)
}
