package walks

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// notifies reports whether a step raises an event that others may wait for.
func notifies(s *trail.Step) bool {
	switch s.Node.Op {
	case trace.OpSignal, trace.OpBroadcast:
		return s.Lock.Kind == core.Condition
	case trace.OpUnpark:
		return s.Lock.Kind == core.Park
	}
	return false
}

// awaits reports whether a step waits for an event, and got it.
func awaits(s *trail.Step) bool {
	switch s.Node.Op {
	case trace.OpCondWait:
		return !s.Open && s.Lock.Kind == core.Condition
	case trace.OpPark:
		return !s.Open && s.Lock.Kind == core.Park
	}
	return false
}

// raised numbers the notices of one condition, from next on, and gives every wait the number of its cause: the last
// notice of another thread while it waited. A permit to go on may have been given before a thread parks, but
// after it last had one.
func (n numbers) raised(notices, waits []at, next int64) int64 {
	byStart(notices)
	byStart(waits)
	for _, x := range notices {
		n[x.thread.steps][x.index] = next
		next++
	}
	had := int64(0)
	for _, w := range waits {
		since := w.step.Start
		if w.step.Node.Op == trace.OpPark {
			since, had = had, w.step.End
		}
		past, _ := slices.BinarySearchFunc(notices, w.step.End+1, func(x at, end int64) int { return cmp.Compare(x.step.Start, end) })
		for i := past - 1; i >= 0 && notices[i].step.Start >= since; i-- {
			if x := notices[i]; x.thread != w.thread {
				n[w.thread.steps][w.index] = n[x.thread.steps][x.index]
				break
			}
		}
	}
	return next
}
