package simulation

import "tierscope/simulation/resource"

// clockDecides reports whether a select chooses between the ticks of a clock and something else: how often it takes which is a matter of speed,
// and no recorded order tells of another one. A clock never computes and sends after delays.
func (c *compiler) clockDecides() bool {
	ticks := c.ticks()
	for i := range c.fragments {
		f := &c.fragments[i]
		if f.op != opSelect || len(f.cases) < 2 {
			continue
		}
		clocks := 0
		for _, k := range f.cases {
			if ticks[k.object] && !k.send {
				clocks++
			}
		}
		if clocks > 0 && clocks < len(f.cases) {
			return true
		}
	}
	return false
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
