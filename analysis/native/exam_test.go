package native

import (
	"testing"

	"tierscope/analysis/targettest"
	"tierscope/analysis/trace"
)

// A program in C passes the exam of all front ends, whether its executable has symbols or not.
func TestCPassesTheExam(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]string{"with lines": {"-g"}, "stripped": {"-s"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			exe := compiled(t, "cc", "exam.c", append(options, "-O2", "-pthread", "-lm")...)
			targettest.Run(t, targettest.Exam{Target: front(), Monitor: true,
				Program: func(args ...string) trace.Workload { return workload(exe, args...) }})
		})
	}
}
