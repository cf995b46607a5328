package tell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/recipe"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
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

// Figures of any page are in the report as they were when they were pinned, in the order and with the notes that
// the analyst gave them; a picture is an image, in which nothing is executed.
func TestPinnedFiguresAreInTheReportInTheAnalystsOrder(t *testing.T) {
	h, p := opened(t)
	for _, title := range []string{"Breakdown", "Network"} {
		h.Session.PinFigure(recipe.Pin{Title: title, Summary: title + " of web", From: "seed 42",
			SVG: "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", Header: []string{"part", "share"}, Rows: [][]string{{title + " cpu", "7 %"}}})
	}
	h.Session.NotePin(1, "the network first")
	h.Session.MovePin(1, -1)
	h.Session.MovePin(0, -1) // is the first already
	h.Session.GoPage("report")
	p.Update(session.PlaceChanged)
	if !pagetest.Says(p.Content(), "seed 42") {
		t.Error("the page does not say the seed of a pinned figure")
	}
	p.explain.SetChecked(false)
	path := filepath.Join(t.TempDir(), "web.html")
	p.file.SetText(path)
	test.Tap(p.write)
	h.Session.Runner.Settle()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	first, second := strings.Index(text, "Network</h2>"), strings.Index(text, "Breakdown</h2>")
	if first < 0 || second < first || !strings.Contains(text, "the network first") || !strings.Contains(text, "Breakdown cpu") {
		t.Errorf("the figures are at %d and %d, or their note or numbers are missing", first, second)
	}
	if !strings.Contains(text, `src="data:image/svg&#43;xml;base64,`) || strings.Contains(text, "alert(1)") {
		t.Error("the picture is no image in the page")
	}
	// Dragged down by its height, the first comes second.
	h.Window.Canvas().Capture()
	row := p.pinned.Objects[0].(*fyne.Container)
	for _, o := range test.LaidOutObjects(row) {
		if grip, ok := o.(*own.Handle); ok {
			grip.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(0, row.Size().Height-20)})
			grip.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(0, 25)})
			grip.DragEnd()
			break
		}
	}
	if now := h.Session.Pins(); now[0].Title != "Breakdown" || now[1].Note != "the network first" {
		t.Errorf("after dragging the first below the second they are %+v", now)
	}
	h.Session.UnpinFigure(1)
	if left := h.Session.Pins(); len(left) != 1 || left[0].Title != "Breakdown" {
		t.Errorf("after taking out the first, %+v are left", left)
	}
}
