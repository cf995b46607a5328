package page

import (
	"path/filepath"
	"testing"

	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/gui/session"
)

// Files that go with a project are looked for in it first; those that go with a model file beside that.
func TestFilesAreLookedForInTheProject(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for path, want := range map[string]string{dir: dir, filepath.Join(dir, "model.json"): dir, "": ""} {
		s := session.New(background.NewLocal(), nil)
		if path != "" {
			s.SetModel(&core.Model{Name: "shop"}, path)
		}
		if got := (&Host{Session: s}).folder(); got != want {
			t.Errorf("with %q open files are looked for in %q, want %q", path, got, want)
		}
	}
}
