package analysis

import (
	"fmt"

	"tierscope/core"
)

// Some conditions are those of objects that come and go, of which several live at a
// time, and threads wait for somebody else's: a transaction waits until the one ends that has locked
// its row. The model does not know whose object a thread has met, so such waits
// are taken as they were in the run, and nobody signals.
//
//	synchronized (other) { while (other.runs) other.wait(); }

// strangers returns these conditions. Those that requests make, for their own threads, are
// none of them.
func (b *build) strangers() map[*resource]bool {
	found := map[*resource]bool{}
	for _, r := range b.resources {
		if r.kind != core.Condition || r.scope != core.PerTask {
			continue
		}
		own := false
		for _, u := range r.uses {
			own = own || u.group.kind == GroupConnection
		}
		if !own {
			found[r] = true
			b.assume(fmt.Sprintf("waits for %s are as long as in the run: the object that a thread waits for is another one each time", r.id))
		}
	}
	return found
}

// signals reports whether a step is the other side of a wait for one of the conditions.
func (s *step) signals(conditions map[*resource]bool) bool {
	return conditions[s.lock] && (s.node.op == OpSignal || s.node.op == OpBroadcast)
}
