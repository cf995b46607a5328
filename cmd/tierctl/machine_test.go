package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/measure/machine"
)

// A machine that is twice as fast with integers and half as fast with memory runs 3 parts of the one and 1 of the
// other in 1.5 + 2 instead of 4: 1.14 times as fast.
func TestMachinesAreMeasuredAndCompared(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	here, there := filepath.Join(dir, "here.json"), filepath.Join(dir, "there.json")
	out, errs, code := tierctl(t.Context(), "machine", "measure", "--seconds", "0.01", "--out", here, "--quiet")
	if code != exitDone || !strings.Contains(out, "integer") || !strings.Contains(out, "memory") {
		t.Fatalf("exit code %d, %q, %q", code, out, errs)
	}
	data, err := os.ReadFile(here)
	if err != nil {
		t.Fatal(err)
	}
	var m machine.Machine
	if err := machine.Format.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	m.Cores = 16
	for i := range m.Work {
		switch m.Work[i].Kind {
		case "integer":
			m.Work[i].Time /= 2
		case "memory":
			m.Work[i].Time *= 2
		}
	}
	if data, err = machine.Format.Marshal(m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(there, data, 0o666); err != nil {
		t.Fatal(err)
	}
	out, errs, code = tierctl(t.Context(), "machine", "compare", here, there, "--work", "integer=3,memory=1")
	if code != exitDone || !strings.Contains(out, "--set cpu/speed=1.14 --cores 16") {
		t.Errorf("exit code %d, %q, %q", code, out, errs)
	}
	out, _, code = tierctl(t.Context(), "machine", "compare", here, there, "--format", "json")
	var c comparison
	if err := json.Unmarshal([]byte(out), &c); err != nil || code != exitDone || c.Least != .5 || c.Most != 2 {
		t.Errorf("exit code %d, %v: %s", code, err, out)
	}
	for _, bad := range [][]string{{"--work", "integer"}, {"--work", "poetry=1"}, {"--format", "xml"}} {
		if _, errs, code := tierctl(t.Context(), append([]string{"machine", "compare", here, there}, bad...)...); code != exitUsage || errs == "" {
			t.Errorf("%v: exit code %d, %q", bad, code, errs)
		}
	}
	if err := os.WriteFile(there, []byte(`{"format":"tierscope-machine","version":1,"cores":0,"work":[]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := tierctl(t.Context(), "machine", "compare", here, there); code != exitInput || !strings.Contains(errs, "there.json") {
		t.Errorf("exit code %d, %q", code, errs)
	}
}
