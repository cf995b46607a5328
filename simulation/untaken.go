package simulation

import "tierscope/core"

// What is sent to a queue is taken from it, if it was in the recording. Where walks send more than those who take it did
// then, as more threads with work of their own do, nobody would take the rest, and the run would end too early.

// drainedQueues are the queues and channels of which all that was sent in the recording was taken: how much that was, by object.
func (c *compiler) drainedQueues(w *core.Walks) []int64 {
	drained := make([]int64, len(c.objects))
	at, err := c.scriptFragments(w)
	if err != nil {
		return drained // the walks cannot be followed
	}
	sent, left := map[int32]int64{}, map[int32]int64{}
	for _, t := range w.Threads {
		moves := make([]move, len(t.Moves))
		for k, m := range t.Moves {
			moves[k] = move{at[t.Graph][m.Fragment], m.Object, m.Amount, m.Token}
		}
		for k := range moves {
			m := &moves[k]
			if m.object == none || m.token == 0 {
				continue
			}
			of := c.object(w.Objects[m.object].Of)
			if of == none {
				continue
			}
			if n := c.sendings(m, following(moves, k)); n > 0 {
				sent[of] += n
				left[of] += n
			} else if c.takes(m.at, of) {
				left[of]--
			}
		}
	}
	for of, n := range left {
		if n == 0 {
			drained[of] = sent[of]
		}
	}
	return drained
}

// untakenShare is how much of what was sent to queues and channels that were drained in the recording nobody has taken, at the end of
// a run. What is left in channels is compared with what was sent in the recording.
func (r *replica) untakenShare() float64 {
	sent, left := int64(0), int64(0)
	for i, n := range r.program.drained {
		if x := &r.objects[i]; n > 0 && r.program.objects[i].isQueue {
			sent += x.offered
			left += x.offered - x.visits - x.lost
		} else {
			sent += n
		}
	}
	for i := range r.copies {
		if x := &r.copies[i]; x.queue != nil && !r.program.objects[x.object].isQueue && int(x.object) < len(r.program.drained) && r.program.drained[x.object] > 0 {
			left += int64(x.queue.Len())
		}
	}
	if sent == 0 {
		return 0
	}
	return float64(left) / float64(sent)
}
