package simulation

import (
	"math"
	"slices"
)

// A thread may gather what has come, do something once for the whole group, and then answer every one of it:
//
//	for w := range log {
//		group := w and whatever else is there, up to a limit
//		sync()
//		for each w of the group { w.done <- nil }
//	}
//
// What it does at the end of a group belongs to none of its tasks, and each answer goes to whoever sent the task. So the end of
// a group is kept apart from the tasks: what comes before the answers and behind them is that of a recorded group of about
// the same size, and the answers are those to the tasks that are in the group now.

// gathering is how the threads of a pool gather tasks.
type gathering struct {
	endings []ending
	own     map[int64][]move // what follows the take of a task, up to the next take or to the end of the group
	next    []move           // the take of another one, for the same group
	ends    map[int64]bool   // tasks that tell the thread to take no more
	limit   int              // tasks of a group at which the thread looks for no more; 0: none is known
	lasts   bool             // some endings are the last of a thread
	usual   [][]*ending      // by tasks of a group: the endings of about that size, but those that are the last of a thread
	all     [][]*ending      // with these
}

// ending is what a thread did at the end of a group, but for the answers.
type ending struct {
	size         int
	last         bool  // the thread took nothing more
	passes       int64 // what stands for the group that is passed on with the first move of then; 0: it is answered
	before, then []move
}

// last reports whether the thread takes nothing more.
func (c *compiler) last(p *round, queue int32) bool {
	return !c.takes(p.moves[len(p.moves)-1].at, queue)
}

// gathers finds the answers of the threads of a pool to the tasks of their home, and reports whether they gather tasks: some of the answers
// come behind the take of another task, and all of a group are answered before the next is taken.
func (c *compiler) gathers(rounds []round, home int32, known answered) bool {
	var count tally
	for i := range rounds {
		p := &rounds[i]
		count.take(p)
		p.responses, p.ends, p.shuts, p.stands = known.among(c, p.moves), false, 0, 0
		if len(p.to) == 0 {
			continue
		}
		if n := len(count.group); n > 0 && c.last(p, home) && !slices.Contains(p.to, count.group[n-1]) {
			p.shuts, p.size, count.group = count.group[n-1], n-1, count.group[:n-1]
		}
		if !count.add(count.group, p.to) {
			return false // what it answers is of an earlier group
		}
		p.ends, count.group = true, nil
	}
	return count.whole() && consistent(rounds)
}

// tally counts groups and the tasks that were answered for them.
type tally struct {
	walk          int32
	group         []int64 // that the walk has at present
	groups, mixed int
	several       bool // some have several tasks
}

// take adds what a round took to the group of its thread.
func (x *tally) take(p *round) {
	if p.walk != x.walk {
		x.walk, x.group = p.walk, nil
	}
	if p.task != 0 {
		x.group = append(x.group, p.task)
	}
	p.size = len(x.group)
}

// add reports whether as many tasks are answered as a group has.
func (x *tally) add(group, to []int64) bool {
	x.groups++
	to = slices.Compact(slices.Clone(to))
	x.several = x.several || len(group) > 1
	if !slices.Equal(slices.Sorted(slices.Values(group)), slices.Sorted(slices.Values(to))) {
		x.mixed++
	}
	return len(group) == len(to)
}

// whole reports whether the groups were answered, and some have several tasks.
func (x *tally) whole() bool { return x.several && x.mixed <= x.groups/mostMixed }

// mostMixed is of how many groups one may have been answered in which not all tasks are those that were taken: of two that are sent
// at the same time, a recording may have the order wrong. Convention.
const mostMixed = 20

// consistent reports whether groups that end without a look for more have one size, and no other group gets as large.
func consistent(rounds []round) bool {
	limit, most := 0, 0
	for i := range rounds {
		switch p := &rounds[i]; {
		case !p.ends || p.task == 0 || p.shuts != 0:
			most = max(most, p.size)
		case limit != 0 && limit != p.size:
			return false
		default:
			limit = p.size
		}
	}
	return limit == 0 || most < limit
}

// cutGroups makes of rounds what the threads do for each task, at the end of a group, and when there is nothing to do.
func (c *compiler) cutGroups(s *scripts, x *cast, rounds []round) {
	g := &gathering{own: map[int64][]move{}, ends: map[int64]bool{}}
	x.gathers = g
	begins, ends := map[int32]bool{}, map[int32]bool{} // fragments with which an answer begins, and the end of a group after a look in vain
	for i := range rounds {
		p := &rounds[i]
		p.begin(p.moves, begins)
		if p.ends && p.task == 0 {
			ends[p.moves[0].at] = true
		}
	}
	for i := range rounds {
		p := &rounds[i]
		switch n := len(p.moves); {
		case p.shuts != 0:
			before, then := c.split(s, p.walk, p.moves, p.responses, 0, begins)
			g.own[p.shuts], g.ends[p.shuts] = then, true
			s.walks[p.walk].cpu -= c.computes(before)
		case p.ends:
			c.endOf(s, g, p, begins, ends, x.home)
		case p.task == 0:
			c.keep(s, x, p)
		case c.last(p, x.home):
			g.own[p.task], g.ends[p.task] = p.moves, true
		default:
			g.own[p.task], g.next = p.moves[:n-1], p.moves[n-1:]
		}
		s.walks[p.walk].ofTasks += c.computes(g.own[p.task])
	}
	g.arrange()
}

// arrange finds the endings for groups of each size, up to the largest recorded one.
func (g *gathering) arrange() {
	most := 0
	for i := range g.endings {
		most, g.lasts = max(most, g.endings[i].size), g.lasts || g.endings[i].last
	}
	for size := range most + 1 {
		g.usual, g.all = append(g.usual, g.near(size, false)), append(g.all, g.near(size, true))
	}
}

// near returns the endings of a size, or of those that are nearest to it.
func (g *gathering) near(size int, last bool) (alike []*ending) {
	best := math.MaxInt
	for i := range g.endings {
		e := &g.endings[i]
		d := max(e.size-size, size-e.size)
		if e.last && !last || d > best {
			continue
		}
		if d < best {
			best, alike = d, nil
		}
		alike = append(alike, e)
	}
	return alike
}

// endOf keeps the end of a group that a round has.
func (c *compiler) endOf(s *scripts, g *gathering, p *round, begins, ends map[int32]bool, home int32) {
	first := p.passes
	if p.stands == 0 {
		first = p.answers[0]
	}
	begin := 0 // of the end
	if p.task != 0 {
		g.limit = p.size
		begin = max(0, slices.IndexFunc(p.moves[:first], func(m move) bool { return ends[m.at] }))
		g.own[p.task] = p.moves[:begin]
	}
	e := ending{size: p.size, last: c.last(p, home), passes: p.stands}
	if p.stands != 0 {
		e.before, e.then = p.moves[begin:first], p.moves[first:]
	} else {
		e.before, e.then = c.split(s, p.walk, p.moves, p.responses, begin, begins)
	}
	g.endings = append(g.endings, e)
	s.walks[p.walk].cpu -= c.computes(e.before) + c.computes(e.then)
}

// begin notes the fragments with which an answer behind another one begins.
func (x *responses) begin(moves []move, begins map[int32]bool) {
	for k, at := range x.answers[:max(0, len(x.answers)-1)] {
		if x.to[k+1] != x.to[k] {
			begins[moves[at+1].at] = true
		}
	}
}

// split keeps the answers among moves, from one on, and returns what comes before them, and behind.
func (c *compiler) split(s *scripts, walk int32, moves []move, x responses, from int, begins map[int32]bool) (before, then []move) {
	first := x.answers[0]
	for k := first; k >= from; k-- {
		if begins[moves[k].at] {
			first = k
			break
		}
	}
	before = moves[from:first]
	for k, at := range x.answers {
		if k+1 < len(x.to) && x.to[k+1] == x.to[k] {
			continue // they are one
		}
		s.answers[x.to[k]] = moves[first : at+1]
		s.walks[walk].ofTasks += c.computes(moves[first : at+1])
		first = at + 1
	}
	return before, moves[first:]
}
