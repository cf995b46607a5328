package analysis

import (
	"testing"

	"tierscope/analysis/ownership"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// A writer closes a channel for each piece of work, and main, which made them all, waits
// for the last. No two of them are in use at a time, but all are there from the start: they
// are many, and the end of one is not that of the others.
func TestAnObjectLivesSinceItWasMade(t *testing.T) {
	t.Parallel()
	const pieces = 5
	s := newScript()
	main := s.thread("main", nil, 0)
	writer := s.thread("writer", main, 0)
	main.compute(1_000)
	for id := range uint64(pieces) {
		main.makes("make", id+1, 0)
	}
	for id := range uint64(pieces) {
		writer.compute(1_000_000).does(trace.OpClose, "close", id+1, 0, 10)
	}
	writer.ends()
	main.compute(4_499_000).does(trace.OpReceive, "receive", pieces, 0, 500_000)
	main.ends()
	qs, _ := sequencesOf(s.trace, nil)
	rs := ownership.FindResources(s.trace, []*trail.Pool{{Name: "all", Sequences: qs}})
	if len(rs) != 1 || rs[0].Together != pieces {
		t.Fatalf("%d resources, of which one lives %d times at once; want 1 and %d", len(rs), rs[0].Together, pieces)
	}
}
