package simulation

import (
	"math"
	"slices"

	"tierscope/core"
	"tierscope/simulation/resource"
)

// Where every thread does all in its own order, a queue or channel carries what it carried in the recording, in
// its order: who takes something waits until that has been sent, and who sends something until there is room for it,
// which is when what came so many before it as there are places is wanted by who took it then. Without places
// it is wanted itself. What was sent or wanted before in the recording depends on nothing that came later.

// endless returns objects whose queues and channels always have room: who sends waits before.
func endless(objects []objectDef) []objectDef {
	objects = slices.Clone(objects)
	for i := range objects {
		objects[i].queue.Capacity = core.Unbounded
		if objects[i].lock.Kind == core.Channel {
			objects[i].lock.Capacity = core.Unbounded
		}
	}
	return objects
}

// places returns how many things a queue or channel holds.
func (d *objectDef) places() int {
	if d.isQueue {
		return d.queue.Capacity
	}
	return d.lock.Capacity
}

// wanted is the event that a thread has come to take what has a token.
func wanted(token int64) int64 { return math.MinInt64 + token }

// findRoom returns, for all that is sent to what has not room for everything, what has to be wanted before.
func (c *compiler) findRoom(s *scripts, all [][]move) map[int64]int64 {
	taken, sent := map[int64]bool{}, make([][]int64, len(s.objects))
	for _, moves := range all {
		for k := range moves {
			m := &moves[k]
			if m.token == 0 {
				continue
			}
			after := following(moves, k)
			taken[m.token] = taken[m.token] || c.receives(m, after)
			if m.object == none {
				continue
			}
			for i := range c.sendings(m, after) {
				sent[m.object] = append(sent[m.object], m.token+i)
			}
		}
	}
	room := map[int64]int64{}
	for o, tokens := range sent {
		places := c.objects[s.objects[o].object].places()
		if places < 0 {
			continue
		}
		slices.Sort(tokens)
		for i := places; i < len(tokens); i++ {
			if before := tokens[i-places]; taken[before] {
				room[tokens[i]] = before
			}
		}
	}
	return room
}

// receives reports whether a move may take something; after is the fragment that follows it.
func (p *program) receives(m *move, after int32) bool {
	f := &p.fragments[m.at]
	return f.op == opIn || f.op == opSelect && p.sendings(m, after) == 0 || f.op == opLock && f.lockOp == resource.Receive
}

// tooEarly lets a thread wait that would take what has not been sent yet, if every thread takes what it took in the recording.
func (r *replica) tooEarly(t int32, th *thread, f *fragment, m *move, after int32) bool {
	if !r.scripts.inOrder || m.token == 0 || !r.program.receives(m, after) {
		return false
	}
	r.raise(wanted(m.token))
	if th.carried {
		return false
	}
	e := r.event(m.token)
	if e.raised {
		return false
	}
	r.taskDone(th)
	r.await(t, th, e, awaitingTurn)
	if f.object != none && r.program.objects[f.object].isQueue {
		th.waiting = true
		r.busy[th.pool].fall(r.Now())
	}
	return true
}

// tooFull lets a thread wait until there is room for what it sends.
func (r *replica) tooFull(t int32, th *thread, m *move, after int32) bool {
	if !r.scripts.inOrder || m.token == 0 || r.program.sendings(m, after) == 0 {
		return false
	}
	before, full := r.scripts.room[m.token]
	if !full || r.event(wanted(before)).raised {
		return false
	}
	r.await(t, th, r.event(wanted(before)), awaitingTurn)
	return true
}
