package simulation

import "tierscope/simulation/resource"

// What waits and hold times of a lock are means of. A visit is an operation that may
// wait, whether it got what it wanted: releases, arrivals and notifications are none,
// and who comes back from waiting on a condition visits the lock of it once more. A
// taking is a visit after which the thread holds the lock, each permit of several
// counted, or after which an item lies in the channel. Both are then means over what
// the time averages of the same lock count: Q = X·W and U·capacity = X·S, or N = X·S of
// items, with X the visits and takings per second (Little 1961; Denning & Buzen 1978).

// visited accounts for an operation of a thread that is complete.
func (r *replica) visited(th *thread, f *fragment, def *objectDef, o resource.Outcome) {
	state := &r.objects[f.object]
	switch f.lockOp {
	case resource.Enter, resource.EnterRead:
		state.visits++
		if o == resource.Granted {
			state.taken += r.shares(def, th.asks)
		}
	case resource.Send:
		state.visits++
		if o == resource.Granted {
			state.taken++
		}
	case resource.Do:
		state.visits++
		if o == resource.First {
			state.taken++
		}
	case resource.Wait:
		if def.monitor != none {
			state.visits++
			state = &r.objects[def.monitor]
		}
		if !f.try { // it has given the lock up and has it again, in time or not
			state.visits++
			state.taken++
		}
	case resource.Await, resource.Receive, resource.Park, resource.Exchange:
		state.visits++
	case resource.Exit, resource.ExitRead, resource.Arrive, resource.Register, resource.Leave, resource.CountDown, resource.Add,
		resource.Notify, resource.NotifyAll, resource.Done, resource.Unpark, resource.Close, resource.AwaitAll:
	}
}

// shares is how many holds of a lock an enter for n takes at once.
func (r *replica) shares(def *objectDef, n int32) int64 {
	if def.rationed {
		return int64(max(n, 1))
	}
	return 1
}

// visitedCases accounts for a select that is complete: one that waited has visited all of
// its channels, since it was in the way of others there, one that did not wait only that
// which it chose.
func (r *replica) visitedCases(th *thread, f *fragment, chosen int, o resource.Outcome) {
	waited := r.Now() > th.entered
	for i, k := range f.cases {
		state := &r.objects[k.object]
		if r.program.objects[k.object].isQueue {
			continue
		}
		won := i == chosen && o != resource.Failed && !th.failed
		if waited || won {
			state.visits++
		}
		if won && k.send && o == resource.Granted {
			state.taken++
		}
	}
}
