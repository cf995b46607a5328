package validate

import (
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/chart"
	"tierscope/gui/figure"
	"tierscope/gui/page"
	"tierscope/gui/recipe"
	"tierscope/gui/save"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/measure/table"
	"tierscope/measure/validate"
)

// Views of the comparison.
const (
	lines   = "Lines"
	scatter = "45°"
	heatMap = "Heat-map"
	blame   = "Blame"
)

var views = []string{lines, scatter, heatMap, blame}

// Page compares predictions with measurements.
type Page struct {
	host *page.Host
	root *fyne.Container

	verdict *own.Verdict
	file    *widget.Select
	metric  *widget.Select
	view    *widget.RadioGroup
	log     *widget.Check
	run     *widget.Button
	plot    *own.Plot
	table   *own.DataTable
	remarks *widget.Label // on rows of the table
	summary *own.DataTable

	report  *validate.Report
	about   string // file that report is about
	shown   []validate.Comparison
	dropped string // file that was dropped on the window last
	job     *session.Job

	form      *campaignForm // of the last dialog that measures
	measuring *session.Job  // nil: nothing was measured in this session
}

// New returns the page.
func New(h *page.Host) page.Page {
	p := &Page{host: h, root: container.NewStack()}
	p.verdict = own.NewVerdict(widget.NewButton("Show worst", p.showWorst))
	p.file = widget.NewSelect(nil, func(string) { p.start() })
	p.metric = widget.NewSelect(nil, func(string) { p.fill() })
	p.view = widget.NewRadioGroup(views, func(string) { p.draw() })
	p.view.Horizontal, p.view.Required, p.view.Selected = true, true, lines
	p.log = widget.NewCheck("log", func(bool) { p.draw() })
	p.run = widget.NewButtonWithIcon("Predict and compare", theme.MediaPlayIcon(), p.start)
	p.plot = own.NewPlot(h.Session.Runner)
	p.plot.OnTap = p.openScenario
	p.table, p.remarks = own.NewDataTable(), own.Caption("")
	p.table.OnSelect = func(row int) { p.openScenario(p.shown[row].Name) }
	p.summary = own.NewDataTable()
	return p
}

// Content implements page.Page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Actions implements page.Actor.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Predict and compare", Key: "Ctrl+Enter", Run: p.start},
		{Title: "Import measurements", Run: p.importCSV},
		{Title: "Measure the real program", Run: p.Measure},
		{Title: "Save the figure", Key: "Ctrl+E", Figure: true, Run: p.save},
		{Title: "Show the plot as a table", Key: "T", Run: p.plot.ToggleTwin},
		{Title: "Copy the comparison as a command", Run: p.copyCommand},
	}
}

// Update implements page.Page.
func (p *Page) Update(e session.Event) {
	switch e {
	case session.ModelChanged:
		p.report, p.about = nil, ""
		p.show()
	case session.PlaceChanged, session.MeasuredChanged:
		p.show()
		if part := p.host.Session.Place().Part; e == session.PlaceChanged && part != "" && part != p.dropped && p.host.Session.Model() != nil {
			p.dropped = part
			p.importFile(part)
		}
		if p.report == nil && len(p.host.Session.Measured()) > 0 {
			p.start()
		}
	case session.JobsChanged:
		p.showJob()
	case session.ScenariosChanged, session.SelectionChanged, session.ResultsChanged, session.RunsChanged, session.NoticeChanged, session.SettingsChanged:
	}
}

func (p *Page) show() {
	s := p.host.Session
	files := s.Measured()
	switch {
	case s.Model() == nil:
		p.root.Objects = []fyne.CanvasObject{own.Empty("No model is open", "Open a project or a sample on the start page.",
			widget.NewButton("Start page", func() { s.GoPage("start") }))}
	case len(files) == 0 && p.busy():
		p.root.Objects = []fyne.CanvasObject{own.Empty("Measuring the real program …", p.measuring.Fact,
			widget.NewButton("Cancel, keep finished runs", p.measuring.Cancel))}
	case len(files) == 0:
		p.root.Objects = []fyne.CanvasObject{own.Empty("Nothing has been measured yet",
			"Import a CSV file with measurements of the real program, or measure it over a grid of configurations. Every configuration is then predicted and compared.",
			widget.NewButton("Import CSV", p.importCSV),
			widget.NewButton("Measure the program …", p.Measure))}
	default:
		p.file.Options = nil
		for _, f := range files {
			p.file.Options = append(p.file.Options, f.Name())
		}
		if p.file.SelectedIndex() < 0 {
			p.file.Selected = p.file.Options[0]
			p.report, p.about = nil, ""
		}
		p.file.Refresh()
		p.build()
	}
	p.root.Refresh()
}

func (p *Page) build() {
	saveButton := widget.NewButtonWithIcon("Save", theme.DocumentSaveIcon(), p.save)
	importButton := widget.NewButtonWithIcon("Import CSV", theme.ContentAddIcon(), p.importCSV)
	measureButton := widget.NewButtonWithIcon("Measure …", theme.MediaRecordIcon(), p.Measure)
	top := container.NewBorder(nil, nil, own.Muted("Measured"), container.NewHBox(importButton, measureButton, p.run), p.file)
	if p.report == nil {
		hint := "The model is simulated in every configuration that was measured, and compared."
		if p.job != nil && p.job.State == session.Running {
			hint = "The measured configurations are being simulated."
			if p.job.Fact != "" {
				hint = "The measured configurations are being simulated: " + p.job.Fact + "."
			}
		}
		p.root.Objects = []fyne.CanvasObject{container.NewBorder(top, nil, nil, nil, own.Empty("Not compared yet", hint))}
		return
	}
	controls := container.NewVBox(p.view, container.NewBorder(nil, nil, nil, container.NewHBox(p.log, saveButton), p.metric))
	right := container.NewVSplit(container.NewBorder(controls, nil, nil, nil, p.plot), p.summary)
	right.SetOffset(0.75)
	left := fyne.CanvasObject(p.table)
	if p.remarks.Text != "" {
		remarked := container.NewVSplit(p.table, container.NewVScroll(p.remarks))
		remarked.SetOffset(0.7)
		left = remarked
	}
	split := container.NewHSplit(own.Titled("Configurations", left), right)
	split.SetOffset(0.55)
	p.root.Objects = []fyne.CanvasObject{container.NewBorder(container.NewVBox(top, p.verdict), nil, nil, nil, split)}
}

// start predicts every measured configuration in the background.
func (p *Page) start() {
	s := p.host.Session
	i := p.file.SelectedIndex()
	if s.Model() == nil || i < 0 || i >= len(s.Measured()) || p.job != nil && p.job.State == session.Running {
		return
	}
	file, model := s.Measured()[i], s.Model()
	_, pool := s.Simulator()
	options := s.Options()
	options.Pool = pool
	q := validate.Request{Model: *s.Model(), Measured: file.Table, Options: options, Simulate: s.Kept("validation")}
	type step struct{ done, planned int }
	p.job = session.StartJob(s, "Compare with "+file.Name(), func(ctx context.Context, report func(step)) (*validate.Report, error) {
		q.Progress = func(done, planned int) { report(step{done, planned}) }
		return validate.Run(ctx, q)
	}, func(j *session.Job, now step) {
		j.Fraction = float64(now.done) / math.Max(float64(now.planned), 1)
		j.Fact = fmt.Sprintf("%d of %d configurations", now.done, now.planned)
	}, func(_ *session.Job, r *validate.Report, _ error) {
		if s.Model() != model {
			return
		}
		if p.file.Selected != file.Name() { // another file was chosen meanwhile
			p.job = nil
			p.start()
			return
		}
		if r != nil {
			p.report, p.about = r, file.Name()
			p.fillReport()
		}
		p.show()
	})
	p.show()
}

// busy reports whether the real program is being measured.
func (p *Page) busy() bool { return p.measuring != nil && p.measuring.State == session.Running }

func (p *Page) showJob() {
	if p.job != nil && p.job.State == session.Running {
		p.run.Disable()
		if p.report == nil {
			p.show()
		}
		return
	}
	if p.report == nil && p.busy() {
		p.show()
	}
	p.run.Enable()
}

// fillReport shows a new report: verdict, summary, and the first metric.
func (p *Page) fillReport() {
	r := p.report
	mark := map[validate.Answer]own.Mark{validate.Yes: own.YesMark, validate.Mostly: own.YesMark, validate.Partly: own.PartlyMark, validate.No: own.NoMark, validate.NoAnswer: own.UnjudgedMark}
	p.verdict.Answer(mark[r.Verdict.Answer], r.Verdict.Sentence, own.Confidence(r.Verdict.Confidence), r.Verdict.Rule)
	p.host.Session.Validated(p.about, r)
	var rows [][]own.Cell
	p.metric.Options = nil
	saturated := slices.ContainsFunc(r.Accuracies, func(a validate.Accuracy) bool { return a.Saturated.N > 0 })
	for _, a := range r.Accuracies {
		p.metric.Options = append(p.metric.Options, a.Metric)
		rows = append(rows, summaryRow(a, saturated))
	}
	p.summary.SetColumns(summaryColumns(saturated)...)
	p.summary.SetRows(rows)
	if p.metric.SelectedIndex() < 0 && len(p.metric.Options) > 0 {
		p.metric.Selected = p.metric.Options[0]
		if slices.Contains(p.metric.Options, "T") {
			p.metric.Selected = "T" // what is asked of a batch program
		}
	}
	p.metric.Refresh()
	p.fill()
}

// fill shows the comparisons of the chosen metric.
func (p *Page) fill() {
	if p.report == nil {
		return
	}
	p.shown = figure.Comparisons(p.report, p.metric.Selected)
	var rows [][]own.Cell
	var all remarks
	for _, c := range p.shown {
		rows = append(rows, comparisonRow(c, p.report.Parameters, p.doubts(c), &all))
	}
	had := p.remarks.Text != ""
	p.remarks.SetText(all.String())
	p.table.SetColumns(comparisonColumns(p.report.Parameters)...)
	p.table.SetRows(rows)
	p.log.Checked = p.steep()
	p.log.Refresh()
	p.draw()
	if has := p.remarks.Text != ""; has != had {
		p.show() // makes room for them, or takes it
	}
}

// doubts are why a configuration cannot be predicted, or its prediction not be judged.
func (p *Page) doubts(c validate.Comparison) []string {
	var out []string
	if why := p.host.Session.OutsideAmong(c.Settings); why != "" {
		out = append(out, "not predictable: "+why)
	}
	for _, s := range p.report.Verdict.Standings {
		if s.Name == c.Name && s.Is == validate.Unjudged {
			out = append(out, "cannot be judged: "+s.Why)
		}
	}
	return out
}

func (p *Page) draw() {
	if p.report == nil {
		return
	}
	units := recipe.Units(p.host.Session.Model())
	var f chart.Figure
	view := p.view.Selected
	p.plot.Otherwise("Nothing of this metric was both measured and predicted", "Choose another metric above.")
	if view == lines && !p.varied() {
		view = scatter // one configuration makes no line
	}
	switch view {
	case scatter:
		f = figure.Scatter(p.report, p.metric.Selected, p.log.Checked)
	case heatMap:
		f = figure.Residuals(p.report, p.metric.Selected, units)
	case blame:
		f = figure.Blame(p.report)
		p.plot.Otherwise("No part can be blamed", "Blame compares the parts of the run that the model was built from with their simulation. This model has no times of them, or they were not simulated.")
	case lines:
		predicted := figure.PredictedMeasured(p.report, p.metric.Selected, units, p.log.Checked)
		predicted.Y.Linear = !p.log.Checked
		f = predicted
	}
	p.plot.SetFigure(f)
}

// decade is the ratio of the largest to the least value from which a linear
// axis hides the small ones.
const decade = 10

// steep reports whether the comparisons are read best on a logarithmic axis: a
// response time below and beyond saturation.
func (p *Page) steep() bool {
	least, most := math.Inf(1), 0.0
	for _, c := range p.shown {
		least, most = min(least, c.Measured.Median, c.Predicted.Mean), max(most, c.Measured.Median, c.Predicted.Mean)
	}
	return p.metric.Selected != "U" && least > 0 && most > decade*least
}

// varied reports whether the comparisons differ in a parameter.
func (p *Page) varied() bool {
	return slices.ContainsFunc(p.shown, func(c validate.Comparison) bool { return !maps.Equal(c.Settings, p.shown[0].Settings) })
}

// showWorst selects the configuration, and the metric, that the verdict calls the worst.
func (p *Page) showWorst() {
	if p.report == nil || p.report.Worst() == nil {
		return
	}
	worst := p.report.Worst()
	p.metric.SetSelected(worst.Metric)
	p.table.Mark(slices.IndexFunc(p.shown, func(c validate.Comparison) bool { return c.Name == worst.Name }))
}

// openScenario makes a configuration the current scenario.
func (p *Page) openScenario(name string) {
	for _, c := range p.shown {
		if c.Name == name {
			p.host.Session.AddSettings(name, c.Settings)
			p.host.Session.GoPage("scenarios")
			return
		}
	}
}

func (p *Page) save() {
	from := p.host.Session.Provenance()
	if p.report != nil {
		from.Measured, from.Command = whence(p.report, p.about), p.command()
		in := p.host.Session.Options().Inputs()
		from.Seed, from.Replications = in.Seed, in.Replications
	}
	save.Figure(p.host, p.plot.Figure(), strings.ToLower(p.metric.Selected+"-"+p.view.Selected), from)
}

// whence is what is known of the day, the machine and the file of measurements.
func whence(r *validate.Report, file string) string {
	said := "(" + file + ")"
	if r.Machine != "" {
		said = "on " + r.Machine + " " + said
	}
	return strings.TrimSpace(r.Date + " " + said)
}

// command is the comparison as a command line.
func (p *Page) command() string {
	return "tierctl validate " + session.Quote(p.host.Session.Path()) + " --measured " + session.Quote(filepath.Join(p.host.Session.Path(), "measured", p.file.Selected))
}

func (p *Page) copyCommand() {
	fyne.CurrentApp().Clipboard().SetContent(p.command())
}

// measurements are those that the page shows, nil if there are none.
func (p *Page) measurements() *table.Table {
	files := p.host.Session.Measured()
	if i := p.file.SelectedIndex(); i >= 0 && i < len(files) {
		return files[i].Table
	}
	if len(files) > 0 {
		return files[0].Table
	}
	return nil
}
