package java

import (
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
