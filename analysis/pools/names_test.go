package pools

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// Pools whose threads begin with the same function have the names that the program gives to their threads, if it gives several; otherwise
// those of the places where they are started.
func TestPoolsThatBeginAlikeAreCalledAsTheirThreads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		threads [][]string // by pool
		want    []string
	}{
		{[][]string{{"matcher-1", "matcher-2"}, {"settler_0"}, {"core"}, {"core"}}, []string{"matcher", "settler", "core", "core #2"}},
		{[][]string{{"Thread-3"}, {"writer"}}, []string{"start", "writer"}},
		{[][]string{{"pool-1-thread-1", "pool-1-thread-2"}, {"pool-2-thread-1"}}, []string{"start", "start@1"}},
		{[][]string{{"thread 7"}, {"thread 8", "thread 9"}}, []string{"start", "start@1"}},
		{[][]string{{"a", "b"}, {"reader"}}, []string{"start", "reader"}},
		{[][]string{{"only"}}, []string{"start"}},
	} {
		var gs []*trail.Pool
		for i, names := range c.threads {
			g := &trail.Pool{Function: "start", Place: trace.Frame{Line: i}}
			for _, n := range names {
				g.Threads = append(g.Threads, &trace.Thread{Name: n})
			}
			gs = append(gs, g)
		}
		nameGroups(gs)
		var got []string
		for _, g := range gs {
			got = append(got, g.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("threads %q are in pools %q, want %q", c.threads, got, c.want)
		}
	}
}
