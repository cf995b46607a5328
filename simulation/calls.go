package simulation

import "slices"

// A function may make a lock or queue for every call of it (core.PerCall) and
// hand it to threads that it starts, as a call that splits its work among
// workers of its own does. The instance belongs to the thread that made it and
// to all threads that this one starts from then on, and goes when the last of
// them has ended or has made another one. In a chain,
//
//	next := make(chan struct{}, 1)
//	go work(prev, next)
//	prev = next
//
// the one that was made before the last is still used (core.Sync.Earlier).

// makeInstance executes a make.
func (r *replica) makeInstance(th *thread, object int32) int32 {
	i := r.freshInstance(object)
	r.copies[i].users = 1
	th.calls = append(th.calls, holding{object, i})
	if k := th.made(object, r.program.objects[object].earliest+1); k >= 0 {
		r.leaveCall(th.calls[k].copy)
		th.calls = slices.Delete(th.calls, k, k+1)
	}
	return i
}

// made returns the place of the instance that a thread has of an object after which
// so many others were made, -1 if there is none.
func (th *thread) made(object int32, earlier int) int {
	for k := len(th.calls) - 1; k >= 0; k-- {
		if th.calls[k].object == object {
			if earlier == 0 {
				return k
			}
			earlier--
		}
	}
	return -1
}

// callInstance returns the copy that a thread has from the call that it is part
// of, or one of its own if it is part of none.
func (r *replica) callInstance(th *thread, object int32, earlier int) int32 {
	for {
		if k := th.made(object, earlier); k >= 0 {
			return th.calls[k].copy
		}
		i := r.freshInstance(object)
		r.copies[i].users = 1
		th.calls = slices.Insert(th.calls, 0, holding{object, i}) // older than all
	}
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
