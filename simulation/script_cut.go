package simulation

import "tierscope/simulation/resource"

// cut cuts the walks of a pool at its takes.
func (c *compiler) cut(s *scripts, pool int32, all [][]move) {
	x := &s.casts[pool]
	x.home, x.others, x.alike = none, map[int32][]part{}, map[int32][]move{}
	if !s.inOrder {
		x.home = c.homeOf(x.walks, all)
	}
	if x.home != none && c.pools[pool].main && !c.consumes(x.home, all[x.walks[0]]) {
		x.home = none
	}
	var rounds []round
	for _, i := range x.walks {
		var cut []round
		s.walks[i].prologue, cut = c.cutAt(x.home, i, all[i])
		rounds = append(rounds, cut...)
	}
	if c.gathers(s, x, rounds, all) {
		c.cutGroups(s, x, rounds)
		return
	}
	for i := range rounds {
		c.keep(s, x, &rounds[i])
	}
}

// round is what a thread did from the take of a task, or a take in vain, to the next take.
type round struct {
	walk    int32
	task    int64 // 0: it got none
	moves   []move
	answers []int   // moves that answer a task of the group, where the thread gathers some,
	to      []int64 // and which
	size    int     // tasks of the group so far
}

// cutAt cuts a walk behind its takes from a queue (none: nowhere). A take that is the last move is no place to cut.
func (c *compiler) cutAt(queue, walk int32, moves []move) (prologue []move, rounds []round) {
	if queue == none {
		return moves, nil
	}
	begin := 0
	for k := range moves {
		if end := k + 1; end == len(moves) || c.takes(moves[k].at, queue) {
			piece := moves[begin:end:end]
			if begin == 0 {
				prologue = piece
			} else {
				rounds = append(rounds, round{walk: walk, task: moves[begin-1].token, moves: piece})
			}
			begin = end
		}
	}
	return prologue, rounds
}

// keep keeps a round as what it is.
func (c *compiler) keep(s *scripts, x *cast, p *round) {
	first := p.moves[0].at
	if p.task == 0 {
		x.others[first] = append(x.others[first], part{p.walk, p.moves})
		x.rest = append(x.rest, part{p.walk, p.moves})
		return
	}
	s.tasks[p.task], x.alike[first] = p.moves, p.moves
	s.walks[p.walk].ofTasks += c.computes(p.moves)
}

// computes is the CPU time of moves (ns).
func (p *program) computes(moves []move) (ns int64) {
	for _, m := range moves {
		if p.fragments[m.at].op == opCPU {
			ns += m.amount
		}
	}
	return ns
}

// raises reports whether a fragment may end waits of others that await an event.
func (f *fragment) raises() bool {
	return f.op == opLock && (f.lockOp == resource.Notify || f.lockOp == resource.NotifyAll || f.lockOp == resource.Unpark)
}
