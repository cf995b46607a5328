package analysis

// ThreadGroups returns the groups of threads of a run, as Build sees them.
func ThreadGroups(t *Trace) []ThreadGroup {
	var out []ThreadGroup
	for _, g := range groupThreads(t, nil) {
		tg := ThreadGroup{Name: g.name, Kind: g.kind, Start: g.start, MaxAlive: g.maxAlive}
		for _, th := range g.threads {
			tg.Threads = append(tg.Threads, th.ID)
		}
		out = append(out, tg)
	}
	return out
}
