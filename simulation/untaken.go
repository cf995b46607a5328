package simulation

import "tierscope/core"

// What is sent to a queue is taken from it, if it was in the recording. Where walks send more than those who take it did
// then, as more threads with work of their own do, nobody would take the rest, and the run would end too early.

// drainedQueues are the queues of which all that was sent in the recording was taken, by object.
func (c *compiler) drainedQueues(w *core.Walks) []bool {
	drained := make([]bool, len(c.objects))
	at, err := c.scriptFragments(w)
	if err != nil {
		return drained // the walks cannot be followed
	}
	left := map[int32]int64{} // of what was sent to a queue
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
				left[of] += n
			} else if c.takes(m.at, of) {
				left[of]--
			}
		}
	}
	for of, n := range left {
		drained[of] = c.objects[of].isQueue && n == 0
	}
	return drained
}

// untakenShare is how much of what was sent to queues that were drained in the recording nobody has taken, at the end of a run.
func (r *replica) untakenShare() float64 {
	sent, left := int64(0), int64(0)
	for i := range r.objects {
		if x := &r.objects[i]; i < len(r.program.drained) && r.program.drained[i] {
			sent += x.offered
			left += x.offered - x.visits - x.lost
		}
	}
	if sent == 0 {
		return 0
	}
	return float64(left) / float64(sent)
}
