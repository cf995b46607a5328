package analyse

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"tierscope/analysis"
	"tierscope/core/quantity"
	own "tierscope/gui/widget"
)

// TrustCard shows the trust report of a model: what the analysis saw, what it
// could not see, and a grade.
func TrustCard(t analysis.Trust) fyne.CanvasObject {
	box := container.NewVBox(own.Heading("Trust " + t.Grade))
	summary := quantity.Share(t.Explained) + " of the CPU time is in the model"
	if t.Overhead != nil {
		summary += ", the probes cost " + quantity.Change(*t.Overhead)
	}
	box.Add(own.Wrapped(fmt.Sprintf("%s, %s records were dropped.", summary, quantity.Count(t.Dropped))))
	for _, part := range []struct {
		title string
		lines []string
	}{
		{"Why this grade", t.Reasons}, {"Warnings", t.Warnings}, {"Assumptions", t.Assumptions}, {"Suspected home-made primitives", t.Suspects},
		{"Not modelled", t.NotModelled}, {"Wall-clock time in place of CPU time", t.WallClock},
	} {
		if len(part.lines) == 0 {
			continue
		}
		box.Add(own.Section(part.title))
		for _, line := range part.lines {
			box.Add(own.Wrapped("• " + line))
		}
	}
	return own.Card(box)
}
