package settings

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/widget"

	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
)

// two is the page on a machine with two cores.
func two(h *page.Host) page.Page { return New(h, 2) }

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
