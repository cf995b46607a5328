package optimise

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/gui/axes"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
	"tierscope/simulation/optimise"
)

// goal is something to optimise.
type goal struct {
	label              string
	maximise, minimise string // metric
	unit               string
	batch              bool // only of programs that end by themselves
	open               bool // only of programs that serve tasks
}

// goals are the choices, those that fit the model.
var goals = []goal{
	{label: "lowest cost", unit: ""},
	{label: "highest throughput X", maximise: "X", unit: "1/s", open: true},
	{label: "lowest mean response time R", minimise: "R", unit: "s", open: true},
	{label: "lowest 95 % response time R", minimise: "R.p95", unit: "s", open: true},
	{label: "shortest makespan T", minimise: "T", unit: "s", batch: true},
}

// form is the question as it is typed.
type form struct {
	root        *fyne.Container
	axes        *axes.Editor
	goal        *widget.Select
	limits      *widget.Entry
	constraints *widget.Entry
	cost        *widget.Entry
	load        *widget.Select
	budget      *widget.Entry
	changed     func()
}

// noLoad is the choice of no headroom.
const noLoad = "–"

func newForm(changed func()) *form {
	f := &form{changed: changed}
	f.axes = axes.New(func() {
		f.root.Refresh() // what is below the axes moves
		f.changed()
	})
	entry := func(placeholder string) *widget.Entry { return own.Field(placeholder, func() { f.changed() }) }
	f.goal = widget.NewSelect(nil, func(string) { f.changed() })
	f.limits, f.constraints = entry("R.p95 <= 200ms; U <= 90%"), entry("workers >= cores")
	f.cost, f.budget = entry("cores + 0.05*workers"), entry("5m")
	f.load = widget.NewSelect(nil, func(string) { f.changed() })
	f.root = container.NewVBox(
		widget.NewForm(
			widget.NewFormItem("Goal", f.goal),
			widget.NewFormItem("Limits", f.limits)),
		own.Caption("Limits are separated by semicolons: a metric (R.p95, R, X, U, U disk/sda, T), <= or >=, and a value such as 200ms, 100/s or 90%."),
		own.Section("Search space"), f.axes.Root,
		widget.NewForm(
			widget.NewFormItem("Constraints", f.constraints),
			widget.NewFormItem("Cost", f.cost),
			widget.NewFormItem("Headroom of", f.load),
			widget.NewFormItem("Time at most", f.budget)))
	return f
}

// open fills the form for a model.
func (f *form) open(m *core.Model) {
	changed := f.changed
	f.changed = func() {} // the page checks once at the end
	defer func() { f.changed = changed }()
	demands := m.Demands()
	f.goal.Options = nil
	for _, g := range goals {
		if demands.Batch && !g.open || !demands.Batch && !g.batch {
			f.goal.Options = append(f.goal.Options, g.label)
		}
	}
	f.load.Options = []string{noLoad}
	f.load.Selected = noLoad
	for _, p := range m.Parameters {
		f.load.Options = append(f.load.Options, p.Name)
		if p.Unit == "1/s" && f.load.Selected == noLoad {
			f.load.Selected = p.Name
		}
	}
	f.load.Refresh()
	f.axes.Open(m)
	first := f.axes.Rows[0].Parameter.Selected
	for _, p := range m.Parameters {
		if (p.Unit == "threads" || p.Unit == "cores") && p.Name != first {
			f.axes.Add(p.Name, "")
		}
	}
	f.limits.SetText(proposal(m, &demands))
	f.constraints.SetText("")
	f.budget.SetText("")
	f.cost.SetText(cost(m))
	f.goal.SetSelected(goals[0].label)
}

// proposal is a first limit: six times the estimated response time of the
// baseline at the 95th percentile, rounded; none for a program that ends by
// itself.
func proposal(m *core.Model, d *core.Demands) string {
	if d.Batch {
		return ""
	}
	e := d.Estimate()
	if !(e.Response > 0) || e.Response > time.Hour.Seconds() {
		return ""
	}
	limit := time.Duration(6 * e.Response * float64(time.Second))
	for _, step := range []time.Duration{time.Hour, time.Minute, time.Second, 100 * time.Millisecond, 10 * time.Millisecond, time.Millisecond, 100 * time.Microsecond, 10 * time.Microsecond, time.Microsecond} {
		if limit >= 5*step {
			return "R.p95 <= " + strings.ReplaceAll(limit.Round(step).String(), "µ", "u")
		}
	}
	return ""
}

// cost is a first expression: a core costs 1, a thread a twentieth of it.
func cost(m *core.Model) string {
	var terms []string
	for _, p := range m.Parameters {
		switch p.Unit {
		case "cores":
			terms = append(terms, p.Name)
		case "threads":
			terms = append(terms, "0.05*"+p.Name)
		}
	}
	return strings.Join(terms, " + ")
}

// question parses what is typed. The error names every field that is not
// understood.
func (f *form) question(o simulation.Options) (optimise.Question, error) {
	q := optimise.Question{Cost: strings.TrimSpace(f.cost.Text)}
	q.Grid = experiment.Experiment{Name: "search", Seed: o.Seed, Replications: o.Replications, Confidence: o.Confidence}
	var errs []error
	g := chosen(f.goal.Selected)
	q.Maximise, q.Minimise = g.maximise, g.minimise
	var err error
	q.Grid.Axes, err = f.axes.Axes()
	errs = append(errs, err)
	for text := range strings.SplitSeq(f.limits.Text, ";") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		l, err := optimise.ParseLimit(text)
		errs = append(errs, err)
		q.Limits = append(q.Limits, l)
	}
	for text := range strings.SplitSeq(f.constraints.Text, ";") {
		if text = strings.TrimSpace(text); text != "" {
			q.Grid.Constraints = append(q.Grid.Constraints, text)
		}
	}
	if q.Cost != "" {
		_, err := experiment.Parse(q.Cost)
		errs = append(errs, err)
	}
	if f.load.Selected != noLoad {
		q.Load = f.load.Selected
	}
	if text := strings.TrimSpace(f.budget.Text); text != "" {
		if q.Budget, err = time.ParseDuration(text); err != nil || q.Budget <= 0 {
			errs = append(errs, fmt.Errorf("time at most is %q: type a duration such as 30s or 5m", text))
		}
	}
	if q.Cost == "" && q.Maximise == "" && q.Minimise == "" {
		errs = append(errs, errors.New("the goal is the lowest cost, but the cost is empty: type an expression such as cores + 0.05*workers"))
	}
	if errors.Join(errs...) == nil {
		errs = append(errs, q.Grid.Validate())
	}
	return q, errors.Join(errs...)
}

func chosen(label string) goal {
	for _, g := range goals {
		if g.label == label {
			return g
		}
	}
	return goals[0]
}

// goalOf is the goal that a question has.
func goalOf(q optimise.Question) goal {
	for _, g := range goals {
		if g.maximise == q.Maximise && g.minimise == q.Minimise {
			return g
		}
	}
	return goals[0]
}

func (f *form) goalLabel(q optimise.Question) string { return goalOf(q).label }

func (f *form) goalUnit(q optimise.Question) string { return goalOf(q).unit }

// spec is a limit in the form that ParseLimit reads, with all its digits.
func spec(l optimise.Limit) string {
	words := []string{l.Name}
	for _, w := range []string{l.Of, l.Stat} {
		if w != "" {
			words = append(words, w)
		}
	}
	op := "<="
	if l.AtLeast {
		op = ">="
	}
	return strings.Join(words, " ") + " " + op + " " + strconv.FormatFloat(l.Value, 'g', -1, 64)
}

// command is the search as a command line that gives the same answer, with more words.
func command(q optimise.Question, path string, more []string) string {
	words := []string{"tierctl", "optimize", session.Quote(path)}
	for _, a := range q.Grid.Axes {
		words = append(words, "--axis", session.Quote(a.Parameter+"="+axes.Spec(a)))
	}
	for _, c := range q.Grid.Constraints {
		words = append(words, "--where", session.Quote(c))
	}
	for _, l := range q.Limits {
		words = append(words, "--slo", session.Quote(spec(l)))
	}
	option := func(name, text string) {
		if text != "" {
			words = append(words, name, session.Quote(text))
		}
	}
	option("--maximise", q.Maximise)
	option("--minimise", q.Minimise)
	option("--cost", q.Cost)
	option("--load", q.Load)
	if q.Budget > 0 {
		option("--budget", q.Budget.String())
	}
	words = append(words, fmt.Sprintf("--seed %d --reps %d", q.Grid.Seed, q.Grid.Options().Inputs().Replications))
	return strings.Join(append(words, more...), " ")
}
