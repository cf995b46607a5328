package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
)

// Commands that print no table, and what they print instead.
var withoutTable = map[string]string{
	"tierctl show":            "a model: --json is the document",
	"tierctl convert":         "nothing: it writes a file",
	"tierctl disk use":        "the name of the file that it writes",
	"tierctl accuracy builds": "nothing: it writes files",
	"tierctl accuracy record": "nothing: it writes a file",
	"tierctl accuracy pages":  "names of files",
	"tierctl regress feed":    "flags for another command",
	"tierctl regress predict": "nothing: it writes a program",
	"tierctl gui":             "nothing: it opens the window",
	"tierctl man":             "nothing: it writes manual pages",
}

// Whatever prints a table prints the same for programs, too.
func TestEveryCommandThatPrintsATableHasJSON(t *testing.T) {
	t.Parallel()
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		path := c.CommandPath()
		has := c.Flags().Lookup("format") != nil
		switch _, excused := withoutTable[path]; {
		case c.HasSubCommands() && !has: // it prints help
		case c.Runnable() && has == excused:
			t.Errorf("%s: --format: %v, and an exception: %v", path, has, excused)
		}
		for _, child := range c.Commands() {
			visit(child)
		}
	}
	visit(newRoot())
}

func TestWhatIsPrintedAsJSONIsJSON(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := filepath.Join(dir, "p.tier")
	if err := os.CopyFS(p, os.DirFS("../../testdata/traces/api.tier")); err != nil {
		t.Fatal(err)
	}
	csv := filepath.Join(dir, "t.csv")
	for _, args := range [][]string{
		{"build", p, "--format", "json"},
		{"measure", "--program", "/bin/true", "--grid", "X=1,2", "--repeats", "1", "--out", csv, "--dry-run", "--format", "json"},
		{"measure", "--program", "/bin/true", "--grid", "X=1,2", "--repeats", "1", "--out", csv, "--format", "json"},
		{"sweep", p, "--axis", "cpu/cores=1,2", "--reps", "2", "--duration", "2", "--force", "--format", "json"},
		{"plot", p, "--format", "json"},
		{"advise", p, "--question", "R at cores=1,2", "--format", "json"},
		{"report", p, "--reps", "2", "--without", "explain", "--format", "json"},
		{"status", "--format", "json"},
	} {
		if testing.Short() && args[0] == "advise" {
			continue // it simulates until the answer is precise
		}
		out, errs, code := tierctl(t.Context(), args...)
		if code != exitDone && code != exitUndecided {
			t.Errorf("tierctl %v ends with %d: %s", args, code, errs)
		}
		var value any
		if err := json.Unmarshal([]byte(out), &value); err != nil || value == nil {
			t.Errorf("tierctl %v: %v:\n%s", args, err, out)
		}
	}
}
