package gui

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/gui/graphlayout/layouttest"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
	"tierscope/project"
	"tierscope/simulation"
)

// window returns a window without a display, with the stand-in simulator.
func window(t *testing.T) *Window {
	t.Helper()
	app := test.NewTempApp(t)
	w, err := New(app, Options{Runner: background.NewLocal(), Layouter: layouttest.New(t), Samples: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	w.Session.UseSimulator(pagetest.Simulate, simulation.NewPool(2))
	w.Session.ChangeSettings(func(s *session.Settings) { s.Theme = "light" })
	w.Window.Resize(fyne.NewSize(1280, 800))
	return w
}

// modelFile writes the test model to a file.
func modelFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "web.json")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := core.Encode(f, *pagetest.Model()); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t *testing.T, w *Window, path string) {
	t.Helper()
	w.Open(path)
	w.Session.Runner.Settle()
}

// press does what a shortcut does. The test driver has no shortcuts of its own.
func press(t *testing.T, w *Window, key string) {
	t.Helper()
	if !w.Shell.Press(key) {
		t.Fatalf("%s does nothing", key)
	}
	w.Session.Runner.Settle()
}

func TestOpeningAModelShowsItAndRemembersIt(t *testing.T) {
	w := window(t)
	path := modelFile(t)
	open(t, w, path)
	if got := w.Session.Place().Page; got != "model" {
		t.Errorf("page %q after opening, want the model", got)
	}
	if got := w.Window.Title(); got != "web — Tierscope" {
		t.Errorf("title %q", got)
	}
	if r := w.Session.Recent(); len(r) != 1 || r[0] != path {
		t.Errorf("recent %q, want the model", r)
	}
}

// Whatever is wrong with a file, the window says what and why, and what was
// open stays open.
func TestWhatCannotBeOpenedIsExplainedAndNothingIsLost(t *testing.T) {
	w := window(t)
	open(t, w, modelFile(t))
	was := w.Session.Model()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	empty := filepath.Join(dir, "empty.tier")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, why string }{
		{filepath.Join(dir, "missing.json"), "does not exist"},
		{write("broken.json", `{"format": "tierscope-model",`), "broken.json"},
		{write("newer.json", `{"format": "tierscope-model", "version": 99}`), "99"},
		{write("other.json", `{"format": "holiday-photos", "version": 1}`), "holiday-photos"},
		{empty, "project.json"},
	} {
		w.Session.Dismiss()
		open(t, w, c.path)
		n := w.Session.Notice()
		if n == nil || n.Level != session.Problem || !strings.Contains(n.Details, c.why) {
			t.Errorf("%s: notice %+v, want a problem that says %q", filepath.Base(c.path), n, c.why)
		}
		if w.Session.Model() != was {
			t.Fatalf("%s: the open model is gone", filepath.Base(c.path))
		}
	}
}

func TestABrokenScenarioDoesNotKeepTheProjectFromOpening(t *testing.T) {
	w := window(t)
	dir := filepath.Join(t.TempDir(), "shop.tier")
	p, err := project.Create(dir, project.Manifest{Name: "shop"}, *pagetest.Model())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.SaveScenario(session.Scenario{Name: "good", Settings: map[string]float64{"workers": 8}}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.Path("scenarios", "bad.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	open(t, w, dir)
	if n := len(w.Session.Scenarios()); n != 2 {
		t.Errorf("%d scenarios, want the baseline and the good one", n)
	}
	if n := w.Session.Notice(); n == nil || n.Level != session.Warning || !strings.Contains(n.Details, "bad.json") {
		t.Errorf("notice %+v, want a warning that names bad.json", n)
	}
}

// What the analyst has made must be there after a restart.
func TestScenariosAreFoundAgainAfterARestart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shop.tier")
	if _, err := project.Create(dir, project.Manifest{Name: "shop"}, *pagetest.Model()); err != nil {
		t.Fatal(err)
	}
	w := window(t)
	open(t, w, dir)
	w.Session.Set("workers", 8)
	w.Session.RenameScenario(1, "more workers")
	w.Session.AddScenario(0)
	w.Session.Set("rate", 120)
	w.Session.RemoveScenario(1)
	w.Session.Undo()
	w.Session.Runner.Settle()
	again := window(t)
	open(t, again, dir)
	var names []string
	for _, c := range again.Session.Scenarios() {
		names = append(names, c.Name)
	}
	if got := strings.Join(names, ", "); got != "baseline, more workers, A" {
		t.Errorf("scenarios after a restart: %s", got)
	}
	if v := again.Session.Scenarios()[1].Settings["workers"]; v != 8 {
		t.Errorf("workers %v after a restart, want 8", v)
	}
}

// Nothing that was simulated is simulated again after a restart: the ledger of
// the project has it.
func TestResultsAreFoundAgainAfterARestart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shop.tier")
	if _, err := project.Create(dir, project.Manifest{Name: "shop"}, *pagetest.Model()); err != nil {
		t.Fatal(err)
	}
	simulations := 0
	counted := func(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error) {
		simulations++
		return pagetest.Simulate(ctx, m, settings, o)
	}
	for start := range 2 {
		w := window(t)
		w.Session.UseSimulator(counted, simulation.NewPool(1))
		open(t, w, dir)
		if start == 0 {
			w.Session.Set("workers", 8)
		} else if n := len(w.Session.Runs()); n != 1 {
			t.Fatalf("%d runs after a restart, want 1", n)
		} else {
			w.Session.UseScenario(1)
		}
		w.Session.Simulate(w.Session.Scenario())
		w.Session.Runner.Settle()
		// 8 workers at 60/s: R = 10 ms/(1 − 60/800).
		if text, _, _ := session.Headline(w.Session.Outcome(w.Session.Scenario()).Result, "R"); !strings.HasPrefix(text, "10.8 ms") {
			t.Errorf("start %d: R is %s, want 10.8 ms", start+1, text)
		}
	}
	if simulations != 1 {
		t.Errorf("%d simulations in two sessions, want 1", simulations)
	}
}

// What an analyst does with a sample must not change the sample.
func TestASampleIsOpenedAsACopyThatIsKept(t *testing.T) {
	samples, own := t.TempDir(), t.TempDir()
	if _, err := project.Create(filepath.Join(samples, "shop.tier"), project.Manifest{Name: "shop"}, *pagetest.Model()); err != nil {
		t.Fatal(err)
	}
	for start := range 2 {
		w, err := New(test.NewTempApp(t), Options{Runner: background.NewLocal(), Layouter: layouttest.New(t), Samples: samples, Own: own})
		if err != nil {
			t.Fatal(err)
		}
		tapButton(t, w, "Open shop")
		w.Session.Runner.Settle()
		if !strings.HasPrefix(w.Session.Path(), own) {
			t.Fatalf("%q is open, want a copy in %q; notice %+v", w.Session.Path(), own, w.Session.Notice())
		}
		if n := len(w.Session.Scenarios()); n != 1+start {
			t.Errorf("start %d: %d scenarios, want %d", start+1, n, 1+start)
		}
		w.Session.Set("workers", 8)
		w.Session.Runner.Settle()
	}
	if _, err := os.Stat(filepath.Join(samples, "shop.tier", "scenarios", "A.json")); err == nil {
		t.Error("the sample itself has the scenario")
	}
}

func tapButton(t *testing.T, w *Window, text string) {
	t.Helper()
	for _, o := range test.LaidOutObjects(w.Window.Content()) {
		if b, ok := o.(*widget.Button); ok && b.Text == text {
			test.Tap(b)
			return
		}
	}
	t.Fatalf("no button %q", text)
}

func TestFilesCanBeDropped(t *testing.T) {
	w := window(t)
	w.Drop([]fyne.URI{storage.NewFileURI(modelFile(t))})
	w.Session.Runner.Settle()
	if w.Session.Model() == nil {
		t.Error("a dropped model was not opened")
	}
}

func TestShortcutsReachEveryPageAndTheWayBack(t *testing.T) {
	w := window(t)
	open(t, w, modelFile(t))
	for i, e := range w.Shell.Entries() {
		if i == 9 {
			break
		}
		press(t, w, fmt.Sprintf("Ctrl+%d", i+1))
		if got := w.Session.Place().Page; got != e.ID {
			t.Errorf("Ctrl+%d leads to %q, want %q", i+1, got, e.ID)
		}
	}
	press(t, w, "Alt+Left")
	if got := w.Session.Place().Page; got != w.Shell.Entries()[7].ID {
		t.Errorf("Alt+Left leads to %q, want the page before", got)
	}
}

// All keys are the analyst's to choose, in one file.
func TestKeysCanBeRemapped(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(file, []byte(`{"Go to Help": "Ctrl+Shift+H", "Settings": "S", "Go to Home": "Ctrl+2", "Undo": "Hyper+U"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := New(test.NewTempApp(t), Options{Runner: background.NewLocal(), Layouter: layouttest.New(t), Keys: file})
	if err != nil {
		t.Fatal(err)
	}
	if n := w.Session.Notice(); n == nil || !strings.Contains(n.Details, `"Hyper+U" is no key`) {
		t.Errorf("notice %+v, want one about Hyper+U", n)
	}
	for _, c := range []struct{ key, page string }{{"Ctrl+Shift+H", "help"}, {"S", "settings"}, {"Ctrl+2", "start"}} {
		press(t, w, c.key)
		if got := w.Session.Place().Page; got != c.page {
			t.Errorf("%s leads to %q, want %q", c.key, got, c.page)
		}
	}
}

func TestThePaletteFindsElementsAndCommands(t *testing.T) {
	w := window(t)
	open(t, w, modelFile(t))
	press(t, w, "Ctrl+K")
	field := w.Window.Canvas().Focused()
	if field == nil {
		t.Fatal("the palette has no focus")
	}
	for _, r := range "fragment work" {
		field.TypedRune(r)
	}
	field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	w.Session.Runner.Settle()
	if got := w.Session.Place(); got.Part != "tier2/worker" || !strings.HasPrefix(got.Selected, "graphs/worker/fragments/") {
		t.Errorf("the palette leads to %+v, want the fragment", got)
	}
	if n := len(w.Window.Canvas().Overlays().List()); n != 0 {
		t.Errorf("%d overlays are open after a choice", n)
	}
}

func TestAPaletteWithoutHitsSaysWhatItSearches(t *testing.T) {
	w := window(t)
	path := modelFile(t)
	open(t, w, path)
	open(t, w, modelFile(t))
	press(t, w, "Ctrl+K")
	field := w.Window.Canvas().Focused()
	for _, r := range "xyzzy" {
		field.TypedRune(r)
	}
	overlay := w.Window.Canvas().Overlays().Top()
	if !says(overlay, "Nothing is called that.") {
		t.Error("an empty list says nothing")
	}
	field.(interface{ SetText(string) }).SetText(path)
	field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	w.Session.Runner.Settle()
	if got := w.Session.Path(); got != path {
		t.Errorf("open is %q, want the recent %q", got, path)
	}
}

// The path that was open last is replaced by typing, and Enter opens.
func TestOpeningNeedsNoMouse(t *testing.T) {
	w := window(t)
	open(t, w, modelFile(t))
	other := modelFile(t)
	w.Shell.ShowOpen()
	field := w.Window.Canvas().Focused()
	for _, r := range other {
		field.TypedRune(r)
	}
	field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	w.Session.Runner.Settle()
	if got := w.Session.Path(); got != other {
		t.Errorf("open is %q, want %q", got, other)
	}
	if n := len(w.Window.Canvas().Overlays().List()); n != 0 {
		t.Errorf("%d dialogs are still open", n)
	}
}

func TestQuestionMarkShowsTheKeysAndEscapeClosesThem(t *testing.T) {
	w := window(t)
	w.Shell.TypedRune('?')
	if n := len(w.Window.Canvas().Overlays().List()); n != 1 {
		t.Fatalf("%d overlays after ?, want the keys", n)
	}
	w.Shell.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if n := len(w.Window.Canvas().Overlays().List()); n != 0 {
		t.Errorf("%d overlays after Escape, want none", n)
	}
}

// Two actions on one key would make one of them unreachable.
func TestNoKeyMeansTwoThings(t *testing.T) {
	w := window(t)
	open(t, w, modelFile(t))
	for _, e := range w.Shell.Entries() {
		w.Session.GoPage(e.ID)
		w.Session.Runner.Settle()
		seen := map[string]string{}
		for _, a := range w.Shell.Actions() {
			if a.Key == "" {
				continue
			}
			if other, taken := seen[a.Key]; taken {
				t.Errorf("page %s: %s is %q and %q", e.ID, a.Key, other, a.Title)
			}
			seen[a.Key] = a.Title
		}
	}
}

// Every page must stand with and without a model, in both themes and at twice
// the size, and draw something.
func TestEveryPageStandsInEveryTheme(t *testing.T) {
	for _, c := range []struct {
		mode  string
		scale float32
		path  string
	}{{"light", 1, ""}, {"dark", 2, modelFile(t)}} {
		if testing.Short() && c.path == "" {
			continue
		}
		w := window(t)
		w.Session.ChangeSettings(func(s *session.Settings) { s.Theme = c.mode })
		if !testing.Short() { // four times the pixels
			w.Window.Canvas().(interface{ SetScale(float32) }).SetScale(c.scale)
		}
		if c.path != "" {
			open(t, w, c.path)
		}
		for _, e := range w.Shell.Entries() {
			w.Session.GoPage(e.ID)
			w.Session.Runner.Settle()
			if n := colours(w.Window.Canvas().Capture()); n < 8 {
				t.Errorf("%+v: page %s shows %d colours only", c, e.ID, n)
			}
		}
	}
}

// colours counts the colours of a sample of pixels, up to 50.
func colours(img image.Image) int {
	seen := map[[3]uint32]bool{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += 3 {
		for x := b.Min.X; x < b.Max.X; x += 3 {
			r, g, bl, _ := img.At(x, y).RGBA()
			seen[[3]uint32{r, g, bl}] = true
			if len(seen) >= 50 {
				return 50
			}
		}
	}
	return len(seen)
}

func TestTheInspectorAsksWhatIfForTheSelectedElement(t *testing.T) {
	w := window(t)
	open(t, w, modelFile(t))
	w.Session.Select("pools/worker")
	w.Session.Set("pools/worker/size", 8)
	w.Session.Runner.Settle()
	if got := w.Session.Scenario().Settings["workers"]; got != 8 {
		t.Errorf("size %v, want 8", got)
	}
	for _, path := range []string{"sources/clients", "queues/tasks", "sinks/done", "graphs/worker/fragments/work", "no/such/thing"} {
		w.Session.Select(path)
		w.Session.Runner.Settle()
		if _, text, _ := strings.Cut(path, "/"); !says(w.Window.Content(), filepath.Base(text)) {
			t.Errorf("the inspector says nothing about %s", path)
		}
	}
}

// says reports whether a label says text.
func says(o fyne.CanvasObject, text string) bool {
	for _, x := range test.LaidOutObjects(o) {
		if l, ok := x.(*widget.Label); ok && strings.Contains(l.Text, text) {
			return true
		}
	}
	return false
}

// The markup holds every position and text of the pages; it changes with the
// pages and not with the frame.
func TestThePagesLookAsTheyDid(t *testing.T) {
	w := window(t)
	test.AssertObjectRendersToMarkup(t, "start.xml", w.Shell.Page().Content())
	open(t, w, modelFile(t))
	test.AssertObjectRendersToMarkup(t, "model.xml", w.Shell.Page().Content())
}
