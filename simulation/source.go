package simulation

import (
	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
	"tierscope/simulation/variate"
)

// sourceState is a source of tasks at run time.
type sourceState struct {
	def       *sourceDef
	random    *des.Stream
	gaps      variate.Ahead   // between arrivals of an open source; a closed one's thinking
	object    *objectState    // of the queue that it sends to
	queue     *resource.Queue // its only instance, or that to which the last task went
	owners    []owner         // of the instances, if each thread has one
	among     *des.Stream     // draws one of them
	alarm     des.Alarm       // next arrival of an open source
	desk      *desk           // to which its tasks go, or nil
	simple    bool            // open, without groups, records or an end; its tasks do nothing but go to the queue
	direct    bool            // its tasks go to the queue, whose end they wait for, and start nothing
	account   *classAccount
	class     int32
	sent      int
	turn      int       // replay: next recorded arrival
	rounds    int       // replay: repetitions so far
	sender    int32     // stands for the source in the queue when it must wait
	sending   int32     // task that waits there, or none
	full      des.Timer // when it has waited too long for room
	held      list      // tasks held back behind it, linked through task.next
	away      list      // tasks on their way to the program, in the order in which they come
	exhausted bool
}

func (r *replica) startSources() {
	r.sources = make([]sourceState, len(r.program.sources))
	for i := range r.program.sources {
		def, s := &r.program.sources[i], &r.sources[i]
		t := r.newThread()
		r.threads[t].source = int32(i)
		object := &r.objects[def.to]
		*s = sourceState{
			def: def, random: &r.random[def.stream], object: object,
			sender: t,
			class:  def.class, account: &r.classAccounts[def.class], direct: r.ranks == 1 && !scoped(object.def.scope) && len(r.burdens) == 0 && object.def.starts == none && !object.impatient, sending: none, held: list{none, none}, away: list{none, none},
		}
		if scoped(object.def.scope) {
			s.owners, s.among = r.ownersOf(def.to), &r.random[def.among]
		} else {
			s.queue = r.copies[object.first].queue
		}
		s.simple = def.kind != core.Closed && def.times == nil && def.count == 0 && !def.grouped && def.away == 0 && s.direct && object.def.queue.WhenFull != core.Timeout
		s.gaps = variate.NewAhead(&def.interarrival, nil, s.random, def.grouped)
		switch def.kind {
		case core.Closed:
			s.gaps = variate.NewAhead(&def.think, nil, s.random, def.grouped)
			for range def.population {
				if r.exceeds() {
					return
				}
				r.After(s.gaps.Time(), onThink, int32(i))
			}
		case core.Batch:
			r.emitSeveral(int32(i), s, def.count)
			s.exhausted = true
		case core.Poisson, core.Deterministic, core.Renewal, core.Replay:
			s.alarm = r.NewQuickAlarm(onArrival, int32(i))
			r.nextArrival(int32(i))
		}
	}
}

// nextArrival schedules the next arrival of an open source.
func (r *replica) nextArrival(i int32) {
	s := &r.sources[i]
	def := s.def
	if def.count > 0 && s.sent >= def.count {
		s.exhausted = true
		return
	}
	if def.times == nil {
		r.SetAfter(s.alarm, s.gaps.Time())
		return
	}
	at := des.Time(s.rounds)*def.period + def.times[s.turn]
	if s.turn++; s.turn == len(def.times) {
		s.turn = 0
		s.rounds++
	}
	r.Set(s.alarm, max(at, r.Now()))
}

// arrival is an arrival of an open source: a task, or a group.
func (r *replica) arrival(i int32) {
	s := &r.sources[i]
	if s.desk != nil {
		r.atDesk(s, s.desk)
		return
	}
	if !s.simple {
		r.arrivalOther(i, s)
		return
	}
	r.SetAfter(s.alarm, s.gaps.Time()) // at once: on its time depends what the processor has to do next
	task, server := r.emit(i, s, none)
	if server != none {
		r.serve(server, task)
	}
}

// arrivalOther is an arrival of a source that is not simple.
func (r *replica) arrivalOther(i int32, s *sourceState) {
	n := 1
	if s.def.grouped {
		n = s.def.group.Count(s.random)
	}
	if s.def.count > 0 {
		n = min(n, s.def.count-s.sent)
	}
	r.emitSeveral(i, s, n)
	r.nextArrival(i)
	if r.inSystem == 0 {
		r.maybeOver()
	}
}

// thought: a user of a closed source has done thinking and sends a task.
func (r *replica) thought(i int32) {
	s := &r.sources[i]
	if s.def.count > 0 && s.sent >= s.def.count {
		s.exhausted = true
		r.maybeOver()
		return
	}
	if task, server := r.emit(i, s, i); server != none {
		r.serve(server, task)
	}
}

// userReturns: the task of a user of a closed source has left the system.
func (r *replica) userReturns(i int32) {
	s := &r.sources[i]
	r.After(s.gaps.Time(), onThink, i)
}

// emit sends a new task into the network; user is the source whose user waits
// for it, or none. If the task meets a waiting server, emit returns that server, which
// serve lets begin with it when the source has done what it must do first.
func (r *replica) emit(i int32, s *sourceState, user int32) (task, server int32) {
	s.sent++
	r.arrivals++
	if r.freeTask == none {
		r.addTask()
	}
	task, now := r.freeTask, r.Now()
	r.begin(&r.tasks[task], s.class, user, now)
	s.account.arrive(now)
	r.inSystem++
	r.systemCourse.Add(int64(now), float64(r.inSystem))
	if s.def.away > 0 {
		r.append(&s.away, task)
		r.After(s.def.away, onCome, i)
		return task, none
	}
	return task, r.deliver(i, s, task)
}

// came: the first of the tasks on their way has come. That it will be away on its way
// back as well makes no difference to the program: all of it is spent here.
func (r *replica) came(i int32) {
	s := &r.sources[i]
	task := s.away.head
	x := &r.tasks[task]
	s.away.head = x.next
	x.spent[inDelay], x.varied = s.def.away, true
	if server := r.deliver(i, s, task); server != none {
		r.serve(server, task)
	}
}

// deliver is the end of emit: a task comes to the queue.
func (r *replica) deliver(i int32, s *sourceState, task int32) (server int32) {
	x, now := &r.tasks[task], r.Now()
	if !s.direct || s.sending != none {
		r.emitOther(i, s, task)
		return none
	}
	s.object.enter(x, now)
	if s.queue.Add(task) {
		return none
	}
	if server = r.waitingServer(s.queue); server != none {
		r.table.Leave(resource.Thread(server))
	} else {
		r.offer(i, s, task)
	}
	return server
}

// emitSeveral emits tasks of which each may meet a waiting server.
func (r *replica) emitSeveral(i int32, s *sourceState, n int) {
	for range n {
		if r.exceeds() {
			return
		}
		if task, server := r.emit(i, s, none); server != none {
			r.wake(wakeUp{thread: server, outcome: resource.Granted, item: task})
		}
	}
}

// emitOther is the end of emit of a task that starts background work or a thread, or that
// must wait behind others.
func (r *replica) emitOther(i int32, s *sourceState, task int32) {
	if len(r.burdens) > 0 {
		r.arrivalBurdens()
	}
	if s.object.def.starts != none && r.startsThread(task, s.def.to) {
		return
	}
	to := s.object.first
	if s.owners != nil {
		if to = r.drawOwner(s); to == none {
			return
		}
		s.queue = r.copies[to].queue
	}
	r.enqueued(task, s.object, to)
	if s.sending != none {
		r.holdBack(s, task)
		return
	}
	r.offer(i, s, task)
}

// offer sends a task to the source's queue, and lets the source wait if the
// queue is full.
func (r *replica) offer(i int32, s *sourceState, task int32) {
	switch o := s.queue.Put(resource.Thread(s.sender), task, r.rank(task)); o {
	case resource.Granted:
	case resource.Failed:
		r.lostInQueue(task, s.def.to)
	case resource.Blocked:
		s.sending = task
		if queue := &s.object.def.queue; queue.WhenFull == core.Timeout {
			s.full = r.Schedule(max(r.Now(), r.tasks[task].queued+des.Seconds(queue.FullTimeout)), onFull, i)
		}
	default:
		r.fail("source %q %s: queue %q", s.def.id, o, s.object.def.id)
	}
	if pool := s.object.def.starts; pool != none {
		r.feedPool(pool)
	}
}

// holdBack appends a task to those that wait behind the one that waits for
// room in the queue.
func (r *replica) holdBack(s *sourceState, task int32) {
	r.append(&s.held, task)
}

// append appends a task to a list.
func (r *replica) append(l *list, task int32) {
	r.tasks[task].next = none
	if l.head == none {
		l.head = task
	} else {
		r.tasks[l.tail].next = task
	}
	l.tail = task
}

// unhold takes a task out of those held back, and reports whether it was there.
func (r *replica) unhold(s *sourceState, task int32) bool {
	before := none
	for i := s.held.head; i != none; before, i = i, r.tasks[i].next {
		if i != task {
			continue
		}
		if before == none {
			s.held.head = r.tasks[i].next
		} else {
			r.tasks[before].next = r.tasks[i].next
		}
		if s.held.tail == i {
			s.held.tail = before
		}
		return true
	}
	return false
}

// tooLate: the task that the source waits with has found no room in time.
func (r *replica) tooLate(i int32) {
	s, to := &r.sources[i], r.program.sources[i].to
	r.copies[r.objects[to].first].lock.Cancel(resource.Thread(s.sender))
	r.lostInQueue(s.sending, to)
	r.sourceResumed(i)
}

// sourceResumed: the source no longer waits with a task: the queue has taken
// it, or it is lost.
func (r *replica) sourceResumed(i int32) {
	s := &r.sources[i]
	r.Cancel(s.full)
	s.sending = none
	for s.sending == none && s.held.head != none {
		task := s.held.head
		s.held.head = r.tasks[task].next
		r.offer(i, s, task)
	}
}

// maybeOver ends a run whose sources are exhausted and whose tasks are done.
func (r *replica) maybeOver() {
	if !r.program.ending || r.inSystem > 0 || len(r.sources) == 0 || r.hasMain {
		return
	}
	for i := range r.sources {
		if !r.sources[i].exhausted {
			return
		}
	}
	r.finish()
}
