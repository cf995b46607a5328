package simulation

import (
	"tierscope/core"
	"tierscope/simulation/resource"
)

// objectState is a lock or task queue at run time: its accounts, and where its
// instances are.
type objectState struct {
	def       *objectDef
	first     int32   // instance, of one that is not scoped
	free      int32   // 1 + first free instance of a scoped one
	held      level   // threads holding it, items in it
	waiting   level   // threads or tasks waiting for it
	visits    int64   // of a lock: operations that may wait; of a queue: tasks that left it
	taken     int64   // of a lock: visits that got hold of it
	waited    float64 // of a queue, ns: for how long those tasks were in it
	offered   int64   // tasks sent to it
	lost      int64
	closes    int64 // by threads all of which close it
	closedBy  int32 // 1 + pool of which one thread closes it
	impatient bool  // a task may leave the queue
}

// instance is one copy of a lock or queue.
type instance struct {
	lock    resource.Lock
	queue   *resource.Queue // the same, for queues and channels
	object  int32
	held    int32 // as accounted
	waiting int32
	next    int32         // 1 + next instance of the same owner, or free one
	users   int32         // threads that have it from a call
	monitor int32         // instance that a condition variable releases, or none
	on      resource.Lock // of a condition variable of one of several locks: that one
	loans   []loan
}

func (r *replica) makeObjects() {
	r.objects = make([]objectState, len(r.program.objects))
	for pass := range 2 { // condition variables need their locks first
		for i := range r.program.objects {
			def := &r.program.objects[i]
			r.objects[i].def, r.objects[i].impatient = def, def.impatient
			if conditional := def.monitor != none; conditional != (pass == 1) || scoped(def.scope) || r.program.followsMonitor(def) {
				continue
			}
			r.objects[i].first = int32(len(r.copies))
			for range def.stripes {
				r.newInstance(int32(i))
			}
		}
	}
}

// followsMonitor reports whether a condition variable is that of whichever copy of its lock a thread has: there are several.
func (p *program) followsMonitor(def *objectDef) bool {
	return def.monitor != none && (scoped(p.objects[def.monitor].scope) || p.objects[def.monitor].stripes != 1)
}

// conditionOn returns the copy of a condition variable that belongs to a copy of its lock.
func (r *replica) conditionOn(object, monitor int32) int32 {
	key := [2]int32{object, monitor}
	i, known := r.conditions[key]
	if !known {
		if r.conditions == nil {
			r.conditions = map[[2]int32]int32{}
		}
		r.exceeds()
		i = int32(len(r.copies))
		r.copies = append(r.copies, instance{object: object, monitor: monitor})
		r.conditions[key] = i
	}
	if x, on := &r.copies[i], r.copies[monitor].lock; x.on != on { // the lock was made anew
		x.on = on
		r.makeLock(x, on)
	}
	return i
}

func scoped(s core.Scope) bool { return s == core.PerTask || s == core.PerThread || s == core.PerCall }

// newInstance makes a copy of an object.
func (r *replica) newInstance(object int32) int32 {
	r.exceeds()
	r.copies = append(r.copies, instance{object: object, monitor: none})
	i := int32(len(r.copies) - 1)
	r.renew(i)
	return i
}

// renew gives an instance the state of a new one.
func (r *replica) renew(i int32) {
	x := &r.copies[i]
	def := &r.program.objects[x.object]
	x.loans = x.loans[:0]
	if def.isQueue {
		x.queue = resource.NewQueue(r.table, resource.QueueConfig{
			Capacity: def.queue.Capacity, Discipline: def.queue.Discipline, Ranks: r.ranks,
			Drop: def.queue.WhenFull == core.Drop, Tracked: def.impatient,
		})
		x.lock = x.queue
	} else {
		var on resource.Lock
		if def.monitor != none {
			x.monitor = r.objects[def.monitor].first
			on = r.copies[x.monitor].lock
		}
		r.makeLock(x, on)
	}
}

// makeLock gives an instance its lock; on: that of a condition variable.
func (r *replica) makeLock(x *instance, on resource.Lock) {
	l, err := resource.New(r.table, r.program.objects[x.object].lock, on)
	if err != nil {
		r.fail("%v", err)
		l = resource.NewQueue(r.table, resource.QueueConfig{})
	}
	x.lock = l
	x.queue, _ = l.(*resource.Queue)
}

// instanceOf returns the copy of an object that thread t uses: the only one,
// the one it holds or a random stripe, or its own or its task's; of a call, the one
// after which so many others were made.
func (r *replica) instanceOf(th *thread, object, stream int32, acquires bool, earlier int) int32 {
	def := &r.program.objects[object]
	if th.moves != nil {
		if i := r.scriptInstance(th, object); i != none {
			return i
		}
	}
	switch {
	case r.program.followsMonitor(def):
		return r.conditionOn(object, r.instanceOf(th, def.monitor, stream, false, earlier))
	case def.scope == core.PerCall:
		return r.callInstance(th, object, earlier)
	case scoped(def.scope):
		return r.scopedInstance(th, object)
	case def.stripes == 1:
		return r.objects[object].first
	case !acquires:
		for i := len(th.held) - 1; i >= 0; i-- {
			if th.held[i].object == object {
				return th.held[i].copy
			}
		}
	}
	return r.objects[object].first + def.choose.Draw(&r.random[def.stream])
}

// scopedInstance finds or makes the copy that belongs to the thread, or to the
// task that it works on; a child shares the copies of the task that it stems
// from, such as the channel for its reply.
func (r *replica) scopedInstance(th *thread, object int32) int32 {
	owner := &th.copies
	if r.program.objects[object].scope == core.PerTask && th.task != none {
		root := &r.tasks[r.tasks[th.task].root]
		root.shared = true
		owner = &root.copies
	}
	for i := *owner; i != 0; i = r.copies[i-1].next {
		if r.copies[i-1].object == object {
			return i - 1
		}
	}
	i := r.freshInstance(object)
	r.copies[i].next = *owner
	*owner = i + 1
	return i
}

// freshInstance returns a copy of an object that is nobody's and as new.
func (r *replica) freshInstance(object int32) int32 {
	o := &r.objects[object]
	i := o.free - 1
	if i < 0 {
		return r.newInstance(object)
	}
	o.free = r.copies[i].next
	if !r.reusable(&r.copies[i]) {
		r.renew(i)
	}
	return i
}

// dropCopies frees the instances of a thread or task that has ended.
func (r *replica) dropCopies(owner *int32) {
	for i := *owner; i != 0; {
		next := r.copies[i-1].next
		r.freeInstance(i - 1)
		i = next
	}
	*owner = 0
}

// freeInstance gives back a copy whose owner is gone.
func (r *replica) freeInstance(i int32) {
	x := &r.copies[i]
	x.next = r.objects[x.object].free
	r.objects[x.object].free = i + 1
	delete(r.followed.early, i)
}

// reusable reports whether an instance is as new.
func (r *replica) reusable(x *instance) bool {
	if x.lock.Held() != 0 || x.lock.Waiting() != 0 {
		return false
	}
	if x.queue != nil {
		return !x.queue.Closed() && x.queue.Len() == 0
	}
	return r.program.objects[x.object].plain
}

// account updates the accounts of an instance after an operation on it.
func (r *replica) account(i int32) {
	x := &r.copies[i]
	o := &r.objects[x.object]
	if held := int32(x.lock.Held()); held != x.held {
		o.held.add(r.Now(), int(held-x.held))
		x.held = held
	}
	if waiting := int32(x.lock.Waiting()); waiting != x.waiting {
		o.waiting.add(r.Now(), int(waiting-x.waiting))
		x.waiting = waiting
	}
	if x.monitor != none {
		r.account(x.monitor)
	}
}
