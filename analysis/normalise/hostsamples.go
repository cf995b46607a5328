package normalise

import (
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// sampledTogether reports whether samples show the host of a crew in a function of the program in which they mostly show each of
// its threads: a run that was sampled has other threads, which start at the same functions.
func sampledTogether(t *trace.Trace, samples *trace.Samples, c crew) bool {
	host, start := t.Threads[c.host].Start, t.Threads[c.threads[0]].Start
	if samples == nil || host == start {
		return false
	}
	of := map[int64]string{} // by thread
	for i := range samples.Threads {
		of[samples.Threads[i].ID] = samples.Threads[i].Start
	}
	for _, g := range samples.Groups {
		if g.Kind == trail.PoolMain && t.Threads[c.host].Parent == 0 {
			of[g.Threads[0]] = host // which goes by several names
		}
	}
	all, in, with := map[int64]int64{}, map[string]map[int64]int64{}, map[string]bool{}
	for leaf := range samples.Trie {
		for thread, n := range samples.Trie[leaf].Counts {
			if of[thread] != host && of[thread] != start {
				continue
			}
			all[thread] += n
			for _, f := range stackOf(samples, int32(leaf)) {
				if in[f] == nil {
					in[f] = map[int64]int64{}
				}
				in[f][thread] += n
				with[f] = with[f] || of[thread] == host
			}
		}
	}
	for f := range with {
		seen, mostly := false, true
		for thread, n := range all {
			if of[thread] == start {
				seen, mostly = true, mostly && 2*in[f][thread] > n
			}
		}
		if with[f] && seen && mostly {
			return true
		}
	}
	return false
}

// stackOf lists the functions of the program that were under way at a leaf of the trie, each once.
func stackOf(samples *trace.Samples, leaf int32) (functions []string) {
	for i := leaf; i >= 0; i = samples.Trie[i].Parent {
		if f := &samples.Trie[i].Frame; f.Function != "" && !f.Std && !slices.Contains(functions, f.Function) {
			functions = append(functions, f.Function)
		}
	}
	return functions
}
