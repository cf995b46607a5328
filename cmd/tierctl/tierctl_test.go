package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const webServer = "../../testdata/models/version-1-web-server.json"

// tierctl runs the command line and returns what it printed and its exit code.
func tierctl(ctx context.Context, args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&errs)
	err := root.ExecuteContext(ctx)
	var silent *silentError
	if err != nil && !errors.As(err, &silent) {
		errs.WriteString(err.Error())
	}
	return out.String(), errs.String(), exitCode(err)
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// A script can tell a mistake in the command from one in the input.
func TestExitCodesSayWhoseFaultItIs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() // who writes beside the tests makes their results not worth remembering
	newer := write(t, "newer.json", `{"format": "tierscope-model", "version": 99}`)
	broken := write(t, "broken.json", `{"format": "tierscope-model", "version": 1, "pools": [], "graphs": [], "cpu": {"cores": -1}}`)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"check", webServer}, exitDone, ""},
		{[]string{"check"}, exitUsage, "accepts 1 arg"},
		{[]string{"check", "--fast", webServer}, exitUsage, "unknown flag"},
		{[]string{"chekc", webServer}, exitUsage, "check"},
		{[]string{"predictability", webServer}, exitUsage, "unknown command"},
		{[]string{"accuracy", webServer}, exitUsage, "unknown command"},
		{[]string{"disk", webServer}, exitUsage, "unknown command"},
		{[]string{"disk"}, exitDone, ""},
		{[]string{"check", "missing.json"}, exitInput, "missing.json"},
		{[]string{"check", newer}, exitInput, "version 99 is newer than version 2"},
		{[]string{"check", broken}, exitInput, "cores is -1; give at least 1"},
		{[]string{"run", webServer, "--set", "wokers=2"}, exitUsage, `did you mean "workers"?`},
		{[]string{"run", webServer, "--workers", "2"}, exitUsage, "--set workers=VALUE"},
		{[]string{"run", webServer, "--set", "workers"}, exitUsage, "NAME=VALUE"},
		{[]string{"run", webServer, "--threads", "many"}, exitUsage, "not a number"},
		{[]string{"run", webServer, "--threads", "1000"}, exitUsage, "outside 1…64"},
		{[]string{"run", webServer, "--format", "xml"}, exitUsage, "table, csv or json"},
		{[]string{"run", webServer, "--precision", "0"}, exitUsage, "> 0"},
		{[]string{"run", webServer, "--reps", "2", "--duration", "2", "--precision", "0.01%", "--max-reps", "2"}, exitUndecided, "precision"},
		{[]string{"run", webServer, "--reps", "2", "--duration", "2", "--timeline", "no/such/folder/t.json"}, exitFailure, "no/such/folder"},
		{[]string{"check", webServer, "--format", "xml"}, exitUsage, "table, csv or json"},
		{[]string{"show", "missing.tier"}, exitInput, "missing.tier"},
		{[]string{"show", webServer, "--tier", "4"}, exitUsage, "1 (queueing network)"},
		{[]string{"show", webServer, "--pool", "nobody"}, exitUsage, `there is "acceptor" "worker"`},
		{[]string{"show", webServer, "--dot", "--json"}, exitUsage, "dot json"},
		{[]string{"show", webServer, "--tier", "2", "--svg", filepath.Join(dir, "all.svg")}, exitUsage, "choose it with --pool"},
		{[]string{"show", webServer, "--out", filepath.Join(dir, "network.bmp")}, exitUsage, "svg, pdf, png, eps"},
	} {
		_, stderr, code := tierctl(t.Context(), c.args...)
		if code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("tierctl %s: exit code %d and %q, want %d and a message with %q", strings.Join(c.args, " "), code, stderr, c.code, c.says)
		}
	}
}

// Equal flags give equal bytes, in every format.
func TestEqualCommandsPrintEqualBytes(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"table", "csv", "json"} {
		args := []string{"run", webServer, "--reps", "3", "--duration", "5", "--seed", "42", "--rate", "90/s", "--threads", "2", "--format", format}
		first, _, code := tierctl(t.Context(), args...)
		again, _, _ := tierctl(t.Context(), append(args, "--parallel", "1")...)
		if code != exitDone || first == "" || first != again {
			t.Errorf("--format %s: two equal commands (exit code %d) print\n%s\n%s", format, code, first, again)
		}
	}
}

func TestShortcutsSetTheParametersThatTheyMean(t *testing.T) {
	t.Parallel()
	stdout, _, _ := tierctl(t.Context(), "run", webServer, "--reps", "2", "--duration", "2", "--format", "json",
		"--threads", "8", "--cores", "4", "--rate", "1200/min", "--set", "disks/sda/speed=300%")
	var r struct {
		Configuration map[string]float64 `json:"configuration"`
	}
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"workers": 8, "cores": 4, "rate": 20, "disks/sda/speed": 3} {
		if got := r.Configuration[name]; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}

func TestCSVIsOneRowPerMetric(t *testing.T) {
	t.Parallel()
	stdout, _, _ := tierctl(t.Context(), "run", webServer, "--reps", "2", "--duration", "5", "--format", "csv", "--rate", "30")
	rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil || len(rows) < 10 {
		t.Fatalf("%d rows (%v)", len(rows), err)
	}
	if got := strings.Join(rows[0], ","); got != "rate,metric,of,stat,value,lo,hi,n,unit" {
		t.Errorf("the header is %s", got)
	}
}

// An interrupted run prints what it has.
func TestAnInterruptedRunPrintsWhatItHas(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	stdout, stderr, code := tierctl(ctx, "run", webServer)
	if code != exitInterrupted || !strings.Contains(stderr, "interrupted") || stdout == "" {
		t.Errorf("exit code %d, %q and %d bytes of results, want %d", code, stderr, len(stdout), exitInterrupted)
	}
}

func TestQuietPrintsResultsOnly(t *testing.T) {
	t.Parallel()
	_, stderr, _ := tierctl(t.Context(), "check", webServer, "--rate", "900", "--quiet")
	if stderr != "" {
		t.Errorf("--quiet prints %q", stderr)
	}
	_, stderr, _ = tierctl(t.Context(), "check", webServer, "--rate", "900")
	if !strings.Contains(stderr, "extrapolation") {
		t.Errorf("a rate that the run does not support gives %q, want a warning", stderr)
	}
}

// A program that starts tierctl reads its progress as JSON, one object a line.
func TestProgressForProgramsIsJSON(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		append([]string{"run", webServer, "--json-progress"}, quick...),
		sweepOf("--json-progress"),
	} {
		_, stderr, code := tierctl(t.Context(), args...)
		found := false
		for line := range strings.Lines(stderr) {
			var s step
			found = found || json.Unmarshal([]byte(line), &s) == nil && s.Planned > 0 && s.Done <= s.Planned
		}
		if code != exitDone || !found {
			t.Errorf("tierctl %s: exit code %d, and no line of progress in\n%s", strings.Join(args, " "), code, stderr)
		}
	}
}

// The numbers of check for people are those for programs.
func TestCheckPrintsTheSameNumbersInEveryFormat(t *testing.T) {
	t.Parallel()
	asCSV, _, _ := tierctl(t.Context(), "check", webServer, "--format", "csv")
	asJSON, _, _ := tierctl(t.Context(), "check", webServer, "--format", "json")
	var r report
	if err := json.Unmarshal([]byte(asJSON), &r); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(asCSV)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{}
	for _, row := range rows {
		values[row[0]+" "+row[1]] = row[2]
	}
	for key, want := range map[string]float64{"saturation " + r.Bottleneck: *r.Saturation, "response bound task": *r.Bounds.Response, "demand disk/sda": stationOf(t, r, "disk/sda").Demand} {
		if got := values[key]; got != decimal(want) {
			t.Errorf("%s is %q as CSV, %v as JSON", key, got, want)
		}
	}
}

func stationOf(t *testing.T, r report, of string) stationReport {
	t.Helper()
	for _, s := range r.Stations {
		if s.Of == of {
			return s
		}
	}
	t.Fatalf("no station %q", of)
	return stationReport{}
}

func TestConvertGoesThereAndBack(t *testing.T) {
	t.Parallel()
	const model = "../../testdata/models/version-2-relaxation.json" // of the present version: older ones are migrated
	dir := t.TempDir()
	folder, bundle, copied := filepath.Join(dir, "a.tier"), filepath.Join(dir, "a.tierz"), filepath.Join(dir, "b.tier")
	for _, args := range [][]string{{model, folder}, {folder, bundle}, {bundle, copied}} {
		if _, stderr, code := tierctl(t.Context(), append([]string{"convert"}, args...)...); code != exitDone {
			t.Fatalf("convert %v: %s", args, stderr)
		}
	}
	want, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	if got, _, _ := tierctl(t.Context(), "convert", copied, "-"); got != string(want) {
		t.Errorf("the model came back as\n%s", got)
	}
	if _, _, code := tierctl(t.Context(), "convert", model, folder); code == exitDone {
		t.Error("convert wrote over a project")
	}
}

// Every subcommand says what it does, and has a man page.
func TestEveryCommandIsDocumented(t *testing.T) {
	t.Parallel()
	for _, c := range newRoot().Commands() {
		if c.Short == "" {
			t.Errorf("tierctl %s has no summary", c.Name())
		}
	}
	dir := t.TempDir()
	if _, stderr, code := tierctl(t.Context(), "man", dir); code != exitDone {
		t.Fatal(stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, "tierctl-run.1")); err != nil {
		t.Error(err)
	}
}

// A picture of a tier holds its elements, in every format that a paper takes.
func TestShowDrawsATierIntoAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for file, starts := range map[string]string{"network.svg": "<?xml", "network.pdf": "%PDF", "network.png": "\x89PNG", "network.eps": "%!PS"} {
		path := filepath.Join(dir, file)
		if _, stderr, code := tierctl(t.Context(), "show", webServer, "--pool", "worker", "-o", path); code != exitDone {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		data, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(data), starts) {
			t.Errorf("%s begins with %.8q (%v), want %q", file, data, err, starts)
		}
	}
}

// What a run would cost is said before anything is simulated, and a result that
// the ledger has costs nothing.
func TestADryRunSimulatesNothing(t *testing.T) {
	t.Parallel()
	stdout, stderr, code := tierctl(t.Context(), "run", webServer, "--dry-run")
	if code != exitDone || stdout != "" || !strings.Contains(stderr, "1 run") {
		t.Errorf("exit code %d, %q on stdout and %q on stderr; want only the plan on stderr", code, stdout, stderr)
	}
}

// In continuous integration a slower build fails, one that is as fast as before
// does not, and what the difference is due to is said.
func TestDiffFailsForASlowerBuild(t *testing.T) {
	t.Parallel()
	model, err := os.ReadFile(webServer)
	if err != nil {
		t.Fatal(err)
	}
	slower := write(t, "new.json", strings.Replace(string(model), `"id": "send"`, `"id": "send", "scale": 4`, 1))
	if strings.Count(string(model), `"id": "send"`) != 1 {
		t.Fatal("the model has no fragment send")
	}
	for _, c := range []struct {
		now  string
		code int
		says string
	}{{webServer, exitDone, "do not differ"}, {slower, exitViolated, "code of send"}} {
		stdout, stderr, code := tierctl(t.Context(), "diff", webServer, c.now, "--attribute", "--reps", "3", "--fail-on", "R > +5%")
		if code != c.code || !strings.Contains(stdout, c.says) {
			t.Errorf("exit code %d, want %d; %q is not in:\n%s%s", code, c.code, c.says, stdout, stderr)
		}
	}
}
