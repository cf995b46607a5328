package processor

import "tierscope/simulation/des"

func (m *machine) Submit(t int32, work des.Time, waker int32) {
	x := &m.threads[t]
	x.work, x.used, x.woken = work, 0, true
	if c := m.policy.choose(t, waker); c != None {
		latency := des.Time(0)
		if m.costly {
			if waker != None && waker != c {
				m.cores[waker].owed += m.waker.Time(&m.costs)
			}
			latency = m.far.Time(&m.costs)
		}
		m.start(c, t, latency)
		return
	}
	m.wait(1)
	if c := m.policy.enqueue(t, waker); c != None {
		if u := &m.cores[c]; !u.open {
			m.Stop(u.alarm)
		}
		m.expire(c)
	}
}

// start puts t on the free core c, where it runs after the given latency.
func (m *machine) start(c, t int32, latency des.Time) {
	u, x := &m.cores[c], &m.threads[t]
	now := m.Now()
	if u.thread == None {
		m.idle.remove(c)
		m.retime(m.running + 1)
	}
	if u.last != t {
		if u.last != None {
			x.work += m.switchCost
		}
		m.switches++
	}
	x.work += u.owed
	u.owed, u.thread, u.last, u.open = 0, t, t, false
	u.begin, u.picked = now+latency, now+latency
	x.last, x.woken = c, false
	m.policy.started(c, t)
	m.program(c)
}

// program schedules the next event of core c: the end of the burst or, if
// somebody waits for the place, of the slice.
func (m *machine) program(c int32) {
	u := &m.cores[c]
	u.finish = u.begin + m.duration(c, m.threads[u.thread].work)
	if m.paused {
		return
	}
	at := u.finish
	u.armed = false
	if m.waiting > 0 {
		slice := m.policy.sliceEnd(c)
		u.armed = slice != des.Never
		if slice < at {
			at = max(slice, m.Now())
		}
	}
	m.Set(u.alarm, at)
}

// reprogram is program for a core whose event may have to come earlier,
// because a competitor has arrived.
func (m *machine) reprogram(c int32) {
	u := &m.cores[c]
	if u.armed || u.open || u.thread == None || m.paused {
		return
	}
	slice := m.policy.sliceEnd(c)
	u.armed = slice != des.Never
	if slice < u.finish {
		m.Set(u.alarm, max(slice, m.Now()))
	}
}

// account charges the time since begin to the thread of core c.
func (m *machine) account(c int32) {
	u := &m.cores[c]
	now := m.Now()
	d := now - u.begin
	if d <= 0 || m.paused {
		return
	}
	x := &m.threads[u.thread]
	x.used += d
	u.busy += d
	m.worked += d
	if now >= u.finish {
		x.work = 0
	} else {
		x.work = max(0, x.work-m.progress(c, d))
	}
	if m.spans != nil {
		m.spans(c, u.thread, u.begin, now)
	}
	u.begin = now
}

func (m *machine) Expire(c int32) (t, on int32, used des.Time) {
	if int(c) < len(m.cores) {
		u, now := &m.cores[c], m.Now()
		if t := u.thread; t != None && now >= u.finish && m.spans == nil && !m.paused {
			x, d := &m.threads[t], now-u.begin
			x.used += d
			u.busy += d
			m.worked += d
			u.begin, u.open = now, true
			return t, c, x.used
		}
	}
	return m.expireOther(c)
}

// expireOther is Expire for events that do not end a burst, or are recorded.
func (m *machine) expireOther(c int32) (t, on int32, used des.Time) {
	if int(c) >= len(m.cores) { // of the policy, not of a core
		m.policy.wakes(c)
		return None, None, 0
	}
	u := &m.cores[c]
	switch {
	case u.thread == None: // on its way out of idleness
		if t := m.policy.wakes(c); t != None {
			m.wait(-1)
			m.begin(c, t)
		}
		return None, None, 0
	case m.Now() < u.finish:
		m.expire(c)
		return None, None, 0
	}
	m.account(c)
	u.open = true
	return u.thread, c, m.threads[u.thread].used
}

// expire ends the slice of the thread of core c, which has no event.
func (m *machine) expire(c int32) {
	u := &m.cores[c]
	if !u.open {
		m.account(c)
	}
	t := u.thread
	next := m.policy.expired(c, t)
	if next == t {
		m.program(c)
		return
	}
	m.begin(c, next)
}

// begin puts t, taken from the ready threads, on core c.
func (m *machine) begin(c, t int32) {
	latency := des.Time(0)
	if m.costly && m.threads[t].woken {
		latency = m.same.Time(&m.costs)
	}
	m.start(c, t, latency)
}

func (m *machine) Continue(c int32, work des.Time) {
	u := &m.cores[c]
	x := &m.threads[u.thread]
	now := m.Now()
	x.work, x.used = work+u.owed, 0
	u.owed, u.open, u.begin = 0, false, now
	if m.waiting == 0 && m.even && !m.paused { // nobody to make room for
		u.armed = false
		u.finish = now + x.work
		m.Set(u.alarm, u.finish)
		return
	}
	m.program(c)
}

func (m *machine) Release(c int32) {
	u := &m.cores[c]
	u.open = false
	m.policy.stopped(c, u.thread)
	if next := m.policy.next(c); next != None {
		m.wait(-1)
		m.begin(c, next)
		return
	}
	u.thread = None
	u.owed = 0
	m.idle.add(c)
	m.retime(m.running - 1)
}

// Pause stops all cores.
func (m *machine) Pause() {
	for i := range m.cores {
		if u := &m.cores[i]; u.thread != None && !u.open {
			m.Stop(u.alarm)
			m.account(int32(i))
		}
	}
	m.paused = true
}

// Unpause lets the cores go on.
func (m *machine) Unpause() {
	m.paused = false
	for i := range m.cores {
		if u := &m.cores[i]; u.thread != None && !u.open {
			u.begin = max(u.begin, m.Now())
			m.program(int32(i))
		}
	}
}

// rate is the speed of core c now.
func (m *machine) rate(c int32) float64 {
	r := 1.0
	if m.speed != nil {
		r = m.speed[c]
	}
	if m.busyFactor != nil {
		r *= m.busyFactor[max(m.running, 1)-1]
	}
	return r
}

// duration is the time that core c needs for an amount of work.
func (m *machine) duration(c int32, work des.Time) des.Time {
	if m.even {
		return work
	}
	return des.Time(float64(work)/m.rate(c) + 0.5)
}

// progress is the work that core c does in a time.
func (m *machine) progress(c int32, d des.Time) des.Time {
	if m.even {
		return d
	}
	return des.Time(float64(d)*m.rate(c) + 0.5)
}

// retime changes the number of busy cores, and with it the speed of all.
func (m *machine) retime(running int) {
	before := m.running
	m.running = running
	if m.busyFactor == nil {
		return
	}
	for i := range m.cores {
		u := &m.cores[i]
		if u.thread == None || u.open || m.paused {
			continue
		}
		m.Stop(u.alarm)
		m.running = before // the speed so far
		m.account(int32(i))
		m.running = running
		m.program(int32(i))
	}
}
