package simulation

import "slices"

// gathered returns what follows a take of a thread that gathers tasks, which got one of the recording or nothing.
func (r *replica) gathered(th *thread, x *cast, got int64, to int32, shut bool) ([]move, bool) {
	g := x.gathers
	own, ok := g.own[got]
	switch {
	case g.ends[got]:
		end := r.endGroup(th, x)
		if n := len(end); n > 0 && r.program.takes(end[n-1].at, x.home) {
			end = end[:n-1]
		}
		return slices.Concat(end, own), true
	case got != 0 && ok:
		th.pending = append(th.pending, got)
		if g.limit == 0 || len(th.pending) < g.limit {
			return slices.Concat(own, g.next), true
		}
		return slices.Concat(own, r.endGroup(th, x)), true
	case len(th.pending) > 0:
		return r.endGroup(th, x), true
	default:
		piece, ok := r.another(th, x, to, shut)
		if !ok && r.program.ticked(th.at, to, r.scripts.ticks) { // never in vain in the recording: it goes on waiting
			piece, ok = []move{*th.move()}, true
		}
		return piece, ok
	}
}

// endGroup returns what a thread does at the end of the group that it has: what was done for one of the same size, or nearly so, in
// the recording, by turns; with the last of all groups a thread may end, but with no other.
func (r *replica) endGroup(th *thread, x *cast) []move {
	if len(th.pending) == 0 {
		return nil
	}
	g := x.gathers
	endings := g.usual
	if g.lasts && r.closedNow(th, x.home) {
		endings = g.all
	}
	alike := endings[min(len(th.pending), len(endings)-1)]
	var moves []move
	var e ending
	if len(alike) > 0 {
		e = *alike[r.followed.groups%len(alike)]
	}
	r.followed.groups++
	moves = append(moves, e.before...)
	if e.passes != 0 {
		sent := len(moves)
		moves = append(moves, e.then...)
		moves[sent].token = r.passOn(e.passes, th.pending)
	} else {
		moves = append(r.answerAll(moves, th.pending), e.then...)
	}
	th.pending = th.pending[:0]
	r.leaveOut(e.before, e.then)
	return moves
}

// leaveOut takes what is done for a group out of the account: the share of recorded work that is done knows nothing of how many
// groups there are.
func (r *replica) leaveOut(before, then []move) {
	r.followed.left -= r.program.computes(before) + r.program.computes(then)
}

// answerAll appends the answers to tasks.
func (r *replica) answerAll(moves []move, tasks []int64) []move {
	for _, task := range tasks {
		moves = append(moves, r.followed.exchanged[task].of(r.scripts.answers[task])...)
	}
	return moves
}

// passedOn is a group of tasks that was passed on.
type passedOn struct {
	as    int64 // what stood for the recorded one with which is done what then was done with that
	tasks []int64
}

// passOn returns the token of a group that is passed on.
func (r *replica) passOn(as int64, tasks []int64) int64 {
	r.followed.passed = append(r.followed.passed, passedOn{as, slices.Clone(tasks)})
	return r.scripts.fresh + int64(len(r.followed.passed)) - 1
}

// passedAs returns the group that was passed on with a token, nil: none was.
func (r *replica) passedAs(token int64) *passedOn {
	if token < r.scripts.fresh {
		return nil
	}
	return &r.followed.passed[token-r.scripts.fresh]
}

// answering returns what is done with a group that was passed on.
func (r *replica) answering(p *passedOn) []move {
	g := r.scripts.passed[p.as]
	r.leaveOut(g.before, g.then)
	return append(r.answerAll(slices.Clone(g.before), p.tasks), g.then...)
}

// follows returns what follows a task of the recording, or a group that was passed on.
func (r *replica) follows(got int64) ([]move, bool) {
	if p := r.passedAs(got); p != nil {
		return r.answering(p), true
	}
	piece, ok := r.scripts.tasks[got]
	return piece, ok
}
