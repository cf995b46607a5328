package simulation

import "slices"

// Whom a thread answers that gathers tasks is not always told by what their senders wait for next: a client may have several requests on their
// way and look for the answers later, and others may have passed its request on. But each task has something of its own, such as a
// future, that is done once, and those of a group are done one after the other:
//
//	group := take, take, take        tasks 4, 5, 6
//	sync()
//	each done                        latches a, b, c: a is that of 4, b of 5, c of 6
//
// What else is done between two of them, such as a latch that waits for several, goes with the first of both.

// answersInTurn finds answers by their order: the fragment at which threads count down or close another object for each task that they
// have taken since, and behind it others of which that is no less true than that they name another object each time.
func (c *compiler) answersInTurn(rounds []round) answered {
	visits := map[int32]int{}
	for i := range rounds {
		for _, m := range rounds[i].moves {
			if c.fulfils(&m) {
				visits[m.at]++
			}
		}
	}
	byVisits := make([]int32, 0, len(visits))
	for at := range visits {
		byVisits = append(byVisits, at)
	}
	slices.SortFunc(byVisits, func(a, b int32) int {
		if d := visits[b] - visits[a]; d != 0 {
			return d
		}
		return int(a - b)
	})
	for _, at := range byVisits {
		if found, ok := c.inTurn(rounds, at); ok {
			return found
		}
	}
	return answered{}
}

// fulfils reports whether a move counts down or closes an object.
func (c *compiler) fulfils(m *move) bool {
	return m.object != none && (c.closes(m.at) || c.countsDown(m.at))
}

// inTurn takes the moves at a fragment for the answers to the tasks of the groups, in their order; false: they are not as many, or some
// answer nothing.
func (c *compiler) inTurn(rounds []round, at int32) (out answered, ok bool) {
	out = answered{objects: map[int32]int64{}}
	var group []int64 // that is not answered yet
	var current int64 // that is being answered
	for i := range rounds {
		p := &rounds[i]
		if i > 0 && p.walk != rounds[i-1].walk {
			if len(group) > 1 {
				return out, false
			}
			group, current = nil, 0
		}
		if p.task != 0 {
			group, current = append(group, p.task), 0
		}
		for k := range p.moves {
			m := &p.moves[k]
			if !c.fulfils(m) {
				continue
			}
			if m.at == at {
				if len(group) == 0 {
					return out, false
				}
				group, current = group[1:], group[0]
			}
			if _, again := out.objects[m.object]; again || current == 0 {
				return out, false
			}
			out.objects[m.object] = current
		}
		if last := i+1 == len(rounds) || rounds[i+1].walk != p.walk; current != 0 && len(group) > 0 && !last {
			return out, false
		}
	}
	return out, len(group) <= 1 // one that says that no more will come
}
