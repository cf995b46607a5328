package stage_test

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/stage"
	"tierscope/analysis/trace"
)

// witness is a front end that remembers what it was asked to run.
type witness struct {
	sampled, scanned, traced *trace.Workload
}

func (witness) Name() string                                { return "witness" }
func (witness) Check(context.Context, trace.Workload) error { return nil }
func (f witness) Sample(_ context.Context, w trace.Workload, _ string, _ func(analysis.Progress)) (*trace.Samples, error) {
	*f.sampled = w
	return &trace.Samples{Program: "p"}, nil
}

func (f witness) Scan(_ context.Context, w trace.Workload, _ *trace.Samples, _ string, _ func(analysis.Progress)) (*trace.Facts, error) {
	*f.scanned = w
	return &trace.Facts{Program: "p"}, nil
}

func (f witness) Trace(_ context.Context, w trace.Workload, _ *trace.Samples, _ *trace.Facts, _ string, _ func(analysis.Progress)) (*trace.Trace, error) {
	*f.traced = w
	hit := func(time int64, end bool) trace.Record {
		return trace.Record{Time: time, CPU: 1_000_000, Op: trace.OpSleep, End: end}
	}
	return &trace.Trace{Program: "p", Cores: 1, End: 4_000_000,
		Sites: []trace.Site{{Frames: []trace.Frame{{Function: "main.main", File: "main.go", Line: 7}}}},
		Threads: []trace.Thread{{ID: 1, Start: "main.main", Creator: -1, Ended: 4_000_000,
			Records: []trace.Record{hit(1_000_000, false), hit(3_000_000, true)}}}}, nil
}

// "The dynamic analyzer instruments the program and runs it again in the same
// configuration as the initial stack-sampling run" (Tarvo & Reiss 2014, §4.3): also
// where the study is taken up later, from its files.
func TestTheInstrumentedRunHasTheConfigurationOfTheSampledOne(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	front := witness{new(trace.Workload), new(trace.Workload), new(trace.Workload)}
	want := trace.Workload{Program: "p", Args: []string{"-workers", "3", "-queue", "7"}, Env: map[string]string{"GOGC": "50"}, Cores: 2, Stdin: "orders.txt",
		Load: &trace.Load{URL: "http://127.0.0.1:1/", Rate: 40, Duration: 2, Seed: 9}}
	s := &stage.Study{Dir: filepath.Join(t.TempDir(), "p.tier"), Target: front, Workload: want}
	if _, err := s.Run(t.Context(), stage.Sample, stage.Sample); err != nil {
		t.Fatal(err)
	}
	_, w, err := stage.Load(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	later := &stage.Study{Dir: s.Dir, Target: front, Workload: w}
	if _, err := later.Run(t.Context(), stage.Scan, stage.Trace); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]*trace.Workload{"sampled": front.sampled, "scanned": front.scanned, "traced": front.traced} {
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("%s was %+v, want %+v", name, *got, want)
		}
	}
}
