package experiments

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
)

// designer is the form in which a sweep is typed.
type designer struct {
	root    *fyne.Container
	changed func()

	parameters   []string
	ranges       map[string]string // parameter → what to type, as a suggestion
	axes         *fyne.Container
	rows         []*axisRow
	constraints  *widget.Entry
	replications *widget.Entry
	precision    *widget.Entry
	seed         *widget.Entry
}

type axisRow struct {
	parameter *widget.Select
	values    *widget.Entry
	root      fyne.CanvasObject
}

func newDesigner(changed func()) *designer {
	d := &designer{changed: changed, axes: container.NewVBox()}
	entry := func(placeholder string) *widget.Entry {
		e := widget.NewEntry()
		e.SetPlaceHolder(placeholder)
		e.OnChanged = func(string) { d.changed() }
		return e
	}
	d.constraints = entry("workers >= cores; rate < 200")
	d.replications, d.precision, d.seed = entry("10"), entry("as replications give"), entry("0")
	add := widget.NewButtonWithIcon("Add axis", theme.ContentAddIcon(), func() { d.addAxis(d.free(), ""); d.changed() })
	add.Importance = widget.LowImportance
	d.root = container.NewVBox(
		own.Section("Axes"), d.axes, container.NewHBox(add),
		own.Caption("A list 1,2,4,8, a range 10..130/10 in steps of 10, or 10..1000:7log with seven points."),
		widget.NewForm(
			widget.NewFormItem("Constraints", d.constraints),
			widget.NewFormItem("Replications", d.replications),
			widget.NewFormItem("Precision ± %", d.precision),
			widget.NewFormItem("Seed", d.seed)))
	return d
}

// open fills the form for a model: one axis over its first parameter.
func (d *designer) open(m *core.Model, s session.Settings) {
	changed := d.changed
	d.changed = func() {} // one change at the end, not one for every field
	defer func() { d.changed = changed }()
	d.parameters, d.ranges = nil, map[string]string{}
	for _, p := range m.Parameters {
		d.parameters = append(d.parameters, p.Name)
		d.ranges[p.Name] = suggestion(p)
	}
	d.rows, d.axes.Objects = nil, nil
	d.addAxis(d.parameters[0], d.ranges[d.parameters[0]])
	d.constraints.SetText("")
	d.replications.SetText(strconv.Itoa(s.Replications))
	d.precision.SetText("")
	d.seed.SetText(strconv.FormatUint(s.Seed, 10))
}

// suggestion is a first list of values: the default, doubled and halved as far
// as the parameter allows.
func suggestion(p core.Parameter) string {
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
func (d *designer) free() string {
next:
	for _, name := range d.parameters {
		for _, r := range d.rows {
			if r.parameter.Selected == name {
				continue next
			}
		}
		return name
	}
	return d.parameters[0]
}

func (d *designer) addAxis(parameter, values string) {
	r := &axisRow{parameter: widget.NewSelect(d.parameters, nil), values: widget.NewEntry()}
	r.parameter.Selected = parameter
	r.values.SetText(values)
	r.values.SetPlaceHolder(d.ranges[parameter])
	r.parameter.OnChanged = func(name string) {
		r.values.SetPlaceHolder(d.ranges[name])
		d.changed()
	}
	r.values.OnChanged = func(string) { d.changed() }
	remove := widget.NewButtonWithIcon("", theme.DeleteIcon(), func() { d.removeAxis(r) })
	remove.Importance = widget.LowImportance
	r.root = container.NewBorder(nil, nil, r.parameter, remove, r.values)
	d.rows = append(d.rows, r)
	d.axes.Add(r.root)
	d.root.Refresh() // what is below the axes moves
}

func (d *designer) removeAxis(r *axisRow) {
	for i, row := range d.rows {
		if row == r && len(d.rows) > 1 {
			d.rows = append(d.rows[:i], d.rows[i+1:]...)
			d.axes.Remove(r.root)
			d.root.Refresh()
			d.changed()
			return
		}
	}
}

// design returns what is typed.
func (d *designer) design() design {
	out := design{constraints: d.constraints.Text, replications: d.replications.Text, precision: d.precision.Text, seed: d.seed.Text}
	for _, r := range d.rows {
		out.axes = append(out.axes, axis{r.parameter.Selected, r.values.Text})
	}
	return out
}
