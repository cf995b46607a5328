package guards

import (
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// findDone finds the stays in which each thread that brings something says once that it has brought all, of which the last wakes the
// takers: in the model each of them closes the queue, and the last is who does.
func (b *buffer) findDone(stays []trail.Stay) {
	v := b.visits(stays)
	for _, at := range v.order {
		if _, known := b.brings[at]; known || !v.signals[at] || v.times[at] < 2 || v.times[at] != len(at.group.Sequences) || !saysDone(stays, at, v) {
			continue
		}
		b.done = map[*trail.Sequence]int{}
		for i := range stays {
			s := &stays[i]
			if sideOf(s) != at {
				continue
			}
			b.done[s.Sequence] = s.First
			for _, x := range s.Sequence.Steps[s.First:s.Last] {
				if x.Node.Op == trace.OpBroadcast && x.Lock == b.empty {
					b.close = x.Node.Site
				}
			}
		}
		return
	}
}
