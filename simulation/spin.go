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
