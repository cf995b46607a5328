package golang

import (
	"testing"
	"time"

	"tierscope/analysis/targettest"
	"tierscope/analysis/trace"
)

// Go passes the exam of all front ends.
func TestGoPassesTheExam(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library with probes")
	}
	t.Parallel()
	targettest.Run(t, targettest.Exam{
		Target: Target{Record: minProbeFile, Timeout: time.Minute},
		Program: func(args ...string) trace.Workload {
			return trace.Workload{Program: "../../testdata/programs/go/exam", Cores: 1, Args: args}
		},
	})
}
