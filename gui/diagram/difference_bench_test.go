package diagram

import (
	"fmt"
	"testing"

	"tierscope/core"
)

// Two builds whose call graphs have 4,000 fragments each, of which a tenth differ.
func BenchmarkDifferenceOfLargeCallGraphs(b *testing.B) {
	build := func(tag string) *core.Graph {
		g := &core.Graph{ID: "worker", Entry: "f0"}
		id := func(i int) string {
			if i%10 == 9 {
				return fmt.Sprintf("f%d %s", i, tag)
			}
			return fmt.Sprintf("f%d", i)
		}
		const n = 4000
		for i := range n {
			f := core.Fragment{ID: id(i), Class: core.CPUFragment}
			if i+1 < n {
				f.Next = []core.Edge{{To: id(i + 1), Probability: 0.9}, {To: id((i * 7) % n), Probability: 0.1}}
			}
			g.Fragments = append(g.Fragments, f)
		}
		return g
	}
	old, now := build("old"), build("new")
	b.ReportAllocs()
	for b.Loop() {
		Difference(old, now)
	}
}
