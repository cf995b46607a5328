package simulation

import "slices"

// owner is a thread with a queue of its own to which a source sends; life is that of its number when the source began.
type owner struct {
	thread int32
	life   uint32
}

// ownersOf are the threads that take from a queue of which each has one.
func (r *replica) ownersOf(queue int32) []owner {
	owners := []owner{}
	takes := map[int32]bool{} // graphs
	for i := range r.fragments {
		if f := &r.fragments[i]; f.op == opIn && f.object == queue {
			takes[f.graph] = true
		}
	}
	for t, th := range r.threads {
		if th.source == none && th.burden == none && th.at != none && takes[r.program.pools[th.pool].graph] {
			owners = append(owners, owner{int32(t), th.life})
		}
	}
	return owners
}

// drawOwner returns the queue of one of the threads, each with the same probability; none, and the run fails, if all have ended.
func (r *replica) drawOwner(s *sourceState) int32 {
	for len(s.owners) > 0 {
		i := s.among.Uint32n(uint32(len(s.owners)))
		if th := r.threads[s.owners[i].thread]; th.life == s.owners[i].life && th.at != none {
			return r.scopedInstance(th, s.def.to)
		}
		s.owners = slices.Delete(s.owners, int(i), int(i)+1)
	}
	r.fail("source %q sends to queue %q, and all threads that had one have ended", s.def.id, s.object.def.id)
	return none
}
