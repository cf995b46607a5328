package settings

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/widget"

	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/palette"
	"tierscope/gui/session"
)

// two is the page on a machine with two cores.
func two(h *page.Host) page.Page { return New(h, 2, "/home/ann/keys.json") }

// row is the field under a title; the order is that of the page.
func row(p *Page, title string) field {
	for i, name := range []string{"replications", "precision", "confidence", "seed", "workers"} {
		if name == title {
			return p.rows[i]
		}
	}
	panic("no setting " + title)
}

func TestATypedSettingTakesEffectAtOnce(t *testing.T) {
	h, p := pagetest.Open[*Page](t, two)
	row(p, "replications").entry.SetText("25")
	row(p, "precision").entry.SetText(" 2.5 ")
	row(p, "seed").entry.SetText("42")
	s := h.Session.Settings()
	if s.Replications != 25 || s.Precision != 0.025 || s.Seed != 42 {
		t.Errorf("settings %+v, want 25 replications, 2.5 %%, seed 42", s)
	}
	if o := h.Session.Options(); o.Replications != 25 || o.Seed != 42 {
		t.Errorf("the next run has %d replications of seed %d", o.Replications, o.Seed)
	}
}

// One replication has no interval; half a replication is none.
func TestANumberThatMakesNoSenseIsRefusedWithItsRange(t *testing.T) {
	h, p := pagetest.Open[*Page](t, two)
	before := h.Session.Settings()
	for _, text := range []string{"1", "2.5", "many", "", "NaN", "1e9"} {
		f := row(p, "replications")
		f.entry.SetText(text)
		if h.Session.Settings().Replications != before.Replications {
			t.Errorf("%q replications are accepted", text)
		}
		if f.note.Text != "Type a number from 2 to 1000." || f.note.Importance != widget.DangerImportance {
			t.Errorf("of %q the page says %q", text, f.note.Text)
		}
	}
	row(p, "replications").entry.SetText("10")
	if n := row(p, "replications").note; n.Importance == widget.DangerImportance || strings.HasPrefix(n.Text, "Type") {
		t.Errorf("after a good number the page still says %q", n.Text)
	}
}

func TestTheThemeFollowsTheChoiceAndTheChoiceTheSettings(t *testing.T) {
	h, p := pagetest.Open[*Page](t, two)
	p.theme.SetSelected("dark")
	if got := h.Session.Settings().Theme; got != "dark" {
		t.Errorf("theme %q, want dark", got)
	}
	h.Session.ChangeSettings(func(s *session.Settings) { s.Theme, s.Seed = "light", 7 })
	if p.theme.Selected != "light" || row(p, "seed").entry.Text != "7" {
		t.Errorf("changed elsewhere, the page shows theme %q and seed %q", p.theme.Selected, row(p, "seed").entry.Text)
	}
}

// The window takes more threads than the machine has cores; what simulations use is told.
func TestTheCoresThatAreToldAreThoseOfTheSimulations(t *testing.T) {
	_, p := pagetest.Open[*Page](t, two)
	if note := row(p, "workers").note.Text; !strings.Contains(note, "2 here") {
		t.Errorf("the page says %q, want 2 cores", note)
	}
}

// chosen makes the choice with the words of a value, as the analyst does.
func chosen(t *testing.T, p *Page, words string) {
	t.Helper()
	for _, c := range p.choices {
		if slices.Contains(c.Options, words) {
			c.SetSelected(words)
			return
		}
	}
	t.Fatalf("no choice has %q", words)
}

func TestChoicesTakeEffectAtOnceAndAreThereInTheNextSession(t *testing.T) {
	store := memory{}
	h := pagetest.Host(t)
	h.Session = session.New(h.Session.Runner, store)
	p := two(h).(*Page)
	chosen(t, p, "150 %")
	chosen(t, p, "for every vision")
	chosen(t, p, "scrolls")
	want := func(s session.Settings) bool {
		return s.Scale == 1.5 && s.Palette == string(palette.ColourBlind) && s.Wheel == session.Scrolls
	}
	if s := h.Session.Settings(); !want(s) {
		t.Errorf("settings %+v, want a scale of 1.5, colours for every vision, a wheel that scrolls", s)
	}
	if !h.WheelScrolls() {
		t.Error("graphs are still zoomed by the wheel")
	}
	h.Session = session.New(h.Session.Runner, store)
	if s := h.Session.Settings(); !want(s) {
		t.Errorf("the next session begins with %+v", s)
	}
	next := two(h).(*Page)
	for i, c := range next.choices {
		if c.Selected != p.choices[i].Selected {
			t.Errorf("the next session shows %q, want %q", c.Selected, p.choices[i].Selected)
		}
	}
}

// memory keeps what a session saves.
type memory map[string]string

func (m memory) String(key string) string    { return m[key] }
func (m memory) SetString(key, value string) { m[key] = value }

func TestEveryKeyIsLookedUpInTheSettings(t *testing.T) {
	h := pagetest.Host(t)
	shown := false
	h.ShowKeys = func() { shown = true }
	p := two(h)
	pagetest.Show(t, h, p)
	pagetest.Press(t, h, p.Content(), "Show all keys")
	if !shown {
		t.Error("the keys are not shown")
	}
	if !pagetest.Says(p.Content(), "/home/ann/keys.json") {
		t.Error("the page does not say where one's own keys go")
	}
}
