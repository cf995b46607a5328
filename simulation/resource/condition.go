package resource

// condition is a condition variable of another lock: Go's sync.Cond, a pthread
// condition, java.util.concurrent's Condition. A wait releases the lock and
// sleeps until it is notified, then acquires the lock again; the first notified
// is the one that has waited longest (Go's ticket list, sync.Cond.Signal).
//
// A notified thread wakes up at once and competes for the lock like any other
// (Go; glibc ≥ 2.25 does not requeue either), except that a monitor takes it
// into its queue asleep, as the JDK does.
type condition struct {
	tab    *Table
	lock   Lock
	wait   list
	phases []conditionPhase // by thread
}

// conditionPhase is how far the wait of a thread has come.
type conditionPhase struct {
	stage  waitStage
	levels int32 // of a reentrant lock, to be entered again
}

type waitStage uint8

const (
	sleeping waitStage = iota
	waking             // notified or timed out, must acquire the lock
	entering           // has asked for the lock
)

func newCondition(tab *Table, lock Lock) *condition {
	return &condition{tab: tab, lock: lock, wait: newList()}
}

func (c *condition) Call(t Thread, op Op, n int32) Outcome {
	switch op {
	case Wait:
		levels := int32(1)
		if m, ok := c.lock.(*monitor); ok {
			levels = m.levels(t)
		}
		if levels == 0 {
			return NotHeld
		}
		if o := c.lock.Call(t, Exit, levels); o != Granted {
			return o
		}
		for int(t) >= len(c.phases) {
			c.phases = append(c.phases, conditionPhase{})
		}
		c.phases[t] = conditionPhase{stage: sleeping, levels: levels}
		c.tab.pushBack(&c.wait, t)
		return Blocked
	case Notify:
		for n = atLeastOne(n); n > 0 && c.wait.len > 0; n-- {
			c.notify(c.tab.popFront(&c.wait))
		}
		return Granted
	case NotifyAll:
		for c.wait.len > 0 {
			c.notify(c.tab.popFront(&c.wait))
		}
		return Granted
	}
	return Unsupported
}

// notify lets t, just taken off the list, go for the lock.
func (c *condition) notify(t Thread) {
	p := &c.phases[t]
	m, ok := c.lock.(*monitor)
	if !ok {
		p.stage = waking
		c.tab.wake(t)
		return
	}
	p.stage = entering
	if m.Call(t, Enter, p.levels) == Granted {
		c.tab.grant(t)
	}
}

// Try answers Failed to a wait: one of no time is not notified.
func (c *condition) Try(t Thread, op Op, n int32) Outcome {
	if op == Wait {
		return Failed
	}
	return c.Call(t, op, n)
}

func (c *condition) Retry(t Thread) Outcome {
	p := &c.phases[t]
	if p.stage == waking {
		p.stage = entering
		return c.lock.Call(t, Enter, p.levels)
	}
	return c.lock.Retry(t)
}

func (c *condition) Cancel(t Thread) Outcome {
	if !c.tab.remove(&c.wait, t) {
		return Blocked
	}
	c.phases[t].stage = waking
	return Retry
}

func (c *condition) Waiting() int              { return c.wait.len }
func (c *condition) Held() int                 { return 0 }
func (c *condition) Holders(func(Thread) bool) {}
