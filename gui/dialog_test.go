package gui

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"tierscope/analysis/stage"
	"tierscope/analysis/trust"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/probe"
	ours "tierscope/gui/widget"
	"tierscope/project"
)

// trusted opens a project with a trust report.
func trusted(t *testing.T, w *Window) *project.Project {
	t.Helper()
	p, err := project.Create(filepath.Join(t.TempDir(), "shop.tier"), project.Manifest{Name: "shop"}, *pagetest.Model())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Save(stage.TrustFormat, trust.Trust{Grade: "D", Reasons: []string{"it lacks a lock"}}, "analysis", "trust.json"); err != nil {
		t.Fatal(err)
	}
	open(t, w, p.Dir)
	return p
}

func overlays(w *Window) int { return len(w.Window.Canvas().Overlays().List()) }

// typeKey types a key as the driver does: into what has the focus, or else into the window.
func typeKey(w *Window, key fyne.KeyName) {
	if o := w.Window.Canvas().Focused(); o != nil {
		o.TypedKey(&fyne.KeyEvent{Name: key})
		return
	}
	w.Shell.TypedKey(&fyne.KeyEvent{Name: key})
}

// A dialog has all keys: nothing happens behind it, and it closes by Escape, by Enter on its button, and where a tap beside
// its controls has taken the focus away.
func TestADialogHasTheKeys(t *testing.T) {
	w := window(t)
	trusted(t, w)
	at := w.Session.Place()
	for _, focused := range []bool{true, false} {
		for _, key := range []fyne.KeyName{fyne.KeyEscape, fyne.KeyReturn} {
			w.Shell.ShowTrust()
			if overlays(w) != 1 || w.Window.Canvas().Focused() == nil {
				t.Fatalf("%d dialogs, focus on %v; want one, its button with the focus", overlays(w), w.Window.Canvas().Focused())
			}
			if !focused {
				w.Window.Canvas().Unfocus()
			}
			if w.Shell.Press("Ctrl+2") {
				t.Error("Ctrl+2 acts behind a dialog")
			}
			w.Shell.TypedRune('2')
			for _, m := range w.Shell.Menu().Items {
				for _, item := range m.Items {
					if strings.HasPrefix(item.Label, "Go to ") {
						item.Action()
					}
				}
			}
			if w.Session.Place() != at {
				t.Fatalf("a key led to %+v behind a dialog", w.Session.Place())
			}
			typeKey(w, key)
			if overlays(w) != 0 {
				t.Fatalf("%s does not close the dialog, focus %t", key, focused)
			}
		}
	}
	if press(t, w, "Ctrl+2"); w.Session.Place() == at {
		t.Error("after the dialog Ctrl+2 does nothing")
	}
}

// controls are what takes the focus in the dialog that is open, in their order.
func controls(w *Window) []fyne.Focusable {
	var out []fyne.Focusable
	for {
		w.Window.Canvas().FocusNext()
		o := w.Window.Canvas().Focused()
		if o == nil || slices.Contains(out, o) {
			return out
		}
		out = append(out, o)
	}
}

// What is wrong with an answer is said in the dialog, and what was typed stays.
func TestAWrongAnswerKeepsTheDialogOpen(t *testing.T) {
	w := window(t)
	trusted(t, w)
	w.Session.GoPage("scenarios")
	w.Session.Runner.Settle()
	press(t, w, "Ctrl+E")
	for _, o := range controls(w) {
		if e, ok := o.(*ours.DialogEntry); ok && e.Text == "160" {
			e.SetText("abc")
			w.Window.Canvas().Focus(e)
		}
	}
	typeKey(w, fyne.KeyReturn)
	if overlays(w) != 1 || boxNamed(w, "entry", "|abc") == nil || boxNamed(w, "label", `width is "abc": type a number`) == nil {
		t.Errorf("%d dialogs; want that of the figure, with what was typed and what is wrong with it:\n%q", overlays(w), words(w))
	}
}

// A dialog is closed by Escape from each of its controls.
func TestEscapeClosesADialogFromEveryControl(t *testing.T) {
	w := window(t)
	trusted(t, w)
	w.Session.GoPage("scenarios")
	w.Session.Runner.Settle()
	press(t, w, "Ctrl+E")
	n := len(controls(w))
	typeKey(w, fyne.KeyEscape)
	if n < 10 {
		t.Fatalf("the dialog has %d controls", n)
	}
	for i := range n {
		press(t, w, "Ctrl+E")
		o := controls(w)[i]
		w.Window.Canvas().Focus(o)
		if typeKey(w, fyne.KeyEscape); overlays(w) != 0 {
			t.Fatalf("Escape in %T, control %d, does not close the dialog", o, i)
		}
	}
}

// boxNamed is what the window shows of a kind, whose text contains some; nil if there is none.
func boxNamed(w *Window, kind, text string) *probe.Box {
	for _, b := range probe.Boxes(w.Window) {
		if b.Kind == kind && strings.Contains(b.Name, text) {
			return &b
		}
	}
	return nil
}

// The list of keys has each key once, those of graphs only where a graph is, and fits the smallest window.
func TestTheListOfKeysIsOfThePage(t *testing.T) {
	w := window(t)
	open(t, w, modelFile(t))
	w.Window.Resize(fyne.NewSize(1000, 700))
	for id, graph := range map[string]bool{"start": false, "model": true, "scenarios": false} {
		w.Session.GoPage(id)
		w.Session.Runner.Settle()
		w.Shell.ShowKeys()
		counts := map[string]int{}
		for _, text := range words(w) {
			counts[text]++
		}
		if n := counts["label T"]; n > 1 {
			t.Errorf("%s: T is listed %d times", id, n)
		}
		if has := counts["label Arrows, Enter"] > 0; has != graph {
			t.Errorf("%s: the keys of graphs are listed: %t", id, has)
		}
		least := w.Window.Canvas().Overlays().Top().MinSize()
		if least.Height > 660 || least.Width > 960 {
			t.Errorf("%s: the list needs %v of a window of 1000×700", id, least)
		}
		typeKey(w, fyne.KeyEscape)
	}
}
