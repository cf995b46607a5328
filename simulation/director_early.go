package simulation

import "tierscope/simulation/resource"

// What one thread counts up and another counts down, such as the stages of a future, may be counted down before, if that
// comes earlier than in the recording. Then it was not there to be waited for: what is counted up later is done already.

// early notes an operation that would count an instance below zero, and reports whether a scripted thread did it.
func (r *replica) early(th *thread, i, n int32, o resource.Outcome) bool {
	if th.moves == nil || o != resource.Negative {
		return false
	}
	if r.followed.early == nil {
		r.followed.early = map[int32]int32{}
	}
	r.followed.early[i] += n
	return true
}

// stillToCount is how much of n, to be counted up, was not counted down before.
func (r *replica) stillToCount(i, n int32) int32 {
	done := min(n, r.followed.early[i])
	if done > 0 {
		r.followed.early[i] -= done
	}
	return n - done
}
