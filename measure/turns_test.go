package measure_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/measure"
)

// A machine that becomes slower from run to run does so for both programs: every other round goes
// backwards. The first round, which does not count, gets the programs off the disk.
func TestProgramsRunByTurnsAndBackwards(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	var programs []trace.Workload
	for _, name := range []string{"a", "b"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, fmt.Appendf(nil, "#!/bin/sh\necho %s >>%s\n", name, log), 0o700); err != nil {
			t.Fatal(err)
		}
		programs = append(programs, trace.Workload{Program: path})
	}
	twice := func(took [][]measure.Took) bool { return len(took[0]) == 2 }
	took, err := measure.ByTurns(t.Context(), programs, twice, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	order, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(strings.Fields(string(order)), ""); got != "abbaab" {
		t.Errorf("the order is %s, want ab, ba, ab", got)
	}
	for i, runs := range took {
		if len(runs) != 2 || runs[0].Time <= 0 {
			t.Errorf("program %d: %+v, want two runs that took time", i, runs)
		}
	}
	programs[0].Load = &trace.Load{}
	if _, err := measure.ByTurns(t.Context(), programs, twice, func(string) {}); err == nil {
		t.Error("a server ran by turns")
	}
}
