package simulation

import (
	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
)

// A goroutine that finds a mutex held does not wait at once. If another one runs elsewhere, and nobody waits for its core, it
// spins: up to four rounds, after each of which it looks whether the mutex is free now (Go, sync.Mutex.lockSlow and
// runtime.canSpin). Where regions are as short as these rounds nobody ever goes to sleep.

// spinsAt reports whether a thread spins for one round more at a lock that it wants.
func (r *replica) spinsAt(t int32, th *thread, l resource.Lock) bool {
	if r.program.spin == 0 {
		return false
	}
	if th.spun == core.SpinRounds || r.core == none || !r.processor.MaySpin(r.core, t) || !resource.Spin(l, resource.Thread(t)) {
		th.spun = 0
		return false
	}
	th.spun++
	return true
}

// spinning is the work of a round, if the thread spins.
func (r *replica) spinning(th *thread) (work des.Time, computes bool) {
	if th.unusual&spins == 0 {
		return 0, false
	}
	th.state, th.since = inReady, r.Now()
	return r.program.spin, true
}

// spun ends a round: the thread tries again.
func (r *replica) spun(t int32, th *thread) (work des.Time, computes bool) {
	th.unusual &^= spins
	if r.lockOperation(t, th, &r.fragments[th.at]) {
		return r.spinning(th)
	}
	if r.finished {
		return 0, false
	}
	return r.walk(t, th)
}

// beginLooking has a thread that waits at a barrier look again and again whether all have come, for so long, unless others want its core. The first is who
// calls for the others, and is one of them meanwhile: it takes no core from them and goes on when they have all come, as the last of them would.
func (r *replica) beginLooking(th *thread, spin des.Time, first bool) {
	switch th.counts = !first; {
	case first:
		th.looks = des.Never
	case !r.processor.Crowded():
		th.looks = r.Now() + spin
	}
}

// endLooking ends a wait at a barrier in which the thread looked.
func (r *replica) endLooking(t int32, th *thread) {
	if th.counts {
		r.processor.Looked(t, min(r.Now(), th.looks)-th.since)
	}
	if th.looks > r.Now() {
		r.processor.Stays(t)
		th.stayed = true
	}
	th.looks = 0
}
