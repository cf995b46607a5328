package resource

import "tierscope/simulation/des"

// starvationThreshold is how long a waiter loses to running goroutines before
// the mutex is handed over instead (Go, internal/sync/mutex.go,
// starvationThresholdNs).
const starvationThreshold = des.Millisecond

// goMutex is Go's sync.Mutex. In normal mode a release wakes the first waiter,
// which competes with goroutines that run; if it loses it queues in front, and
// once it has waited for more than a millisecond it switches the mutex to
// starvation mode: there a release hands the mutex to the first waiter, and
// arrivals queue behind without trying. A waiter that receives the mutex and
// is the last one, or has waited less than a millisecond, ends that mode.
//
// Who finds it held, and not starving, spins for some rounds before it waits, if its core has nothing else to do
// (Spin): meanwhile a release wakes nobody else.
type goMutex struct {
	tab *Table
	Door
	woken Thread // was taken off the queue to compete, not yet on a core
	heir  Thread // owns the mutex by hand-off, not yet on a core: it is starving
}

func newGoMutex(tab *Table) *goMutex {
	return &goMutex{tab: tab, Door: newDoor(), woken: NoThread, heir: NoThread}
}

func (m *goMutex) Call(t Thread, op Op, n int32) Outcome {
	switch op {
	case Enter:
		if m.woken == t {
			m.woken = NoThread
		}
		if m.owner == NoThread && !m.starving {
			m.owner = t
			return Granted
		}
		m.tab.slots[t].since = m.tab.host.Now()
		m.tab.pushBack(&m.wait, t)
		return Blocked
	case Exit:
		if m.owner == NoThread {
			return NotHeld
		}
		m.owner = NoThread
		m.release()
		return Granted
	}
	return Unsupported
}

// Heir returns the thread that a lock has been handed to without its running yet, as only Go's mutex does, or NoThread. The runtime
// lets it run at once, in the place of the one that released the lock.
func Heir(l Lock) Thread {
	if m, ok := l.(*goMutex); ok {
		return m.heir
	}
	return NoThread
}

// Spin lets a thread that finds a lock held spin for a round, in place of waiting, as at Go's mutex, and reports whether it does. If
// others wait it is their competitor meanwhile, so that a release wakes none of them.
func Spin(l Lock, t Thread) bool {
	m, ok := l.(*goMutex)
	if !ok || m.owner == NoThread || m.starving || m.heir != NoThread {
		return false
	}
	if m.woken == NoThread && m.wait.len > 0 {
		m.woken = t
	}
	return true
}

// release wakes the first waiter of the free mutex: to own it in starvation
// mode, to compete for it otherwise, unless a competitor is on its way.
func (m *goMutex) release() {
	if !m.starving && m.woken != NoThread {
		return
	}
	first := m.tab.popFront(&m.wait)
	if first == NoThread {
		m.starving = false
		return
	}
	if m.starving {
		m.heir = first
	} else {
		m.woken = first
	}
	m.tab.wake(first)
}

// Try takes a free mutex, even before waiters, but not from starving ones.
func (m *goMutex) Try(t Thread, op Op, n int32) Outcome {
	if op == Enter && (m.owner != NoThread || m.starving) {
		return Failed
	}
	return m.Call(t, op, n)
}

func (m *goMutex) Retry(t Thread) Outcome {
	starving := m.tab.host.Now()-m.tab.slots[t].since > starvationThreshold
	if m.heir == t {
		m.heir, m.owner = NoThread, t
		if !starving || m.wait.len == 0 {
			m.starving = false
		}
		return Granted
	}
	m.woken = NoThread
	if m.owner == NoThread {
		m.owner = t
		return Granted
	}
	m.starving = starving
	m.tab.pushFront(&m.wait, t)
	return Blocked
}

// Cancel takes t out; sync.Mutex itself has no timeout. A wake-up or an
// ownership that t has not used yet goes to the next waiter.
func (m *goMutex) Cancel(t Thread) Outcome {
	switch {
	case m.tab.remove(&m.wait, t):
		if m.wait.len == 0 && m.heir == NoThread {
			m.starving = false
		}
	case m.heir == t:
		m.heir = NoThread
		m.release()
	case m.woken == t:
		m.woken = NoThread
		if m.owner == NoThread {
			m.release()
		}
	}
	return Failed
}

func (m *goMutex) Waiting() int { return m.wait.len + held(m.woken) + held(m.heir) }
func (m *goMutex) Held() int    { return held(m.owner) + held(m.heir) }

func (m *goMutex) Holders(yield func(Thread) bool) {
	if m.heir != NoThread {
		yield(m.heir)
		return
	}
	holder(m.owner, yield)
}
