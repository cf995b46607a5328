package analysis

import (
	"fmt"

	"tierscope/core"
)

// warnOfSharedTickers says where several threads receive the ticks of one
// ticker. Who waits for a timer waits for the world outside the model; but a
// tick that one thread gets the others do not, so that with more threads each
// waits longer.
func (b *build) warnOfSharedTickers() {
	for _, r := range b.resources {
		if r.kind != core.Channel || !r.timer {
			continue
		}
		ticks := map[uint64]map[int64]int{} // by object and thread
		for _, u := range r.uses {
			s := u.of()
			if channelOp(s) != core.Receive || !s.received() {
				continue
			}
			if ticks[s.object] == nil {
				ticks[s.object] = map[int64]int{}
			}
			ticks[s.object][u.seq.thread.ID]++
		}
		for _, by := range ticks {
			again := 0
			for _, n := range by {
				if n > 1 {
					again++
				}
			}
			if again > 1 {
				b.assume(fmt.Sprintf("%d threads share the ticks of %s, the model has a wait of its own for each: with another number of them their rate is wrong", len(by), shortPlace(r.place)))
				break
			}
		}
	}
}
