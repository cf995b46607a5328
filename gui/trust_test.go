package gui

import (
	"os"
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

// A model that measurements contradict is not to be trusted, however well the
// analysis went; and whoever opens it later sees that too.
func TestTheBadgeFallsWhenValidationSaysNo(t *testing.T) {
	w := window(t)
	p, err := project.Create(filepath.Join(t.TempDir(), "shop.tier"), project.Manifest{Name: "shop"}, *pagetest.Model())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Save(stage.TrustFormat, trust.Trust{Grade: "A", Explained: 0.99}, "analysis", "trust.json"); err != nil {
		t.Fatal(err)
	}
	// The stand-in predicts 11.8 ms for 4 workers at 60/s; measured are 50 ms.
	if err := os.MkdirAll(p.Path("measured"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.Path("measured", "m.csv"), []byte("workers,rate,R [s]\n4,60,0.05\n2,60,0.06\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	open(t, w, p.Dir)
	if markup := test.RenderToMarkup(w.Window.Canvas()); !strings.Contains(markup, "trust A") {
		t.Error("before the comparison the badge is not that of the analysis")
	}
	w.Session.GoPage("validate")
	w.Session.Runner.Settle()
	for _, opened := range []string{"compared", "opened again"} {
		if markup := test.RenderToMarkup(w.Window.Canvas()); !strings.Contains(markup, "trust D · validation says NO") {
			t.Errorf("%s: the badge does not say that validation says NO", opened)
		}
		if line := w.Session.Command(w.Session.Scenario()); !strings.HasSuffix(line, " --force") {
			t.Errorf("%s: tierctl, which refuses such models, is not told to predict all the same: %s", opened, line)
		}
		w = window(t)
		open(t, w, p.Dir)
	}
}
