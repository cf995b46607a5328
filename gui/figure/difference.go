package figure

import (
	"tierscope/gui/chart"
	"tierscope/gui/recipe"
	"tierscope/simulation/difference"
	"tierscope/simulation/output"
)

// Attribution is the figure of what each change does to the metric on the way
// from the old build to the new one.
func Attribution(r *difference.Report) chart.Waterfall {
	f := chart.Waterfall{Title: "What each change does"}
	c, ok := r.Of(r.Metric)
	if !ok {
		return f
	}
	f.Axis = chart.Axis{Label: recipe.Label(r.Metric), Unit: c.Unit}
	f.From, f.To = chart.Effect{Name: "old", Mean: c.A.Mean}, chart.Effect{Name: "new", Mean: c.B.Mean}
	effect := func(name string, e output.Estimate) {
		f.Steps = append(f.Steps, chart.Effect{Name: name, Mean: e.Mean, Lo: e.Lo, Hi: e.Hi, ID: name})
	}
	for _, s := range r.Shares {
		effect(s.Part, s.Effect)
	}
	if r.Interaction != nil {
		effect("interaction", *r.Interaction)
	}
	return f
}
