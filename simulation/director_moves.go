package simulation

import (
	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
)

// performMove executes a move that may wait, and reports whether the thread does. Operations
// that tried and failed in the recording do nothing, but for offers; those that succeeded wait until they do.
func (r *replica) performMove(t int32, th *thread, s *step) (waits bool) {
	f, m := s.def, th.move()
	if f.op != opDelay {
		th.began = r.Now()
	}
	after := following(th.moves, th.upto-1)
	if (f.try || f.timed) && f.otherwise != none && after == f.otherwise && f.op != opSelect && f.op != opIn && (r.scripts.inOrder || !r.scripts.offers[th.at]) {
		return r.inVain(t, th, f)
	}
	if r.tooEarly(t, th, f, m, after) || r.tooFull(t, th, m, after) || r.beforeEnd(t, th, f, m, after) {
		return true
	}
	switch f.op {
	case opDelay:
		if f.periodic || f.polled {
			return r.perform(t, th, f)
		}
		return r.pause(t, th, r.scaled(th, s, m.amount))
	case opIn:
		return r.takeMove(t, th, s, after)
	case opSend, opNew:
		return r.sendMove(t, th, f, m)
	case opLock:
		return r.lockMove(t, th, f, m, after)
	case opSelect:
		return r.selectMove(t, th, f, m, after)
	case opSpawn:
		th.spawning = m.number(f)
		return r.spawn(t, th, f)
	case opMake: // the objects of the recording are made when they are used
		r.leaveTo(t, th, none)
		return false
	case opClose:
		return r.closeMove(t, th, f, m)
	default: // I/O, join
		r.followed.halts = true
		return r.perform(t, th, f)
	}
}

// scaled is an amount of the recording in this configuration.
func (r *replica) scaled(th *thread, s *step, amount int64) des.Time {
	return r.random[s.def.stream].Round(float64(amount) * r.scripts.scale[th.at])
}

// pause lets time pass in place of a wait.
func (r *replica) pause(t int32, th *thread, d des.Time) bool {
	if d <= 0 {
		r.leaveTo(t, th, none)
		return false
	}
	th.doing = awaitingTime
	th.state, th.since = inDelay, r.Now()
	if r.fragments[th.at].timer {
		r.processor.Sleep(t)
	}
	r.After(d, onDelay, t)
	return true
}

// inVain passes an operation that failed in the recording: at once, or when its time was up.
func (r *replica) inVain(t int32, th *thread, f *fragment) bool {
	d := des.Time(0)
	if f.timed {
		d, _ = r.patience(th, f)
	}
	return r.lookInVain(t, th, f, d)
}

// beforeEnd lets a thread wait that found a queue closed in the recording, until it is, if every thread takes what it took
// there: of several queues taken as one it would take what is another's.
func (r *replica) beforeEnd(t int32, th *thread, f *fragment, m *move, after int32) bool {
	if !r.scripts.inOrder || f.op != opIn || m.token != 0 || after != f.otherwise || f.try || f.timed || th.carried || r.closedNow(th, f.object) {
		return false
	}
	r.taskDone(th)
	r.await(t, th, r.closing(f.object), awaitingTurn)
	th.waiting = true
	r.busy[th.pool].fall(r.Now())
	return true
}

// takeMove takes a task. At the pool's home nobody knows beforehand what the queue gives; elsewhere a take that got
// nothing because nothing was there does nothing.
func (r *replica) takeMove(t int32, th *thread, s *step, after int32) bool {
	f := s.def
	home := th.upto == len(th.moves)
	if home || after == f.next && !f.try || after == f.otherwise && !f.try {
		return r.fetch(t, th, s)
	}
	if after == f.otherwise {
		return r.lookInVain(t, th, f, 0)
	}
	th.doing = awaitingCase
	r.taskDone(th)
	return r.takeFrom(t, th, f.object)
}

// takeFrom takes an item from the instance of a queue that the present move names.
func (r *replica) takeFrom(t int32, th *thread, object int32) bool {
	i := r.instanceOf(th, object, 0, true, 0)
	item, o := r.copies[i].queue.Get(resource.Thread(t))
	if o == resource.Blocked {
		th.waitsFor, th.state, th.since = i, inOther, r.Now()
		return true
	}
	r.caseTaken(t, th, object, o, item)
	return false
}

// caseTaken ends a take or the case of a select that the thread took in the recording.
func (r *replica) caseTaken(t int32, th *thread, object int32, o resource.Outcome, item int32) {
	th.waitsFor = none
	th.shut = o == resource.Closed && th.move().token != 0
	if object != none && r.program.objects[object].isQueue && o == resource.Granted && item != resource.NoItem {
		r.received(th, item, &r.objects[object])
	}
	r.leaveTo(t, th, none)
}

// sendMove sends what the recording did: its tokens name the tasks.
func (r *replica) sendMove(t int32, th *thread, f *fragment, m *move) bool {
	if f.op == opSend {
		return r.send(t, th, f)
	}
	th.spawning = m.number(f)
	return r.createMore(t, th, f)
}

// number is how many threads or tasks a move makes: what the model says if that is one number, which an analyst may
// have set, else what was recorded.
func (m *move) number(f *fragment) int {
	if n, ok := f.parameter.Constant(); ok {
		return int(n)
	}
	return int(max(m.amount, 1))
}

// tokenOf gives a task that a scripted thread sends its token.
func (r *replica) tokenOf(th *thread, task int32) {
	if th.moves == nil || th.upto == 0 {
		return
	}
	m := th.move()
	r.tasks[task].token = 0
	if m.token != 0 {
		r.tasks[task].token = m.token
		if r.steps[th.at].op == opNew {
			r.tasks[task].token += max(m.amount, 1) - 1 - int64(th.spawning)
		}
		r.announce(r.tasks[task].token)
	}
}

// announce tells those who may take only what they took in the recording that it is sent.
func (r *replica) announce(token int64) {
	if r.scripts.inOrder && token != 0 {
		r.raise(token)
	}
}

// lockMove executes an operation on a lock.
func (r *replica) lockMove(t int32, th *thread, f *fragment, m *move, after int32) bool {
	switch f.lockOp {
	case resource.Wait:
		return r.waitMove(t, th, f, m)
	case resource.Park:
		if m.token == 0 {
			return r.pause(t, th, r.scaled(th, &r.steps[th.at], m.amount))
		}
		return r.awaitEvent(t, th, m.token)
	case resource.Notify, resource.NotifyAll, resource.Unpark:
		if m.token != 0 {
			r.raise(m.token)
		}
		r.leaveTo(t, th, none)
		return false
	case resource.Do:
		if after != none && after == f.otherwise { // another thread ran it
			return r.awaitEvent(t, th, -int64(m.object)-1)
		}
	case resource.Done:
		r.raise(-int64(m.object) - 1)
	case resource.Close:
		return r.closeMove(t, th, f, m)
	case resource.Send:
		r.near = r.writes(f)
		r.announce(m.token)
	case resource.Receive:
		if f.try && m.token == 0 && r.repeats(th, f.object) {
			return r.inVain(t, th, f)
		}
	default:
	}
	if r.scripts.anyhow && r.supplies(f) != noLack {
		r.followed.waits++
	}
	return r.lockOperation(t, th, f)
}

// waitMove waits at a condition variable for what ended the wait in the recording; nobody did: for as long.
func (r *replica) waitMove(t int32, th *thread, f *fragment, m *move) bool {
	e := &event{copy: none}
	if m.token != 0 {
		e = r.event(m.token)
	}
	if e.raised {
		r.followed.waits++ // for what somebody did
		r.leaveTo(t, th, none)
		return false
	}
	if e.copy == none {
		e.copy = r.conditionOf(th, f, m)
	}
	if e.copy == none { // no lock is known that it leaves
		if m.token == 0 {
			return r.pause(t, th, r.scaled(th, &r.steps[th.at], m.amount))
		}
		return r.awaitEvent(t, th, m.token)
	}
	th.waitsFor = e.copy
	r.followed.waits++
	if o := r.copies[e.copy].lock.Call(resource.Thread(t), resource.Wait, 1); o != resource.Blocked {
		r.account(e.copy)
		r.lockCompleted(t, th, f, o)
		return false
	}
	r.account(e.copy)
	th.state, th.since = inLock, r.Now()
	r.followed.halts = true
	if m.token == 0 {
		th.timer = r.After(r.scaled(th, &r.steps[th.at], m.amount), onTimeout, t)
	}
	return true
}

// conditionOf makes a condition variable of the lock that the thread leaves while it waits.
func (r *replica) conditionOf(th *thread, f *fragment, m *move) int32 {
	monitor := none
	def := &r.program.objects[f.object]
	switch {
	case def.lock.Kind != core.Condition: // a monitor, at which threads wait
		monitor = r.instanceOf(th, f.object, f.stream, false, f.earlier)
	case m.object != none && r.scripts.objects[m.object].monitor >= 0:
		monitor = r.scriptCopy(r.scripts.objects[m.object].monitor)
	case def.monitor != none && !scoped(r.program.objects[def.monitor].scope):
		monitor = r.objects[def.monitor].first
	}
	if monitor == none {
		return none
	}
	l, err := resource.New(r.table, core.Lock{ID: def.id, Kind: core.Condition}, r.copies[monitor].lock)
	if err != nil {
		return none
	}
	r.copies = append(r.copies, instance{object: f.object, monitor: monitor, lock: l})
	return int32(len(r.copies) - 1)
}

// awaitEvent waits for an event that no lock has to be left for.
func (r *replica) awaitEvent(t int32, th *thread, number int64) bool {
	e := r.event(number)
	r.followed.waits++
	if e.raised {
		r.leaveTo(t, th, none)
		return false
	}
	r.await(t, th, e, awaitingEvent)
	r.followed.halts = true
	return true
}

// selectMove takes the case of a select that it took in the recording; at the pool's home any case may be taken.
func (r *replica) selectMove(t int32, th *thread, f *fragment, m *move, after int32) bool {
	if th.upto == len(th.moves) {
		return r.selects(t, th, f)
	}
	for _, k := range f.cases {
		switch {
		case after == k.to && k.send:
			return r.sendCase(t, th, k.object)
		case after == k.to, after == k.closed:
			if m.token == 0 && r.repeats(th, k.object) {
				return r.selectMove(t, th, f, th.move(), following(th.moves, th.upto-1))
			}
			return r.receiveCase(t, th, k.object)
		}
	}
	d := des.Time(0) // the default
	if after == f.otherwise && f.timed {
		d, _ = r.patience(th, f)
	}
	return r.lookInVain(t, th, f, d)
}

func (r *replica) receiveCase(t int32, th *thread, object int32) bool {
	th.doing = awaitingCase
	if r.program.objects[object].isQueue {
		r.taskDone(th)
	}
	return r.takeFrom(t, th, object)
}

func (r *replica) sendCase(t int32, th *thread, object int32) bool {
	item, i := resource.NoItem, r.instanceOf(th, object, 0, true, 0)
	rank := int32(0)
	if r.program.objects[object].isQueue {
		if item = th.task; item == none {
			item = r.newTask(0, none, none)
		}
		th.task = none
		r.tokenOf(th, item)
		r.enqueued(item, &r.objects[object], i)
		rank = r.rank(item)
	} else {
		item = itemOf(th.move().token)
		r.announce(th.move().token)
	}
	th.doing = awaitingCase
	o := r.copies[i].queue.Put(resource.Thread(t), item, rank)
	if o == resource.Blocked {
		th.waitsFor, th.state, th.since = i, inOther, r.Now()
		return true
	}
	r.caseTaken(t, th, none, o, resource.NoItem)
	return false
}

// moveResumed ends a wait that a scripted thread had in place of what its fragment says, and reports
// whether it had one, and whether the thread waits again.
func (r *replica) moveResumed(t int32, th *thread, f *fragment, o resource.Outcome, item int32) (had, waits bool) {
	switch th.doing {
	case awaitingTime, awaitingEvent:
		th.waitsFor = none
		r.leaveTo(t, th, none)
	case awaitingTurn:
		th.doing = asGraph
		if th.waiting {
			th.waiting = false
			r.busy[th.pool].rise(r.Now())
		}
		return true, r.performMove(t, th, &r.steps[th.at])
	case awaitingClose:
		r.looked(t, th, f)
	case awaitingCase:
		object := f.object
		if f.op == opSelect && th.move().object != none {
			object = r.scripts.objects[th.move().object].object
		}
		r.caseTaken(t, th, object, o, item)
	default:
		return false, false
	}
	return true, false
}

// scriptInstance returns the instance of an object that the present move of a thread names, or, as of the other cases
// of a select, the only one that its walk does; none if there is none.
func (r *replica) scriptInstance(th *thread, object int32) int32 {
	if th.upto == 0 {
		return none
	}
	if m := th.move(); m.object != none && r.scripts.objects[m.object].object == object {
		return r.scriptCopy(m.object)
	}
	if own, ok := r.scripts.walks[th.walk].own[object]; ok && own != none && r.scripts.inOrder {
		return r.scriptCopy(own)
	}
	return none
}

// scriptCopy returns the instance that stands for an object of the recording.
func (r *replica) scriptCopy(number int32) int32 {
	i := r.followed.copies[number]
	if i != none {
		return i
	}
	object := r.scripts.objects[number].object
	if def := &r.program.objects[object]; !scoped(def.scope) && def.stripes == 1 && !r.scripts.objects[number].apart {
		i = r.objects[object].first
	} else {
		i = r.newInstance(object)
	}
	r.followed.copies[number] = i
	return i
}
