package simulation

import "slices"

// Who gathers a group may leave it to another thread to answer it:
//
//	collector:  group := the first and what comes in time, up to a limit       evaluator:  for group := range groups {
//	            groups <- group                                                            evaluate(group)
//	                                                                                        for each w of the group { w.answer <- … }
//
// or start a thread for each group. What is passed on stands for the tasks that are in the group now: whoever gets it does what
// was done with a group of about the same size, and answers these.

// group is what was done with a group of tasks that was passed on, but for the answers.
type group struct {
	before, then []move
}

// passes reports whether the threads of a pool gather tasks, and pass them on to another one, which answers all of a group and
// nothing else. It notes what is done with the groups.
func (c *compiler) passes(s *scripts, pool int, rounds [][]round, known answered) bool {
	if len(known.tokens) == 0 && len(known.objects) == 0 || slices.ContainsFunc(rounds[pool], func(p round) bool { return len(p.to) > 0 }) {
		return false // nobody is answered, or by this pool
	}
	answering := c.answering(s, pool, rounds, known)
	if len(answering) == 0 || !c.passesAll(s, rounds[pool], answering) {
		return false
	}
	for i := range rounds[pool] {
		if p := &rounds[pool][i]; p.stands != 0 {
			s.sendsAsItLikes(p.moves[p.passes].object, int32(pool))
		}
	}
	begins := map[int32]bool{}
	for _, p := range answering {
		p.begin(p.moves, begins)
	}
	for stands, p := range answering {
		before, then := c.split(s, p.by, p.moves, p.responses, 0, begins)
		s.passed[stands] = &group{before, then}
		all := c.computes(p.moves)
		s.walks[p.walk].cpu -= all
		s.walks[p.by].cpu += all - c.computes(before) - c.computes(then)
	}
	return true
}

// answering finds what other threads than those of a pool do that answers its tasks, from the take of something to the next
// take, or from their begin to their end, by what stands for the group.
func (c *compiler) answering(s *scripts, pool int, rounds [][]round, known answered) map[int64]*round {
	out := map[int64]*round{}
	note := func(stands int64, p *round) {
		if p.responses = known.among(c, p.moves); len(p.to) > 0 {
			out[stands] = p
		}
	}
	for q := range s.casts {
		x := &s.casts[q]
		switch {
		case q == pool || x.gathers != nil:
		case x.home != none:
			for i := range rounds[q] {
				if p := &rounds[q][i]; p.task != 0 {
					note(p.task, p)
				}
			}
		default:
			for _, w := range x.walks {
				if s.walks[w].ended {
					note(ofThread(w), &round{walk: w, moves: s.walks[w].prologue})
				}
			}
		}
	}
	return out
}

// ofThread stands for the group that a thread answers which was started for it.
func ofThread(walk int32) int64 { return -1 - int64(walk) }

// walkOf is the inverse of ofThread.
func walkOf(stands int64) int32 { return int32(-1 - stands) }

// standsFor returns what stands for a group if a move passes one on: the task that it sends, or the thread that it starts.
func (c *compiler) standsFor(s *scripts, m *move, after int32) int64 {
	switch {
	case c.fragments[m.at].op == opSpawn && m.token != 0 && len(s.started[m.token]) == 1:
		return ofThread(s.started[m.token][0])
	case c.sendings(m, after) == 1:
		return m.token
	default:
		return 0
	}
}

// passesAll finds where threads that gather tasks pass their groups on, and reports whether each is answered at one place, and
// some have several tasks.
func (c *compiler) passesAll(s *scripts, rounds []round, answering map[int64]*round) bool {
	var count tally
	for i := range rounds {
		p := &rounds[i]
		count.take(p)
		for k := range p.moves {
			stands := c.standsFor(s, &p.moves[k], following(p.moves, k))
			r := answering[stands]
			if r == nil {
				continue
			}
			if p.ends || !count.add(count.group, r.to) {
				return false
			}
			p.ends, p.stands, p.passes, r.by, count.group = true, stands, k, p.walk, nil
		}
	}
	return count.whole() && count.groups == len(answering) && consistent(rounds)
}

// sendsAsItLikes notes that nobody knows how often the threads of a pool send to an object of the run.
func (s *scripts) sendsAsItLikes(object, pool int32) {
	if object != none {
		o := &s.objects[object]
		o.sent = slices.DeleteFunc(o.sent, func(x sendings) bool { return s.walks[x.walk].pool == pool })
	}
}
