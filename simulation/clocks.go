package simulation

import (
	"slices"

	"tierscope/simulation/resource"
)

// clockDecides reports whether a thread that follows scripts chooses between the ticks of a clock and something else: how often it takes
// which is a matter of speed, and no recorded order tells of another one. But who gathers what comes until the clock ticks does so, and who
// keeps time follows the graph. A clock never computes and sends after delays.
func (c *compiler) clockDecides(s *scripts) bool {
	for i := range c.fragments {
		f := &c.fragments[i]
		if !c.choosesTicks(f, s.ticks) || c.keepsTime(f.graph, s.ticks) {
			continue
		}
		for p := range s.casts {
			x := &s.casts[p]
			if c.pools[p].graph == f.graph && (x.gathers == nil || len(f.cases) != 2 || !c.takes(int32(i), x.home)) {
				return true
			}
		}
	}
	return false
}

// choosesTicks reports whether a fragment chooses between ticks and something else.
func (c *compiler) choosesTicks(f *fragment, ticks map[int32]bool) bool {
	isTick := func(k selectCase) bool { return !k.send && ticks[k.object] }
	return f.op == opSelect && slices.ContainsFunc(f.cases, isTick) && slices.ContainsFunc(f.cases, func(k selectCase) bool { return !isTick(k) })
}

// keepsTime reports whether the threads of a graph do something at each tick of a clock until something is closed to which nobody
// sends, and raise nothing that others await: how often they do it is a matter of speed, and what they do next they see themselves.
//
//	for { select { case <-ticker.C: sweep(); case <-stop: return } }
func (c *compiler) keepsTime(graph int32, ticks map[int32]bool) bool {
	chooses := false
	for i := range c.fragments {
		f := &c.fragments[i]
		switch {
		case f.graph != graph:
		case f.raises():
			return false
		case c.choosesTicks(f, ticks):
			if slices.ContainsFunc(f.cases, func(k selectCase) bool { return k.send || !ticks[k.object] && c.isSentTo(k.object) }) {
				return false
			}
			chooses = true
		}
	}
	return chooses
}

// isSentTo reports whether threads send to a channel or queue.
func (c *compiler) isSentTo(object int32) bool {
	return slices.ContainsFunc(c.fragments, func(f fragment) bool {
		return f.object == object && (f.op == opSend || f.op == opNew || f.op == opLock && f.lockOp == resource.Send) ||
			f.op == opSelect && slices.ContainsFunc(f.cases, func(k selectCase) bool { return k.send && k.object == object })
	})
}

// ticked reports whether a fragment that chooses has taken a tick, if it leads to another one.
func (p *program) ticked(at, to int32, ticks map[int32]bool) bool {
	f := &p.fragments[at]
	return f.op == opSelect && slices.ContainsFunc(f.cases, func(k selectCase) bool { return !k.send && ticks[k.object] && k.to == to })
}

// chosenTicks are the channels to which clocks send and at which a thread that chooses also looks at something else.
func (c *compiler) chosenTicks() map[int32]bool {
	all, chosen := c.ticks(), map[int32]bool{}
	for i := range c.fragments {
		if f := &c.fragments[i]; c.choosesTicks(f, all) {
			for _, k := range f.cases {
				if all[k.object] {
					chosen[k.object] = true
				}
			}
		}
	}
	return chosen
}

// isTick reports whether a move takes what such a clock sends.
func (s *scripts) isTick(m *move) bool {
	return m.object != none && s.ticks[s.objects[m.object].object]
}

// isClock reports whether the threads of a graph are clocks.
func (c *compiler) isClock(graph int32, ticks map[int32]bool) bool {
	return len(ticks) > 0 && slices.ContainsFunc(c.fragments, func(f fragment) bool {
		return f.graph == graph && f.op == opLock && f.lockOp == resource.Send && ticks[f.object]
	})
}

// ticks are the channels to which clocks send.
func (c *compiler) ticks() map[int32]bool {
	delays := make([]bool, len(c.graphs))
	for i := range c.fragments {
		if f := &c.fragments[i]; f.op == opDelay {
			delays[f.graph] = true
		}
	}
	ticks := map[int32]bool{}
	for i := range c.fragments {
		f := &c.fragments[i]
		if f.op == opLock && f.lockOp == resource.Send && delays[f.graph] && !c.graphs[f.graph].computes {
			ticks[f.object] = true
		}
	}
	return ticks
}
