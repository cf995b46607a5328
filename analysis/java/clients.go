package java

import (
	"cmp"
	"slices"
)

// Clients that share an executor wait for the results of their own tasks, while those of others are left. Where they seldom
// meet, hardly any task is left when one has its results, and it looks as if each waited for all.

// sentTask is a task of an executor.
type sentTask struct {
	answers    int       // results that it told and others waited for
	sent, told int64     // ns: submitted; told its last result, or was over without one; 0: not seen
	by         int64     // thread that submitted it
	inside     *sentTask // the task that did, of any executor; nil: none
	several    bool      // that have the same identity
}

// task returns what is known of a task by its identity.
func (e *executorUse) task(identity uint64) *sentTask {
	if e.tasks == nil {
		e.tasks = map[uint64]*sentTask{}
	}
	if e.tasks[identity] == nil {
		e.tasks[identity] = &sentTask{}
	}
	return e.tasks[identity]
}

func (t *sentTask) isSent(at, thread int64, inside *sentTask) {
	t.several = t.several || t.sent > 0
	t.sent, t.by, t.inside = at, thread, inside
}

// isOver ends a task; one that has told results was done with the last of them.
func (t *sentTask) isOver(at int64) { t.told = cmp.Or(t.told, at) }

// who returns the thread for which a task is done, which began what led to it; 0: nobody knows.
func (t *sentTask) who() (by int64) {
	var chain []*sentTask
	for !t.several && t.inside != nil {
		chain = append(chain, t)
		t.inside, t = nil, t.inside // each is followed once, also round a circle
	}
	if !t.several {
		by = t.by
	}
	for _, c := range chain {
		c.by = by
	}
	return by
}

// taskTimes are times, ns, in ascending order, at which tasks were sent and had told their results.
type taskTimes struct{ sent, told []int64 }

func (t *taskTimes) left(at int64) int { return before(t.sent, at) - before(t.told, at) }

// before returns how many times are not after one.
func before(times []int64, at int64) int {
	n, _ := slices.BinarySearchFunc(times, at, func(t, at int64) int { return cmp.Or(cmp.Compare(t, at), -1) })
	return n
}

// tasksOf are the times of the tasks of each thread, and of all, of which it is known for whom they are done.
type tasksOf struct {
	all    taskTimes
	thread map[int64]*taskTimes
}

func (e *executorUse) byThread() *tasksOf {
	of := &tasksOf{thread: map[int64]*taskTimes{}}
	for _, t := range e.tasks {
		who := t.who()
		if who == 0 || t.sent == 0 || t.told < t.sent {
			continue
		}
		if of.thread[who] == nil {
			of.thread[who] = &taskTimes{}
		}
		for _, times := range []*taskTimes{&of.all, of.thread[who]} {
			times.sent, times.told = append(times.sent, t.sent), append(times.told, t.told)
		}
	}
	of.all.sort()
	for _, t := range of.thread {
		t.sort()
	}
	return of
}

func (t *taskTimes) sort() {
	slices.Sort(t.sent)
	slices.Sort(t.told)
}

// others returns how many tasks for other threads were left when a thread had what it waited for.
func (of *tasksOf) others(run waitRun) int {
	left := of.all.left(run.end)
	if own := of.thread[run.thread]; own != nil {
		return left - own.left(run.end)
	}
	return 0 // it waits for what others submitted
}
