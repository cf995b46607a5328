package resource

// bargingMutex is a mutual exclusion lock that a running thread may take
// before the waiters, by the rule of the JDK's AbstractQueuedSynchronizer
// (AQS, ReentrantLock.NonfairSync): a release frees the lock and wakes the
// first waiter, which stays first in the queue and competes when it runs; if
// somebody else was faster it sleeps again, still first.
//
// Linux futex mutexes (glibc's default pthread mutex) differ in one point: a
// woken waiter that loses goes to the tail. Throughput is the same.
type bargingMutex struct {
	tab *Table
	Door
	woken Thread // the first waiter, on its way to a core
}

func newBargingMutex(tab *Table) *bargingMutex {
	return &bargingMutex{tab: tab, Door: newDoor(), woken: NoThread}
}

func (m *bargingMutex) Call(t Thread, op Op, n int32) Outcome {
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
		m.owner = NoThread
		m.wakeFirst()
		return Granted
	}
	return Unsupported
}

// wakeFirst wakes the first waiter, unless it is awake already.
func (m *bargingMutex) wakeFirst() {
	if first := m.wait.head; first != m.woken && first != NoThread {
		m.woken = first
		m.tab.wake(first)
	}
}

func (m *bargingMutex) Try(t Thread, op Op, n int32) Outcome {
	if op == Enter && m.owner != NoThread {
		return Failed
	}
	return m.Call(t, op, n)
}

func (m *bargingMutex) Retry(t Thread) Outcome {
	m.woken = NoThread
	if m.owner != NoThread {
		return Blocked
	}
	m.tab.remove(&m.wait, t)
	m.owner = t
	return Granted
}

// Cancel passes a wake-up on that t has received and not used.
func (m *bargingMutex) Cancel(t Thread) Outcome {
	m.tab.remove(&m.wait, t)
	if m.woken == t {
		m.woken = NoThread
		if m.owner == NoThread {
			m.wakeFirst()
		}
	}
	return Failed
}

func (m *bargingMutex) Waiting() int                    { return m.wait.len }
func (m *bargingMutex) Held() int                       { return held(m.owner) }
func (m *bargingMutex) Holders(yield func(Thread) bool) { holder(m.owner, yield) }
