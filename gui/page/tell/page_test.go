package tell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/recipe"
	"tierscope/gui/session"
)

func opened(t *testing.T) (*page.Host, *Page) {
	return pagetest.Open[*Page](t, func(h *page.Host) page.Page { return New(h, "test") })
}

func TestTheReportIsWrittenInTheBackground(t *testing.T) {
	h, p := opened(t)
	pagetest.Picture(t, h, "tell")
	if !p.validate.Disabled() {
		t.Error("a comparison is offered although nothing was measured")
	}
	path := filepath.Join(t.TempDir(), "web.html")
	p.file.SetText(path)
	p.explain.SetChecked(false)
	test.Tap(p.write)
	h.Session.Runner.Settle()
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), "Performance of web") {
		t.Errorf("the report was not written: %v", err)
	}
	if p.state.Text != "Written: "+path || p.write.Disabled() {
		t.Errorf("the page says %q", p.state.Text)
	}
}

func TestAFolderThatCannotBeWrittenIsExplained(t *testing.T) {
	h, p := opened(t)
	p.explain.SetChecked(false)
	p.file.SetText("/proc/nowhere/web.html")
	test.Tap(p.write)
	h.Session.Runner.Settle()
	if n := h.Session.Notice(); n == nil || n.What != "Report failed." {
		t.Errorf("the notice is %+v", n)
	}
}

func TestWithoutAModelOrANameNothingIsWritten(t *testing.T) {
	h, p := opened(t)
	p.file.SetText("  ")
	test.Tap(p.write)
	if n := h.Session.Notice(); n == nil || !strings.Contains(n.Why+n.Details, "the file has no name") {
		t.Errorf("the notice is %+v", n)
	}
	h.Session.SetModel(nil, "")
	if !pagetest.Says(p.Content(), "No model is open") {
		t.Error("without a model the page does not say so")
	}
}

func TestPinnedChartsAreListedWrittenAndTakenOut(t *testing.T) {
	h, p := opened(t)
	if !pagetest.Says(p.Content(), "they appear here") {
		t.Error("without pinned charts the page does not say how to pin one")
	}
	r := recipe.Recipe{Metric: "R class/task mean", X: "workers", LogY: true}
	h.Session.Pin(r)
	h.Session.GoPage("report")
	p.Update(session.PlaceChanged)
	if !pagetest.Says(p.Content(), "Response time R over workers, log y") {
		t.Fatal("the pinned chart is not listed")
	}
	p.explain.SetChecked(false)
	path := filepath.Join(t.TempDir(), "web.html")
	p.file.SetText(path)
	test.Tap(p.write)
	h.Session.Runner.Settle()
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), "Response time R over workers, log y") {
		t.Errorf("the report lacks the pinned chart (%v)", err)
	}
	pagetest.Press(t, h, p.pinned, "Open")
	if got := h.Session.Place(); got.Page != "results" || got.Part != r.Name() {
		t.Errorf("a tap leads to %+v, want the chart among the results", got)
	}
	h.Session.Unpin(r)
	p.Update(session.PlaceChanged)
	if pagetest.Says(p.Content(), "log y") {
		t.Error("the chart is still listed")
	}
}
