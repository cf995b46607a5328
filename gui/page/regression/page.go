// Package regression is the page that predicts the behaviour of threads for
// other inputs from a table of runs (ThreadMarks): the best model of every
// behaviour, predictions against measurements that the fit has not seen,
// coefficients with intervals, and what could not be modelled. Every number
// comes from analysis/regress, as for `tierctl regress`.
package regression

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/analysis/regress"
	"tierscope/core/quantity"
	"tierscope/gui/chart"
	"tierscope/gui/figure"
	"tierscope/gui/page"
	"tierscope/gui/save"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
)

// ID is the page's place.
const ID = "regression"

// Page shows a regression report.
type Page struct {
	host *page.Host
	root *fyne.Container

	load    *widget.Button
	verdict *own.Verdict
	table   *own.DataTable
	scatter *own.Plot
	terms   *own.Plot
	effect  *own.Plot
	input   *widget.Select
	choice  *widget.Label // why this model
	inputs  *fyne.Container
	answer  *widget.Label

	path   string
	rows   []regress.Row
	report *regress.Report
	shown  int                // behaviour
	at     map[string]float64 // inputs of the prediction, n among them
	job    *session.Job
}

// New returns the page.
func New(h *page.Host) page.Page {
	p := &Page{host: h, root: container.NewStack(), inputs: container.NewVBox(), at: map[string]float64{}}
	p.load = widget.NewButtonWithIcon("Open a table of runs", theme.FolderOpenIcon(), p.open)
	p.load.Importance = widget.HighImportance
	p.verdict = own.NewVerdict()
	p.table = own.NewDataTable(own.Column{Title: "Behaviour"}, own.Column{Title: "Accuracy", Right: true}, own.Column{Title: "Runs", Right: true},
		own.Column{Title: "Measured by"}, own.Column{Title: "Model"})
	p.table.OnSelect = p.choose
	p.scatter, p.terms, p.effect = own.NewPlot(h.Session.Runner), own.NewPlot(h.Session.Runner), own.NewPlot(h.Session.Runner)
	p.input = widget.NewSelect(nil, func(string) { p.drawEffect() })
	p.choice, p.answer = own.Wrapped(""), own.Wrapped("")
	p.answer.TextStyle.Bold = true
	return p
}

// Content implements page.Page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Actions implements page.Actor.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Open a table of runs", Key: "Ctrl+Enter", Run: p.open},
		{Title: "Save the figure", Key: "Ctrl+E", Figure: true, Run: func() {
			save.Figure(p.host, p.scatter.Figure(), "regression", chart.Provenance{Measured: filepath.Base(p.path), Program: p.host.Session.Program, Date: chart.Today()})
		}},
		{Title: "Show the plots as tables", Key: "T", Run: func() { p.scatter.ToggleTwin(); p.terms.ToggleTwin(); p.effect.ToggleTwin() }},
		{Title: "Copy as a command", Run: func() { fyne.CurrentApp().Clipboard().SetContent("tierctl regress " + p.path) }},
	}
}

// Update implements page.Page.
func (p *Page) Update(e session.Event) {
	if e == session.PlaceChanged || e == session.JobsChanged {
		p.show()
	}
}

func (p *Page) show() {
	switch {
	case p.job != nil && p.job.State == session.Running:
		p.root.Objects = []fyne.CanvasObject{own.Empty("Fitting", "The models of "+filepath.Base(p.path)+" are searched in the background: "+p.job.Fact)}
	case p.report == nil:
		p.root.Objects = []fyne.CanvasObject{own.Empty("No table of runs",
			"A table has a row per run: the inputs of the program, the number of threads n, and behaviours (columns named Y.NAME). tierctl regress capture makes one of a Go program.", p.load)}
	default:
		left := container.NewVSplit(p.table, container.NewHSplit(p.terms, container.NewBorder(p.input, nil, nil, nil, p.effect)))
		left.SetOffset(0.45)
		side := container.NewBorder(nil, container.NewVBox(own.Titled("Predict", p.inputs), p.answer, own.Titled("Why this model", p.choice)), nil, nil, p.scatter)
		split := container.NewHSplit(left, side)
		split.SetOffset(0.55)
		p.root.Objects = []fyne.CanvasObject{container.NewBorder(container.NewBorder(nil, nil, nil, p.load, p.verdict), nil, nil, nil, split)}
	}
	p.root.Refresh()
}

// open asks for a table.
func (p *Page) open() {
	p.host.OpenFile("The table could not be read.", []string{".csv", ".jsonl", ".json"}, func(path string, data []byte) { p.Read(path, string(data)) })
}

// Read reads a table and fits its behaviours in the background. Rows that
// cannot be used become a notice; the others are used.
func (p *Page) Read(path, text string) {
	rows, err := regress.ReadTable(strings.NewReader(text), nil)
	if err != nil {
		p.host.Session.Notify(session.Failure(fmt.Sprintf("%d rows of %s are used; others cannot be.", len(rows), filepath.Base(path)), err))
	}
	if len(rows) == 0 {
		return
	}
	p.path, p.rows, p.report, p.at = path, rows, nil, map[string]float64{}
	p.job = session.StartJob(p.host.Session, "Regression of "+filepath.Base(path), func(ctx context.Context, report func([2]int)) (*regress.Report, error) {
		return regress.Study{Progress: func(done, of int) { report([2]int{done, of}) }}.Run(ctx, rows)
	}, func(j *session.Job, now [2]int) {
		j.Fraction = float64(now[0]) / float64(max(now[1], 1))
		j.Fact = fmt.Sprintf("%d of %d behaviours", now[0], now[1])
	}, func(_ *session.Job, r *regress.Report, _ error) {
		if r != nil {
			p.report = r
			p.fill()
		}
		p.show()
	})
	p.show()
}

func (p *Page) fill() {
	all, modelled, accuracy := p.report.Coverage()
	text := fmt.Sprintf("%d of %d behaviours are modelled", modelled, all)
	if modelled > 0 {
		text += fmt.Sprintf(", with a mean accuracy of %.3f on runs that the fit has not seen", accuracy)
	}
	confidence := own.Good
	if 10*modelled < 9*all {
		confidence = own.Fair
	}
	if modelled == 0 {
		confidence = own.Weak
	}
	p.verdict.Set(text+".", confidence, "Accuracy is the mean of 1 − |y − ŷ|/|y|; a behaviour is modelled from 0.7 (Wu et al. 2010, §5).")
	var rows [][]own.Cell
	for _, b := range p.report.Behaviours {
		accuracy := own.TextCell("–")
		if len(b.Evaluation.Splits) > 0 {
			accuracy = own.NumberCell(fmt.Sprintf("%.3f", b.Evaluation.HeldOut), b.Evaluation.HeldOut)
		}
		model := own.TextCell(b.Unmodelled)
		model.Tone = own.Quiet
		if b.Acceptable() {
			model = own.TextCell(b.Selection.Model.Formula())
		}
		rows = append(rows, []own.Cell{own.TextCell(b.Label()), accuracy, own.NumberCell(fmt.Sprint(b.Runs), float64(b.Runs)), own.TextCell(b.Source), model})
	}
	p.table.SetRows(rows)
	p.choose(max(0, slices.IndexFunc(p.report.Behaviours, regress.Behaviour.Acceptable)))
}

// behaviour returns the one that is shown.
func (p *Page) behaviour() regress.Behaviour { return p.report.Behaviours[p.shown] }

// choose shows a behaviour.
func (p *Page) choose(row int) {
	p.shown = row
	b := p.behaviour()
	why := cmp.Or(b.Unmodelled, "no input explains it")
	p.scatter.Otherwise("No run was held out", "The behaviour is not predicted: "+why+".")
	p.terms.Otherwise("No coefficients", "The behaviour has no model beyond a constant: "+why+".")
	p.effect.Otherwise("No input has an effect", "The behaviour has no model beyond a constant: "+why+".")
	p.scatter.SetFigure(figure.HeldOut(b))
	p.terms.SetFigure(figure.Coefficients(b))
	var reasons []string
	for _, c := range b.Selection.Candidates {
		reasons = append(reasons, string(c.Model.Form)+": "+c.Why)
	}
	for _, d := range b.Selection.Dropped {
		reasons = append(reasons, "without "+d.Name+": "+d.Reason)
	}
	const most = 8
	if len(reasons) > most {
		reasons = append(reasons[:most], fmt.Sprintf("… and %d more", len(reasons)-most))
	}
	if advice := b.Advice(); len(advice) > 0 && !b.Acceptable() {
		reasons = append(advice, reasons...)
	}
	p.choice.SetText(strings.Join(reasons, "\n"))
	p.sliders(b)
	p.input.Options, p.input.Selected = nil, ""
	if len(b.Selection.Candidates) > 0 {
		p.input.Options = b.Selection.Model.Inputs()
	}
	if len(p.input.Options) > 0 {
		p.input.Selected = p.input.Options[0]
	}
	p.input.Refresh()
	p.drawEffect()
}

// sliders makes a slider for every input of the model, over the range that was
// seen.
func (p *Page) sliders(b regress.Behaviour) {
	p.inputs.RemoveAll()
	p.answer.SetText("")
	if len(b.Selection.Candidates) == 0 {
		return
	}
	for _, name := range append(b.Selection.Model.Inputs(), "n") {
		var values []float64
		for _, s := range b.Samples {
			if name == "n" {
				values = append(values, s.Threads)
			} else {
				values = append(values, s.Variables[name])
			}
		}
		lo, hi := slices.Min(values), slices.Max(values)
		if lo == hi {
			p.at[name] = lo
			continue
		}
		slider := widget.NewSlider(lo, hi)
		slider.Step = (hi - lo) / 100
		if _, ok := p.at[name]; !ok {
			p.at[name] = (lo + hi) / 2
		}
		slider.Value = p.at[name]
		label := own.Muted(name + " " + quantity.Digits(p.at[name], 4))
		slider.OnChanged = func(v float64) {
			p.at[name] = v
			label.SetText(name + " " + quantity.Digits(v, 4))
			p.predict()
		}
		p.inputs.Add(container.NewBorder(nil, nil, label, nil, slider))
	}
	p.predict()
}

// predict says what the model expects for the sliders, with the interval of a run, what
// speaks against it, and which runs would help.
func (p *Page) predict() {
	b := p.behaviour()
	f, err := b.Forecast(p.at)
	if err != nil {
		p.answer.SetText(err.Error() + ".")
		return
	}
	lines := []string{fmt.Sprintf("%s = %s (95 %% of runs: %s … %s)", b.Name, quantity.Digits(f.Value, 4), quantity.Digits(f.Lo, 4), quantity.Digits(f.Hi, 4))}
	lines = append(lines, f.Warnings...)
	if next := b.More(f); next != "" {
		lines = append(lines, next)
	}
	p.answer.SetText(strings.Join(append(lines, b.Advice()...), "\n"))
	p.drawEffect()
}

func (p *Page) drawEffect() {
	b := p.behaviour()
	if len(b.Selection.Candidates) == 0 || p.input.Selected == "" {
		p.effect.SetFigure(nil)
	} else {
		p.effect.SetFigure(figure.Effect(b, p.input.Selected, p.at, p.at["n"]))
	}
}
