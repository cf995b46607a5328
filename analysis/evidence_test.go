package analysis

import (
	"math"
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// Four threads and a compiler share two cores evenly while code is slow: the threads have 8/5 of
// them. One core always computes, and beside it the other for 3/5 of the time; of 8/5 that are
// computed, 2·3/5 have company: 0.75 other cores on average.
func TestEvidenceTellsWhatPlainRunsCostAndHowMuchCompanySlowCodeHad(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.compiles(4, 600, .25)
	s.trace.Plain, s.trace.PlainSystem, s.trace.PlainAlone = []float64{5, 6, 7}, []float64{1, 2, 4}, []float64{2.5}
	s.trace.Response = trace.ResponseTime{Median: .002, Mean: .003}
	_, r := s.build(t, trail.Options{Threshold: -1})
	e := r.Evidence
	if !slices.Equal(e.CPU, []float64{4, 4, 3}) || !slices.Equal(e.AloneCPU, []float64{2.5}) || e.Response != s.trace.Response {
		t.Errorf("the evidence is %+v, want 4, 4 and 3 s without the system's own threads, 2.5 s on one core, and %v", e, s.trace.Response)
	}
	if math.Abs(e.Company-.75) > .02 {
		t.Errorf("slow code has the company of %.3f cores, want 0.75", e.Company)
	}
	s.trace.PlainSystem = nil
	if _, r := s.build(t, trail.Options{Threshold: -1}); r.Evidence.CPU != nil {
		t.Errorf("where the system's own threads were not measured, the program's took %v", r.Evidence.CPU)
	}
}
