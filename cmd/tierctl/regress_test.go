package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// profile is a CSV profile in which cpu is 2 + 3·size/n and noise follows nothing.
func profile(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("n,size,cpu,noise\n")
	for i := range 24 {
		size, n := 100+i*i%37*50, 1+i%4
		fmt.Fprintf(&b, "%d,%d,%g,%d\n", n, size, 2+3*float64(size)/float64(n), 1+i*i*7919%1009)
	}
	b.WriteString("1,x,3,4\n")
	path := filepath.Join(t.TempDir(), "profile.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// A table becomes models, files, predictions and parameters of a simulation
// model; the bad line is named and the rest is used.
func TestATableBecomesModelsAndParameters(t *testing.T) {
	t.Parallel()
	path, dir := profile(t), t.TempDir()
	out, errs, code := tierctl(t.Context(), "regress", path, "--behaviour", "cpu", "--behaviour", "noise", "--out", dir, "--at", "size=1000,n=8")
	if code != exitDone {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	for _, want := range []string{"cpu", "1.000", "2 + 3·size/n", "not modelled: accuracy", "1 of 2 behaviours of whole threads modelled (50 %)",
		`line 26: column size: "x" is not a number`, "377"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
	// Of 24 runs those with sizes up to 850 tell those with up to 1700 exactly.
	out, errs, code = tierctl(t.Context(), "regress", path, "--behaviour", "cpu", "--behaviour", "noise", "--far", "2")
	if code != exitDone || !strings.Contains(out, "runs with size ≥") || !strings.Contains(out, "without a warning: ") || !strings.Contains(out, "median error <0.01 %, 0 wrong") {
		t.Errorf("exit code %d, %s: large inputs from small ones:\n%s", code, errs, out)
	}
	if _, errs, code := tierctl(t.Context(), "regress", path, "--behaviour", "cpu", "--far", "1"); code != exitUsage || !strings.Contains(errs, "--far") {
		t.Errorf("exit code %d, %q: as far as what is fitted is not far", code, errs)
	}
	var report map[string]any
	data, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil || json.Unmarshal(data, &report) != nil || report["format"] != "tierscope-regression" {
		t.Errorf("report.json: %v, format %v", err, report["format"])
	}
	if source, err := os.ReadFile(filepath.Join(dir, "models.go")); err != nil || !strings.Contains(string(source), "func Cpu(v map[string]float64, n float64) float64") {
		t.Errorf("models.go: %v\n%s", err, source)
	}
	// 2 + 3·1000/8 = 377; relative to 2 + 3·500/8 = 189.5.
	out, errs, code = tierctl(t.Context(), "regress", "feed", filepath.Join(dir, "report.json"), "graphs/w/fragments/f/scale=cpu", "--at", "size=1000,n=8", "--base", "size=500,n=8")
	if code != exitDone || strings.TrimSpace(out) != "--set graphs/w/fragments/f/scale=1.98944591" {
		t.Errorf("feed prints %q, exit code %d, %s; want 377/189.5", out, code, errs)
	}
	for want, args := range map[string][]string{
		"no acceptable model": {"p=noise", "--at", "size=1,n=1"},
		"needs size":          {"p=cpu", "--at", "n=1"},
		"no behaviour":        {"p=x", "--at", "n=1"},
	} {
		if _, errs, code := tierctl(t.Context(), append([]string{"regress", "feed", filepath.Join(dir, "report.json")}, args...)...); code != exitInput || !strings.Contains(errs, want) {
			t.Errorf("%v: exit code %d, %q; want one about %q", args, code, errs, want)
		}
	}
}

func TestTablesThatHoldNothingAreInvalidInput(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty.csv")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{empty, filepath.Join(t.TempDir(), "missing.csv")} {
		if _, errs, code := tierctl(t.Context(), "regress", path); code != exitInput {
			t.Errorf("%s: exit code %d (%s), want %d", filepath.Base(path), code, errs, exitInput)
		}
	}
	if _, _, code := tierctl(t.Context(), "prolong"); code != exitUsage {
		t.Errorf("prolong of nothing: exit code %d, want %d", code, exitUsage)
	}
}

// A crash is told in one line, and many of them in few.
func TestInputsWithWhichTheProgramFailsAreNamedShortly(t *testing.T) {
	t.Parallel()
	var failed []string
	for i := range 8 {
		failed = append(failed, fmt.Sprintf("-n=%d: exit status 2; the end of its output:\npanic: too large\n\ngoroutine 7 [running]:\nmain.main()", i))
	}
	short := leftOut(failed, 20, false)
	if len(short) != 6 || short[0] != "left out: -n=0: exit status 2; the end of its output: panic: too large" || short[5] != "left out: 3 more of 20 inputs; --details names them" {
		t.Errorf("failures of 8 inputs are told as\n%s", strings.Join(short, "\n"))
	}
	if long := leftOut(failed, 20, true); len(long) != 8 || !strings.Contains(long[7], "goroutine 7") {
		t.Errorf("in detail they are told as\n%s", strings.Join(long, "\n"))
	}
}
