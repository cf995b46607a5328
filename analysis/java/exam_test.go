package java

import (
	"testing"
	"time"

	"tierscope/analysis/targettest"
	"tierscope/analysis/trace"
)

// Java passes the exam of all front ends.
func TestJavaPassesTheExam(t *testing.T) {
	t.Parallel()
	dir := compiled(t, "../../testdata/programs/java/Exam.java")
	targettest.Run(t, targettest.Exam{
		Target: Target{CacheDir: cacheDir, Timeout: time.Minute, Record: 64 << 20},
		Program: func(args ...string) trace.Workload {
			return trace.Workload{Program: "java", Cores: 1, Args: append([]string{"-cp", dir, "Exam"}, args...)}
		},
		Ends: 1,
	})
}
