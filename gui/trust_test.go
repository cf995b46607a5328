package gui

import (
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"tierscope/analysis/stage"
	"tierscope/analysis/trust"
	"tierscope/gui/page/pagetest"
	"tierscope/project"
)

// Whoever opens a model sees how far it can be trusted, on every page, and one
// tap away why.
func TestTheGradeOfTheTrustReportIsOnEveryPage(t *testing.T) {
	w := window(t)
	p, err := project.Create(filepath.Join(t.TempDir(), "shop.tier"), project.Manifest{Name: "shop"}, *pagetest.Model())
	if err != nil {
		t.Fatal(err)
	}
	report := trust.Trust{Grade: "C", Reasons: []string{"overhead 21 %"}, Explained: 0.8}
	if err := p.Save(stage.TrustFormat, report, "analysis", "trust.json"); err != nil {
		t.Fatal(err)
	}
	open(t, w, p.Dir)
	if markup := test.RenderToMarkup(w.Window.Canvas()); !strings.Contains(markup, "trust C") {
		t.Error("the grade is not on the page")
	}
	w.Shell.ShowTrust()
	if markup := test.RenderToMarkup(w.Window.Canvas()); !strings.Contains(markup, "overhead 21 %") {
		t.Error("the reason is not in the report")
	}
}
