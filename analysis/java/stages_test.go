package java

import (
	"fmt"
	"slices"
	"testing"

	"tierscope/analysis/trace"
)

// Main makes a future, 11, and a stage of it, 12, for which it waits. Where 11 is done before, nobody completes the stage, and main
// waits for 11, however long it computes in that; a stage for which it had to wait somebody completed unseen.
func TestWhoWaitsForACompletedStageWaitsForWhatItIsMadeOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		completes bool  // the worker completes the stage
		waits     int64 // ns
		computes  int64 // ns of them
		want      []string
	}{
		"complete from the start": {false, 100, 0, []string{"add 11", "send 1", "wait 11"}},
		"its first wait":          {false, 1_000_000, 999_000, []string{"add 11", "send 1", "wait 11"}},
		"completed":               {true, 100, 0, []string{"add 11", "send 1", "add 12", "wait 12"}},
		"completed unseen":        {false, 1_000_000, 0, []string{"add 11", "send 1", "add 12", "wait 12"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			main := &tape{thread: trace.Thread{ID: 1}}
			main.does(trace.OpAdd, 11, 0).does(trace.OpSend, 1, 1).at(20_000).does(trace.OpAdd, 12, 0).does(trace.OpWaitGroup, 12, 0)
			last := len(main.thread.Records) - 1
			main.thread.Records[last].Time = main.thread.Records[last-1].Time + c.waits
			main.thread.Records[last].CPU = main.thread.Records[last-1].CPU + c.computes
			worker := &tape{thread: trace.Thread{ID: 2, Parent: 1}}
			worker.at(10_000).does(trace.OpReceive, 1, 1).does(trace.OpDone, 11, 0)
			if c.completes {
				worker.does(trace.OpDone, 12, 0)
			}
			f := &futures{trace: &trace.Trace{Sites: []trace.Site{{}}, Threads: []trace.Thread{main.thread, worker.thread}}, results: map[uint64]bool{11: true, 12: true}}
			f.completedStages()
			var got []string
			for _, r := range f.trace.Threads[0].Records {
				if !r.End {
					got = append(got, fmt.Sprint(r.Op, " ", r.Object))
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("main does %q, want %q", got, c.want)
			}
		})
	}
}
