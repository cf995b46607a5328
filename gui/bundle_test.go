package gui

import (
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"tierscope/project"
)

// A project is one file for whoever wants to send it, and the window closes by the key that closes windows.
func TestTheProjectIsSavedAsABundle(t *testing.T) {
	w := window(t)
	p := trusted(t, w)
	var labels []string
	for _, item := range w.Shell.Menu().Items[0].Items {
		labels = append(labels, item.Label)
		if item.Label == "Save as bundle…" {
			item.Action()
		}
		if item.IsQuit && (item.Shortcut == nil || !strings.Contains(item.Shortcut.ShortcutName(), "Q")) {
			t.Errorf("the shortcut of Quit is %v", item.Shortcut)
		}
	}
	if !slices.Contains(labels, "Save as bundle…") || !slices.Contains(labels, "Quit") {
		t.Fatalf("the File menu has %q", labels)
	}
	typeKey(w, fyne.KeyReturn)
	w.Session.Runner.Settle()
	if _, err := os.Stat(strings.TrimSuffix(p.Dir, project.Extension) + project.BundleExtension); err != nil {
		t.Errorf("no bundle: %v; notice %+v", err, w.Session.Notice())
	}
}
