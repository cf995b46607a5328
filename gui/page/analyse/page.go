package analyse

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/analysis"
	"tierscope/analysis/consent"
	"tierscope/analysis/pcg"
	"tierscope/analysis/stage"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
	"tierscope/gui/page"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/judge"
)

// Page runs the analysis of a program.
type Page struct {
	host   *page.Host
	target func(program string) analysis.Target // its front end
	tool   string                               // name and version, for provenance
	root   *fyne.Container

	program, args, env, out, cpus   *widget.Entry
	server                          *widget.Check
	url, targets, rate, connections *widget.Entry
	client, end                     *widget.Entry // a command; the last line of an answer
	warmup, duration                *widget.Entry
	load                            *fyne.Container
	from                            *widget.Select
	start, cancel                   *widget.Button
	problem                         *widget.Label
	rows                            []*row
	log                             *widget.Label
	trust                           *fyne.Container
	left, right                     *fyne.Container // columns: what grows in them moves the rest

	filled form            // the fields as nobody typed them
	other  *fyne.Container // how the open project was analysed, instead of what is typed

	job  *session.Job
	of   *core.Model    // whose analysis is shown, nil: of none
	base trace.Workload // of that analysis: what the form has no field for
}

// row is the progress of one stage.
type row struct {
	stage stage.Stage
	title string
	bar   *widget.ProgressBar
	fact  *widget.Label
	state *widget.Icon
}

// printed is the log before there is any.
const printed = "What the program and the stages print comes here."

// titles say what each stage does.
var titles = map[stage.Stage]string{
	stage.Sample: "1  Stack sampling", stage.Scan: "2  Static analysis", stage.Trace: "3  Measuring run", stage.Build: "4  Build the model",
}

// purposes say what a stage is for, until it tells what it found.
var purposes = map[stage.Stage]string{
	stage.Sample: "Finds the threads, how they are grouped in pools, and which functions matter.",
	stage.Scan:   "Finds where the program synchronizes, reads files, and takes and passes tasks.",
	stage.Trace:  "Runs the program with probes there, and again without, for what the probes cost.",
	stage.Build:  "Makes the queueing network, the call graphs and the laws of their times.",
}

// New returns the page for the programs of the front ends that t chooses.
func New(h *page.Host, t func(program string) analysis.Target, tool string) page.Page {
	p := &Page{host: h, target: t, tool: tool, trust: container.NewVBox(), other: container.NewVBox()}
	entry := func(placeholder, text string) *widget.Entry {
		e := widget.NewEntry()
		e.SetPlaceHolder("such as " + placeholder)
		e.SetText(text)
		return e
	}
	p.program = entry("./shop-web", "")
	p.args, p.env = entry("-workers 4 -port 8080", ""), entry("GOMAXPROCS=2", "")
	p.out, p.cpus = entry("shop-web.tier", ""), entry("all", "")
	p.url, p.targets = entry("http://localhost:8080/", ""), entry("/index.html /search?q=a, or 'get k%d:1000'", "")
	p.end = entry("END, of a server at tcp://host:port", "")
	p.client = entry("./client {address} {rate} {seconds}", "")
	p.rate, p.connections = entry("120", ""), entry("closed loop instead of a rate", "")
	p.warmup, p.duration = entry("1", "1"), entry("10", "10")
	p.load = container.NewVBox(widget.NewForm(
		widget.NewFormItem("Address", p.url), widget.NewFormItem("Paths or lines", p.targets),
		widget.NewFormItem("Answer ends with", p.end), widget.NewFormItem("Client command", p.client),
		widget.NewFormItem("Requests per s", p.rate), widget.NewFormItem("Connections", p.connections),
		widget.NewFormItem("Warm-up [s]", p.warmup), widget.NewFormItem("Duration [s]", p.duration)))
	p.load.Hide()
	p.server = widget.NewCheck("it is a server: send it requests", func(on bool) {
		if on {
			p.load.Show()
		} else {
			p.load.Hide()
		}
		p.left.Refresh()
	})
	p.from = widget.NewSelect(nil, nil)
	for _, s := range stage.Stages() {
		p.from.Options = append(p.from.Options, string(s))
		p.rows = append(p.rows, &row{stage: s, title: titles[s], bar: widget.NewProgressBar(), fact: own.Wrapped(purposes[s]), state: widget.NewIcon(nil)})
	}
	p.from.Selected = string(stage.Sample)
	p.start = widget.NewButtonWithIcon("Analyse", theme.MediaPlayIcon(), p.run)
	p.start.Importance = widget.HighImportance
	p.cancel = widget.NewButtonWithIcon("Cancel, keep finished stages", theme.CancelIcon(), func() {
		if p.job != nil {
			p.job.Cancel()
		}
	})
	p.cancel.Disable()
	p.problem = own.Wrapped("")
	p.problem.Importance = widget.DangerImportance
	p.problem.Hide()
	p.log = own.Caption(printed)
	p.root = container.NewStack(p.build())
	p.filled = p.form()
	return p
}

func (p *Page) build() fyne.CanvasObject {
	browse := own.NewIconButton("Choose the program", theme.FolderOpenIcon(), p.browse)
	form := widget.NewForm(
		widget.NewFormItem("Program", container.NewBorder(nil, nil, nil, browse, p.program)),
		widget.NewFormItem("Arguments", p.args),
		widget.NewFormItem("Environment", p.env),
		widget.NewFormItem("CPUs", p.cpus),
		widget.NewFormItem("Project", p.out),
		widget.NewFormItem("Start at", p.from))
	copyButton := widget.NewButtonWithIcon("Copy as command", theme.ContentCopyIcon(), p.copyCommand)
	copyButton.Importance = widget.LowImportance
	p.left = container.NewVBox(
		own.Caption("The program runs three times in one representative configuration: sampled, with probes, and plain to measure what the probes cost. Its files are not changed."),
		p.other, form, p.server, p.load, p.problem,
		container.NewHBox(p.start, p.cancel), container.NewHBox(copyButton))
	stages := container.NewVBox()
	for _, r := range p.rows {
		r.bar.Hide() // until the stage runs
		title := own.Section(r.title)
		stages.Add(own.Card(container.NewBorder(container.NewBorder(nil, nil, container.NewHBox(r.state, title), nil, r.bar), nil, nil, nil, r.fact)))
	}
	p.right = container.NewVBox(stages, p.trust, own.Titled("Log", p.log))
	split := container.NewHSplit(own.Titled("What to run", container.NewVScroll(p.left)), own.Scrolled(p.right))
	split.SetOffset(0.4)
	return split
}

// Content implements page.Page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Actions implements page.Actor.
func (p *Page) Actions() []page.Action {
	return []page.Action{
		{Title: "Analyse the program", Key: "Ctrl+Enter", Run: p.run},
		{Title: "Copy the analysis as a command", Run: p.copyCommand},
	}
}

// Update implements page.Page.
func (p *Page) Update(e session.Event) {
	switch e {
	case session.JobsChanged:
		p.showJob()
	case session.ModelChanged, session.PlaceChanged:
		p.opened()
	case session.SelectionChanged, session.ScenariosChanged, session.ResultsChanged, session.RunsChanged, session.MeasuredChanged, session.NoticeChanged, session.SettingsChanged:
	}
}

func (p *Page) form() form {
	return form{
		base: p.base, program: p.program.Text, args: p.args.Text, env: p.env.Text, out: p.out.Text, cpus: p.cpus.Text, server: p.server.Checked,
		url: p.url.Text, targets: p.targets.Text, end: p.end.Text, client: p.client.Text, rate: p.rate.Text, connections: p.connections.Text, warmup: p.warmup.Text, duration: p.duration.Text,
	}
}

func (p *Page) browse() {
	p.host.ChooseFile(dialog.NewFolderOpen(func(dir fyne.ListableURI, err error) {
		if err != nil {
			p.host.Session.Notify(session.Failure("The folder could not be opened.", err))
			return
		}
		if dir != nil {
			p.program.SetText(dir.Path())
			if p.out.Text == "" {
				p.out.SetText(dir.Path() + ".tier")
			}
		}
	}, p.host.Window), p.program.Text)
}

// finding is what a study tells while it works.
type finding struct{ latest []analysis.Progress }

// run starts the study in the background, or says what is missing.
func (p *Page) run() {
	if p.running() {
		return
	}
	f := p.form()
	workload, err := f.workload()
	dir, missing := f.folder()
	if err = errors.Join(err, missing); err != nil {
		p.complain(err)
		return
	}
	p.problem.Hide()
	p.left.Refresh()
	first := stage.Stages()[max(p.from.SelectedIndex(), 0)]
	p.reset(first)
	study := stage.Study{Dir: dir, Target: p.target(workload.Program), Workload: workload, Tool: p.tool, Options: trail.Options{Threshold: pcg.DefaultThreshold}}
	asked := p.form()
	p.job = session.StartJob(p.host.Session, "Analyse "+workload.Program, func(ctx context.Context, report func(finding)) (*stage.Outcome, error) {
		var all []analysis.Progress
		study.Report = func(now analysis.Progress) {
			all = append(slices.Clip(all), now) // what was reported is not changed
			report(finding{all})
		}
		o, err := judge.Study(ctx, &study, first, stage.Build, true)
		keepConsent(&study, o)
		return o, err
	}, func(j *session.Job, found finding) {
		for _, now := range found.latest {
			p.progress(now)
		}
		p.write(found.latest)
		if n := len(found.latest); n > 0 {
			j.Fact = found.latest[n-1].Stage + ": " + found.latest[n-1].Fact
		}
	}, func(_ *session.Job, o *stage.Outcome, err error) { p.finished(dir, asked, o, err) })
	p.start.Disable()
	p.cancel.Enable()
}

// keepConsent notes that the analyst has typed what was executed, so that taking the study up and
// measuring the program do not ask. Where that cannot be kept, they ask.
func keepConsent(s *stage.Study, o *stage.Outcome) {
	for _, m := range []*core.Model{nil, o.Model} {
		r := consent.Of(s.Dir, s.Workload, m)
		_ = r.Give(r.Remote()...)
	}
}

// complain shows what is wrong under the form.
func (p *Page) complain(err error) {
	p.problem.SetText(err.Error())
	p.problem.Show()
	p.left.Refresh()
}

// reset clears the rows from a stage on.
func (p *Page) reset(first stage.Stage) {
	p.trust.RemoveAll()
	p.log.SetText("")
	earlier := true
	for _, r := range p.rows {
		earlier = earlier && r.stage != first
		r.bar.SetValue(0)
		r.bar.Hide() // until the stage tells of itself
		r.fact.SetText(purposes[r.stage])
		r.state.SetResource(nil)
		if earlier {
			r.fact.SetText("taken from the project")
			r.state.SetResource(theme.HistoryIcon())
		}
	}
}

// progress shows what a stage told.
func (p *Page) progress(now analysis.Progress) {
	for _, r := range p.rows {
		if string(r.stage) != now.Stage {
			continue
		}
		r.bar.Show()
		r.fact.SetText(now.Fact)
		if now.Done >= 0 {
			r.bar.SetValue(now.Done)
		}
		r.state.SetResource(theme.MediaPlayIcon())
		if now.Done >= 1 {
			r.state.SetResource(theme.ConfirmIcon())
		}
	}
}

func (p *Page) write(all []analysis.Progress) {
	text := ""
	for _, now := range all {
		text += fmt.Sprintf("%-6s  %s\n", now.Stage, now.Fact)
	}
	p.log.SetText(text)
	p.right.Refresh()
}

// finished shows the outcome of a study of what was asked for: the trust report, or what went wrong
// and where to take it up.
func (p *Page) finished(dir string, asked form, o *stage.Outcome, err error) {
	p.start.Enable()
	p.cancel.Disable()
	if err != nil {
		for _, r := range p.rows {
			if r.bar.Value < 1 && r.fact.Text != "taken from the project" {
				r.state.SetResource(theme.ErrorIcon())
				p.from.SetSelected(string(r.stage))
				break
			}
		}
		if !errors.Is(err, context.Canceled) {
			p.complain(err)
		}
		return
	}
	for _, r := range p.rows {
		r.bar.SetValue(1)
		r.bar.Show()
		r.state.SetResource(theme.ConfirmIcon())
	}
	p.filled = asked // its project has it, whatever was typed since
	p.trust.RemoveAll()
	if o.Report != nil {
		p.trust.Add(own.TrustCard(o.Report.Trust.Grade, "", &o.Report.Trust))
	}
	open := widget.NewButtonWithIcon("Open the model", theme.NavigateNextIcon(), func() { p.host.Open(dir) })
	open.Importance = widget.HighImportance
	p.trust.Add(container.NewHBox(open))
	p.right.Refresh()
}

func (p *Page) showJob() {
	if p.job != nil && p.job.State != session.Running {
		p.start.Enable()
		p.cancel.Disable()
	}
}

func (p *Page) copyCommand() {
	fyne.CurrentApp().Clipboard().SetContent(p.form().command(stage.Stages()[max(p.from.SelectedIndex(), 0)]))
}
