package ownership

import (
	"fmt"
	"slices"

	"tierscope/analysis/trail"
	"tierscope/core"
)

// Some conditions are those of objects that come and go, of which several live at a
// time, and threads wait for somebody else's: a transaction waits until the one ends that has locked
// its row. The model does not know whose object a thread has met, so such waits
// are taken as they were in the run, and nobody signals.
//
//	synchronized (other) { while (other.runs) other.wait(); }

// ForeignConditions marks these conditions. Those that requests make, for their own threads, are
// none of them.
func ForeignConditions(tr *trail.Trail) {
	for _, r := range tr.Resources {
		if r.Kind != core.Condition || r.Scope != core.PerTask || slices.ContainsFunc(r.Uses, func(u trail.Use) bool { return u.Pool.Kind == trail.PoolPerConnection }) {
			continue
		}
		r.Foreign = true
		tr.Assume(fmt.Sprintf("waits for %s are as long as in the run: the object that a thread waits for is another one each time", r.ID))
	}
}
