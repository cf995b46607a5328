package simulation

import (
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
)

// task is a unit of work that flows through the queueing network. A free one
// is the root of itself alone, owns nothing and waits nowhere.
type task struct {
	spent   breakdown
	created des.Time
	queued  des.Time
	class   int32
	source  int32     // whose user waits for it, or none
	next    int32     // in a source's list of tasks held back; free tasks
	shared  bool      // not alone: it has children, stems from another, or owns a lock or queue
	gone    bool      // a root that has left before its children
	varied  bool      // has been in other states than most tasks
	root    int32     // the task that it stems from, itself if none
	family  int32     // of a root: its tasks in the system
	copies  int32     // of a root: 1 + its first instance of a lock or queue
	queue   int32     // instance of the queue that it waits in and may leave, or none
	number  int64     // of all tasks
	timer   des.Timer // of its patience
	token   int64     // what it was in the recording, 0: nothing
}

// breakdown is how long a task has been in each state.
type breakdown [states]des.Time

// addCommon and addOther add the states that most tasks are in, and the others.
func (b *breakdown) addCommon(o *breakdown) {
	b[inQueue] += o[inQueue]
	b[inReady] += o[inReady]
	b[inCPU] += o[inCPU]
}

func (b *breakdown) addOther(o *breakdown) {
	b[inLock] += o[inLock]
	b[inDiskWait] += o[inDiskWait]
	b[inDiskService] += o[inDiskService]
	b[inDelay] += o[inDelay]
	b[inOther] += o[inOther]
}

// newTask creates a task, the child of another or none.
func (r *replica) newTask(class, source, parent int32) int32 {
	if r.freeTask == none {
		r.addTask()
	}
	i, now := r.freeTask, r.Now()
	x := &r.tasks[i]
	r.begin(x, class, source, now)
	r.classAccounts[class].arrive(now)
	r.inSystem++
	r.systemCourse.Add(int64(now), float64(r.inSystem))
	if parent != none {
		r.adopt(x, &r.tasks[parent])
	}
	return i
}

// begin makes x, the first free task, one that is created now.
func (r *replica) begin(x *task, class, source int32, now des.Time) {
	r.freeTask = x.next
	x.class, x.source, x.created, x.number = class, source, now, r.allCreated
	x.spent, x.varied, x.token = breakdown{}, false, 0
	r.allCreated++
}

// arrive accounts for a new task.
func (c *classAccount) arrive(now des.Time) {
	c.arrived++
	c.present.rise(now)
}

// addTask makes a free task.
func (r *replica) addTask() {
	r.freeTask = int32(len(r.tasks))
	r.tasks = append(r.tasks, task{})
	r.tasks[r.freeTask].alone(r.freeTask, none)
}

// alone makes x, number i, a free task.
func (x *task) alone(i, next int32) {
	x.next, x.root, x.family, x.copies, x.queue, x.shared, x.gone = next, i, 1, 0, none, false, false
}

// adopt makes x a child.
func (r *replica) adopt(x, parent *task) {
	x.root = parent.root
	root := &r.tasks[x.root]
	root.family++
	x.shared, root.shared = true, true
}

// enqueued accounts for a task that was sent to an instance of a queue.
func (r *replica) enqueued(i int32, o *objectState, copy int32) {
	o.enter(&r.tasks[i], r.Now())
	if o.impatient {
		r.startPatience(i, o.def, copy)
	}
}

// enter and leave are the accounts of the tasks in a queue.
func (o *objectState) enter(x *task, now des.Time) {
	x.queued = now
	o.offered++
	o.waiting.rise(now)
}

func (o *objectState) leave(x *task, now des.Time) {
	wait := now - x.queued
	o.waiting.fall(now)
	o.visits++
	o.waited += float64(wait)
	x.spent[inQueue] += wait
}

// startPatience lets a task leave the queue when its patience ends.
func (r *replica) startPatience(i int32, def *objectDef, copy int32) {
	x := &r.tasks[i]
	x.queue = copy
	x.timer = r.After(r.draw(&def.patience, def.stream), onPatience, i)
}

// leftQueue accounts for a task that was taken from a queue.
func (r *replica) leftQueue(i int32, o *objectState) {
	o.leave(&r.tasks[i], r.Now())
	if o.impatient {
		r.endPatience(i)
	}
}

// endPatience: the task has left the queue before its patience ended.
func (r *replica) endPatience(i int32) {
	x := &r.tasks[i]
	x.queue = none
	r.Cancel(x.timer)
}

// lostInQueue takes a task out of the system that found a queue full or has
// waited in it for too long.
func (r *replica) lostInQueue(i, object int32) {
	r.turnedAway(i, object)
	r.remove(i, true)
}

// refused gives a task that found a queue full back to the thread that was to send it.
func (r *replica) refused(th *thread, i, object int32) {
	r.turnedAway(i, object)
	th.task = i
}

// turnedAway accounts for a task that leaves a queue, or the place where it waits for room in it, and was not taken.
func (r *replica) turnedAway(i, object int32) {
	x, o := &r.tasks[i], &r.objects[object]
	if r.Now() > x.queued {
		o.leave(x, r.Now())
	} else { // it has never been in the queue
		o.waiting.fall(r.Now())
	}
	o.lost++
	r.endPatience(i)
}

// impatient lets a task whose patience has ended leave its queue, or the place
// where it waits for room in it.
func (r *replica) impatient(i int32) {
	copy := r.tasks[i].queue
	if copy == none {
		return
	}
	q := r.copies[copy]
	if q.queue.Remove(i) {
		r.lostInQueue(i, q.object)
		r.feedPool(r.program.objects[q.object].starts)
		return
	}
	for s := range r.sources {
		x := &r.sources[s]
		if x.sending == i {
			q.lock.Cancel(resource.Thread(x.sender))
			r.lostInQueue(i, q.object)
			r.sourceResumed(int32(s))
			return
		}
		if r.unhold(x, i) {
			r.lostInQueue(i, q.object)
			return
		}
	}
	for t, th := range r.threads { // one that waits for room
		if th.sending == i {
			q.lock.Cancel(resource.Thread(t))
			r.Resume(resource.Thread(t), resource.Failed, resource.NoItem)
			return
		}
	}
}

// taskDone completes the task that a thread holds.
func (r *replica) taskDone(th *thread) {
	if i := th.task; i != none {
		th.task = none
		r.complete(i)
	}
}

// complete accounts for a task that has reached its end.
func (r *replica) complete(i int32) { r.remove(i, false) }

// remove takes a task out of the system, completed or lost.
func (r *replica) remove(i int32, lost bool) {
	x, now := &r.tasks[i], r.Now()
	c := &r.classAccounts[x.class]
	if lost {
		c.lost++
	} else {
		seconds := (now - x.created).Seconds()
		if !c.sketch.Note(seconds) {
			c.sketch.Add(seconds)
		}
		c.completed++
		c.course.Add(int64(now), seconds)
		c.spent.addCommon(&x.spent)
		if x.varied {
			c.spent.addOther(&x.spent)
		}
	}
	c.present.fall(now)
	r.inSystem--
	r.systemCourse.Add(int64(now), float64(r.inSystem))
	if x.shared || x.source != none || r.inSystem == 0 && r.program.ending {
		r.removed(i)
		return
	}
	x.next = r.freeTask
	r.freeTask = i
}

// removed is the end of remove for a task that others wait for, or may have
// waited for.
func (r *replica) removed(i int32) {
	x := &r.tasks[i]
	source := x.source
	if x.shared {
		r.leaveFamily(i)
	} else {
		x.next = r.freeTask
		r.freeTask = i
	}
	if source != none {
		r.userReturns(source)
	}
	if r.inSystem == 0 && r.program.ending {
		r.maybeOver()
	}
}

// leaveFamily removes a task that has children, or stems from another. The
// number of a root is needed until its children have left.
func (r *replica) leaveFamily(i int32) {
	root := r.tasks[i].root
	family := &r.tasks[root]
	family.family--
	if root == i && family.family > 0 {
		family.gone = true
		return
	}
	if root != i {
		r.release(i)
	}
	if family.family == 0 && (root == i || family.gone) {
		if family.copies != 0 {
			r.dropCopies(&family.copies)
		}
		r.release(root)
	}
}

func (r *replica) release(i int32) {
	r.tasks[i].alone(i, r.freeTask)
	r.freeTask = i
}
