package simulation

import "tierscope/simulation/des"

// A timeout may run on while its thread does something else: from where the thread was at a fragment last, or from where it has been
// at another one first since.

// marker is what a fragment does with a timeout that counts from a fragment on.
type marker struct {
	slot   int32 // of the thread
	action marking
}

type marking int8

const (
	marksBegin marking = iota // it counts from here
	marksAnew                 // it counts from where the other fragment is executed next
	marksFirst                // it counts from here, unless it does so already
)

// notSet is where a timeout does not count yet.
const notSet des.Time = -1

// compileSince makes the fragments from which timeouts of graph i count note when threads are there.
func (c *compiler) compileSince(i int) {
	slots := map[[2]int32]int32{}
	g, at := &c.m.Graphs[i], c.fragmentAt[i]
	for _, j := range order(c.ids.fragments[i]) {
		s := g.Fragments[j].Since
		if s == nil {
			continue
		}
		key := [2]int32{at[c.ix.fragments[i][s.From]], none}
		if s.First != "" {
			key[1] = at[c.ix.fragments[i][s.First]]
		}
		slot, known := slots[key]
		if !known {
			slot = int32(len(slots))
			slots[key] = slot
			if key[1] == none {
				c.mark(key[0], marker{slot, marksBegin})
			} else {
				c.mark(key[0], marker{slot, marksAnew})
				c.mark(key[1], marker{slot, marksFirst})
			}
		}
		c.fragments[at[j]].since = slot
	}
}

func (c *compiler) mark(fragment int32, m marker) {
	f := &c.fragments[fragment]
	f.op, f.marks = opMark, append(f.marks, m)
}

// mark notes when a thread is at a fragment from which timeouts count.
func (r *replica) mark(th *thread, f *fragment) {
	for _, m := range f.marks {
		for len(th.marks) <= int(m.slot) {
			th.marks = append(th.marks, notSet)
		}
		switch at := &th.marks[m.slot]; {
		case m.action == marksBegin, m.action == marksFirst && *at == notSet:
			*at = r.Now()
		case m.action == marksAnew:
			*at = notSet
		}
	}
}

// patience draws how long a thread still waits at a fragment; false: for ever, as its timeout does not count yet.
func (r *replica) patience(th *thread, f *fragment) (des.Time, bool) {
	if f.since == none {
		return r.draw(&f.timeout, f.stream), true
	}
	if int(f.since) >= len(th.marks) || th.marks[f.since] == notSet {
		return 0, false
	}
	return max(0, th.marks[f.since]+r.draw(&f.timeout, f.stream)-r.Now()), true
}
