package validate

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
	"tierscope/project"
)

// analysed opens the page on a project that was made of a program: a shell
// script that does nothing, with a flag -workers.
func analysed(t *testing.T) (*page.Host, *Page) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir()) // where consents are kept
	dir := filepath.Join(t.TempDir(), "shop.tier")
	if _, err := project.Create(dir, project.Manifest{Name: "shop"}, *pagetest.Model()); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "program.sh")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nexit 0\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	workload := `{"format": "tierscope-workload", "version": 1, "target": "go", "workload": {"program": "` + program + `"}}`
	if err := os.MkdirAll(filepath.Join(dir, "analysis"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "analysis", "workload.json"), []byte(workload), 0o600); err != nil {
		t.Fatal(err)
	}
	h := pagetest.Host(t)
	o, err := session.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	h.Session.Show(o, "")
	p := New(h).(*Page)
	pagetest.Show(t, h, p)
	return h, p
}

// ask opens the dialog and types values of workers.
func ask(t *testing.T, h *page.Host, p *Page, workers string) *campaignForm {
	t.Helper()
	p.Measure()
	h.Session.Runner.Settle()
	if p.form == nil {
		t.Fatalf("no dialog; notice %+v", h.Session.Notice())
	}
	p.form.axes[0].SetText(workers)
	p.form.axes[1].SetText("")
	p.form.repeats.SetText("2")
	h.Session.Runner.Settle()
	return p.form
}

// Who received the project sees all that it would execute before it does, and a load on
// another machine needs more than a button.
func TestWhatAReceivedProjectExecutesIsShown(t *testing.T) {
	h, p := analysed(t)
	dir := h.Session.Project().Dir
	workload := `{"format": "tierscope-workload", "version": 1, "target": "go", "workload": {"program": "/bin/true", "prepare": "touch ` + dir + `/hidden",
		"load": {"url": "http://victim.example/", "rate_per_s": 1, "duration_s": 1}}}`
	if err := os.WriteFile(filepath.Join(dir, "analysis", "workload.json"), []byte(workload), 0o600); err != nil {
		t.Fatal(err)
	}
	f := ask(t, h, p, "1")
	shown := f.executes.Text
	for _, want := range []string{"/bin/true", "touch " + dir + "/hidden", "http://victim.example/"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the dialog does not show %q:\n%s", want, shown)
		}
	}
	if err := f.run(); err != nil {
		t.Fatal(err)
	}
	h.Session.Runner.Settle()
	if n := h.Session.Notice(); n == nil || !strings.Contains(n.Why, "--load-host victim.example") {
		t.Errorf("the load on another machine was not refused: %+v", n)
	}
	if _, err := os.Stat(filepath.Join(dir, "hidden")); err == nil {
		t.Error("the hidden command was executed")
	}
}

func TestMissingMeasurementsAreRunIntoTheProject(t *testing.T) {
	h, p := analysed(t)
	f := ask(t, h, p, "1,2")
	if !strings.HasPrefix(f.preview.Text, "3 configurations, 6 runs") {
		t.Fatalf("the dialog says %q, want 6 runs of 3 configurations: the two and that of the analysis", f.preview.Text)
	}
	f.copyCommand()
	if got := fyne.CurrentApp().Clipboard().Content(); !strings.HasSuffix(got, "--grid workers=1,2 --repeats 2") {
		t.Errorf("copied %q", got)
	}
	pagetest.Picture(t, h, "measure")
	if err := f.run(); err != nil {
		t.Fatal(err)
	}
	if !h.Session.Paused() {
		t.Error("simulations go on while the program is measured")
	}
	h.Session.Runner.Settle()
	if h.Session.Paused() {
		t.Error("after the measurement simulations still pause")
	}
	files := h.Session.Measured()
	if len(files) != 1 || files[0].Name() != "measured.csv" || len(files[0].Table.Runs()) != 6 || len(files[0].Table.Configurations()) != 3 {
		t.Fatalf("measured: %+v (notice %+v), want 6 runs of 3 configurations", files, h.Session.Notice())
	}
	if _, err := os.Stat(files[0].Path); err != nil {
		t.Error(err)
	}
	// The same again: nothing is missing. More repeats: only those are.
	f = ask(t, h, p, "1,2")
	if !strings.Contains(f.preview.Text, "all of them are measured already") {
		t.Errorf("the same again: %q", f.preview.Text)
	}
	f.repeats.SetText("3")
	h.Session.Runner.Settle()
	if !strings.Contains(f.preview.Text, "3 of them are missing") {
		t.Errorf("a third run of each: %q", f.preview.Text)
	}
	// Another grid is another campaign and never spoils the first.
	f = ask(t, h, p, "1,2,4")
	if !strings.Contains(f.preview.Text, "measured-2.csv") {
		t.Errorf("another grid: %q, want a file of its own", f.preview.Text)
	}
}

// A range is typed in words; the command has it as commands do.
func TestAFieldTakesValuesAndRanges(t *testing.T) {
	h, p := analysed(t)
	f := ask(t, h, p, "1 to 7 by 3")
	if !strings.HasPrefix(f.preview.Text, "3 configurations, 6 runs") {
		t.Errorf("the dialog says %q, want 6 runs: of 1, 4 and 7 workers", f.preview.Text)
	}
	f.copyCommand()
	if got := fyne.CurrentApp().Clipboard().Content(); !strings.HasSuffix(got, "--grid workers=1..7/3 --repeats 2") {
		t.Errorf("copied %q", got)
	}
}

func TestWhatIsMistypedInTheGridIsExplained(t *testing.T) {
	h, p := analysed(t)
	for _, c := range []struct{ workers, repeats, why string }{
		{"1,x", "2", `workers: "1,x" is neither a list`},
		{"1,2", "none", `"none"`},
	} {
		f := ask(t, h, p, c.workers)
		f.repeats.SetText(c.repeats)
		h.Session.Runner.Settle()
		if !strings.Contains(f.preview.Text, c.why) || f.missing != 0 {
			t.Errorf("workers %q, repeats %q: %q (%d runs would be made), want %s", c.workers, c.repeats, f.preview.Text, f.missing, c.why)
		}
	}
}

// A model file alone knows no program, and has no folder to measure into.
func TestAModelAloneCannotBeMeasured(t *testing.T) {
	h, p := pagetest.Open[*Page](t, New)
	p.Measure()
	if n := h.Session.Notice(); n == nil || !strings.Contains(n.Why, "project folder") {
		t.Errorf("notice %+v, want the reason", n)
	}
}

// Naming an ignored column says what it holds.
func TestANameGivesAColumnItsRole(t *testing.T) {
	h := pagetest.Host(t)
	m := newMapping("a.csv", []byte("threads,load [req/s],R [ms]\n4,60,12\n8,60,11\n"), h)
	m.form()
	if !strings.Contains(m.preview.Text, "no column is a parameter") {
		t.Errorf("before naming: %q", m.preview.Text)
	}
	test.Type(m.names[0], "workers")
	test.Type(m.names[1], "rate")
	if want := "2 values in 2 configurations of workers, rate."; m.preview.Text != want {
		t.Errorf("after naming: %q, want %q", m.preview.Text, want)
	}
}
