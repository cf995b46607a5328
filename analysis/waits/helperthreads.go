package waits

import (
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// Errands are what helpers tell others, by the object that they tell it through.
type Errands map[uint64][]errand

type errand struct {
	thread *trace.Thread
	told   int64 // ns: when
}

// ErrandsOf finds them. Who waits for a helper, such as the thread of os/exec that reads what a child
// writes, waits for the world outside; but not while the helper itself could go on and had no core.
func ErrandsOf(gs []*trail.Pool) Errands {
	found := Errands{}
	for _, g := range gs {
		if g.Kind != trail.PoolHelper {
			continue
		}
		for _, q := range g.Sequences {
			for i := range q.Steps {
				switch s := &q.Steps[i]; s.Node.Op {
				case trace.OpSend, trace.OpTrySend, trace.OpClose, trace.OpSignal, trace.OpBroadcast:
					found[s.Object] = append(found[s.Object], errand{q.Thread, s.Start})
				}
			}
		}
	}
	return found
}

// Late is how long the helper that ended a wait was ready without a core meanwhile, ns.
func (e Errands) Late(s *trail.Step) (ns int64) {
	for _, x := range e[s.Object] {
		if x.told >= s.Start && x.told <= s.End {
			ns += min(x.thread.ReadyUntil(x.told)-x.thread.ReadyUntil(s.Start), x.told-s.Start)
		}
	}
	return ns
}
