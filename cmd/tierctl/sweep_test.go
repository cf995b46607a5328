package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// quick are flags that make every simulation short.
var quick = []string{"--reps", "3", "--duration", "5", "--warmup", "1"}

func sweepOf(flags ...string) []string {
	args := append([]string{"sweep", webServer, "--axis", "workers=1,2", "--axis", "rate=20..60/20"}, quick...)
	return append(args, flags...)
}

func TestASweepPrintsOneRowPerConfiguration(t *testing.T) {
	t.Parallel()
	out, errs, code := tierctl(t.Context(), sweepOf()...)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != exitDone || len(lines) < 2+6 || !strings.HasPrefix(lines[0], "workers  rate  R mean ms") || !strings.HasPrefix(lines[2], "1        20 ") {
		t.Errorf("exit code %d, %s and\n%s", code, errs, out)
	}
	if !strings.Contains(errs, "6 runs") {
		t.Errorf("the plan reads %q", errs)
	}
}

func TestASweepAsCSVHasOneRowPerRunAndMetric(t *testing.T) {
	t.Parallel()
	out, errs, code := tierctl(t.Context(), sweepOf("--format", "csv")...)
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || code != exitDone {
		t.Fatalf("exit code %d, %v, %s", code, err, errs)
	}
	if got := strings.Join(rows[0], ","); got != "run,scenario,workers,rate,metric,of,stat,value,lo,hi,n,unit" {
		t.Errorf("header %s", got)
	}
	runs := map[string]bool{}
	for _, row := range rows[1:] {
		runs[row[0]] = true
	}
	if len(runs) != 6 {
		t.Errorf("%d runs, want 6", len(runs))
	}
}

// "Identical flags always give identical bytes", whether the results come from
// the simulator or from the ledger, and for any number of workers.
func TestAResumedSweepPrintsTheSameBytes(t *testing.T) {
	t.Parallel()
	ledger := filepath.Join(t.TempDir(), "runs", "ledger.jsonl")
	want, _, _ := tierctl(t.Context(), sweepOf("--format", "json", "--workers", "1")...)
	if _, errs, code := tierctl(t.Context(), append([]string{"sweep", webServer, "--axis", "rate=20,60", "--axis", "workers=2", "--ledger", ledger}, quick...)...); code != exitDone {
		t.Fatal(errs)
	}
	got, errs, code := tierctl(t.Context(), sweepOf("--format", "json", "--workers", "3", "--ledger", ledger)...)
	if code != exitDone || got != want {
		t.Errorf("exit code %d; resumed:\n%.500s\nundisturbed:\n%.500s", code, got, want)
	}
	if !strings.Contains(errs, "6 runs, 2 of them in the ledger") {
		t.Errorf("the plan reads %q", errs)
	}
	if !json.Valid([]byte(got)) {
		t.Error("not JSON")
	}
}

func TestASweepReadsAnExperimentFile(t *testing.T) {
	t.Parallel()
	model, err := filepath.Abs(webServer)
	if err != nil {
		t.Fatal(err)
	}
	file := write(t, "grid.json", `{"format": "tierscope-experiment", "version": 1, "model": "`+filepath.ToSlash(model)+`",
		"axes": [{"parameter": "workers", "values": [1, 2, 4]}], "constraints": ["workers >= cores"],
		"replications": 3, "duration_s": 5, "warmup_s": 1}`)
	_, errs, code := tierctl(t.Context(), "sweep", file, "--dry-run")
	if code != exitDone || !strings.Contains(errs, "2 runs") { // the model has 2 cores
		t.Errorf("exit code %d, %q; want 2 runs", code, errs)
	}
}

func TestMistakesInASweepHaveTheirExitCodes(t *testing.T) {
	t.Parallel()
	broken := write(t, "grid.json", `{"format": "tierscope-experiment", "version": 1, "axes": [{"parameter": "workers"}]}`)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"sweep", webServer}, exitUsage, "say what to vary with --axis"},
		{[]string{"sweep", webServer, "--axis", "wrokers=1,2"}, exitUsage, `did you mean "workers"?`},
		{[]string{"sweep", webServer, "--axis", "workers=few"}, exitUsage, "expected name=1,2,4"},
		{[]string{"sweep", webServer, "--axis", "workers=1", "--where", "workers >"}, exitUsage, "expected a number or a name"},
		{[]string{"sweep", broken}, exitInput, `axes[0]: "workers": no values`},
		{[]string{"sweep", "missing.json"}, exitInput, "missing.json"},
		{sweepOf("--precision", "0.1%", "--max-reps", "3"), exitUndecided, "not reached in 6 of 6 configurations"},
		{sweepOf("--format", "yaml"), exitUsage, "table, csv or json"},
		{sweepOf("--ledger", webServer+"/ledger.jsonl"), exitFailure, "ledger"},
		{[]string{"optimize", webServer, "--axis", "workers=1", "--slo", "R.p95"}, exitUsage, "expected a metric"},
		{[]string{"explain", webServer, "--scenario", "faster"}, exitUsage, "in no project folder"},
	} {
		_, errs, code := tierctl(t.Context(), c.args...)
		if code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("tierctl %s: exit code %d and %q, want %d and %q", strings.Join(c.args, " "), code, errs, c.code, c.says)
		}
	}
}

func TestAnInterruptedSweepSaysSo(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, errs, code := tierctl(ctx, sweepOf()...); code != exitInterrupted || !strings.Contains(errs, "interrupted: nothing was kept") {
		t.Errorf("exit code %d and %q", code, errs)
	}
}

// untilItSpeaks cancels a command at its first word.
type untilItSpeaks struct{ cancel context.CancelFunc }

func (u untilItSpeaks) Write(p []byte) (int, error) {
	u.cancel()
	return len(p), nil
}

// Four of 600 runs are known. A sweep that is interrupted as soon as it has said so prints those.
func TestAnInterruptedSweepPrintsWhatItHas(t *testing.T) {
	t.Parallel()
	ledger := t.TempDir()
	tierctl(t.Context(), sweepOf("--ledger", ledger)...)
	ctx, cancel := context.WithCancel(t.Context())
	var out bytes.Buffer
	root := newRoot()
	root.SetArgs(append([]string{"sweep", webServer, "--ledger", ledger, "--axis", "workers=1,2", "--axis", "rate=20..60:300"}, quick...))
	root.SetOut(&out)
	root.SetErr(untilItSpeaks{cancel})
	err := root.ExecuteContext(ctx)
	rows := strings.Count(out.String(), "\n1 ") + strings.Count(out.String(), "\n2 ") // by the number of workers
	if exitCode(err) != exitInterrupted || rows != 4 {
		t.Errorf("exit code %d, and %d rows:\n%s", exitCode(err), rows, out.String())
	}
}

// The limit of 1 ms cannot be met, that of 10 s by every configuration.
func TestOptimizeExitsByItsAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		slo  string
		code int
		says string
	}{
		{"R.p95 <= 1ms", exitViolated, "None of the 2 configurations meets the limits."},
		{"R.p95 <= 10s", exitDone, "workers 1. P(limits met) >0.99."},
	} {
		out, errs, code := tierctl(t.Context(), "optimize", webServer, "--axis", "workers=1,2", "--slo", c.slo, "--cost", "workers", "--reps", "5")
		if code != c.code || !strings.HasPrefix(out, c.says) {
			t.Errorf("%s: exit code %d, %s and\n%s", c.slo, code, errs, out)
		}
	}
}

func TestExplainPrintsVerdictBreakdownAndRanking(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("hundreds of runs close to saturation")
	}
	out, errs, _ := tierctl(t.Context(), "explain", webServer, "--rate", "140/s", "--threads", "8", "--reps", "3")
	for _, want := range []string{"Disk sda matters most: made 30 % faster, it cuts the mean response time by ", "Confidence: ", "task: mean R ", "disk wait ", "what ", "Try: "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in (%s)\n%s", want, errs, out)
		}
	}
}
