package golang

import (
	"testing"
	"time"

	"tierscope/analysis"
	"tierscope/analysis/targettest"
)

// Go passes the exam of all front ends.
func TestGoPassesTheExam(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library with probes")
	}
	t.Parallel()
	targettest.Run(t, targettest.Exam{
		Target: Target{Record: minProbeFile, Timeout: time.Minute},
		Program: func(args ...string) analysis.Workload {
			return analysis.Workload{Program: "../../testdata/programs/go/exam", Cores: 1, Args: args}
		},
	})
}
