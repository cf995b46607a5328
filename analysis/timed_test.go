package analysis_test

import (
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/trail"
)

// A program that works until the clock or main says stop has used, on one core, half the CPU time that it uses
// on two: it has done half as much. That is no company that makes threads slower.
func TestRunsThatEndWithTheClockDoNotTellWhatCompanyCosts(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"pi", "soak"} {
		m, _, err := analysis.Build(load(t, name), trail.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if m.CPU.BusyFactor != nil {
			t.Errorf("%s: with all cores busy these are taken to be %v times as fast", name, m.CPU.BusyFactor)
		}
	}
}
