package native

import (
	"os/exec"
	"slices"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// A ring without locks is seen by its probes alone (Tarvo & Reiss, simulation paper, §IV): 100 items through a queue of 8
// to 2 threads, and each gets nothing once. Position-independent or not, the program finds the recorder without linking it.
func TestALockFreeQueueIsSeenByItsProbes(t *testing.T) {
	t.Parallel()
	for _, option := range []string{"-fPIE", "-no-pie"} {
		exe := compiled(t, "cc", "ring.c", "-O2", "-pthread", "-I.", option, "-lm")
		if out, err := exec.CommandContext(t.Context(), exe, "10", "2").CombinedOutput(); err != nil {
			t.Fatalf("without the recorder: %v\n%s", err, out)
		}
		args := []string{"100", "2"}
		r, tr, err := recordedRun(t, exe, args)
		if err != nil {
			t.Fatal(err)
		}
		nothing, values := 0, map[uint64]int{}
		for i := range tr.Threads {
			for _, rec := range tr.Threads[i].Records {
				switch {
				case rec.Op == trace.OpSend && rec.End:
					values[rec.Value]++
				case rec.Op == trace.OpReceive && rec.End && rec.Arg == 1:
					values[rec.Value]--
				case rec.Op == trace.OpReceive && rec.End:
					nothing++
				}
			}
		}
		for v, n := range values {
			if n != 0 {
				t.Errorf("%s: value %d was put %d times more than got", option, v, n)
			}
		}
		if len(values) != 100 || nothing != 2 {
			t.Errorf("%s: %d items and %d ends, want 100 and 2; %d records", option, len(values), nothing, r.records())
		}
		tr.Cores = 2
		m, _, err := analysis.Build(trail.Input{Workload: workload(exe, args...), Trace: tr}, trail.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Queues) != 1 || m.Queues[0].Capacity != 8 {
			t.Errorf("%s: queues %+v, want one of capacity 8", option, m.Queues)
		}
		if !slices.ContainsFunc(m.Pools, func(p core.Pool) bool { return p.Size == 2 }) {
			t.Errorf("%s: no pool has 2 threads: %+v", option, m.Pools)
		}
	}
}

// Return addresses at remembered places of the stack are those that unwinding finds, in programs of three languages.
func TestRememberedContextsAreThoseOfUnwinding(t *testing.T) {
	t.Parallel()
	checked, programs := uint64(0), 0
	for _, c := range []struct {
		compiler, source string
		options, args    []string
	}{
		{"cc", "exam.c", []string{"-O2", "-pthread", "-lm"}, []string{"150", "3"}},
		{"cc", "exam.c", []string{"-O0", "-fno-omit-frame-pointer", "-pthread", "-lm"}, []string{"150", "3"}},
		{"g++", "exam.cc", []string{"-std=c++20", "-O2", "-pthread"}, []string{"150", "3"}},
		{"rustc", "exam.rs", []string{"-O"}, []string{"150", "3"}},
		{"gcc", "exam-openmp.c", []string{"-O2", "-fopenmp", "-lm"}, []string{"150", "3"}},
		{"cc", "blocks.c", []string{"-O2", "-pthread", "-lm"}, []string{"150", "3", "5"}},
		{"cc", "odd.c", []string{"-O2", "-pthread", "-ldl", "-lm"}, []string{"many"}},
	} {
		if _, err := exec.LookPath(c.compiler); err != nil {
			t.Logf("there is no %s here", c.compiler)
			continue
		}
		r, _, err := recordedRun(t, compiled(t, c.compiler, c.source, c.options...), c.args, "TIERSCOPE_VERIFY=1")
		if err != nil {
			t.Fatal(err)
		}
		programs++
		if checked += r.checked; r.wrong > 0 {
			t.Errorf("%s by %s: %d of %d contexts were wrong", c.source, c.compiler, r.wrong, r.checked)
		}
	}
	if programs == 0 {
		t.Skip("cannot be judged here: there is no compiler")
	}
	if checked < 1000 {
		t.Errorf("%d contexts were compared", checked)
	}
}

// Each parallel region of OpenMP has a barrier at which its threads wait for who calls for them, and one at which all wait for
// the last: two places of the program.
func TestRegionsOfOpenMPAreBarriers(t *testing.T) {
	t.Parallel()
	_, tr, err := recordedRun(t, compiled(t, "gcc", "exam-openmp.c", "-O2", "-fopenmp", "-lm"), []string{"20", "3"})
	if err != nil {
		t.Fatal(err)
	}
	parties := map[uint64]int64{}
	for _, o := range tr.Objects {
		if o.Kind == trace.Team {
			parties[o.ID] = o.Capacity
		}
	}
	arrived, places := map[uint64]int{}, map[string]bool{}
	for i := range tr.Threads {
		for _, r := range tr.Threads[i].Records {
			if r.Op == trace.OpBarrier && !r.End {
				arrived[r.Object]++
				places[trace.Spot(trace.InnermostFrame(tr.Sites[r.Site]))] = true
			}
		}
	}
	if len(parties) != 2 || len(places) != 2 {
		t.Fatalf("barriers %v at %v, want two", parties, places)
	}
	for id, n := range parties {
		if n != 5 || arrived[id] != 5 {
			t.Errorf("a barrier of %d threads was reached by %d, want 5 of 5: four and who called for them", n, arrived[id])
		}
	}
}
