package simulation

import "slices"

// A thread that takes so many tasks and ends, as one does that collects the results of others, ends after so many, whichever comes last:
//
//	for range n { r := <-results; add(r) }
//	report()
//
// So what it did behind the last of its tasks belongs to none of them. It begins where the thread comes to what it did behind no
// other task.

// finish is how a thread ends that takes so many tasks.
type finish struct {
	tasks int
	moves []move
}

// findFinish cuts off what the only thread of a pool did behind the last of its tasks.
func (s *scripts) findFinish(x *cast, rounds []round) {
	n := len(rounds)
	if n < 2 || len(x.walks) != 1 || !s.walks[x.walks[0]].ended || rounds[n-1].task == 0 || s.passed[rounds[n-1].task] != nil {
		return
	}
	last, tasks := &rounds[n-1], 1
	usual := map[int32]bool{}
	for i := range rounds[:n-1] {
		if rounds[i].task == 0 {
			return // it looks for more
		}
		tasks++
		for _, m := range rounds[i].moves {
			usual[m.at] = true
		}
	}
	from := slices.IndexFunc(last.moves, func(m move) bool { return !usual[m.at] })
	if from < 0 {
		from = len(last.moves)
	}
	before := rounds[n-2].moves
	x.finish = &finish{tasks, last.moves[from:]}
	last.moves = append(slices.Clone(last.moves[:from]), before[len(before)-1])
}

// upToFinish returns what a thread does for a task, with the end of its work behind it if that is the last.
func (r *replica) upToFinish(th *thread, x *cast, piece []move) []move {
	if x.finish == nil {
		return piece
	}
	due := int(float64(x.finish.tasks)*r.times()[th.pool] + rounding)
	if r.followed.taken[th.pool]++; r.followed.taken[th.pool] != due {
		return piece
	}
	return slices.Concat(piece[:len(piece)-1], x.finish.moves)
}
