package normalise

import (
	"cmp"
	"slices"

	"tierscope/analysis/pools"
	"tierscope/analysis/trace"
)

// crew is threads of one kind that live together.
type crew struct {
	host    int   // who started them: index in Trace.Threads
	threads []int // likewise
	past    int   // record of the host, behind the last of their starts
	before  int   // likewise, behind the last but one
}

// crewsOf lists those that a thread has started, in their order. index has the threads by their numbers.
func crewsOf(t *trace.Trace, host int, index map[int64]int) (out []crew) {
	start := map[int]int{}
	by := map[string][]int{}
	for k, r := range t.Threads[host].Records {
		if i, known := index[int64(r.Value)]; r.Op == trace.OpSpawn && known && !t.Threads[i].System && t.Threads[i].Ended != 0 {
			start[i] = k
			key := pools.GroupKey(t, &t.Threads[i])
			by[key] = append(by[key], i)
		}
	}
	for _, threads := range by {
		for _, alive := range together(t, threads) {
			c := crew{host: host, threads: alive}
			for _, i := range alive {
				c.before, c.past = c.past, start[i]+1
			}
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b crew) int { return cmp.Compare(a.past, b.past) })
	return out
}

// countsOneMore reports whether a setting of the program says how many threads there are and one more.
func countsOneMore(t *trace.Trace, facts *trace.Facts, c crew) bool {
	if facts == nil {
		return false
	}
	at := trace.UserFrame(trace.FramesAt(t.Sites, t.Threads[c.threads[0]].Creator))
	return slices.ContainsFunc(facts.Inputs, func(s trace.Setting) bool {
		return slices.ContainsFunc(s.Uses, func(u trace.SettingUse) bool {
			return u.Kind == trace.UseSpawn && !u.Loose && trace.SamePlace(u.Frame, at) && cmp.Or(u.Value.Factor, 1) == 1 && u.Value.Offset == -1
		})
	})
}

// meets reports whether the host and the threads meet at barriers: what it does between two of them, while all others wait,
// it does for all.
func (c crew) meets(t *trace.Trace) bool {
	return !slices.ContainsFunc(append([]int{c.host}, c.threads...), func(i int) bool {
		return !slices.ContainsFunc(t.Threads[i].Records, func(r trace.Record) bool { return r.Op == trace.OpBarrier })
	})
}

// awaits reports whether a record of the host is of its wait for one of the threads.
func (c crew) awaits(t *trace.Trace, r trace.Record) bool {
	return r.Op == trace.OpWaitGroup || r.Op == trace.OpJoin && slices.ContainsFunc(c.threads, func(i int) bool { return t.Threads[i].ID == int64(r.Value) })
}
