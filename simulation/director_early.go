package simulation

import (
	"fmt"
	"slices"

	"tierscope/simulation/resource"
)

// What one thread counts up and another counts down, such as the stages of a future, may be counted down before, if that
// comes earlier than in the recording, or by chance once more. Then it was not there to be waited for: what is counted up later is done already.

// countEarly notes an operation that would count an instance below zero. Of a thread that follows no script it is worth a warning: a model
// in which nothing is counted up has no wait there.
func (r *replica) countEarly(th *thread, f *fragment, i, n int32) resource.Outcome {
	if r.followed.early == nil {
		r.followed.early = map[int32]int32{}
	}
	r.followed.early[i] += n
	if th.moves == nil {
		says := fmt.Sprintf("lock %q is counted down before it is counted up: what is counted up later is taken to be done", r.program.objects[f.object].id)
		if !slices.Contains(r.notes, says) {
			r.notes = append(r.notes, says)
		}
	}
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
