package targettest_test

import (
	"slices"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/targettest"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// A front end for a language that does not exist (toy_test.go) passes the exam, and what
// it says of its run-time system is in the model.
func TestALanguageThatNobodyKnowsPassesTheExam(t *testing.T) {
	t.Parallel()
	program := func(args ...string) trace.Workload {
		return trace.Workload{Program: "testdata/exam.toy", Args: args}
	}
	targettest.Run(t, targettest.Exam{Target: toy{}, Program: program})
	tr, err := toy{}.Trace(t.Context(), program("150", "3"), nil, nil, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := analysis.Build(trail.Input{Trace: tr}, trail.Options{Threshold: -1})
	if err != nil {
		t.Fatal(err)
	}
	if p, _ := m.Parameter("cores"); p.How != "TOY_CORES={value}" {
		t.Errorf("the cores are given by %q", p.How)
	}
	if i := slices.IndexFunc(m.Locks, func(l core.Lock) bool { return l.Kind == core.Mutex }); i < 0 || m.Locks[i].Fairness != core.Barging {
		t.Errorf("no lock is a barging mutex: %+v", m.Locks)
	}
}
