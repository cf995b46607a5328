package simulation

import (
	"slices"

	"tierscope/core"
)

// copier writes walks down with their rounds repeated.
type copier struct {
	*repeater
	out     *core.Walks
	moves   int
	step    int64            // from the numbers of a round to those of its next copy
	users   []int            // by object: the round that uses it, 0: several do, or none
	objects map[[2]int]int32 // copies of objects
	before  map[int64]int    // moves of the recording that pass something on, or get it
	after   map[int64]int    // those written down
}

// copyAll returns the walks; nil: they are too long, or too much of what is passed on in rounds has nobody on its other side.
func (x *repeater) copyAll() *core.Walks {
	c := &copier{repeater: x, out: &core.Walks{Graphs: x.w.Graphs, Objects: slices.Clone(x.w.Objects)}, step: 1, users: make([]int, len(x.w.Objects)), objects: map[[2]int]int32{}, before: map[int64]int{}, after: map[int64]int{}}
	const nobody = -1
	for i := range c.users {
		c.users[i] = nobody
	}
	for i := range x.w.Threads {
		for _, p := range x.pieces[i] {
			for _, m := range x.w.Threads[i].Moves[p.begin:p.end] {
				x.eachToken(int32(i), m, func(token int64) {
					c.before[token]++
					c.step = max(c.step, token+1)
				})
				if m.Object >= 0 && c.users[m.Object] == nobody {
					c.users[m.Object] = p.origin
				} else if m.Object >= 0 && c.users[m.Object] != p.origin {
					c.users[m.Object] = 0
				}
			}
		}
	}
	for i, t := range x.w.Threads {
		if t.Parent < 0 && !c.thread(int32(i), 0, -1) {
			return nil
		}
	}
	if float64(c.astray()) > mostAstray*float64(len(c.after)) {
		return nil
	}
	return c.out
}

// astray is how much is passed on more often, or less, than the same was in the recording.
func (c *copier) astray() (n int) {
	for token, moves := range c.after {
		if moves != c.before[token%c.step] {
			n++
		}
	}
	return n
}

// copied is a copy of a piece.
type copied struct {
	piece
	copy int
}

// order returns what a thread does, of which all is the copy of a round if its thread is.
func (x *repeater) order(i int32, copy int) (all []copied) {
	pieces := x.pieces[i]
	switch {
	case x.entries[i] != nil:
		at := 0
		for _, e := range x.entries[i] {
			for ; at < e.first; at++ {
				all = append(all, copied{pieces[at], 0})
			}
			for _, r := range again(e.before, e.now) {
				all = append(all, copied{pieces[e.first+r.round], r.copy})
			}
			at += e.before
		}
		return append(all, copied{pieces[at], 0})
	case x.of[i] != 0:
		return []copied{{pieces[0], copy}}
	}
	var more []copied
	for _, p := range pieces[:len(pieces)-1] {
		for _, k := range x.copies[p.origin] {
			if k == 0 {
				all = append(all, copied{p, 0})
			} else {
				more = append(more, copied{p, k})
			}
		}
	}
	slices.SortStableFunc(more, func(a, b copied) int { return a.copy - b.copy })
	last := pieces[len(pieces)-1]
	all = append(all, more...)
	for _, k := range x.copies[last.origin] {
		all = append(all, copied{last, k})
	}
	return all
}

// thread writes down a thread, and those that it starts; false: that is too much.
func (c *copier) thread(i int32, copy int, parent int32) bool {
	t := c.w.Threads[i]
	t.Parent = parent
	recorded := t.Moves
	t.Moves = nil
	type child struct {
		walk int32
		copy int
	}
	var children []child
	for _, p := range c.order(i, copy) {
		for _, m := range recorded[p.begin:p.end] {
			if c.round(m.Token) != 0 {
				m.Token += int64(p.copy) * c.step
			}
			c.eachToken(i, m, func(token int64) { c.after[token]++ })
			m.Object = c.object(m.Object, p.copy)
			t.Moves = append(t.Moves, m)
		}
		begun := c.begun[i]
		first, _ := slices.BinarySearchFunc(begun, p.begin, func(s starts, move int) int { return s.move - move })
		for ; first < len(begun) && begun[first].move < p.end; first++ {
			for _, w := range begun[first].walks {
				children = append(children, child{w, p.copy})
			}
		}
	}
	if c.moves += len(t.Moves); c.moves > mostMoves {
		return false
	}
	index := int32(len(c.out.Threads))
	c.out.Threads = append(c.out.Threads, t)
	for _, x := range children {
		if !c.thread(x.walk, x.copy, index) {
			return false
		}
	}
	return true
}

// object is what a copy of a round uses in place of an object of the recording.
func (c *copier) object(o int32, copy int) int32 {
	if o < 0 || copy == 0 || c.users[o] <= 0 {
		return o
	}
	key := [2]int{int(o), copy}
	mine, ok := c.objects[key]
	if !ok {
		mine = int32(len(c.out.Objects))
		c.objects[key] = mine
		of := c.w.Objects[o]
		c.out.Objects = append(c.out.Objects, of)
		c.out.Objects[mine].Monitor = c.object(of.Monitor, copy)
	}
	return mine
}
