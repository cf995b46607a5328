package golang

import (
	"strings"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Three goroutines filter pictures at a time, and each filter has a channel of
// rows and two goroutines of its own: the queues belong to the calls, and a call
// starts two threads however many calls there are.
func TestEveryFilterHasAQueueAndWorkersOfItsOwn(t *testing.T) {
	t.Parallel()
	tr := record(t, trace.Workload{Program: "../../testdata/programs/go/filters", Args: []string{"-workers", "3", "-procs", "2", "-n", "6"}})
	m, _, err := analysis.Build(trail.Input{Trace: tr}, trail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, q := range m.Queues {
		if strings.Contains(q.ID, "parallel") {
			rows++
			if q.Scope != core.PerCall {
				t.Errorf("queue %s has scope %q, want %q", q.ID, q.Scope, core.PerCall)
			}
		}
	}
	if rows != 2 { // one for each of the two places that call filter
		t.Errorf("%d queues of rows, want 2: %v", rows, m.Queues)
	}
	for _, p := range m.Pools {
		if strings.Contains(p.ID, "parallel") && p.Size != 2 {
			t.Errorf("a call starts %d threads of pool %s, want 2", p.Size, p.ID)
		}
	}
}
