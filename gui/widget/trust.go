package widget

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"tierscope/analysis/trust"
	"tierscope/core/quantity"
)

// TrustCard shows how far a model can be relied on: the joint grade of analysis
// and validation, what measurements said ("": nothing yet), and the report of the
// analysis: what it saw and what it could not see; nil if there is none.
func TrustCard(grade, measured string, t *trust.Trust) fyne.CanvasObject {
	box := container.NewVBox(Heading("Trust " + grade))
	if measured == "" {
		measured = "No measurement was compared with this model yet. The page Validate measures the program or reads a CSV file, and the errors decide the grade."
	}
	box.Add(Section("Validation"))
	box.Add(Wrapped(measured))
	if t == nil {
		return Card(box)
	}
	box.Add(Section("Analysis, before any measurement: grade " + t.Grade))
	summary := quantity.Share(t.Explained) + " of the CPU time is in the model"
	if t.Overhead != nil {
		summary += ", the probes cost " + quantity.Change(*t.Overhead)
	}
	box.Add(Wrapped(fmt.Sprintf("%s, %s records were dropped.", summary, quantity.Count(t.Dropped))))
	for _, part := range []struct {
		title string
		lines []string
	}{
		{"Why this grade", t.Reasons}, {"Warnings", without(t.Warnings, t.Reasons)}, {"Assumptions", t.Assumptions}, {"Suspected home-made primitives", t.Suspects},
		{"Not modelled", t.NotModelled}, {"Wall-clock time in place of CPU time", t.WallClock},
	} {
		if len(part.lines) == 0 {
			continue
		}
		box.Add(Section(part.title))
		for _, line := range part.lines {
			box.Add(Wrapped("• " + line))
		}
	}
	if len(t.Supported) > 0 {
		box.Add(Section("What one run supports"))
		for _, r := range t.Supported {
			box.Add(Wrapped(fmt.Sprintf("• %s from %s to %s: %s", r.Parameter, quantity.Format(r.Min, ""), quantity.Format(r.Max, ""), r.Why)))
		}
	}
	return Card(box)
}

// without are the lines that others do not say already.
func without(lines, others []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(s string) bool { return slices.Contains(others, s) })
}
