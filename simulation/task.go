package simulation

import (
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
)

// task is a unit of work that flows through the queueing network.
type task struct {
	class   int32
	source  int32 // whose user waits for it, or none
	root    int32 // the task that it stems from, itself if none
	family  int32 // of a root: its tasks in the system
	copies  int32 // of a root: 1 + its first instance of a lock or queue
	next    int32 // in a source's list of tasks held back; free tasks
	queue   int32 // instance of the queue that it waits in, or none
	number  int64 // of all tasks
	gone    bool  // a root that has left before its children
	created des.Time
	queued  des.Time
	timer   des.Timer // of its patience
	spent   [states]des.Time
}

// newTask creates a task, the child of another or none.
func (r *replica) newTask(class, source, parent int32) int32 {
	i := r.freeTask
	if i != none {
		r.freeTask = r.tasks[i].next
	} else {
		i = int32(len(r.tasks))
		r.tasks = append(r.tasks, task{})
	}
	x := &r.tasks[i]
	x.class, x.source, x.root, x.family, x.next, x.queue = class, source, i, 1, none, none
	x.created, x.number, x.gone, x.copies, x.timer = r.Now(), r.allCreated, false, 0, des.Timer{}
	x.spent = [states]des.Time{}
	r.allCreated++
	if parent != none {
		x.root = r.tasks[parent].root
		r.tasks[x.root].family++
	}
	r.inSystem++
	now := r.Now()
	c := &r.classAccounts[class]
	c.arrived++
	c.present.add(now, 1)
	r.systemCourse.Add(int64(now), float64(r.inSystem))
	return i
}

// enqueued accounts for a task that was sent to a queue.
func (r *replica) enqueued(i, object, copy int32) {
	x, o := &r.tasks[i], &r.objects[object]
	x.queued, x.queue = r.Now(), copy
	o.offered++
	o.waiting.add(r.Now(), 1)
	if def := &r.program.objects[object]; def.impatient {
		x.timer = r.After(r.draw(&def.patience, def.stream), onPatience, i)
	}
}

// leftQueue accounts for a task that was taken from a queue.
func (r *replica) leftQueue(i, object int32) {
	x, o := &r.tasks[i], &r.objects[object]
	now := r.Now()
	wait := now - x.queued
	o.waiting.add(now, -1)
	o.visits++
	o.waited += float64(wait)
	x.spent[inQueue] += wait
	x.queue = none
	if r.program.objects[object].impatient {
		r.Cancel(x.timer)
	}
}

// lostInQueue takes a task out of the system that found a queue full or has
// waited in it for too long.
func (r *replica) lostInQueue(i, object int32) {
	x, o := &r.tasks[i], &r.objects[object]
	o.waiting.add(r.Now(), -1)
	o.lost++
	r.Cancel(x.timer)
	r.classAccounts[x.class].lost++
	r.remove(i)
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
	i := th.task
	if i == none {
		return
	}
	th.task = none
	r.complete(i)
}

// complete accounts for a task that has reached its end.
func (r *replica) complete(i int32) {
	x := &r.tasks[i]
	now := r.Now()
	response := now - x.created
	r.allCompleted++
	r.completions++
	c := &r.classAccounts[x.class]
	c.completed++
	seconds := response.Seconds()
	c.sketch.Add(seconds)
	c.course.Add(int64(now), seconds)
	for s := range c.spent {
		c.spent[s] += x.spent[s]
	}
	r.remove(i)
}

// remove takes a task out of the system.
func (r *replica) remove(i int32) {
	x := &r.tasks[i]
	now := r.Now()
	r.inSystem--
	r.classAccounts[x.class].present.add(now, -1)
	r.systemCourse.Add(int64(now), float64(r.inSystem))
	if x.source != none {
		r.userReturns(x.source)
	}
	root := x.root
	family := &r.tasks[root]
	family.family--
	if root == i && family.family > 0 {
		family.gone = true // its number is needed until its children have left
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
	if r.inSystem == 0 {
		r.maybeOver()
	}
}

func (r *replica) release(i int32) {
	r.tasks[i].next = r.freeTask
	r.freeTask = i
}
