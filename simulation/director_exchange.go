package simulation

import "slices"

// What a thread has for itself, such as its connection to a server, stays its own whichever task it takes, and who works for the task
// later answers it there:
//
//	client 3, with connection c3, takes session 8, which another client did over c8: its requests go over c3, and so do their answers
//
// So whoever does what belongs to a task that another thread took in the recording uses the objects of the thread that has it now
// in place of that one's.

// exchange are objects of the recording, and those that are used in their place.
type exchange []replaced

type replaced struct{ from, to int32 }

// findOwn finds the objects of the model of which each thread of a pool has one for itself, which it uses for several tasks.
func (s *scripts) findOwn(x *cast, rounds []round) {
	if len(x.walks) < 2 {
		return
	}
	own, walks := map[int32]map[int32]bool{}, map[int32]int{} // by object of the model: the only ones that walks name, and how many do
	for _, i := range x.walks {
		for object, number := range s.walks[i].own {
			if own[object] == nil {
				own[object] = map[int32]bool{}
			}
			own[object][number] = true // none: a walk names several
			walks[object]++
		}
	}
	again := map[int32]bool{}
	tasks := map[replaced]int64{} // by walk and object of the model: the first task for which it is used
	for i := range rounds {
		p := &rounds[i]
		for _, m := range p.moves {
			if p.task == 0 || m.object == none {
				continue
			}
			object := s.objects[m.object].object
			first, known := tasks[replaced{p.walk, object}]
			if !known {
				tasks[replaced{p.walk, object}] = p.task
			}
			again[object] = again[object] || known && first != p.task
		}
	}
	for object, numbers := range own {
		if again[object] && !numbers[none] && len(numbers) == walks[object] && len(numbers) > 1 {
			x.owns = append(x.owns, object)
			for number := range numbers {
				s.objects[number].mine = true
			}
		}
	}
	slices.Sort(x.owns)
	if len(x.owns) == 0 {
		return
	}
	for i := range rounds {
		if p := &rounds[i]; p.task != 0 {
			s.takers[p.task] = p.walk
		}
	}
}

// exchanges is what a thread uses in place of what is named for a task that it takes.
func (r *replica) exchanges(th *thread, x *cast, task int64) exchange {
	e := r.followed.exchanged[task]
	walk, ok := r.scripts.takers[task]
	if !ok || walk == th.walk {
		return e
	}
	e = slices.Clone(e)
	for _, object := range x.owns {
		from, had := r.scripts.walks[walk].own[object]
		to, has := r.scripts.walks[th.walk].own[object]
		if had && has {
			e = append(e, replaced{from, to})
		}
	}
	return e
}

// of returns moves that use other objects in place of theirs.
func (e exchange) of(moves []move) []move {
	if len(e) == 0 {
		return moves
	}
	moves = slices.Clone(moves)
	for k := range moves {
		if i := slices.IndexFunc(e, func(x replaced) bool { return x.from == moves[k].object }); i >= 0 {
			moves[k].object = e[i].to
		}
	}
	return moves
}

// arrives notes for whom is done what comes of the present move of a thread, and returns its fragment.
func (r *replica) arrives(th *thread) int32 {
	m := th.move()
	if m.token == 0 || th.exchange == nil && len(r.followed.exchanged) == 0 {
		return m.at
	}
	for n := range r.program.sendings(m, following(th.moves, th.upto-1)) {
		if th.exchange == nil {
			delete(r.followed.exchanged, m.token+n)
		} else {
			r.followed.exchanged[m.token+n] = th.exchange
		}
	}
	return m.at
}
