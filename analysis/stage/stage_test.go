package stage

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/trace"
	"tierscope/project"
)

// front is a front end whose program computes, sleeps and ends.
type front struct{ traceFails error }

func (front) Name() string                                { return "test" }
func (front) Check(context.Context, trace.Workload) error { return nil }
func (front) Sample(context.Context, trace.Workload, string, func(analysis.Progress)) (*trace.Samples, error) {
	return &trace.Samples{Program: "p"}, nil
}

func (front) Scan(context.Context, trace.Workload, *trace.Samples, string, func(analysis.Progress)) (*trace.Facts, error) {
	return &trace.Facts{Program: "p"}, nil
}

func (f front) Trace(context.Context, trace.Workload, *trace.Samples, *trace.Facts, string, func(analysis.Progress)) (*trace.Trace, error) {
	if f.traceFails != nil {
		return nil, f.traceFails
	}
	record := func(time, cpu int64, end bool) trace.Record {
		return trace.Record{Time: time, CPU: cpu, Op: trace.OpSleep, End: end}
	}
	return &trace.Trace{Program: "p", Cores: 1, End: 4_000_000,
		Marked: trace.Schema{Fragments: []trace.Fragment{{ID: 1, Name: "work"}}},
		Sites:  []trace.Site{{Fragment: "work", Frames: []trace.Frame{{Function: "main.main", File: "main.go", Line: 7}}}},
		Threads: []trace.Thread{{ID: 1, Start: "main.main", Creator: -1, Ended: 4_000_000,
			Records: []trace.Record{record(1_000_000, 1_000_000, false), record(3_000_000, 1_000_000, true)}}}}, nil
}

func study(t *testing.T, f front) *Study {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	return &Study{Dir: filepath.Join(t.TempDir(), "p.tier"), Target: f, Workload: trace.Workload{Program: "p", Args: []string{"-n", "3"}}}
}

// "Each stage saves intermediate results into files that are used as input to
// subsequent stages" (Tarvo & Reiss 2014, §4).
func TestEveryStageLeavesItsFileAndTheStudyCanBeTakenUp(t *testing.T) {
	s := study(t, front{})
	o, err := s.Run(context.Background(), Sample, Build)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Save(o); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"workload.json", "samples.json", "facts.json", "trace", "build.json", "trust.json"} {
		if _, err := os.Stat(s.path(name)); err != nil {
			t.Errorf("stage file is missing: %v", err)
		}
	}
	target, w, err := Load(s.Dir)
	if err != nil || target != "test" || len(w.Args) != 2 {
		t.Errorf("the study is of %q %v (error %v), want test [-n 3]", target, w.Args, err)
	}
	if o, err = s.Run(context.Background(), Build, Build); err != nil {
		t.Fatal(err)
	}
	if err := s.Save(o); err != nil {
		t.Fatal(err)
	}
	m, err := project.LoadModel(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "p" || len(m.Pools) != len(o.Model.Pools) {
		t.Errorf("the project has model %q with %d pools, the study made %q with %d", m.Name, len(m.Pools), o.Model.Name, len(o.Model.Pools))
	}
}

func TestAFailureKeepsWhatEarlierStagesLeft(t *testing.T) {
	want := errors.New("the program was killed")
	s := study(t, front{traceFails: want})
	if o, err := s.Run(context.Background(), Sample, Build); !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "trace: ") || o.Reached != Trace {
		t.Errorf("error %v, reached %s, want an error of stage trace", err, o.Reached)
	}
	if _, err := os.Stat(s.path("facts.json")); err != nil {
		t.Errorf("the facts are gone: %v", err)
	}
	_, err := s.Run(context.Background(), Build, Build)
	if err == nil || !strings.Contains(err.Error(), "--from trace") {
		t.Errorf("build without a trace: error %v, want the remedy --from trace", err)
	}
}

func TestADamagedTraceIsRefusedWithTheRemedy(t *testing.T) {
	s := study(t, front{})
	if _, err := s.Run(context.Background(), Sample, Trace); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(s.path("trace"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.path("trace"), whole[:len(whole)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(context.Background(), Build, Build); err == nil || !strings.Contains(err.Error(), "record the trace again") {
		t.Errorf("half a trace: error %v, want the remedy", err)
	}
	if err := os.WriteFile(s.path("samples.json"), []byte(`{"format":`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(context.Background(), Build, Build); err == nil || !strings.Contains(err.Error(), "--from sample") {
		t.Errorf("half a file of samples: error %v, want the remedy --from sample", err)
	}
}
