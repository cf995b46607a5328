package widget

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"tierscope/analysis/trust"
)

// What lowers a grade is a warning too; the card says it once.
func TestAReasonIsNotRepeatedAsAWarning(t *testing.T) {
	app(t)
	card := TrustCard("B", "", &trust.Trust{Grade: "B", Reasons: []string{"it lacks a lock"}, Warnings: []string{"it lacks a lock", "the disk was busy"}})
	counts := map[string]int{}
	for _, o := range test.LaidOutObjects(card) {
		if l, ok := o.(*widget.Label); ok {
			counts[strings.TrimPrefix(l.Text, "• ")]++
		}
	}
	if counts["it lacks a lock"] != 1 || counts["the disk was busy"] != 1 {
		t.Errorf("the card says %v, want each once", counts)
	}
}
