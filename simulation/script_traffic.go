package simulation

// Threads that share no queue of tasks each do what a recorded one did: twice as many of them send twice as much, and
// who takes it has twice as much to do. How often the recorded work of a pool is due follows from the traffic equations of
// the recording: a pool with a queue of its own does what the others send it.

// countTraffic counts the tasks that each pool with a queue of its own got from each pool.
func (c *compiler) countTraffic(s *scripts, all [][]move) {
	sender := map[int64]int32{} // by token
	for i, moves := range all {
		for k := range moves {
			m := &moves[k]
			for t := range c.sendings(m, following(moves, k)) {
				if m.token != 0 {
					sender[m.token+t] = s.walks[i].pool
				}
			}
		}
	}
	for i, moves := range all {
		x := &s.casts[s.walks[i].pool]
		if x.home == none {
			continue
		}
		if x.from == nil {
			x.from = make([]float64, len(c.pools))
		}
		for _, m := range moves {
			if m.token == 0 || !c.takesTask(x, m.at) {
				continue
			}
			if q, known := sender[m.token]; known {
				x.from[q]++
			}
		}
	}
}

// times is how often the recorded work of each pool is due, by the threads that there are.
func (r *replica) times() []float64 {
	if r.followed.times != nil {
		return r.followed.times
	}
	out := make([]float64, len(r.scripts.casts))
	for p, x := range r.scripts.casts {
		out[p] = 1
		if x.home == none && len(x.walks) > 0 {
			out[p] = float64(r.followed.cast[p]) / float64(len(x.walks))
		}
	}
	for range out { // no way of a task through pools is longer
		for p, x := range r.scripts.casts {
			sum, n := 0.0, 0.0
			for q, k := range x.from {
				if q != p {
					sum, n = sum+k*out[q], n+k
				}
			}
			if n > 0 {
				out[p] = sum / n
			}
		}
	}
	r.followed.times = out
	return out
}
