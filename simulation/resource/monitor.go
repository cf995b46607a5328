package resource

import "tierscope/core"

// monitor is a reentrant mutual exclusion lock with one wait set: Java's
// synchronized, wait, notify and notifyAll, and ReentrantLock. Its gate says
// who gets it when it is free: a fair or a barging mutex.
//
// A notified thread is moved from the wait set to the end of the gate's queue
// without waking it (HotSpot ObjectMonitor::INotify, AQS
// Condition.signal): it wakes when the monitor is its to have. A wait that times
// out wakes first and then enters like any other thread.
type monitor struct {
	tab    *Table
	gate   gate
	depth  int32 // entries of the owner
	waits  list
	leaver []bool // by thread: its wait has timed out, it has not tried to enter yet
}

// gate is a mutex inside another lock.
type gate interface {
	Lock
	holder() Thread
}

func (m *mutex) holder() Thread        { return m.owner }
func (m *bargingMutex) holder() Thread { return m.owner }

func monitorOf(tab *Table, l core.Lock, _ Lock) Lock {
	switch l.Fairness {
	case core.Fair, "":
		return newMonitor(tab, newMutex(tab))
	case core.Barging:
		return newMonitor(tab, newBargingMutex(tab))
	case core.GoMutex:
	}
	return nil
}

func newMonitor(tab *Table, g gate) *monitor {
	return &monitor{tab: tab, gate: g, waits: newList()}
}

// Call enters n levels at once, or leaves n levels.
func (m *monitor) Call(t Thread, op Op, n int32) Outcome {
	mine := m.gate.holder() == t
	s := &m.tab.slots[t]
	switch op {
	case Enter:
		if mine {
			m.depth += atLeastOne(n)
			return Granted
		}
		s.op, s.n = Enter, atLeastOne(n)
		return m.entered(m.gate.Call(t, Enter, 1))
	case Exit:
		n = atLeastOne(n)
		if !mine || m.depth < n {
			return NotHeld
		}
		if m.depth -= n; m.depth == 0 {
			m.exit(t)
		}
		return Granted
	case Wait:
		if !mine {
			return NotHeld
		}
		s.op, s.n = Wait, m.depth
		m.exit(t)
		m.tab.pushBack(&m.waits, t)
		return Blocked
	case Notify, NotifyAll:
		if !mine {
			return NotHeld
		}
		n = atLeastOne(n)
		if op == NotifyAll {
			n = int32(m.waits.len)
		}
		for ; n > 0 && m.waits.len > 0; n-- {
			m.gate.Call(m.tab.popFront(&m.waits), Enter, 1) // t holds it: it queues
		}
		return Granted
	}
	return Unsupported
}

// exit releases the gate; a new owner by hand-off has its own depth.
func (m *monitor) exit(t Thread) {
	m.gate.Call(t, Exit, 1)
	if heir := m.gate.holder(); heir != NoThread {
		m.depth = m.tab.slots[heir].n
	}
}

// entered sets the depth if the gate was granted to the owner.
func (m *monitor) entered(o Outcome) Outcome {
	if o == Granted {
		m.depth = m.tab.slots[m.gate.holder()].n
	}
	return o
}

func (m *monitor) Try(t Thread, op Op, n int32) Outcome {
	if op == Enter && m.gate.holder() != t && m.gate.holder() != NoThread {
		return Failed
	}
	if op == Wait && m.gate.holder() == t {
		return Failed // a wait of no time: nobody can notify meanwhile
	}
	return m.Call(t, op, n)
}

func (m *monitor) Retry(t Thread) Outcome {
	if int(t) < len(m.leaver) && m.leaver[t] {
		m.leaver[t] = false
		return m.entered(m.gate.Call(t, Enter, 1))
	}
	return m.entered(m.gate.Retry(t))
}

func (m *monitor) Cancel(t Thread) Outcome {
	if m.tab.remove(&m.waits, t) {
		for int(t) >= len(m.leaver) {
			m.leaver = append(m.leaver, false)
		}
		m.leaver[t] = true
		return Retry
	}
	if m.tab.slots[t].op == Wait {
		return Blocked // notified, or has timed out already
	}
	return m.gate.Cancel(t)
}

// levels is how often t has entered, to restore after a wait elsewhere.
func (m *monitor) levels(t Thread) int32 {
	if m.gate.holder() != t {
		return 0
	}
	return m.depth
}

// Waiting counts the threads that want to enter, not those in the wait set.
func (m *monitor) Waiting() int                    { return m.gate.Waiting() }
func (m *monitor) Held() int                       { return m.gate.Held() }
func (m *monitor) Holders(yield func(Thread) bool) { m.gate.Holders(yield) }

// InWaitSet is the number of threads that wait to be notified.
func (m *monitor) InWaitSet() int { return m.waits.len }
