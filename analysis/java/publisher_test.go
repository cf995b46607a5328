package java

import (
	"path/filepath"
	"testing"

	"tierscope/analysis/trace"
)

// Who publishes something gives the executor a task for each subscriber that has none: as many as the workers receive.
func TestAPublisherSubmitsTasks(t *testing.T) {
	t.Parallel()
	tr, _ := traced(t, "-cp", compiled(t, filepath.Join("testdata", "publisher", "Publisher.java")), "Publisher")
	sent, received := map[uint64]int{}, map[uint64]int{}
	for _, th := range tr.Threads {
		for _, r := range th.Records {
			switch {
			case r.Op == trace.OpSend && r.End && r.Arg == 1:
				sent[r.Object]++
			case r.Op == trace.OpReceive && r.End && r.Arg == 1:
				received[r.Object]++
			}
		}
	}
	if len(received) != 1 {
		t.Fatalf("tasks are received from %d executors, want 1", len(received))
	}
	for executor, n := range received {
		if n < 4 || sent[executor] != n {
			t.Errorf("%d tasks were sent and %d received, want as many, at least two of each subscriber", sent[executor], n)
		}
	}
}
