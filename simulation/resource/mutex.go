package resource

import "tierscope/core"

// mutex is a fair mutual exclusion lock: whoever has waited longest owns the
// lock from the moment of its release, before it runs (hand-off), as
// java.util.concurrent's fair ReentrantLock and ticket locks. The thread that
// releases it need not be the one that entered, as in Go.
type mutex struct {
	tab *Table
	Door
}

func mutexOf(tab *Table, l core.Lock, _ Lock) Lock {
	switch l.Fairness {
	case core.Fair, "":
		return newMutex(tab)
	case core.Barging:
		return newBargingMutex(tab)
	case core.GoMutex:
		return newGoMutex(tab)
	}
	return nil
}

func newMutex(tab *Table) *mutex { return &mutex{tab: tab, Door: newDoor()} }

func (m *mutex) Call(t Thread, op Op, n int32) Outcome {
	switch op {
	case Enter:
		if m.owner == NoThread {
			m.owner = t
			return Granted
		}
		m.tab.pushBack(&m.wait, t)
		return Blocked
	case Exit:
		if m.owner == NoThread {
			return NotHeld
		}
		m.owner = m.tab.popFront(&m.wait)
		if m.owner != NoThread {
			m.tab.grant(m.owner)
		}
		return Granted
	}
	return Unsupported
}

func (m *mutex) Try(t Thread, op Op, n int32) Outcome {
	if op == Enter && m.owner != NoThread {
		return Failed
	}
	return m.Call(t, op, n)
}

// Retry panics: a fair mutex never wakes a thread to compete.
func (m *mutex) Retry(Thread) Outcome { panic("resource: retry on a fair mutex") }

func (m *mutex) Cancel(t Thread) Outcome {
	m.tab.remove(&m.wait, t)
	return Failed
}

func (m *mutex) Waiting() int                    { return m.wait.len }
func (m *mutex) Held() int                       { return held(m.owner) }
func (m *mutex) Holders(yield func(Thread) bool) { holder(m.owner, yield) }

// held counts an owner.
func held(owner Thread) int {
	if owner == NoThread {
		return 0
	}
	return 1
}

// holder yields an owner.
func holder(owner Thread, yield func(Thread) bool) {
	if owner != NoThread {
		yield(owner)
	}
}
