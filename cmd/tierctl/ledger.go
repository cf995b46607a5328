package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tierscope/analysis/stage"
	"tierscope/project"
	"tierscope/simulation/experiment"
)

// openLedger opens the ledger of runs of the project at home, so that nothing
// is simulated twice. It is nil without a project, and with a warning where the
// project cannot be written to.
func openLedger(t *terminal, home string) (*experiment.Ledger, error) {
	if home == "" {
		return nil, nil
	}
	path := (&project.Project{Dir: home}).LedgerPath()
	if err := project.Within(home, path); err != nil {
		return nil, exit(exitInput, err)
	}
	l, err := openLedgerFile(t, path)
	if project.Unwritable(err) {
		fmt.Fprintf(t.err, "warning: results are not kept: %v\n", err)
		return nil, nil
	}
	return l, err
}

// openLedgerFile opens a ledger and says what of it is damaged.
func openLedgerFile(t *terminal, file string) (*experiment.Ledger, error) {
	l, err := experiment.OpenLedger(file)
	if err != nil {
		return nil, err
	}
	if n := l.Damaged(); n > 0 {
		fmt.Fprintf(t.err, "warning: ledger %s: damaged lines were skipped: %d\n", file, n)
	}
	return l, nil
}

// closeLedger closes a ledger, which may be nil. Every run was synced when it
// was appended, so that nothing can be lost any more.
func closeLedger(l *experiment.Ledger) {
	if l != nil {
		_ = l.Close()
	}
}

// projectOf returns the project folder that a model file lies in, or is; "" if
// none.
func projectOf(path string) string {
	for _, dir := range []string{path, filepath.Dir(filepath.Dir(path))} {
		if _, err := os.Stat(filepath.Join(dir, "project.json")); err == nil {
			return dir
		}
	}
	return ""
}

// warnMismatches says of every project that a command names which of its files do not belong
// together; not of one that is being analysed anew.
func warnMismatches(t *terminal, cmd *cobra.Command, args []string) {
	if f := cmd.Flags().Lookup("model"); f != nil && f.Value.String() != "" {
		args = append(args, f.Value.String())
	}
	said := map[string]bool{}
	for _, path := range args {
		home := projectOf(path)
		if home == "" || said[home] {
			continue
		}
		said[home] = true
		for _, mismatch := range stage.Mismatches(home) {
			fmt.Fprintln(t.err, "warning:", mismatch)
		}
	}
}
