package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/analysis/stage"
	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/project"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// shop makes a project of the web server model.
func shop(t *testing.T) *project.Project {
	t.Helper()
	m, err := project.LoadModel(webServer)
	if err != nil {
		t.Fatal(err)
	}
	p, err := project.Create(filepath.Join(t.TempDir(), "shop.tier"), project.Manifest{}, m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// runs is the number of runs in a project's ledger.
func runs(t *testing.T, p *project.Project) int {
	t.Helper()
	l, err := experiment.OpenLedger(p.LedgerPath())
	if err != nil {
		t.Fatal(err)
	}
	defer closeLedger(l)
	return l.Len()
}

// "Equal inputs are never simulated twice", and a result from the ledger prints
// the bytes that the simulator printed.
func TestARunOfAProjectIsSimulatedOnce(t *testing.T) {
	t.Parallel()
	p := shop(t)
	for _, format := range []string{"table", "csv", "json"} {
		args := append([]string{"run", p.Dir, "--threads", "2", "--format", format}, quick...)
		first, _, code := tierctl(t.Context(), args...)
		again, errs, _ := tierctl(t.Context(), args...)
		if code != exitDone || first == "" || first != again {
			t.Errorf("--format %s: exit code %d; simulated\n%s\nfrom the ledger\n%s", format, code, first, again)
		}
		if !strings.Contains(errs, "from the ledger") {
			t.Errorf("--format %s: the second run says %q, want where the result is from", format, errs)
		}
	}
	if n := runs(t, p); n != 1 {
		t.Errorf("six equal commands left %d runs in the ledger, want 1", n)
	}
	tierctl(t.Context(), append([]string{"run", p.Dir, "--threads", "2", "--seed", "1"}, quick...)...)
	if n := runs(t, p); n != 2 {
		t.Errorf("another seed makes %d runs in the ledger, want 2", n)
	}
	_, errs, _ := tierctl(t.Context(), append([]string{"sweep", p.Dir, "--axis", "workers=2,3"}, quick...)...)
	if !strings.Contains(errs, "2 runs, 1 of them in the ledger") {
		t.Errorf("a sweep over the configuration that was run plans %q", errs)
	}
}

// A ledger has no timelines: to record one, a known configuration is simulated
// again, and gives the same result.
func TestATimelineOfAKnownRunIsRecorded(t *testing.T) {
	t.Parallel()
	p := shop(t)
	args := append([]string{"run", p.Dir, "--format", "csv"}, quick...)
	want, _, _ := tierctl(t.Context(), args...)
	file := filepath.Join(t.TempDir(), "timeline.json")
	got, errs, code := tierctl(t.Context(), append(args, "--timeline", file)...)
	if code != exitDone || got != want {
		t.Errorf("exit code %d, %s; with a timeline\n%s\nwithout\n%s", code, errs, got, want)
	}
	if data, err := os.ReadFile(file); err != nil || !json.Valid(data) {
		t.Errorf("the timeline is not JSON (%v)", err)
	}
	if n := runs(t, p); n != 1 {
		t.Errorf("%d runs in the ledger, want 1", n)
	}
}

// --scenario, as "Copy as command" of the window gives it: the structural edits
// and settings of the scenario, with the flags on top.
func TestAScenarioIsItsEditsAndSettings(t *testing.T) {
	t.Parallel()
	p := shop(t)
	s := project.Scenario{Name: "two L3", Settings: map[string]float64{"workers": 8, "rate": 40},
		Edits: []core.Edit{{Kind: core.SplitLock, Lock: "L3", N: 2}}}
	if err := p.SaveScenario(s); err != nil {
		t.Fatal(err)
	}
	out, errs, code := tierctl(t.Context(), append([]string{"run", p.Dir, "--scenario", "two L3", "--rate", "30/s", "--format", "json"}, quick...)...)
	var got simulation.Result
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitDone {
		t.Fatalf("exit code %d, %v: %s", code, err, errs)
	}
	m, err := p.Model()
	if err != nil {
		t.Fatal(err)
	}
	edited, err := m.Edited(s.Edits...)
	if err != nil {
		t.Fatal(err)
	}
	want, err := simulation.Run(t.Context(), edited, map[string]float64{"workers": 8, "rate": 30}, simulation.Options{Replications: 3, Duration: 5, Warmup: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got.ModelHash != want.ModelHash || got.Fingerprint != want.Fingerprint || got.Configuration["workers"] != 8 || got.Configuration["rate"] != 30 {
		t.Errorf("the run has model %s, fingerprint %s and configuration %v; want those of the edited model: %s, %s, %v",
			got.ModelHash, got.Fingerprint, got.Configuration, want.ModelHash, want.Fingerprint, want.Configuration)
	}
	for _, command := range []string{"check", "explain", "optimize", "sweep"} {
		_, errs, code := tierctl(t.Context(), command, p.Dir, "--scenario", "three disks")
		if command == "sweep" {
			_, errs, code = tierctl(t.Context(), command, p.Dir, "--axis", "workers=1", "--scenario", "three disks")
		}
		if code != exitUsage || !strings.Contains(errs, "the project has baseline, two L3") {
			t.Errorf("%s of a scenario that is not there: exit code %d and %q", command, code, errs)
		}
	}
}

// A project in a folder that nobody may write to can be simulated all the same.
func TestAReadOnlyProjectIsSimulatedWithAWarning(t *testing.T) {
	t.Parallel()
	p := shop(t)
	if err := os.WriteFile(p.Path("runs"), nil, 0o400); err != nil { // no folder can be made here
		t.Fatal(err)
	}
	if _, errs, code := tierctl(t.Context(), append([]string{"run", p.Dir}, quick...)...); code != exitFailure || !strings.Contains(errs, "ledger") {
		t.Errorf("a ledger that cannot be made: exit code %d and %q, want %d", code, errs, exitFailure)
	}
	if err := os.Remove(p.Path("runs")); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	if err := os.Chmod(p.Dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(p.Dir, 0o700) })
	if out, errs, code := tierctl(t.Context(), append([]string{"run", p.Dir}, quick...)...); code != exitDone || out == "" || !strings.Contains(errs, "not kept") {
		t.Errorf("exit code %d and %q, want results and a warning", code, errs)
	}
}

// Exit code 6: the trust report says that no prediction should be relied on.
func TestAModelThatIsNotToBeReliedOnIsRefusedUnlessForced(t *testing.T) {
	t.Parallel()
	p := shop(t)
	trust := trust.Trust{Grade: "D", Reasons: []string{"the model has only 12 % of the CPU time that the process used"}}
	if err := p.Save(stage.TrustFormat, trust, "analysis", "trust.json"); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		append([]string{"run", p.Dir}, quick...),
		append([]string{"sweep", p.Dir, "--axis", "workers=1"}, quick...),
		{"explain", p.Dir}, {"optimize", p.Dir, "--axis", "workers=1", "--slo", "R.p95 <= 1s"},
	} {
		out, errs, code := tierctl(t.Context(), args...)
		if code != exitNotApplicable || out != "" || !strings.Contains(errs, "only 12 % of the CPU time") || !strings.Contains(errs, "--force") {
			t.Errorf("tierctl %s: exit code %d, %q and\n%s\nwant %d and the reason", strings.Join(args, " "), code, errs, out, exitNotApplicable)
		}
	}
	if out, errs, code := tierctl(t.Context(), append([]string{"run", p.Dir, "--force"}, quick...)...); code != exitDone || out == "" {
		t.Errorf("--force: exit code %d, %s and\n%s", code, errs, out)
	}
	if _, errs, code := tierctl(t.Context(), "check", p.Dir); code != exitDone || !strings.Contains(errs, "grade D") {
		t.Errorf("check: exit code %d and %q, want a warning", code, errs)
	}
}
