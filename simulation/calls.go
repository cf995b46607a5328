package simulation

// A function may make a lock or queue for every call of it (core.PerCall) and
// hand it to threads that it starts, as a call that splits its work among
// workers of its own does. The instance belongs to the thread that made it and
// to all threads that this one starts from then on, and goes when the last of
// them has ended or has made another one.

// makeInstance executes a make.
func (r *replica) makeInstance(th *thread, object int32) int32 {
	i := r.freshInstance(object)
	r.copies[i].users = 1
	for k := range th.calls {
		if h := &th.calls[k]; h.object == object {
			r.leaveCall(h.copy)
			h.copy = i
			return i
		}
	}
	th.calls = append(th.calls, holding{object, i})
	return i
}

// callInstance returns the copy that a thread has from the call that it is part
// of, or one of its own if it is part of none.
func (r *replica) callInstance(th *thread, object int32) int32 {
	for _, h := range th.calls {
		if h.object == object {
			return h.copy
		}
	}
	return r.makeInstance(th, object)
}

// inherit makes a new thread part of the calls that it is started in.
func (r *replica) inherit(th, parent *thread) {
	for _, h := range parent.calls {
		r.copies[h.copy].users++
		th.calls = append(th.calls, h)
	}
}

// dropCalls ends the part that a thread had in calls.
func (r *replica) dropCalls(th *thread) {
	for _, h := range th.calls {
		r.leaveCall(h.copy)
	}
	th.calls = th.calls[:0]
}

func (r *replica) leaveCall(copy int32) {
	x := &r.copies[copy]
	if x.users--; x.users == 0 {
		r.freeInstance(copy)
	}
}
