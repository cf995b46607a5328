package simulation

import (
	"slices"

	"tierscope/simulation/resource"
)

// loan is what an enter of a semaphore took and no exit has given back. Only
// semaphores of which different numbers of permits are taken keep a list:
// an exit must give back what an enter took, not what another one might have.
type loan struct{ thread, permits int32 }

// permits is how many permits of instance i an operation asks for or gives back;
// 0: nobody holds any, so that there are none to give back.
func (r *replica) permits(t int32, f *fragment, i int32) int32 {
	if f.lockOp == resource.Exit {
		return r.copies[i].giveBack(t)
	}
	if th := r.threads[t]; th.moves != nil {
		return int32(max(1, th.move().amount))
	}
	return int32(max(1, r.number(&r.steps[r.threads[t].at])))
}

// lend notes what a thread has taken.
func (x *instance) lend(thread, permits int32) {
	x.loans = append(x.loans, loan{thread, permits})
}

// giveBack strikes out a loan: the thread's own, else the first of all, as who
// acquires for a thread that it starts leaves the release to that one.
func (x *instance) giveBack(thread int32) int32 {
	if len(x.loans) == 0 {
		return 0
	}
	k := max(0, slices.IndexFunc(x.loans, func(l loan) bool { return l.thread == thread }))
	permits := x.loans[k].permits
	x.loans = slices.Delete(x.loans, k, k+1)
	return permits
}
