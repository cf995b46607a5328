package stage_test

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/stage"
)

// witness is a front end that remembers what it was asked to run.
type witness struct {
	sampled, scanned, traced *analysis.Workload
}

func (witness) Name() string                                   { return "witness" }
func (witness) Check(context.Context, analysis.Workload) error { return nil }
func (f witness) Sample(_ context.Context, w analysis.Workload, _ string, _ func(analysis.Progress)) (*analysis.Samples, error) {
	*f.sampled = w
	return &analysis.Samples{Program: "p"}, nil
}

func (f witness) Scan(_ context.Context, w analysis.Workload, _ *analysis.Samples, _ string, _ func(analysis.Progress)) (*analysis.Facts, error) {
	*f.scanned = w
	return &analysis.Facts{Program: "p"}, nil
}

func (f witness) Trace(_ context.Context, w analysis.Workload, _ *analysis.Samples, _ *analysis.Facts, _ string, _ func(analysis.Progress)) (*analysis.Trace, error) {
	*f.traced = w
	hit := func(time int64, end bool) analysis.Record {
		return analysis.Record{Time: time, CPU: 1_000_000, Op: analysis.OpSleep, End: end}
	}
	return &analysis.Trace{Program: "p", Cores: 1, End: 4_000_000,
		Sites: []analysis.Site{{Frames: []analysis.Frame{{Function: "main.main", File: "main.go", Line: 7}}}},
		Threads: []analysis.Thread{{ID: 1, Start: "main.main", Creator: -1, Ended: 4_000_000,
			Records: []analysis.Record{hit(1_000_000, false), hit(3_000_000, true)}}}}, nil
}

// "The dynamic analyzer instruments the program and runs it again in the same
// configuration as the initial stack-sampling run" (Tarvo & Reiss 2014, §4.3): also
// where the study is taken up later, from its files.
func TestTheInstrumentedRunHasTheConfigurationOfTheSampledOne(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	front := witness{new(analysis.Workload), new(analysis.Workload), new(analysis.Workload)}
	want := analysis.Workload{Program: "p", Args: []string{"-workers", "3", "-queue", "7"}, Env: map[string]string{"GOGC": "50"}, Cores: 2, Stdin: "orders.txt",
		Load: &analysis.Load{URL: "http://127.0.0.1:1/", Rate: 40, Duration: 2, Seed: 9}}
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
	for name, got := range map[string]*analysis.Workload{"sampled": front.sampled, "scanned": front.scanned, "traced": front.traced} {
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("%s was %+v, want %+v", name, *got, want)
		}
	}
}
