package gui

import (
	"reflect"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// What can be pressed, pointed at or walked with the keyboard has a name that a
// screen reader says: all buttons, and all widgets of ours. (Fyne's own fields and
// selects have none in its version 2.8; the words beside them are labels, which
// have.)
func TestEverythingThatCanBeUsedHasAName(t *testing.T) {
	w := window(t)
	open(t, w, modelFile(t))
	w.Session.Set("workers", 8)
	seen := 0
	for _, e := range w.Shell.Entries() {
		w.Session.GoPage(e.ID)
		w.Session.Runner.Settle()
		for _, o := range test.LaidOutObjects(w.Window.Content()) {
			_, tappable := o.(fyne.Tappable)
			_, focusable := o.(fyne.Focusable)
			b, button := o.(*widget.Button)
			if !o.Visible() {
				continue
			}
			if button && b.Text == "" && b.Icon == nil {
				t.Errorf("%s: a button shows nothing", e.ID)
				continue
			}
			ours := strings.HasPrefix(reflect.TypeOf(o).Elem().PkgPath(), "tierscope/")
			if !button && (!ours || !tappable && !focusable) || embeds(o) {
				continue
			}
			seen++
			if a, ok := o.(fyne.Accessible); !ok || strings.TrimSpace(a.AccessibilityLabel()) == "" || a.AccessibilityRole() == "" {
				t.Errorf("%s: a %T has no name", e.ID, o)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d widgets were looked at", seen)
	}
}

// embeds reports whether a widget of ours is a field or a select of Fyne.
func embeds(o fyne.CanvasObject) bool {
	v := reflect.ValueOf(o).Elem()
	for i := range v.NumField() {
		switch v.Type().Field(i).Type {
		case reflect.TypeFor[widget.Entry](), reflect.TypeFor[widget.Select]():
			return true
		}
	}
	return false
}
