package java

import (
	"testing"

	"tierscope/analysis"
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
	probes := []probe{{}, {op: analysis.OpReceive}, {op: analysis.OpReceive}, {op: analysis.OpLock}, {op: analysis.OpSpawn}}
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
		spans, thrown := spansOf(c.hits, probes)
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
