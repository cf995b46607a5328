package experiments

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/gui/axes"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
)

// designer is the form in which a sweep is typed.
type designer struct {
	root         *fyne.Container
	changed      func()
	axes         *axes.Editor
	constraints  *widget.Entry
	replications *widget.Entry
	precision    *widget.Entry
	seed         *widget.Entry
}

func newDesigner(changed func()) *designer {
	d := &designer{changed: changed}
	d.axes = axes.New(func() {
		d.root.Refresh() // what is below the axes moves
		d.changed()
	})
	entry := func(placeholder string) *widget.Entry { return own.Field(placeholder, func() { d.changed() }) }
	d.constraints = entry("workers >= cores")
	d.replications, d.precision, d.seed = entry("10"), entry("5"), entry("0")
	d.root = container.NewVBox(
		own.Section("Axes"), d.axes.Root,
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
	d.axes.Open(m)
	d.constraints.SetText("")
	d.replications.SetText(strconv.Itoa(s.Replications))
	d.precision.SetText("")
	d.seed.SetText(strconv.FormatUint(s.Seed, 10))
}

// design returns what is typed.
func (d *designer) design() design {
	return design{axes: d.axes, constraints: d.constraints.Text, replications: d.replications.Text, precision: d.precision.Text, seed: d.seed.Text}
}
