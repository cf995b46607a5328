package stage

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"tierscope/analysis"
	"tierscope/analysis/execution"
	"tierscope/analysis/trace"
)

// finder is a front end whose program ends with a status after so much CPU time: each
// run with the next of them, the last for ever.
type finder struct {
	front
	ends []int
	cpu  time.Duration
	runs *int
}

func (f finder) Sample(_ context.Context, w trace.Workload, _ string, _ func(analysis.Progress)) (*trace.Samples, error) {
	status := f.ends[min(*f.runs, len(f.ends)-1)]
	*f.runs++
	if status != w.ExitStatus {
		return nil, &execution.StatusError{Status: status, CPU: f.cpu}
	}
	return &trace.Samples{Program: "p"}, nil
}

// A status with which a program ends twice, after some work, is that of all runs:
// the workload keeps it for the later stages and for measurements, and the trust
// report says so.
func TestAProgramThatAlwaysEndsWithTheSameStatusIsAnalysed(t *testing.T) {
	s := study(t, front{})
	s.Target = finder{ends: []int{1}, cpu: time.Second, runs: new(int)}
	o, err := s.Run(context.Background(), Sample, Build)
	if err != nil {
		t.Fatal(err)
	}
	if _, w, err := Load(s.Dir); err != nil || w.ExitStatus != 1 {
		t.Errorf("exit status %d is kept (error %v), want 1", w.ExitStatus, err)
	}
	if said := strings.Join(o.Report.Trust.Assumptions, "; "); !strings.Contains(said, "exit status 1") {
		t.Errorf("the trust report assumes %q, want the exit status among it", said)
	}
}

func TestAProgramThatFailsIsNotAnalysed(t *testing.T) {
	for name, f := range map[string]finder{
		"at once":             {ends: []int{1}, cpu: time.Millisecond},
		"now so, now so":      {ends: []int{1, 2}, cpu: time.Second},
		"only the first time": {ends: []int{1, 0}, cpu: time.Second},
	} {
		s := study(t, front{})
		f.runs = new(int)
		s.Target = f
		_, err := s.Run(context.Background(), Sample, Build)
		if ended, ok := errors.AsType[*execution.StatusError](err); !ok || ended.Status != 1 {
			t.Errorf("%s: error %v, want that of the first run", name, err)
		}
	}
}
