package calibrate

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/stage"
	"tierscope/analysis/trace"
	"tierscope/project"
)

// front is a front end whose program computes for 1 ms, sleeps and ends; a tenth less in plain
// runs than while it was recorded.
type front struct{}

func (front) Name() string                                { return "test" }
func (front) Check(context.Context, trace.Workload) error { return nil }
func (front) Sample(context.Context, trace.Workload, string, func(analysis.Progress)) (*trace.Samples, error) {
	return &trace.Samples{Program: "p"}, nil
}

func (front) Scan(context.Context, trace.Workload, *trace.Samples, string, func(analysis.Progress)) (*trace.Facts, error) {
	return &trace.Facts{Program: "p"}, nil
}

func (front) Trace(context.Context, trace.Workload, *trace.Samples, *trace.Facts, string, func(analysis.Progress)) (*trace.Trace, error) {
	record := func(time, cpu int64, end bool) trace.Record {
		return trace.Record{Time: time, CPU: cpu, Op: trace.OpSleep, End: end}
	}
	plain := []float64{.0009, .0009, .0009}
	return &trace.Trace{Program: "p", Cores: 1, End: 4_000_000, Plain: plain, PlainSystem: []float64{0, 0, 0}, PlainAlone: plain,
		Sites: []trace.Site{{Frames: []trace.Frame{{Function: "main.main", File: "main.go", Line: 7}}}},
		Threads: []trace.Thread{{ID: 1, Start: "main.main", Creator: -1, Ended: 4_000_000,
			Records: []trace.Record{record(1_000_000, 1_000_000, false), record(3_000_000, 1_000_000, true)}}}}, nil
}

func study(t *testing.T) *stage.Study {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	return &stage.Study{Dir: filepath.Join(t.TempDir(), "p.tier"), Target: front{}, Workload: trace.Workload{Program: "p"}}
}

// The project has the calibrated model, and the trust report says what that assumes.
func TestAStudySavesTheCalibratedModel(t *testing.T) {
	s := study(t)
	o, err := Study(t.Context(), s, stage.Sample, stage.Build)
	if err != nil {
		t.Fatal(err)
	}
	m, err := project.LoadModel(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if content(t, m) != content(t, *o.Model) {
		t.Error("the project has another model than the outcome")
	}
	if cpu, err := programCPU(t.Context(), m); err != nil || math.Abs(cpu/.0009-1) > plainExact {
		t.Errorf("the saved model takes %.6f s of CPU time (error %v), plain runs took 0.0009 s", cpu, err)
	}
	p, err := project.Open(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	trust, err := stage.ReadTrust(p)
	if err != nil || trust == nil {
		t.Fatalf("no trust report was saved: %v", err)
	}
	if all := strings.Join(trust.Assumptions, "; "); !strings.Contains(all, "0.900 times as long as the recorded run") {
		t.Errorf("the trust report assumes %q, want the factor 0.9 among it", all)
	}
}

// A study that ends before it builds has nothing to calibrate, and one that is interrupted while the
// model is simulated saves none.
func TestAStudyWithoutAModelSavesNone(t *testing.T) {
	s := study(t)
	if o, err := Study(t.Context(), s, stage.Sample, stage.Trace); err != nil || o.Model != nil {
		t.Errorf("after the trace there is a model %v (error %v)", o.Model, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o, err := Study(ctx, s, stage.Build, stage.Build)
	if !errors.Is(err, context.Canceled) || o == nil || o.Reached != stage.Build {
		t.Errorf("interrupted, the study says %v, want %v at the stage build", err, context.Canceled)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "model")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an interrupted study left a model (%v)", err)
	}
}

// sorting is front whose thread does the same 400 times, a hundred of them ten times as long as the others, while a compiler works: as code that
// becomes fast, or as pieces of work that become smaller. Runs without probes cost 1.235 times as much.
type sorting struct{ front }

func (sorting) Trace(context.Context, trace.Workload, *trace.Samples, *trace.Facts, string, func(analysis.Progress)) (*trace.Trace, error) {
	var rs []trace.Record
	var compiled []trace.Compiling
	now, cpu := int64(0), int64(0)
	for i := range 400 {
		cost := int64(1_000_000)
		if i < 100 {
			cost *= 10
		}
		compiled = append(compiled, trace.Compiling{Start: now, End: now + cost, CPU: cost / 4})
		now, cpu = now+cost, cpu+cost
		rs = append(rs, trace.Record{Time: now, CPU: cpu, Op: trace.OpSleep}, trace.Record{Time: now + 1000, CPU: cpu, Op: trace.OpSleep, End: true})
		now += 1000
	}
	plain := slices.Repeat([]float64{1.235e-9 * float64(cpu)}, leastPlain)
	return &trace.Trace{Program: "p", Cores: 2, End: now, Plain: plain, PlainSystem: make([]float64, leastPlain), PlainAlone: plain, Compiler: compiled, Compilers: 1,
		Sites:   []trace.Site{{Frames: []trace.Frame{{Function: "main.main", File: "main.go", Line: 7}}}},
		Threads: []trace.Thread{{ID: 1, Start: "main.main", Creator: -1, Ended: now, Records: rs}}}, nil
}

// With a warm-up the model would lack more than a quarter of what runs cost, and be as the recorded run; without one it repeats them.
func TestAWarmUpThatRunsDoNotConfirmIsNone(t *testing.T) {
	s := study(t)
	s.Target = sorting{}
	o, err := Study(t.Context(), s, stage.Sample, stage.Build)
	if err != nil {
		t.Fatal(err)
	}
	if cpu, err := programCPU(t.Context(), *o.Model); err != nil || math.Abs(cpu/(1.235*1.3)-1) > plainExact {
		t.Errorf("the model takes %v s of CPU time (error %v), plain runs took %v", cpu, err, 1.235*1.3)
	}
	if says := strings.Join(o.Report.Trust.Assumptions, "; "); !strings.Contains(says, "as fast at first as later") {
		t.Errorf("the trust report assumes %q", says)
	}
}
