package simulation

import (
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
)

// mostSteps is the number of fragments that a thread may execute without time
// passing; more are a defect of the model.
const mostSteps = 10_000_000

// walk lets thread t execute fragments from th.at on until it computes (then it
// returns the work), waits, or ends.
func (r *replica) walk(t int32, th *thread) (work des.Time, computes bool) {
	if th.moves != nil {
		return r.follow(t, th)
	}
	now := r.Now()
	for left := mostSteps; left > 0; left-- {
		at := uint(th.at)
		if at >= uint(len(r.steps)) { // none
			r.endThread(t, th)
			return 0, false
		}
		s := &r.steps[at]
		th.entered = now
		if s.group != th.group {
			r.enterGroup(t, th, s.def)
		}
		switch s.op {
		case opCPU:
			th.state, th.since, th.then = inReady, now, s.then
			if th.unusual != 0 || r.assistDebt > 0 {
				return r.compute(th, s), true
			}
			return s.work.Time(), true
		case opDispatch:
			r.pass(t, th, s)
		case opFinish:
			r.taskDone(th)
			r.pass(t, th, s)
		case opIn:
			if s.direct && th.task == none && !th.carried {
				if item, ok := s.queue.Take(); ok {
					s.object.leave(&r.tasks[item], now) // r.take, which is too large for the compiler to put here
					th.task, th.since = item, now
					th.taken++
					s.leave(th, now)
					s.passed.count++
					continue
				}
			}
			if r.fetch(t, th, s) {
				return 0, false
			}
		case opLock:
			th.began = now
			if s.door != nil && r.throughDoor(t, s, now) {
				r.pass(t, th, s)
			} else if r.lockOperation(t, th, s.def) {
				return r.spinning(th)
			}
		case opLoop:
			r.leaveTo(t, th, r.lap(th, s))
		default:
			if r.perform(t, th, s.def) {
				return r.ringing(th)
			}
		}
		if r.finished {
			return 0, false
		}
	}
	f := &r.fragments[th.at]
	r.fail("fragment %q of graph %q: a thread executes %d fragments without time passing", f.id, r.graphs[f.graph].id, mostSteps)
	return 0, false
}

// perform executes a fragment that may wait, and reports whether the thread
// does, or has ended.
func (r *replica) perform(t int32, th *thread, f *fragment) (waits bool) {
	if f.op != opDelay {
		th.began = r.Now()
	}
	switch f.op {
	case opDelay:
		d := r.duration(&r.steps[th.at])
		if f.polled && d > 0 {
			if over := (r.Now() - th.began) % d; over > 0 {
				d -= over
			} else {
				d = 0
			}
		}
		if d <= 0 { // nothing to wait for: the thread keeps its core
			r.leave(t, th)
			return false
		}
		if f.periodic {
			d -= r.Now() % d
		}
		if f.timer {
			r.processor.Sleep(t)
		}
		th.state = inDelay
		r.After(d, onDelay, t)
		return true
	case opSend:
		return r.send(t, th, f)
	case opNew:
		return r.create(t, th, f)
	case opIO:
		return r.submitIO(t, th, f)
	case opSelect:
		return r.selects(t, th, f)
	case opSpawn:
		th.spawning = r.number(&r.steps[th.at])
		return r.spawn(t, th, f)
	case opJoin:
		return r.join(t, th, f)
	case opClose:
		r.closeQueue(t, th, f)
	case opMake:
		r.makeInstance(th, f.object)
		r.leave(t, th)
	case opMark:
		r.mark(th, f)
		r.leave(t, th)
	case opCPU, opDispatch, opLoop, opFinish, opIn, opLock: // in walk
	}
	return false
}

// enterGroup begins a fragment of another group, or one that is observed.
func (r *replica) enterGroup(t int32, th *thread, f *fragment) {
	if f.group != th.group {
		th.group = f.group
		if f.group != none {
			r.groupEntries[f.group]++
		}
	}
	if r.observer != nil {
		th.used = 0
		r.observer.FragmentStarted(r.Now(), t, r.observed(t, th))
	}
}

// compute draws the work of a CPU fragment for a thread that computes faster
// than others, or has to assist the collector.
func (r *replica) compute(th *thread, s *step) des.Time {
	work := s.work.Time()
	if th.speedUp != 1 {
		work = r.random[s.def.stream].Round(float64(work) / th.speedUp)
	}
	return work + r.assist(work)
}

// lap counts an iteration of a loop and returns where it goes on.
func (r *replica) lap(th *thread, s *step) int32 {
	n := len(th.loops)
	if n == 0 || th.loops[n-1].loop != th.at { // from outside
		rounds := th.taken
		if s.def.gathered {
			th.taken = 0
		} else {
			rounds = int32(r.number(s))
		}
		th.loops = append(th.loops, lap{th.at, rounds})
		n++
	}
	l := &th.loops[n-1]
	if l.left > 0 {
		l.left--
		return s.def.body
	}
	th.loops = th.loops[:n-1]
	return r.successor(s)
}

// exitLoops forgets the loops that a step to another fragment leaves.
func (r *replica) exitLoops(th *thread, to int32) {
	for n := len(th.loops); n > 0; n-- {
		l := th.loops[n-1].loop
		if to == l || to != none && r.fragments[l].contains(to) {
			break
		}
		th.loops = th.loops[:n-1]
	}
}

// contains reports whether a fragment is inside the loop.
func (f *fragment) contains(at int32) bool {
	lo, hi := 0, len(f.inside)
	for lo < hi {
		if mid := (lo + hi) / 2; f.inside[mid] < at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(f.inside) && f.inside[lo] == at
}

// endWait ends the wait of a thread: its timeout, and the account of its state.
func (r *replica) endWait(t int32, th *thread) {
	if th.at != none {
		r.charge(th)
		if th.timer != (des.Timer{}) {
			r.Cancel(th.timer)
			th.timer = des.Timer{}
		}
	}
}

// resumed completes the operation that thread t waited for, and reports whether it goes on.
func (r *replica) resumed(t int32, th *thread, o resource.Outcome, item int32) bool {
	if th.at == none { // a new thread
		th.at = r.beginning(th)
		return true
	}
	f := &r.fragments[th.at]
	if th.doing != asGraph {
		if had, waits := r.moveResumed(t, th, f, o, item); waits || had {
			return !waits && !r.finished
		}
	}
	switch f.op {
	case opLock:
		r.lockCompleted(t, th, f, o)
	case opIn:
		r.fetched(t, th, &r.steps[th.at], o, item)
	case opSend:
		r.sent(th, f, o)
		r.leaveTo(t, th, r.afterSend(th, f))
	case opNew:
		r.sent(th, f, o)
		if r.createMore(t, th, f) {
			return false
		}
	case opSelect:
		r.selected(t, th, f, r.table.Chosen(resource.Thread(t)), o, item)
	case opSpawn:
		if r.spawn(t, th, f) {
			return false
		}
	case opJoin, opDelay:
		th.waitsFor = none
		r.leave(t, th)
	case opCPU, opDispatch, opFinish, opLoop, opMark, opClose, opIO, opMake:
		panic("simulation: a thread was resumed in a fragment that waits for nobody")
	}
	return !r.finished
}

// mostOnTheWay is how many fragments toCore passes; a thread that passes more gets a core first, which makes no difference.
const mostOnTheWay = 16

// toCore is walk for a thread that occupies no core: it gets one before it does anything, also what takes no CPU time.
func (r *replica) toCore(t int32, th *thread) (work des.Time, computes bool) {
	if r.settingUp || th.stayed || !r.graphs[r.program.pools[th.pool].graph].computes {
		th.stayed = false
		return r.walk(t, th)
	}
	now := r.Now()
	for range mostOnTheWay {
		if th.at == none || r.steps[th.at].op == opCPU {
			return r.walk(t, th)
		}
		s := &r.steps[th.at]
		if s.op != opDispatch && s.op != opLoop {
			break
		}
		th.entered = now
		if s.group != th.group {
			r.enterGroup(t, th, s.def)
		}
		if s.op == opLoop && th.moves == nil {
			r.leaveTo(t, th, r.lap(th, s))
		} else {
			r.pass(t, th, s)
		}
	}
	th.unusual |= returns
	th.state, th.since = inReady, now
	return 0, true
}
