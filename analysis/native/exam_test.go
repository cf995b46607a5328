package native

import (
	"testing"

	"tierscope/analysis/targettest"
	"tierscope/analysis/trace"
)

// Programs in C, C++, Rust and with OpenMP pass the exam of all front ends, by either compiler, whether the executable has
// lines, symbols or nothing.
func TestCompiledProgramsPassTheExam(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		compiler, source string
		options          []string
	}{
		"C with lines":       {"cc", "exam.c", []string{"-g", "-O2", "-pthread", "-lm"}},
		"C, stripped":        {"cc", "exam.c", []string{"-s", "-O2", "-pthread", "-lm"}},
		"C by clang":         {"clang", "exam.c", []string{"-O2", "-pthread", "-lm"}},
		"C++ with lines":     {"g++", "exam.cc", []string{"-std=c++20", "-g", "-O2", "-pthread"}},
		"C++, stripped":      {"g++", "exam.cc", []string{"-std=c++20", "-s", "-O2", "-pthread"}},
		"C++, not optimised": {"g++", "exam.cc", []string{"-std=c++20", "-g", "-O0", "-pthread"}},
		"C++ by clang":       {"clang++", "exam.cc", []string{"-std=c++20", "-O2", "-pthread"}},
		"Rust":               {"rustc", "exam.rs", []string{"-O"}},
		"OpenMP":             {"gcc", "exam-openmp.c", []string{"-O2", "-fopenmp", "-lm"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			exe := compiled(t, c.compiler, c.source, c.options...)
			targettest.Run(t, targettest.Exam{Target: front(), Monitor: true,
				Program: func(args ...string) trace.Workload { return workload(exe, args...) }})
		})
	}
}
