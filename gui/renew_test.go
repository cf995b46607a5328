package gui

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"tierscope/core"
	"tierscope/gui/page/pagetest"
	"tierscope/project"
)

// Whatever was asked about one project, another one that is opened then is shown as in a window that has just started,
// on the page that is visible and on all others.
func TestNothingOfAProjectIsShownWithTheNext(t *testing.T) {
	first := measuredProject(t, "first", pagetest.Model(), "workers,rate,R [s]\n4,60,0.05\n2,60,0.06\n")
	m := pagetest.Model()
	m.Parameters = m.Parameters[:1]
	m.Parameters[0].Name, m.Parameters[0].Default = "threads", 3
	for _, visible := range []string{"validate", "optimise"} {
		if testing.Short() && visible != "validate" {
			continue
		}
		fresh, used := window(t), window(t)
		open(t, used, first)
		for _, e := range used.Shell.Entries() {
			used.Session.GoPage(e.ID)
			used.Session.Runner.Settle()
			used.Shell.Press("Ctrl+Enter")
			used.Session.Runner.Settle()
			used.Shell.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) // some ask for a file
		}
		used.Session.GoPage(visible)
		used.Session.Runner.Settle()
		fresh.Session.GoPage("walks") // opens the specialists' part of the rail
		fresh.Session.GoPage(visible)
		for _, w := range []*Window{fresh, used} {
			open(t, w, measuredProject(t, "second", m, "threads,R [s]\n3,0.012\n"))
		}
		for _, e := range used.Shell.Entries() {
			for _, w := range []*Window{fresh, used} {
				w.Session.GoPage(e.ID)
				w.Session.Runner.Settle()
			}
			if e.ID == "start" { // which lists both
				continue
			}
			want, got := words(fresh), words(used)
			for _, text := range got {
				if !slices.Contains(want, text) {
					t.Errorf("opened on %s, %s says %q, which is not of the project", visible, e.ID, text)
				}
			}
			for _, text := range want {
				if !slices.Contains(got, text) {
					t.Errorf("opened on %s, %s does not say %q", visible, e.ID, text)
				}
			}
		}
	}
}

// measuredProject makes a project with measurements and returns its folder.
func measuredProject(t *testing.T, name string, m *core.Model, measured string) string {
	t.Helper()
	p, err := project.Create(filepath.Join(t.TempDir(), name+".tier"), project.Manifest{Name: name}, *m)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(p.Path("measured"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.Path("measured", "m.csv"), []byte(measured), 0o600); err != nil {
		t.Fatal(err)
	}
	return p.Dir
}
