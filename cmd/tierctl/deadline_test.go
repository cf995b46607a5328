package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tierscope/core"
)

// endless are commands that would take hours: in each phase of what they do they must hear that it is enough.
func endless(t *testing.T) map[string][]string {
	tangle := write(t, "tangle.json", tangled(t, 3000))
	return map[string][]string{
		"run, simulating":             {"run", webServer, "--duration", "1e9"},
		"run, in pilots":              {"run", webServer, "--reps", "1000000"},
		"run, reading the model":      {"run", tangle},
		"sweep, planning":             {"sweep", webServer, "--axis", "workers=1..64", "--axis", "rate=1..1000/0.064", "--force"},
		"sweep, simulating":           {"sweep", webServer, "--axis", "workers=1..16", "--reps", "100000"},
		"optimize, estimating":        {"optimize", tangle, "--axis", "cpu/cores=1..100", "--axis", "pools/p/size=1..200", "--minimise", "T"},
		"optimize, simulating":        {"optimize", webServer, "--axis", "workers=1..16", "--axis", "disks/sda/speed=1..8:real", "--minimise", "R.p95", "--reps", "100000"},
		"explain, the baseline":       {"explain", webServer, "--reps", "1000000"},
		"explain, the candidates":     {"explain", webServer, "--reps", "2000"},
		"prolong, the repetitions":    {"prolong", "../../assets/samples/cache.tier", "--repeats", "100000"},
		"check, of what fills memory": {"check", write(t, "large.json", tangled(t, 9000))},
	}
}

// tangled is a program whose graph is random, so that its visits are hard to find.
func tangled(t *testing.T, n int) string {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	m := core.Model{Name: "tangle", CPU: core.CPU{Cores: 1}, Pools: []core.Pool{{ID: "p", Graph: "g", Size: 1}}}
	g := core.Graph{ID: "g", Entry: "f0"}
	for i := range n {
		f := core.Fragment{ID: fmt.Sprintf("f%d", i), Class: core.CPUFragment, Demand: core.Const(1e-5)}
		if i%50 != 49 {
			a, b := random.IntN(n), random.IntN(n-1)
			if b >= a {
				b++
			}
			f.Next = []core.Edge{{To: fmt.Sprintf("f%d", a), Probability: .5}, {To: fmt.Sprintf("f%d", b), Probability: .5}}
		}
		g.Fragments = append(g.Fragments, f)
	}
	m.Graphs = []core.Graph{g}
	var text strings.Builder
	if err := core.Encode(&text, m); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// A signal ends a command with 130, whatever it is doing; --max-time with 4, or with 0 if the result is one. A command that did not hear
// would run into the time limit of the test.
func TestEveryCommandEndsWhenItIsTold(t *testing.T) {
	t.Parallel()
	for name, args := range endless(t) {
		for _, after := range []time.Duration{time.Nanosecond, 200 * time.Millisecond} {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(after, cancel)
			if _, errs, code := tierctl(ctx, args...); code != exitInterrupted {
				t.Errorf("%s, interrupted after %s: exit code %d and %q, want %d", name, after, code, errs, exitInterrupted)
			}
			cancel()
		}
		_, errs, code := tierctl(t.Context(), append(args, "--max-time", "200ms")...)
		if code != exitUndecided && code != exitDone {
			t.Errorf("%s with 200 ms: exit code %d and %q, want %d or %d", name, code, errs, exitUndecided, exitDone)
		}
	}
}

// A shard writes nothing to standard output; all of them together are the sweep.
func TestShardsOfASweepAreGathered(t *testing.T) {
	t.Parallel()
	want, _, _ := tierctl(t.Context(), sweepOf("--format", "csv")...)
	ledger := t.TempDir()
	for _, shard := range []string{"2/3", "1/3", "3/3", "1/3"} {
		if out, errs, code := tierctl(t.Context(), sweepOf("--ledger", ledger, "--shard", shard)...); code != exitDone || out != "" {
			t.Fatalf("shard %s: exit code %d, %q and %q", shard, code, errs, out)
		}
	}
	got, errs, code := tierctl(t.Context(), sweepOf("--ledger", ledger, "--format", "csv")...)
	if code != exitDone || got != want || !strings.Contains(errs, "6 runs, 6 of them in the ledger") {
		t.Errorf("exit code %d, %q; gathered\n%s\none process\n%s", code, errs, got, want)
	}
}

// With --only the ledger and the output have only that, and what was kept in full is not simulated again.
func TestOnlyWhatIsAskedForIsKept(t *testing.T) {
	t.Parallel()
	ledger := t.TempDir()
	small, _, code := tierctl(t.Context(), sweepOf("--ledger", ledger, "--format", "csv", "--only", "R class/task p95")...)
	if lines := strings.Count(small, "\n"); code != exitDone || lines != 1+6 {
		t.Errorf("exit code %d and %d lines, want the header and one for each run", code, lines)
	}
	if _, errs, _ := tierctl(t.Context(), sweepOf("--ledger", ledger)...); strings.Contains(errs, "in the ledger") {
		t.Errorf("a whole result is asked for, and the ledger has one metric: %q", errs)
	}
	again, errs, _ := tierctl(t.Context(), sweepOf("--ledger", ledger, "--format", "csv", "--only", "R class/task p95")...)
	if again != small || !strings.Contains(errs, "6 of them in the ledger") {
		t.Errorf("%q; the first time\n%s\nfrom the whole results\n%s", errs, small, again)
	}
}

// The same of a single run.
func TestOfARunOnlyWhatIsAskedForIsKept(t *testing.T) {
	t.Parallel()
	p := shop(t)
	run := func(flags ...string) (string, string) {
		out, errs, code := tierctl(t.Context(), slices.Concat([]string{"run", p.Dir, "--format", "csv"}, quick, flags)...)
		if code != exitDone {
			t.Fatalf("exit code %d: %s", code, errs)
		}
		return out, errs
	}
	small, _ := run("--only", "R,X class")
	for line := range strings.Lines(small) {
		if !strings.Contains(line, "metric") && !strings.Contains(line, "R,class/") && !strings.Contains(line, "X,class/") {
			t.Errorf("with --only R,X class there is the line %q", line)
		}
	}
	if _, errs := run("--only", "R class"); !strings.Contains(errs, "from the ledger") {
		t.Errorf("a part of what is kept: %q", errs)
	}
	if whole, errs := run(); strings.Contains(errs, "from the ledger") || !strings.Contains(whole, "U,cpu") {
		t.Errorf("a whole result is asked for, and the ledger has two metrics: %q\n%s", errs, whole)
	}
	if again, errs := run("--only", "R,X class"); again != small || !strings.Contains(errs, "from the ledger") {
		t.Errorf("%q; the first time\n%s\nfrom the whole result\n%s", errs, small, again)
	}
}

// The scripts of all engines contain the command of a shard, and the manifest has the fields that an indexed Job of Kubernetes
// must have (batch/v1, https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/job-v1/).
func TestEnginesRunShards(t *testing.T) {
	t.Parallel()
	ledger := t.TempDir()
	emitted := func(engine string) string {
		out, errs, code := tierctl(t.Context(), sweepOf("--ledger", ledger, "--where", "workers >= 1", "--warmup", "none", "--emit", engine, "--shards", "5")...)
		if code != exitDone {
			t.Fatalf("%s: exit code %d, %s", engine, code, errs)
		}
		return out
	}
	if s := emitted("slurm"); !strings.HasPrefix(s, "#!/bin/sh\n") || !strings.Contains(s, "#SBATCH --array=1-5\n") || !strings.Contains(s, `--shard "$SLURM_ARRAY_TASK_ID"/5`) || !strings.Contains(s, "'--where=workers >= 1'") || !strings.Contains(s, "--warmup=none") {
		t.Errorf("Slurm:\n%s", s)
	}
	if s := emitted("parallel"); !strings.Contains(s, "seq 5 | parallel ") || !strings.Contains(s, "--shard {}/5") {
		t.Errorf("GNU parallel:\n%s", s)
	}
	var job struct {
		APIVersion string `json:"apiVersion"`
		Kind       string
		Metadata   struct{ Name string }
		Spec       struct {
			CompletionMode                                 string
			Completions, Parallelism, BackoffLimitPerIndex int
			Template                                       struct {
				Spec struct {
					RestartPolicy string
					Containers    []struct {
						Name, Image, WorkingDir string
						Command                 []string
						VolumeMounts            []struct{ Name, MountPath string }
						Resources               struct{ Requests map[string]string }
					}
					Volumes []struct {
						Name                  string
						PersistentVolumeClaim struct{ ClaimName string }
					}
				}
			}
		}
	}
	d := json.NewDecoder(strings.NewReader(strings.ReplaceAll(emitted("kubernetes"), "annotations", "Annotations")))
	if err := d.Decode(&job); err != nil {
		t.Fatal(err)
	}
	pod := job.Spec.Template.Spec
	if job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Metadata.Name == "" || job.Spec.CompletionMode != "Indexed" || job.Spec.Completions != 5 || pod.RestartPolicy != "Never" ||
		len(pod.Containers) != 1 || pod.Containers[0].VolumeMounts[0].Name != pod.Volumes[0].Name || !strings.Contains(pod.Containers[0].Command[2], "--shard $((JOB_COMPLETION_INDEX + 1))/5") {
		t.Errorf("manifest %+v", job)
	}
	if _, _, code := tierctl(t.Context(), sweepOf("--ledger", ledger, "--emit", "condor")...); code != exitUsage {
		t.Errorf("an engine that is not known: exit code %d", code)
	}
}

// Two threads wait for each other while a third goes round: not 0, and said.
func TestADeadlockHasAnExitCodeOfItsOwn(t *testing.T) {
	t.Parallel()
	enter := func(id, lock, next string) core.Fragment {
		return core.Fragment{ID: id, Class: core.SyncFragment, Sync: &core.Sync{Lock: lock, Op: core.Enter}, Next: []core.Edge{{To: next, Probability: 1}}}
	}
	exits := func(id, lock, next string) core.Fragment {
		f := enter(id, lock, next)
		f.Sync.Op = core.Exit
		return f
	}
	sleep := func(id, next string) core.Fragment {
		return core.Fragment{ID: id, Class: core.DelayFragment, Delay: core.Const(.01), Next: []core.Edge{{To: next, Probability: 1}}}
	}
	m := core.Model{Name: "two", CPU: core.CPU{Cores: 1}, Locks: []core.Lock{{ID: "A", Kind: core.Mutex}, {ID: "B", Kind: core.Mutex}}}
	for i, order := range [][2]string{{"A", "B"}, {"B", "A"}} {
		id := fmt.Sprintf("p%d", i)
		m.Graphs = append(m.Graphs, core.Graph{ID: id, Entry: "one", Fragments: []core.Fragment{enter("one", order[0], "wait"), sleep("wait", "two"), enter("two", order[1], "work"),
			sleep("work", "xtwo"), exits("xtwo", order[1], "xone"), exits("xone", order[0], "one")}})
		m.Pools = append(m.Pools, core.Pool{ID: id, Graph: id, Size: 1})
	}
	m.Graphs = append(m.Graphs, core.Graph{ID: "tick", Entry: "a", Fragments: []core.Fragment{sleep("a", "a2"), {ID: "a2", Class: core.CPUFragment, Demand: core.Const(.001), Next: []core.Edge{{To: "a", Probability: 1}}}}})
	m.Pools = append(m.Pools, core.Pool{ID: "tick", Graph: "tick", Size: 1})
	var text strings.Builder
	if err := core.Encode(&text, m); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := tierctl(t.Context(), "run", write(t, "two.json", text.String()), "--duration", "1s", "--warmup", "none"); code != exitHalted || !strings.Contains(errs, `waits at "two" for lock "B" ←`) {
		t.Errorf("exit code %d and %q, want %d and who waits for whom", code, errs, exitHalted)
	}
}
