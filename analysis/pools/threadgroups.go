package pools

import (
	"tierscope/analysis/trace"
)

// ThreadGroups returns the pools of threads of a run, as Build sees them.
func ThreadGroups(t *trace.Trace) []trace.ThreadGroup {
	var out []trace.ThreadGroup
	for _, g := range GroupThreads(t, nil) {
		tg := trace.ThreadGroup{Name: g.Name, Kind: g.Kind, Start: g.Start, MaxAlive: g.MaxAlive}
		for _, th := range g.Threads {
			tg.Threads = append(tg.Threads, th.ID)
		}
		out = append(out, tg)
	}
	return out
}
