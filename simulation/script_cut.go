package simulation

import "tierscope/simulation/resource"

// cutAll cuts the walks of all pools at their takes into rounds, and these into what a thread does for a task, for a group of
// tasks, and for none.
func (c *compiler) cutAll(s *scripts, all [][]move) {
	rounds := make([][]round, len(s.casts))
	for p := range s.casts {
		rounds[p] = c.cut(s, int32(p), all)
	}
	for p := range s.casts {
		x := &s.casts[p]
		if x.home == none || len(x.also) > 0 { // who takes by turns gathers nothing
			continue
		}
		known := c.answersTo(s, x.home, all)
		if c.gathers(rounds[p], x.home, known) || c.passes(s, p, rounds, known) || c.gathers(rounds[p], x.home, c.answersInTurn(rounds[p])) {
			c.cutGroups(s, x, rounds[p])
		}
	}
	for p := range s.casts {
		x := &s.casts[p]
		if x.home != none && x.gathers == nil {
			s.findFinish(x, rounds[p])
			s.findOwn(x, rounds[p])
		}
		for i := range rounds[p] {
			if r := &rounds[p][i]; x.gathers == nil && s.passed[r.task] == nil {
				c.keep(s, x, r)
			}
		}
	}
}

// cut cuts the walks of a pool at its takes.
func (c *compiler) cut(s *scripts, pool int32, all [][]move) (rounds []round) {
	x := &s.casts[pool]
	x.home, x.also, x.others, x.alike = none, nil, map[int32][]part{}, map[int32][]move{}
	if !s.inOrder {
		x.home = c.homeOf(s, x.walks, all)
	}
	if x.home != none && c.pools[pool].main && !c.consumes(x.home, all[x.walks[0]]) {
		x.home = none
	}
	if x.home != none {
		x.also = c.byTurns(s, x.home, x.walks, all)
		if r := c.roundsOf(append([]int32{x.home}, x.also...), x.walks, all); r.common() {
			s.keepApart(r)
		}
	}
	for _, i := range x.walks {
		var cut []round
		s.walks[i].prologue, cut = c.cutAt(s, x, i, all[i])
		rounds = append(rounds, cut...)
	}
	return rounds
}

// round is what a thread did from the take of a task, or a take in vain, to the next take.
type round struct {
	walk  int32
	from  int32 // object from which it took
	task  int64 // 0: it got none
	moves []move
	// Where the thread gathers tasks:
	size   int // tasks of the group so far
	ends   bool
	shuts  int64 // task of the group that says that no more will come, and is not answered
	stands int64 // for the group, if it is passed on; 0: it is not
	passes int   // move that does so
	// Where it answers a group that was passed on:
	by int32 // walk that did so
	responses
}

// responses are the moves that answer tasks, and which.
type responses struct {
	answers []int
	to      []int64
}

// cutAt cuts a walk behind its takes of tasks. A take that is the last move is no place to cut, and a tick no task.
func (c *compiler) cutAt(s *scripts, x *cast, walk int32, moves []move) (prologue []move, rounds []round) {
	if x.home == none {
		return moves, nil
	}
	begin := 0
	for k := range moves {
		if end := k + 1; end == len(moves) || c.takesTask(x, moves[k].at) {
			piece := moves[begin:end:end]
			if begin == 0 {
				prologue = piece
			} else {
				p := round{walk: walk, from: moves[begin-1].object, task: moves[begin-1].token, moves: piece}
				if s.isTick(&moves[begin-1]) {
					p.task = 0
				}
				rounds = append(rounds, p)
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
		x.others[first] = append(x.others[first], part{p.walk, p.from, p.moves})
		x.rest = append(x.rest, part{p.walk, p.from, p.moves})
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
