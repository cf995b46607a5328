package walks

import (
	"cmp"
	"slices"

	"tierscope/analysis/trail"
	"tierscope/core"
)

// numbers are the tokens of the steps of every sequence; 0: none.
type numbers map[*trail.Sequence][]int64

// at is a step.
type at struct {
	thread *thread
	index  int
	step   *trail.Step
}

// number gives all that threads hand to each other, and all events, their numbers, from 1 on.
func (n numbers) number(threads []*thread) {
	sends, receives, notices, waits := map[object][]at{}, map[object][]at{}, map[object][]at{}, map[object][]at{}
	var order []object // of first use
	add := func(to map[object][]at, o object, x at) {
		if sends[o] == nil && receives[o] == nil && notices[o] == nil && waits[o] == nil {
			order = append(order, o)
		}
		to[o] = append(to[o], x)
	}
	for _, t := range threads {
		n[t.steps] = make([]int64, len(t.steps.Steps))
		for i := range t.steps.Steps {
			s := &t.steps.Steps[i]
			if s.Lock == nil {
				continue
			}
			x, o := at{t, i, s}, object{s.Lock, s.Object}
			switch {
			case gives(s):
				add(sends, o, x)
			case trail.ChannelOp(s) == core.Receive && s.Received():
				add(receives, o, x)
			case notifies(s):
				add(notices, o, x)
			case awaits(s):
				add(waits, o, x)
			}
		}
	}
	next := int64(1)
	for _, o := range order {
		next = n.handed(sends[o], receives[o], next)
		next = n.raised(notices[o], waits[o], next)
	}
}

// gives reports whether a step puts something into a queue or channel.
func gives(s *trail.Step) bool {
	if s.Node.Virtual != "" {
		return s.Node.Class == core.OutFragment
	}
	return trail.ChannelOp(s) == core.Send && !s.Open
}

// handed numbers what went through one queue or channel, from next on: by the identity of values where both sides
// have it (of what an executor wraps the receiver has another one), and what is left by the order in which threads
// came, which is that of a queue. Of a list under a lock, who comes while others wait may take before them: if somebody
// would get what was not sent yet, the order is that in which they had got it. What was not sent or not received in the
// recording has no number.
func (n numbers) handed(sends, receives []at, next int64) int64 {
	byStart(sends)
	byStart(receives)
	if early(sends, receives) {
		slices.SortStableFunc(receives, func(a, b at) int { return cmp.Compare(a.step.End, b.step.End) })
	}
	byValue := map[uint64][]at{}
	for _, r := range receives {
		if r.step.Value != 0 {
			byValue[r.step.Value] = append(byValue[r.step.Value], r)
		}
	}
	type task struct {
		send  at
		token int64
	}
	var left []task
	give := func(t task, to at) {
		n[to.thread.steps][to.index] = t.token
		if first := &n[t.send.thread.steps][t.send.index]; *first == 0 {
			*first = t.token
		}
	}
	for _, s := range sends {
		if got := byValue[s.step.Value]; len(got) > 0 {
			give(task{s, next}, got[0])
			byValue[s.step.Value] = got[1:]
			next++
			continue
		}
		for range max(s.step.Starts, 1) {
			left = append(left, task{s, next})
			next++
		}
	}
	for _, r := range receives {
		if len(left) == 0 {
			break
		}
		if n[r.thread.steps][r.index] == 0 {
			give(left[0], r)
			left = left[1:]
		}
	}
	return next
}

// early reports whether one of those that receive, in their order, would have got what was sent after that.
func early(sends, receives []at) bool {
	i := 0
	for _, s := range sends {
		for range max(s.step.Starts, 1) {
			if i == len(receives) {
				return false
			}
			if receives[i].step.End < s.step.Start {
				return true
			}
			i++
		}
	}
	return false
}

// byStart sorts steps by when threads came to them.
func byStart(xs []at) {
	slices.SortStableFunc(xs, func(a, b at) int { return cmp.Compare(a.step.Start, b.step.Start) })
}
