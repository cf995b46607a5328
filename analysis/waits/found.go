package waits

import (
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// foundWaits is how many waits that never waited tell that none ever does. Convention, sensitivity none: chance would have one of them wait.
const foundWaits = 10

// Found takes out the waits of a pool's threads for results of their own pool that are always there when they ask: whoever gave them
// the task counted what it needs, with numbers that nobody sees. Were they waits, a pool of fewer threads would wait for tasks that
// stand behind its own in their queue.
func Found(tr *trail.Trail) {
	type finds struct {
		pool *trail.Pool
		of   *trail.Resource
	}
	found := map[finds]bool{}
	for _, r := range tr.Resources {
		if r.Kind != core.Latch || len(r.Objects) < 2 {
			continue
		}
		there := resultsOf(r)
		for _, g := range tr.Pools {
			if g.MaxAlive > 1 && alwaysThere(r, g, there) {
				found[finds{g, r}] = true
			}
		}
	}
	if len(found) == 0 {
		return
	}
	for _, g := range tr.Pools {
		for _, q := range g.Sequences {
			q.Rewrite(func(_ int, s trail.Step) []trail.Step {
				if s.Node.Op == trace.OpWaitGroup && found[finds{g, s.Lock}] {
					return nil
				}
				return []trail.Step{s}
			})
		}
	}
}

// ready is when a result is there, and the pool that has found it, nil: several.
type ready struct {
	at   int64 // ns
	pool *trail.Pool
}

func resultsOf(r *trail.Resource) map[uint64]ready {
	there := map[uint64]ready{}
	for _, u := range r.Uses {
		s := u.Step()
		if s.Node.Op != trace.OpDone {
			continue
		}
		by, before := there[s.Object]
		if before && by.pool != u.Pool {
			u.Pool = nil
		}
		there[s.Object] = ready{max(by.at, s.Start), u.Pool}
	}
	return there
}

// alwaysThere reports whether a pool waits for results of its own only, and often, and never in fact.
func alwaysThere(r *trail.Resource, g *trail.Pool, there map[uint64]ready) bool {
	found := 0
	for _, u := range r.Uses {
		if s := u.Step(); s.Node.Op == trace.OpWaitGroup && u.Pool == g {
			if by, ok := there[s.Object]; !ok || by.pool != g || by.at > s.Start {
				return false
			}
			found++
		}
	}
	return found >= foundWaits
}
