package simulation

import "tierscope/simulation/resource"

// What one thread counts up and another counts down, such as the stages of a future, may be counted down before, if that
// comes earlier than in the recording. Then it was not there to be waited for: what is counted up later is done already.

// countEarly notes an operation of a scripted thread that would count an instance below zero.
func (r *replica) countEarly(i, n int32) resource.Outcome {
	if r.followed.early == nil {
		r.followed.early = map[int32]int32{}
	}
	r.followed.early[i] += n
	return resource.Granted
}

// stillToCount is how much of n, to be counted up, was not counted down before.
func (r *replica) stillToCount(i, n int32) int32 {
	done := min(n, r.followed.early[i])
	if done > 0 {
		r.followed.early[i] -= done
	}
	return n - done
}
