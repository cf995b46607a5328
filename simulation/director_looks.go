package simulation

import (
	"slices"

	"tierscope/simulation/des"
	"tierscope/simulation/resource"
)

// A thread that looks whether it should end, round after round, does as many rounds as there is time for:
//
//	for { select { case <-stop: return; default: }; sleep; work }
//
// If what it looks at is closed earlier than in the recording, the rest of its rounds are left out, and if
// later, they are repeated.

// lookInVain passes a look of time d at queues and channels at which there was nothing in the recording.
func (r *replica) lookInVain(t int32, th *thread, f *fragment, d des.Time) bool {
	if d <= 0 || r.heeds(th, f) {
		if !r.sees(th, f) {
			r.takesOver(th, func(other *thread) bool { return other.upto*len(th.moves) < th.upto*len(other.moves) })
		}
		r.looked(t, th, f)
		return false
	}
	for _, object := range f.looksAt() {
		if i := r.instanceOf(th, object, 0, true, 0); r.copies[i].queue != nil {
			r.followed.looks[i] = append(r.followed.looks[i], t)
		}
	}
	th.doing = awaitingClose
	th.state, th.since = inDelay, r.Now()
	th.timer = r.After(d, onDelay, t)
	return true
}

// looksAt are the objects from which a fragment receives.
func (f *fragment) looksAt() []int32 {
	if f.op != opSelect {
		return []int32{f.object}
	}
	var out []int32
	for _, k := range f.cases {
		if !k.send {
			out = append(out, k.object)
		}
	}
	return out
}

// sees reports whether one of the queues and channels that a thread looks at is closed.
func (r *replica) sees(th *thread, f *fragment) bool {
	return slices.ContainsFunc(f.looksAt(), func(object int32) bool { return r.closedNow(th, object) })
}

// heeds reports whether a thread does something else than in the recording when one of the queues and channels that it
// looks at is closed: it looked again then and found that, or the clock closes it. What was closed since enough had been
// done is closed behind all that was done before.
func (r *replica) heeds(th *thread, f *fragment) bool {
	return r.sees(th, f) && (r.nextClosed(th) != none || r.timeIsOver(th, f))
}

// timeIsOver reports whether the clock has closed one of the queues and channels that a thread looks at.
func (r *replica) timeIsOver(th *thread, f *fragment) bool {
	return slices.ContainsFunc(f.looksAt(), func(object int32) bool { return r.scripts.byClock[object] && r.closedNow(th, object) })
}

// closedNow reports whether what a thread uses of an object of the model is closed, and nothing is left in it. Of several that are apart, those that
// it does not use are others'.
func (r *replica) closedNow(th *thread, object int32) bool {
	if r.scripts.inOrder && r.scripts.several[object] && r.scriptInstance(th, object) == none {
		return false
	}
	q := r.copies[r.instanceOf(th, object, 0, true, 0)].queue
	return q != nil && q.Closed() && q.Len() == 0
}

// tellLookers wakes the threads that look at an instance that has been closed.
func (r *replica) tellLookers(i int32) {
	looking := r.followed.looks[i]
	delete(r.followed.looks, i)
	for _, t := range looking {
		if th := r.threads[t]; r.heeds(th, &r.fragments[th.at]) {
			r.Resume(resource.Thread(t), resource.Granted, resource.NoItem)
		}
	}
}

// looked ends a look. If what it was at is closed now, the thread goes on where it found that in the recording.
func (r *replica) looked(t int32, th *thread, f *fragment) {
	if th.doing == awaitingClose {
		for i, looking := range r.followed.looks {
			if k := slices.Index(looking, t); k >= 0 {
				r.followed.looks[i] = slices.Delete(looking, k, k+1)
			}
		}
	}
	if r.sees(th, f) && !r.skip(th) && r.timeIsOver(th, f) {
		r.followed.strays++
	}
	r.leaveTo(t, th, none)
}

// skip leaves out the rounds of a thread up to the look, where it looks now, that found something closed.
func (r *replica) skip(th *thread) bool {
	k := r.nextClosed(th)
	if k == none {
		return false
	}
	r.followed.left += r.program.computes(th.moves[th.upto : k+1])
	for i := th.upto; i <= int(k); i++ {
		m := &th.moves[i]
		th.upto = i + 1
		if m.object != none && r.scripts.objects[m.object].closed {
			r.noteSending(th, m)
		}
	}
	return true
}

// nextClosed is the move of a thread, from the present one on, that looks where it looks now and finds something closed, or
// none.
func (r *replica) nextClosed(th *thread) int32 {
	for k := th.upto; k < len(th.moves); k++ {
		if r.program.sameTake(th.moves[k].at, th.at) && r.foundClosed(th, k) {
			return int32(k)
		}
	}
	return none
}

// sameTake reports whether two fragments take from the same queue or channel.
func (p *program) sameTake(a, b int32) bool {
	f, g := &p.fragments[a], &p.fragments[b]
	return a == b || f.op == g.op && f.lockOp == g.lockOp && f.op != opSelect && f.object == g.object
}

// foundClosed reports whether a look, move k, found that a queue or channel was closed.
func (r *replica) foundClosed(th *thread, k int) bool {
	m, after := &th.moves[k], following(th.moves, k)
	f := &r.fragments[m.at]
	if m.token != 0 || after == none && !r.scripts.walks[th.walk].ended {
		return false
	}
	switch f.op {
	case opIn:
		return !f.try && after == f.otherwise
	case opLock:
		return f.lockOp == resource.Receive && (f.otherwise == none || after != f.otherwise)
	case opSelect:
		return (f.otherwise == none || after != f.otherwise) && (f.fallback == none || after != f.fallback)
	default:
		return false
	}
}

// repeats lets a thread that found something closed in the recording, which is not closed yet, repeat its rounds from
// its first look on; false: it is closed, or the rounds do what can be done only once.
func (r *replica) repeats(th *thread, object int32) bool {
	if r.closedNow(th, object) {
		return false
	}
	now := th.upto - 1
	first := slices.IndexFunc(th.moves[:now], func(m move) bool { return m.at == th.at })
	if first < 0 || slices.ContainsFunc(th.moves[first:now], func(m move) bool { return m.token != 0 }) {
		return false
	}
	if r.takesOver(th, func(*thread) bool { return true }) {
		return true
	}
	r.followed.left -= r.program.computes(th.moves[first:now])
	th.upto = first + 1
	return true
}

// takesOver lets a thread that looks at something go on in place of another one of its pool, of a kind, that is about to look at the same thing but
// waits for a core, and that one look in its place. Where whoever finds what all look for ends the search of the others, all of them have to
// do what all did in the recording, whoever does it.
func (r *replica) takesOver(th *thread, is func(other *thread) bool) bool {
	now := th.upto - 1
	look := th.moves[now]
	if now == 0 || th.moves[now-1].object != none {
		return false
	}
	for i, other := range r.threads {
		if other.pool != th.pool || other == th || other.moves == nil || other.upto == 0 || other.at == none || r.fragments[other.at].op != opCPU || !is(other) || r.processor.Runs(int32(i)) {
			continue
		}
		ahead := slices.IndexFunc(other.moves[other.upto:], func(m move) bool { return m.object != none || m.amount > 0 })
		if ahead < 0 || !r.free(th) || !r.free(other) {
			continue
		}
		ahead += other.upto
		if m := other.moves[ahead]; m.at != look.at || m.object != look.object || !r.inVainThen(other, ahead) || slices.ContainsFunc(other.moves[other.upto:ahead], r.matters) {
			continue
		}
		th.role, other.role = other.role, th.role
		th.upto, other.upto = ahead+1, now
		return true
	}
	return false
}

// free reports whether a thread has neither a lock nor a task, which would not go with its walk.
func (r *replica) free(th *thread) bool { return len(th.held) == 0 && th.task == none }

// inVainThen reports whether a look, move k, found nothing in the recording.
func (r *replica) inVainThen(th *thread, k int) bool {
	f, after := &r.fragments[th.moves[k].at], following(th.moves, k)
	return th.moves[k].token == 0 && after != none && (after == f.otherwise || after == f.fallback)
}

// matters reports whether a move that uses no object does something else than to go on.
func (r *replica) matters(m move) bool {
	switch r.fragments[m.at].op {
	case opCPU, opDispatch, opLoop, opMark:
		return false
	default:
		return true
	}
}
