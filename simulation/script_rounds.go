package simulation

import "slices"

// rounds are the objects of a queue from which each of some threads takes, one after the other.
type rounds map[int32][]int32 // by walk

// roundsOf returns those of some threads that take from some queues, or try to.
func (c *compiler) roundsOf(queues []int32, walks []int32, all [][]move) rounds {
	r := rounds{}
	for _, i := range walks {
		for _, m := range all[i] {
			from := func(q int32) bool { return c.takes(m.at, q) }
			if of := r[i]; slices.ContainsFunc(queues, from) && (len(of) == 0 || of[len(of)-1] != m.object) {
				r[i] = append(of, m.object)
			}
		}
	}
	return r
}

// byTurns returns the queues from which threads that take from their home take by turns with it: from another queue in each of two halves of
// a step, say. All come to the same objects in one order, to each of them once.
func (c *compiler) byTurns(s *scripts, home int32, walks []int32, all [][]move) (also []int32) {
	for q := c.firstQueue; q < int32(len(c.objects)); q++ {
		if q != home && c.takenFrom(s, q, walks, all) > 0 && c.roundsOf(append([]int32{home, q}, also...), walks, all).common() {
			also = append(also, q)
		}
	}
	return also
}

// keepApart makes every round a queue of its own.
func (s *scripts) keepApart(r rounds) {
	for _, objects := range r {
		for _, o := range objects {
			if len(objects) > 1 && o != none {
				s.objects[o].apart = true
			}
		}
	}
}

// common reports whether all threads take in the same rounds, or threads that have none of them in common, and each of them once.
func (r rounds) common() bool {
	of := map[int32][]int32{} // rounds of those that begin with an object
	seen := map[int32]int32{} // with which object the rounds begin that an object is in
	for _, objects := range r {
		first := objects[0]
		if known, ok := of[first]; ok && !slices.Equal(known, objects) {
			return false
		} else if ok {
			continue
		}
		of[first] = objects
		for i, o := range objects {
			if begun, ok := seen[o]; ok && (begun != first || slices.Index(objects, o) < i) {
				return false
			}
			seen[o] = first
		}
	}
	return true
}
