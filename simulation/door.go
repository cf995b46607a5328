package simulation

import (
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
)

// doorOf returns the door of the lock that a fragment enters or leaves, if its uncontended operations
// do nothing but that: there is one instance, and nobody remembers who holds it.
func (r *replica) doorOf(f *fragment) *resource.Door {
	def := &r.program.objects[f.object]
	switch {
	case f.lockOp != resource.Enter && f.lockOp != resource.Exit, f.varies, f.once, r.scripts != nil:
		return nil
	case def.isQueue, scoped(def.scope), def.stripes != 1, def.tracked, def.lends, def.rationed, def.monitor != none:
		return nil
	}
	return resource.DoorOf(r.copies[r.objects[f.object].first].lock)
}

// throughDoor executes an operation on the lock of a step that has a door, if nobody is in
// the way, and reports whether it did.
func (r *replica) throughDoor(t int32, s *step, now des.Time) bool {
	o := s.object
	if s.enters {
		if !s.door.Enter(resource.Thread(t)) {
			return false
		}
		o.visits++
		o.taken++
		r.copies[o.first].held++
		o.held.rise(now)
		return true
	}
	if !s.door.Exit() {
		return false
	}
	r.copies[o.first].held--
	o.held.fall(now)
	return true
}
