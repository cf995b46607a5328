// Package inputs is the page that predicts the time of a program for inputs it has not been run
// with: the numbers of its model follow the input by regressions from a few captured runs, and the
// model is simulated. Every number comes from package inputs of Tierscope, as for `tierctl hybrid`.
package inputs

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core/quantity"
	"tierscope/gui/figure"
	"tierscope/gui/page"
	"tierscope/gui/save"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/inputs"
)

// ID is the page's place.
const ID = "inputs"

// fitted is what the captured inputs say.
type fitted struct {
	family *inputs.Family
	bias   inputs.Bias
}

// Page shows the models of the inputs of a project.
type Page struct {
	host *page.Host
	root *fyne.Container

	verdict *own.Verdict
	scatter *own.Plot
	curves  *own.DataTable
	sliders *fyne.Container
	ask     *widget.Button
	answer  *widget.Label

	path string // of the project that is fitted
	fit  *fitted
	at   map[string]float64
	job  *session.Job
}

// New returns the page.
func New(h *page.Host) page.Page {
	p := &Page{host: h, root: container.NewStack(), sliders: container.NewVBox(), at: map[string]float64{}}
	p.verdict = own.NewVerdict()
	p.scatter = own.NewPlot(h.Session.Runner)
	p.scatter.Otherwise("No run to compare with", "The captured inputs were not run without probes.")
	p.curves = own.NewDataTable(own.Column{Title: "What follows the input"}, own.Column{Title: "as"})
	p.ask = widget.NewButtonWithIcon("Predict", theme.MediaPlayIcon(), p.predict)
	p.ask.Importance = widget.HighImportance
	p.answer = own.Wrapped("")
	p.answer.TextStyle.Bold = true
	return p
}

// Content implements page.Page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Actions implements page.Actor.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Predict the input", Key: "Ctrl+Enter", Run: p.predict},
		{Title: "Save the figure", Key: "Ctrl+E", Run: func() { save.Figure(p.host, p.scatter.Figure(), "inputs", p.host.Session.Provenance()) }},
		{Title: "Show the plot as a table", Key: "T", Run: p.scatter.ToggleTwin},
		{Title: "Copy as a command", Run: func() { fyne.CurrentApp().Clipboard().SetContent(p.command()) }},
	}
}

// command is the line that predicts the same. What was captured is taken from the project.
func (p *Page) command() string {
	at := "NAME=VALUE"
	if p.fit != nil {
		at = inputs.Text(p.at)
	}
	return "tierctl hybrid --out " + session.Quote(cmp.Or(p.host.Session.Path(), "P.tier")) + " --vary NAME=A,B,C,D --at " + at + " PACKAGE"
}

// Update implements page.Page.
func (p *Page) Update(e session.Event) {
	if e == session.PlaceChanged || e == session.JobsChanged || e == session.ModelChanged {
		p.show()
	}
}

func (p *Page) show() {
	if path := p.host.Session.Path(); path != p.path && (p.job == nil || p.job.State != session.Running) {
		p.path, p.fit = path, nil
		p.start()
	}
	switch {
	case p.fit != nil:
		side := container.NewBorder(container.NewVBox(own.Titled("Input", p.sliders), p.ask, p.answer), nil, nil, nil, p.curves)
		split := container.NewHSplit(p.scatter, side)
		split.SetOffset(0.5)
		p.root.Objects = []fyne.CanvasObject{container.NewBorder(p.verdict, nil, nil, nil, split)}
	case p.job != nil && p.job.State == session.Running:
		p.root.Objects = []fyne.CanvasObject{own.Empty("Fitting", "The numbers of the captured models are fitted, and the models simulated, in the background.")}
	default:
		p.root.Objects = []fyne.CanvasObject{own.Empty("No inputs were captured",
			"tierctl hybrid --out PROJECT --vary NAME=A,B,C,D PACKAGE runs a program with four inputs or more and keeps below the project what they showed. Then the time for other inputs is predicted here.")}
	}
	p.root.Refresh()
}

// start fits what was captured below the project that is open.
func (p *Page) start() {
	captured, err := inputs.Open(p.path)
	if err != nil {
		p.host.Session.Notify(session.Failure("The captured inputs cannot be read.", err))
	}
	if len(captured) == 0 {
		return
	}
	seed := p.host.Session.Settings().Seed
	p.job = session.StartJob(p.host.Session, "Models of other inputs", func(ctx context.Context, _ func(int)) (*fitted, error) {
		family, err := inputs.NewFamily(captured)
		if err != nil {
			return nil, err
		}
		if err := family.Anchor(ctx, seed); err != nil {
			return nil, err
		}
		bias, err := family.Compare(ctx, seed)
		return &fitted{family, bias}, err
	}, nil, func(_ *session.Job, f *fitted, err error) {
		if err == nil {
			p.fit = f
			p.fill()
		}
		p.show()
	})
}

// fill shows what was fitted.
func (p *Page) fill() {
	f := p.fit.family
	checks := f.Checks(p.fit.bias)
	p.scatter.SetFigure(figure.CapturedInputs(checks))
	missed := 0.0
	for _, c := range checks {
		for _, t := range c.Measured {
			missed += math.Abs(c.Time/t-1) / float64(len(c.Measured)*len(checks))
		}
	}
	text, confidence := fmt.Sprintf("Models of %d inputs follow %s; their own runs are missed by %s on average.", len(f.Inputs()), strings.Join(f.Variables, ", "), quantity.Share(missed)), own.Good
	switch {
	case len(checks) == 0:
		text, confidence = fmt.Sprintf("Models of %d inputs follow %s; no runs were compared with them.", len(f.Inputs()), strings.Join(f.Variables, ", ")), own.Fair
	case missed > fairlyMissed:
		confidence = own.Weak
	case len(f.Left) > 0:
		confidence = own.Fair
	}
	p.verdict.Set(text, confidence, strings.Join(append([]string{"What the regressions leave open, and how runs scatter about the simulation, is in the intervals."}, f.Left...), "\n"))
	var rows [][]own.Cell
	for _, key := range slices.Sorted(maps.Keys(f.Curves)) {
		if c := f.Curves[key]; c.Varies() {
			rows = append(rows, []own.Cell{own.TextCell(key), own.TextCell(c.String())})
		}
	}
	p.curves.SetRows(rows)
	p.inputs()
}

// fairlyMissed is the mean error on the captured inputs from which predictions are worth little.
const fairlyMissed = 0.1

// inputs makes a slider for every variable, by logarithms, as far beyond the captured inputs as
// anything was ever tested.
func (p *Page) inputs() {
	p.sliders.RemoveAll()
	p.answer.SetText("")
	p.at = map[string]float64{}
	for _, name := range p.fit.family.Variables {
		lo, hi, beyond := p.fit.family.Span(name)
		slider := widget.NewSlider(math.Log(lo/beyond), math.Log(hi*beyond))
		slider.Step = (slider.Max - slider.Min) / 200
		label := own.Muted("")
		set := func(v float64) {
			p.at[name] = math.Max(1, math.Round(math.Exp(v)))
			label.SetText(name + " " + quantity.Digits(p.at[name], 4))
		}
		slider.Value = math.Log(2 * hi)
		set(slider.Value)
		slider.OnChanged = set
		p.sliders.Add(container.NewBorder(nil, nil, label, nil, slider))
	}
}

// predict simulates the input of the sliders.
func (p *Page) predict() {
	if p.fit == nil || p.job != nil && p.job.State == session.Running {
		return
	}
	at, fit, seed := maps.Clone(p.at), p.fit, p.host.Session.Settings().Seed
	p.answer.SetText("Simulating " + inputs.Text(at) + " …")
	p.job = session.StartJob(p.host.Session, "Time for "+inputs.Text(at), func(ctx context.Context, _ func(int)) (inputs.Prediction, error) {
		return fit.family.Predict(ctx, at, fit.bias, seed)
	}, nil, func(_ *session.Job, got inputs.Prediction, err error) {
		if err != nil {
			p.answer.SetText("")
			return
		}
		lines := []string{fmt.Sprintf("T = %s for %s (95 %% of runs: %s … %s)", quantity.Format(got.Time, "s"), inputs.Text(at), quantity.Format(got.Lo, "s"), quantity.Format(got.Hi, "s"))}
		lines = append(lines, got.Warnings...)
		if next := fit.family.Next(got); next != "" {
			lines = append(lines, "Next: "+next+".")
		}
		p.answer.SetText(strings.Join(lines, "\n"))
	})
}
