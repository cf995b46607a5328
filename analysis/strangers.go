package analysis

import (
	"fmt"
	"slices"

	"tierscope/core"
)

// Some conditions are those of objects that come and go, of which several live at a
// time, and threads wait for somebody else's: a transaction waits until the one ends that has locked
// its row. The model does not know whose object a thread has met, so such waits
// are taken as they were in the run, and nobody signals.
//
//	synchronized (other) { while (other.runs) other.wait(); }

// markForeign marks these conditions. Those that requests make, for their own threads, are
// none of them.
func (b *build) markForeign() {
	for _, r := range b.resources {
		if r.kind != core.Condition || r.scope != core.PerTask || slices.ContainsFunc(r.uses, func(u use) bool { return u.group.kind == GroupConnection }) {
			continue
		}
		r.foreign = true
		b.assume(fmt.Sprintf("waits for %s are as long as in the run: the object that a thread waits for is another one each time", r.id))
	}
}
