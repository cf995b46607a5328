package java

import (
	"fmt"
	"slices"
	"testing"

	"tierscope/analysis/trace"
)

// spansOf is shown as text: probe numbers, ")" for an end.
func hitsOf(text ...int) []hit24 {
	var hs []hit24
	for i, n := range text {
		h := hit24{time: int64(i), probe: uint16(max(n, -n)), end: n < 0}
		hs = append(hs, h)
	}
	return hs
}

// Operations nest: what a subclass's poll calls is part of it. One that an
// exception ends has no end, and nothing that follows is inside it.
func TestSpansNestAndSurviveExceptions(t *testing.T) {
	t.Parallel()
	probes := []probe{{}, {op: trace.OpReceive}, {op: trace.OpReceive}, {op: trace.OpLock}, {op: trace.OpSpawn}}
	for _, c := range []struct {
		name   string
		hits   []hit24
		outer  []int // probes of operations that count, in order
		thrown int64
	}{
		{"one after the other", hitsOf(1, -1, 3, -3), []int{1, 3}, 0},
		{"one inside the other", hitsOf(1, 2, -2, -1, 3, -3), []int{1, 3}, 0},
		{"thrown, then another", hitsOf(1, 3, -3, 3, -3), []int{3, 3}, 1},
		{"thrown, then again", hitsOf(1, 1, -1), []int{1}, 1},
		{"thrown inside another", hitsOf(1, 2, -1, 3, -3), []int{1, 3}, 1},
		{"the last is still going on", hitsOf(3, -3, 1), []int{3, 1}, 0},
		{"an end alone", hitsOf(-1, 3, -3), []int{3}, 0},
		{"a mark inside", hitsOf(1, 4, -1), []int{1}, 0},
	} {
		spans, thrown := spansOf(c.hits, probes, nil)
		var outer []int
		for _, s := range spans {
			if !s.inner {
				outer = append(outer, int(c.hits[s.first].probe))
			}
		}
		if len(outer) != len(c.outer) || thrown != c.thrown {
			t.Errorf("%s: operations %v, %d thrown; want %v, %d", c.name, outer, thrown, c.outer, c.thrown)
			continue
		}
		for i := range outer {
			if outer[i] != c.outer[i] {
				t.Errorf("%s: operations %v, want %v", c.name, outer, c.outer)
				break
			}
		}
	}
}

// Who hands a task to an executor that has no room, and runs it: the handing over ends where the task begins, and what the task does
// is the thread's own. An executor whose tasks nobody else runs is none.
func TestATaskThatItsSenderRunsIsItsSenders(t *testing.T) {
	t.Parallel()
	probes := []probe{{}, {op: trace.OpSend, kind: "executor"}, {op: trace.OpNone, entry: true}, {op: trace.OpLock}}
	own := hitsOf(1, 2, 3, -3, -2, -1, 1, -1) // the second goes to a worker
	for i := range own {
		own[i].object = 7
	}
	r := &recording{threads: map[int64][]hit24{1: own, 2: hitsOf(2, 3, -3, -2)}}
	if got := r.refusals(probes); len(got) != 1 || !got[7] {
		t.Errorf("executors %v let their clients run tasks, want 7", got)
	}
	for serves, want := range map[bool]string{true: "0–1 2–3 6–7 ", false: "2–3 6–7 "} {
		spans, _ := spansOf(own, probes, nil)
		if calls := passedOn(spans, own, probes, map[uint32]bool{7: serves}); len(calls) > 0 {
			spans, _ = spansOf(own, probes, calls)
		}
		var at string
		for _, s := range spans {
			if !s.inner && s.kind == spanOperation {
				at += fmt.Sprintf("%d–%d ", s.first, s.last)
			}
		}
		if at != want {
			t.Errorf("threads take from the executor: %v: operations %s, want %s", serves, at, want)
		}
	}
}

// A pool that is an Executor of the program's own puts what it is given into a queue. If
// no thread takes from the executor itself, that is what is sent; threads of the
// library's executors do. It closes what is inside likewise.
func TestWhatAnExecutorPutsIntoAQueueIsSentIfNobodyTakesFromIt(t *testing.T) {
	t.Parallel()
	hits := hitsOf(1, 2, -2, -1)
	for i := range hits {
		hits[i].object = uint32(hits[i].probe)
	}
	for _, inner := range []probe{{op: trace.OpSend, kind: "queue"}, {op: trace.OpClose, kind: "executor"}, {op: trace.OpJoin, kind: "executor"}} {
		probes := []probe{{}, {op: inner.op, kind: "executor"}, inner}
		for serves, want := range map[bool]uint16{true: 1, false: 2} {
			spans, _ := spansOf(hits, probes, nil)
			spans, _ = spansOf(hits, probes, passedOn(spans, hits, probes, map[uint32]bool{1: serves}))
			var at []uint16
			for _, s := range spans {
				if !s.inner && s.kind == spanOperation {
					at = append(at, hits[s.first].probe)
				}
			}
			if len(at) != 1 || at[0] != want {
				t.Errorf("threads take from the executor: %v; %v at %v, want %d", serves, inner.op, at, want)
			}
		}
	}
}

// A socket is closed by the one that it passes that on to, the innermost, whose bytes are read.
func TestASocketPassesOnThatItIsClosed(t *testing.T) {
	t.Parallel()
	hits := hitsOf(1, 2, -2, -1)
	for i := range hits {
		hits[i].object = uint32(hits[i].probe)
	}
	for op, want := range map[trace.Op]uint16{trace.OpNetClose: 2, trace.OpConnect: 2, trace.OpNetRead: 1} {
		probes := []probe{{}, {op: op, kind: "socket"}, {op: op, kind: "socket"}}
		spans, _ := spansOf(hits, probes, nil)
		if calls := passedOn(spans, hits, probes, nil); len(calls) > 0 {
			spans, _ = spansOf(hits, probes, calls)
		}
		var at []uint16
		for _, s := range spans {
			if !s.inner && s.kind == spanOperation {
				at = append(at, hits[s.first].probe)
			}
		}
		if len(at) != 1 || at[0] != want {
			t.Errorf("%v is recorded of %v, want of %d", op, at, want)
		}
	}
}

// A wait at a queue that an interrupt cuts short is one in vain, until the thread goes on; so it is where nothing but the end of its task
// follows. What is still going on when the recording ends has no end.
func TestAWaitThatIsCutShortGotNothing(t *testing.T) {
	t.Parallel()
	probes := []probe{{}, {op: trace.OpReceive, kind: "queue"}, {op: trace.OpLock}, {op: trace.OpNone, entry: true}, {op: trace.OpAccept, kind: "socket"}}
	for _, c := range []struct {
		name string
		hits []hit24
		last int // of the wait; -1: none
		cut  bool
	}{
		{"then another operation", hitsOf(3, 1, 2, -2, -3), 2, true},
		{"then the end of its task", hitsOf(3, 1, -3), 2, true},
		{"got something", hitsOf(3, 1, -1, -3), 2, false},
		{"still going on", hitsOf(3, 1), -1, false},
		{"nobody connects any more", hitsOf(3, 4, -3), 2, true},
	} {
		spans, thrown := spansOf(c.hits, probes, nil)
		for _, s := range spans {
			if p := c.hits[s.first].probe; (p == 1 || p == 4) && (s.last != c.last || s.cut != c.cut) {
				t.Errorf("%s: the wait ends at hit %d, cut short: %v; want %d, %v", c.name, s.last, s.cut, c.last, c.cut)
			}
		}
		if thrown != 0 {
			t.Errorf("%s: %d operations never ended", c.name, thrown)
		}
	}
}

// What the last thread to come to a barrier does there for all, with others inside of it or not, comes before the barrier.
func TestWhatIsDoneForAllAtABarrierIsDoneBeforeIt(t *testing.T) {
	t.Parallel()
	probes := []probe{{}, {op: trace.OpBarrier}, {op: trace.OpSend}, {op: trace.OpLock}}
	hits := hitsOf(1, -1, 1, 3, -3, 2, 3, -3, -2, -1)
	spans, _ := spansOf(hits, probes, nil)
	var got []string
	for _, s := range spans {
		if !s.inner {
			got = append(got, fmt.Sprintf("%d from %d", hits[s.first].probe, s.begin(hits).time))
		}
	}
	if want := []string{"1 from 0", "3 from 3", "2 from 5", "1 from 8"}; !slices.Equal(got, want) {
		t.Errorf("operations %v, want %v", got, want)
	}
}
