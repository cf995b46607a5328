package start

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2/test"
	own "tierscope/gui/widget"

	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
)

// opened opens the page over a folder with two samples, one of them not known
// to the program, and returns what was asked to be opened.
func opened(t *testing.T) (h *page.Host, p *Page, asked *[]string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"web-server.tier", "extra.tier", "notes"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	h, asked = pagetest.Host(t), new([]string)
	h.Open = func(path string) { *asked = append(*asked, "project "+filepath.Base(path)) }
	h.OpenSample = func(path string) { *asked = append(*asked, "sample "+filepath.Base(path)) }
	p = New(h, dir, func() { *asked = append(*asked, "dialog") }).(*Page)
	pagetest.Show(t, h, p)
	return h, p, asked
}

func TestATapOpensASampleOrAsksForAProject(t *testing.T) {
	h, p, asked := opened(t)
	pagetest.Press(t, h, p.Content(), "Open Web server")
	pagetest.Press(t, h, p.Content(), "Open extra")
	pagetest.Press(t, h, p.Content(), "Open project or model…")
	if want := []string{"sample web-server.tier", "sample extra.tier", "dialog"}; !slices.Equal(*asked, want) {
		t.Errorf("asked to open %q, want %q: folders that are no projects are no samples", *asked, want)
	}
	pagetest.Press(t, h, p.Content(), "Analyse my program")
	if got := h.Session.Place().Page; got != "analyse" {
		t.Errorf("the page is %q, want analyse", got)
	}
}

func TestTheOpenModelIsOneStepFromItsAnswer(t *testing.T) {
	h, p, _ := opened(t)
	pagetest.Press(t, h, p.Content(), "Ask what if")
	if got := h.Session.Place().Page; got != "scenarios" {
		t.Errorf("the page is %q, want scenarios", got)
	}
}

func TestRecentProjectsAreOpenedAndForgotten(t *testing.T) {
	h, p, asked := opened(t)
	if pagetest.Says(p.Content(), "Nothing yet.") { // the host's model is recent
		t.Fatal("the open project is not among the recent ones")
	}
	pagetest.Press(t, h, p.Content(), "web.tier")
	if want := []string{"project web.tier"}; !slices.Equal(*asked, want) {
		t.Errorf("asked to open %q, want %q", *asked, want)
	}
	for _, o := range test.LaidOutObjects(p.recent) {
		if b, ok := o.(*own.IconButton); ok { // the cross
			test.Tap(b)
			break
		}
	}
	if !pagetest.Says(p.Content(), "Nothing yet. What you open appears here.") {
		t.Error("after the only project was forgotten the list does not say that it is empty")
	}
}

// A missing folder of samples is no reason not to start.
func TestWithoutSamplesThePageStillOpensProjects(t *testing.T) {
	h := pagetest.Host(t)
	p := New(h, filepath.Join(t.TempDir(), "missing"), func() {}).(*Page)
	pagetest.Show(t, h, p)
	if len(p.samples) != 0 || pagetest.Says(p.Content(), "Try it in one minute") {
		t.Errorf("samples %v are offered from a folder that does not exist", p.samples)
	}
	pagetest.Press(t, h, p.Content(), "Open project or model…")
}

func TestThePaletteOffersTheSamples(t *testing.T) {
	_, p, asked := opened(t)
	for _, a := range p.Actions() {
		if a.Title == "Open sample Web server" {
			a.Run()
		}
	}
	if want := []string{"sample web-server.tier"}; !slices.Equal(*asked, want) {
		t.Errorf("asked to open %q, want %q", *asked, want)
	}
}
