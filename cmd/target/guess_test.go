package target

import (
	"os"
	"path/filepath"
	"testing"
)

// An analyst names a program, not its language. That of a script is told which program to name instead.
func TestTheFileTellsTheLanguage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	executable, text := filepath.Join(dir, "program"), filepath.Join(dir, "script")
	for name, content := range map[string]string{executable: "\x7fELF\x02\x01\x01", text: "#!/bin/sh\n"} {
		if err := os.WriteFile(name, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for program, want := range map[string]string{
		executable: "native", text: "native", dir: "go", "./cmd/shop": "go", "golang.org/x/tools/cmd/stringer@v0.52.0": "go", "shop.jar": "java", "java": "java",
	} {
		if got := Guess(program); got != want {
			t.Errorf("%s is taken for a program in %s, want %s", program, got, want)
		}
	}
}
