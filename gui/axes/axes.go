// Package axes is the form in which the analyst types what is varied: a row
// of parameter and values for every axis of an experiment.
package axes

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	own "tierscope/gui/widget"
	"tierscope/simulation/experiment"
)

// Editor is the form. It needs a model with parameters, which Open gives it.
type Editor struct {
	Root    *fyne.Container
	Changed func() // something was typed
	Rows    []*Row

	parameters []string
	ranges     map[string]string // parameter → what to type, as a suggestion
	list       *fyne.Container
}

// Row is one axis.
type Row struct {
	Parameter *widget.Select
	Values    *widget.Entry
	root      fyne.CanvasObject
}

// New returns an editor without axes.
func New(changed func()) *Editor {
	e := &Editor{Changed: changed, list: container.NewVBox()}
	add := widget.NewButtonWithIcon("Add axis", theme.ContentAddIcon(), func() { e.Add(e.free(), "") })
	add.Importance = widget.LowImportance
	e.Root = container.NewVBox(e.list, container.NewHBox(add),
		own.Caption("Values 1, 2, 4, a range 10 to 130 by 10, or 10..1000:7log with seven points."))
	return e
}

// Open fills the form for a model: one axis over its first parameter. It
// calls nothing.
func (e *Editor) Open(m *core.Model) {
	e.parameters, e.ranges = m.ParameterNames(), map[string]string{}
	for _, p := range m.Parameters {
		e.ranges[p.Name] = Suggestion(p)
	}
	e.Rows, e.list.Objects = nil, nil
	e.append(e.parameters[0], e.ranges[e.parameters[0]])
}

// Suggestion is a first list of values: the default, doubled and halved as far
// as the parameter allows.
func Suggestion(p core.Parameter) string {
	text := ""
	for _, factor := range []float64{0.25, 0.5, 1, 2, 4} {
		v := p.Default * factor
		if v < p.Min || v > p.Max || p.Integer && v != float64(int64(v)) {
			continue
		}
		if text != "" {
			text += ","
		}
		text += strconv.FormatFloat(v, 'g', 6, 64)
	}
	return text
}

// free returns the first parameter without an axis, or the first.
func (e *Editor) free() string {
next:
	for _, name := range e.parameters {
		for _, r := range e.Rows {
			if r.Parameter.Selected == name {
				continue next
			}
		}
		return name
	}
	return e.parameters[0]
}

// Add adds an axis; values "" are suggested.
func (e *Editor) Add(parameter, values string) {
	if values == "" {
		values = e.ranges[parameter]
	}
	e.append(parameter, values)
	e.Changed()
}

func (e *Editor) append(parameter, values string) {
	r := &Row{Parameter: widget.NewSelect(e.parameters, nil), Values: widget.NewEntry()}
	r.Parameter.Selected = parameter
	r.Values.SetText(values)
	r.Values.SetPlaceHolder("such as " + e.ranges[parameter])
	suggested := e.ranges[parameter]
	r.Parameter.OnChanged = func(name string) {
		if r.Values.Text == suggested { // nobody has typed yet
			suggested = e.ranges[name]
			r.Values.SetText(suggested)
		}
		r.Values.SetPlaceHolder("such as " + e.ranges[name])
		e.Changed()
	}
	r.Values.OnChanged = func(string) { e.Changed() }
	remove := own.NewIconButton("Remove the axis", theme.DeleteIcon(), func() { e.remove(r) })
	r.root = container.NewBorder(nil, nil, r.Parameter, remove, r.Values)
	e.Rows = append(e.Rows, r)
	e.list.Add(r.root)
	e.Root.Refresh() // what is below the axes moves
}

// remove takes an axis away; the last one stays.
func (e *Editor) remove(r *Row) {
	for i, row := range e.Rows {
		if row == r && len(e.Rows) > 1 {
			e.Rows = append(e.Rows[:i], e.Rows[i+1:]...)
			e.list.Remove(r.root)
			e.Root.Refresh()
			e.Changed()
			return
		}
	}
}

// Axes returns what is typed. The error names every row that is not
// understood.
func (e *Editor) Axes() ([]experiment.Axis, error) {
	var all []experiment.Axis
	var errs []error
	for _, r := range e.Rows {
		a, err := Read(r.Parameter.Selected, r.Values.Text)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, a)
	}
	return all, errors.Join(errs...)
}

// words are those of a range, and what ParseAxis reads for them.
var words = strings.NewReplacer(" to ", "..", " by ", "/", " ", "")

// Read reads the values that are typed for a parameter: "1, 2, 4", "10 to 130", "10 to 130 by 10", or
// what ParseAxis reads.
func Read(parameter, text string) (experiment.Axis, error) {
	values := words.Replace(strings.TrimSpace(text))
	if values == "" {
		return experiment.Axis{}, fmt.Errorf("%s has no values yet: type a list such as 1,2,4,8 or a range such as 10 to 130 by 10", parameter)
	}
	a, err := experiment.ParseAxis(parameter + "=" + values)
	if spelling := (*experiment.SpellingError)(nil); errors.As(err, &spelling) {
		err = fmt.Errorf("%s: %q is neither a list such as 1,2,4,8 nor a range such as 10 to 130 by 10", parameter, text)
	}
	return a, err
}

// Spec is the values of an axis in their short form, which ParseAxis reads.
func Spec(a experiment.Axis) string {
	text := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	switch {
	case a.Log:
		return fmt.Sprintf("%s..%s:%dlog", text(a.From), text(a.To), a.Points)
	case a.Points > 0:
		return fmt.Sprintf("%s..%s:%d", text(a.From), text(a.To), a.Points)
	case len(a.Values) == 0:
		return fmt.Sprintf("%s..%s/%s", text(a.From), text(a.To), text(a.Step))
	}
	var values []string
	for _, v := range a.Values {
		values = append(values, text(v))
	}
	return strings.Join(values, ",")
}
