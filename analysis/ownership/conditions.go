package ownership

import (
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// ConditionLocks finds the lock of every condition variable: the innermost one that a waiting thread holds, or,
// where nobody had to wait in the run, that under which it is signalled.
func ConditionLocks(tr *trail.Trail) {
	byWaits(tr.Pools)
	bySignals(tr.Pools)
}

func byWaits(gs []*trail.Pool) {
	for _, g := range gs {
		for _, q := range g.Sequences {
			q.Held(func(i int, locks []*trail.Resource) {
				s := &q.Steps[i]
				if s.Node.Op == trace.OpCondWait && s.Lock != nil && s.Lock.Monitor == nil && len(locks) > 0 {
					s.Lock.Monitor = locks[len(locks)-1]
				}
			})
		}
	}
}

// bySignals takes the innermost lock that is held at the signals of a condition, or was given back directly before. Who
// signals without any may belong to any; where two signals disagree, none is taken.
func bySignals(gs []*trail.Pool) {
	found, torn := map[*trail.Resource]*trail.Resource{}, map[*trail.Resource]bool{}
	for _, g := range gs {
		for _, q := range g.Sequences {
			q.Held(func(i int, locks []*trail.Resource) {
				s := &q.Steps[i]
				if s.Node.Op != trace.OpSignal && s.Node.Op != trace.OpBroadcast || s.Lock == nil || s.Lock.Monitor != nil {
					return
				}
				var under *trail.Resource
				switch {
				case len(locks) > 0:
					under = locks[len(locks)-1]
				case i > 0 && q.Steps[i-1].Node.Op == trace.OpUnlock:
					under = q.Steps[i-1].Lock
				default:
					return
				}
				torn[s.Lock] = torn[s.Lock] || found[s.Lock] != nil && found[s.Lock] != under
				found[s.Lock] = under
			})
		}
	}
	for c, lock := range found {
		if !torn[c] {
			c.Monitor = lock
		}
	}
}
