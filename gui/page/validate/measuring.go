package validate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"tierscope/analysis/consent"
	"tierscope/analysis/stage"
	"tierscope/analysis/trace"
	"tierscope/core"
	"tierscope/gui/axes"
	"tierscope/gui/background"
	"tierscope/gui/page"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/measure"
	"tierscope/measure/table"
	"tierscope/simulation/experiment"
)

// campaignForm is the dialog in which the runs of the real program are chosen:
// values for every parameter, and what of it is measured already.
type campaignForm struct {
	page     *Page
	model    *core.Model
	workload trace.Workload
	consent  consent.Request    // to execute what the project says
	axes     []*own.DialogEntry // by the model's parameters; empty: not varied
	repeats  *own.DialogEntry
	priority *own.DialogCheck
	executes *widget.Label // everything that would be executed or contacted
	preview  *widget.Label

	campaign measure.Campaign
	path     string // of the CSV file
	missing  int
	checking int // number of the latest check
}

// Measure asks which configurations of the real program to measure. What the
// program is, and how it is given its parameters, the analysis has noted.
func (p *Page) Measure() {
	s := p.host.Session
	if s.Model() == nil {
		return
	}
	if s.Project() == nil || s.Project().Writable() != nil {
		s.Notify(session.Notice{Level: session.Problem, What: "The program cannot be measured from here.",
			Why: "Only a project folder that can be written knows its program and keeps measurements; a model file alone does not."})
		return
	}
	project := s.Project()
	background.Start(s.Runner, func(context.Context, func(struct{})) (trace.Workload, error) {
		_, w, err := stage.Load(project.Dir)
		return w, err
	}, nil, func(w trace.Workload, err error) {
		if err != nil {
			s.Notify(session.Failure("The program cannot be measured: the project does not say what it is.", err))
			return
		}
		p.form = newCampaignForm(p, w)
		p.form.show()
	})
}

func newCampaignForm(p *Page, w trace.Workload) *campaignForm {
	keys := p.host.DialogKey
	f := &campaignForm{page: p, model: p.host.Session.Model(), workload: w,
		consent: consent.Of(p.host.Session.Project().Dir, w, p.host.Session.Model()), preview: own.Wrapped(""), repeats: own.NewDialogEntry(keys)}
	f.executes = own.Wrapped(strings.Join(f.consent.Lines(), "\n"))
	f.executes.TextStyle.Monospace = true // the lines are columns
	varied, priority := f.measured()
	for _, parameter := range f.model.Parameters {
		e := own.NewDialogEntry(keys)
		e.SetPlaceHolder("as in the program: " + strconv.FormatFloat(parameter.Default, 'g', 4, 64))
		e.SetText(varied[parameter.Name])
		f.axes = append(f.axes, e)
	}
	f.repeats.SetText("3")
	f.priority = own.NewDialogCheck("keep other programs away from the processors (needs the privilege to raise priorities)", keys)
	f.priority.SetChecked(priority)
	for _, e := range append(slices.Clone(f.axes), f.repeats) {
		e.OnChanged = func(string) { f.check() }
	}
	f.priority.OnChanged = func(bool) { f.check() }
	return f
}

// measured proposes the grid of the shown measurements, or of the predictions
// if nothing was measured: the values that every parameter has there.
func (f *campaignForm) measured() (varied map[string]string, priority bool) {
	values := map[string][]float64{}
	note := func(name string, v float64) {
		if !math.IsNaN(v) && !slices.Contains(values[name], v) {
			values[name] = append(values[name], v)
		}
	}
	if t := f.page.measurements(); t != nil {
		for _, c := range t.Configurations() {
			for name, v := range c.Settings {
				note(name, v)
			}
		}
		priority = t.Note("priority") == string(measure.High)
	} else {
		for _, r := range f.page.host.Session.Runs() {
			for name, v := range r.Result.Configuration {
				note(name, v)
			}
		}
	}
	varied = map[string]string{}
	for name, list := range values {
		slices.Sort(list)
		var texts []string
		for _, v := range list {
			texts = append(texts, strconv.FormatFloat(v, 'g', -1, 64))
		}
		varied[name] = strings.Join(texts, ", ")
	}
	return varied, priority
}

func (f *campaignForm) show() {
	form := widget.NewForm()
	for i, parameter := range f.model.Parameters {
		form.AppendItem(widget.NewFormItem(parameter.Name, f.axes[i]))
	}
	form.AppendItem(widget.NewFormItem("Runs of each", f.repeats))
	form.AppendItem(widget.NewFormItem("Priority", f.priority))
	about := container.NewVBox(
		own.Caption("The program itself is run in every configuration, in random order. Type the values of what is to vary, such as 1, 2, 4, or 100 to 400 by 100; leave a field empty to keep the program's own value. Simulations pause meanwhile."),
		own.Titled("What is executed, as the project says", f.executes))
	command := own.NewDialogButton("Copy as command", nil, f.copyCommand, f.page.host.DialogKey)
	content := container.NewBorder(about, container.NewVBox(own.Card(f.preview), container.NewHBox(command)), nil, nil, container.NewVScroll(form))
	f.page.host.Ask(page.Question{Title: "Measure the real program", Content: content, Confirm: runMissing, Dismiss: "Cancel", Size: fyne.NewSize(720, 520), Do: f.run})
	f.check()
}

// runMissing is the button that measures.
const runMissing = "Run missing measurements"

// run measures what is missing.
func (f *campaignForm) run() error {
	if f.missing == 0 {
		return errors.New("nothing is missing: " + f.preview.Text)
	}
	if f.agreed() {
		f.page.record(f.campaign, f.path)
	}
	return nil
}

// agreed keeps the analyst's consent to what the dialog showed. A load on another machine is
// not allowed by pressing a button.
func (f *campaignForm) agreed() bool {
	if f.consent.Given() {
		return true
	}
	err := f.consent.Give()
	if remote, ok := errors.AsType[*consent.HostError](err); ok {
		f.page.host.Session.Notify(session.Notice{Level: session.Problem, What: "Nothing was executed.",
			Why: remote.Error() + ": tierctl measure --load-host " + strings.Join(remote.Hosts, " --load-host ")})
		return false
	}
	return true // it was given, whether or not it could be kept
}

// plan makes the campaign of what is typed.
func (f *campaignForm) plan() (measure.Campaign, error) {
	c := measure.Campaign{Workload: f.workload, Seed: 1}
	var errs []error
	for i, parameter := range f.model.Parameters {
		if strings.TrimSpace(f.axes[i].Text) == "" {
			continue
		}
		a, err := axes.Read(parameter.Name, f.axes[i].Text)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		values, err := a.Expand()
		errs = append(errs, err)
		c.Axes = append(c.Axes, measure.AxisOf(f.model, a.Parameter, values))
	}
	n, err := strconv.Atoi(strings.TrimSpace(f.repeats.Text))
	if err != nil || n < 1 {
		errs = append(errs, fmt.Errorf("runs of each is %q: type a whole number above 0", f.repeats.Text))
	}
	c.Repeats = n
	if f.priority.Checked {
		c.Priority = measure.High
	}
	if len(errs) == 0 {
		errs = append(errs, c.Check())
	}
	return c, errors.Join(errs...)
}

// check says what running the campaign means, in the background: it looks into
// the files of the project.
func (f *campaignForm) check() {
	c, err := f.plan()
	f.checking++
	f.missing = 0
	if err != nil {
		f.preview.SetText(err.Error())
		return
	}
	request, dir := f.checking, f.page.host.Session.Project().Path("measured")
	type answer struct {
		path    string
		missing int
	}
	background.Start(f.page.host.Session.Runner, func(context.Context, func(struct{})) (answer, error) {
		path, missing, err := place(c, dir)
		return answer{path, missing}, err
	}, nil, func(a answer, err error) {
		if request != f.checking {
			return
		}
		if err != nil {
			f.preview.SetText(err.Error())
			return
		}
		f.campaign, f.path, f.missing = c, a.path, a.missing
		all := len(c.Runs())
		text := fmt.Sprintf("%d configurations, %d runs", all/c.Repeats, all)
		switch {
		case a.missing == 0:
			text += ": all of them are measured already"
		case a.missing < all:
			text += fmt.Sprintf(", %d of them are missing", a.missing)
		}
		if each := f.each(); each > 0 && a.missing > 0 {
			text += ", about " + experiment.Roughly(time.Duration(a.missing+1)*each)
		}
		f.preview.SetText(text + ". They are kept in " + filepath.Base(a.path) + ".")
	})
}

// startup is about what a program needs to start, and the calibration beside
// it.
const startup = time.Second

// each is how long one run takes, as far as that is known: the load lasts as
// long as the analysis was told, a program that ends by itself as long as it
// was measured to.
func (f *campaignForm) each() time.Duration {
	if l := f.workload.Load; l != nil {
		return startup + time.Duration((l.Warmup+l.Duration)*float64(time.Second))
	}
	total, n := 0.0, 0
	if t := f.page.measurements(); t != nil {
		for _, r := range t.Rows {
			if r.Metric == "T" {
				total += r.Value
				n++
			}
		}
	}
	if n == 0 {
		return 0
	}
	return startup + time.Duration(total/float64(n)*float64(time.Second))
}

// mostFiles bounds the campaigns of a project.
const mostFiles = 1000

// place returns the file of the project that a campaign belongs to, the first
// free name if there is none, and how many runs it lacks.
func place(c measure.Campaign, dir string) (path string, missing int, err error) {
	for i := 1; i <= mostFiles; i++ {
		path = filepath.Join(dir, "measured.csv")
		if i > 1 {
			path = filepath.Join(dir, fmt.Sprintf("measured-%d.csv", i))
		}
		t, err := measure.Open(path)
		if err != nil {
			continue // it is somebody else's, or damaged: never overwritten
		}
		if runs, err := c.Missing(t); err == nil {
			return path, len(runs), nil
		}
	}
	return "", 0, fmt.Errorf("%s holds %d campaigns already; remove some", dir, mostFiles)
}

func (f *campaignForm) copyCommand() {
	c, err := f.plan()
	if err != nil {
		f.preview.SetText(err.Error())
		return
	}
	words := []string{"tierctl", "measure", "--model", session.Quote(f.page.host.Session.Path())}
	for i, parameter := range f.model.Parameters {
		if a, err := axes.Read(parameter.Name, f.axes[i].Text); err == nil { // else it is empty: what is mistyped gives no plan
			words = append(words, "--grid", session.Quote(parameter.Name+"="+axes.Spec(a)))
		}
	}
	words = append(words, "--repeats", strconv.Itoa(c.Repeats))
	if c.Priority != measure.Normal {
		words = append(words, "--priority", string(c.Priority))
	}
	if f.path != "" && filepath.Base(f.path) != "measured.csv" {
		words = append(words, "--out", session.Quote(f.path))
	}
	fyne.CurrentApp().Clipboard().SetContent(strings.Join(words, " "))
}

// record measures in the background. Every run is saved when it ends; the
// simulations of the window pause, because they would disturb it.
func (p *Page) record(c measure.Campaign, path string) {
	s := p.host.Session
	paused := s.Paused()
	s.Pause(true)
	const command = "Tierscope, from its window"
	p.measuring = session.StartJob(s, fmt.Sprintf("Measure %d configurations", len(c.Runs())/c.Repeats), func(ctx context.Context, report func(measure.Progress)) (*table.Table, error) {
		return c.Record(ctx, path, command, report)
	}, func(j *session.Job, now measure.Progress) {
		j.Fraction = float64(now.Done) / math.Max(float64(now.Planned), 1)
		j.Remaining = now.Remaining
		j.Fact = fmt.Sprintf("%d of %d runs; %s", now.Done, now.Planned, now.Fact)
	}, func(_ *session.Job, t *table.Table, _ error) {
		s.Pause(paused)
		if p.host.Session.Project() == nil || filepath.Dir(path) != p.host.Session.Project().Path("measured") {
			return // another project is open
		}
		if _, err := os.Stat(path); err == nil && t != nil && len(t.Rows) > 0 {
			p.report, p.about = nil, ""
			p.file.Selected = filepath.Base(path)
			s.AddMeasured(session.MeasuredFile{Path: path, Table: t})
		}
	})
	p.show()
}
