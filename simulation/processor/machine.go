package processor

import "tierscope/simulation/des"

func (m *machine) Submit(t int32, work des.Time, waker int32) {
	x := &m.threads[t]
	x.work, x.used, x.woken = work, 0, true
	m.byClock, m.byDevice = waker == Clock, waker == Device
	if m.byClock || m.byDevice {
		waker = None
	}
	if c := m.policy.choose(t, waker); c != None {
		latency := des.Time(0)
		if m.costly {
			if waker != None && waker != c {
				m.cores[waker].owed += m.waker.Time(&m.costs)
			}
			latency = m.latency(x, c)
		}
		m.start(c, t, latency)
		return
	}
	m.wait(1)
	if c := m.policy.enqueue(t, waker); c != None {
		u := &m.cores[c]
		if !u.open {
			m.Stop(u.alarm)
			m.account(u)
		}
		m.expire(u)
	}
}

// latency is how long a thread takes to run on the idle core c.
func (m *machine) latency(x *thread, c int32) des.Time {
	switch {
	case x.goesOn:
		return 0
	case m.byDevice && c == x.last:
		return m.same.Time(&m.costs)
	}
	return m.far.Time(&m.costs) + m.halted(c)
}

func (m *machine) GoesOn(t int32) { m.threads[t].goesOn = true }

func (m *machine) Stays(t int32) { m.threads[t].stays, m.threads[t].goesOn = true, true }

func (m *machine) Near(t int32) { m.threads[t].near = true }

func (m *machine) Looked(t int32, d des.Time) {
	if x := &m.threads[t]; x.last != None && m.cores[x.last].last == t {
		m.cores[x.last].busy += d
	}
}

func (m *machine) Crowded() bool { return m.waiting > 0 }

func (m *machine) Runs(t int32) bool {
	c := m.threads[t].last
	return c != None && m.cores[c].thread == t
}

// start puts t on the idle core c, where it runs after the given latency.
func (m *machine) start(c, t int32, latency des.Time) {
	u := &m.cores[c]
	m.idle.remove(c)
	m.awake(u)
	m.setRunning(m.running + 1)
	m.put(u, t, latency)
}

// put puts t on core u, from which another thread has just gone.
func (m *machine) put(u *unit, t int32, latency des.Time) {
	x := &m.threads[t]
	if u.last != t {
		if u.last != None && !x.goesOn {
			x.work += m.switchCost
		}
		m.turn(u, t)
		u.last = t
		m.switches++
	}
	if !m.plain {
		x.work = m.burdened(u, t, x.work, x.woken)
	}
	x.last, x.woken, x.goesOn, x.stays, x.near = u.number, false, false, false, false
	begin := m.Now() + latency
	u.thread, u.open = t, false
	u.begin, u.picked = begin, begin
	m.arm(u, x.work, m.policy.started(u, t))
	if !m.even {
		m.keepCompany()
	}
}

// program schedules the next event of core u: the end of the burst or, if
// somebody waits for the place, of the slice.
func (m *machine) program(u *unit) {
	slice := des.Never
	if m.waiting > 0 && !m.paused {
		slice = m.policy.sliceEnd(u)
	}
	m.arm(u, m.threads[u.thread].work, slice)
}

// arm schedules the next event of core u, given the work that is left of the
// burst and the end of the slice, if somebody waits for the place.
func (m *machine) arm(u *unit, work, slice des.Time) {
	if !m.even {
		work = m.duration(u, work)
	}
	u.finish = u.begin + work
	if m.paused {
		return
	}
	at := u.finish
	u.armed = slice != des.Never
	if slice < at {
		at = max(slice, m.Now())
	}
	m.Set(u.alarm, at)
}

// reprogram is program for a core whose event may have to come earlier,
// because a competitor has arrived.
func (m *machine) reprogram(u *unit) {
	if u.armed || u.open || u.thread == None || m.paused {
		return
	}
	slice := m.policy.sliceEnd(u)
	u.armed = slice != des.Never
	if slice < u.finish {
		m.Set(u.alarm, max(slice, m.Now()))
	}
}

// account charges the time since begin to the thread of core u.
func (m *machine) account(u *unit) {
	now := m.Now()
	d := now - u.begin
	if d <= 0 || m.paused {
		return
	}
	x := &m.threads[u.thread]
	x.used += d
	u.busy += d
	m.worked += d
	m.worked -= m.lost(u.thread, d)
	if m.spans != nil {
		m.spans(u.number, u.thread, u.begin, now)
	}
	u.begin = now
	switch {
	case m.even:
		x.work = max(0, x.work-d)
	case now >= u.finish:
		x.work = 0
	default:
		x.work = max(0, x.work-m.progress(u, d))
	}
}

func (m *machine) Expire(c int32) {
	for ok := true; ok; {
		i := uint(uint32(c))
		if i >= uint(len(m.cores)) || !m.bare || len(m.cores) == 1 {
			m.happens(c)
			c, ok = m.Again(m.kind)
			continue
		}
		u, now := &m.cores[i], m.Now()
		if now >= u.finish {
			if finish, goesOn := m.endsBare(u, now); goesOn {
				c, ok = m.SetAndAgain(u.alarm, finish, m.kind)
				continue
			}
		} else if p := m.rounds; p != nil && p.ready.head != None && u.thread != None {
			p.rotate(u, now)
		} else {
			m.happens(c)
		}
		c, ok = m.Again(m.kind)
	}
}

// endsBare is endsOnce where all cores are alike and nothing comes on top of a burst. It reports whether all that is
// left to do is to set the alarm to the end of the next burst.
func (m *machine) endsBare(u *unit, now des.Time) (finish des.Time, goesOn bool) {
	t, d := u.thread, now-u.begin
	u.begin, u.open = now, true
	u.busy += d
	m.worked += d
	work, computes := m.host.BurstEnded(t, u.number, m.threads[t].used+d)
	if !computes {
		m.release(u)
		return 0, false
	}
	x := &m.threads[t]
	x.work, x.used = work, 0
	u.open = false
	finish = now + work
	switch {
	case u.heir != None:
		m.giveWay(u)
		return 0, false
	case !m.bare || m.waiting > 0 && finish > u.until:
		m.program(u)
		return 0, false
	}
	u.armed = m.waiting > 0 && u.until != des.Never // else there is nobody to make room for
	u.finish = finish
	return finish, true
}

// happens executes an event.
func (m *machine) happens(c int32) {
	i := uint(uint32(c))
	if i >= uint(len(m.cores)) { // of the policy, not of a core
		m.policy.wakes(c)
		return
	}
	u, now := &m.cores[i], m.Now()
	switch {
	case now >= u.finish:
		m.ended(u, now)
	case m.bare && u.thread != None:
		m.rotate(u, now)
	default:
		m.interrupted(u)
	}
}

// ended is the end of the burst of the thread of core u, and of the next ones if nothing happens before.
func (m *machine) ended(u *unit, now des.Time) {
	for m.endsOnce(u, now) {
		now = u.finish
	}
}

// endsOnce is ended for one burst, and reports whether the end of the next one is happening already.
func (m *machine) endsOnce(u *unit, now des.Time) bool {
	if m.observed {
		m.account(u)
	}
	t, d := u.thread, now-u.begin
	u.begin, u.open = now, true
	u.busy += d
	m.worked += d
	if !m.bare {
		m.worked -= m.lost(t, d)
	}
	work, computes := m.host.BurstEnded(t, u.number, m.threads[t].used+d)
	if !computes {
		m.release(u)
		return false
	}
	x := &m.threads[t]
	if !m.plain {
		work = m.burdened(u, t, work, true)
	}
	x.work, x.used = work, 0
	u.open = false
	if u.heir != None {
		m.giveWay(u)
		return false
	}
	finish := now + work
	if !m.steady || m.waiting > 0 && finish > u.until {
		m.program(u)
		return false
	}
	u.armed = m.waiting > 0 && u.until != des.Never // else there is nobody to make room for
	u.finish = finish
	if len(m.cores) == 1 {
		return m.Proceed(u.alarm, finish)
	}
	m.Set(u.alarm, finish)
	return false
}

// burdened is the work of a burst of thread t, which begins on core u, with what comes on top of it. A core that is
// cold is so for who has just been woken, or goes on after another burst.
func (m *machine) burdened(u *unit, t int32, work des.Time, colder bool) des.Time {
	if u.cold > 0 && colder {
		work += m.warm(u, work)
	}
	if m.threads[t].lacks > 0 {
		work += m.bringBack(t, work)
	}
	work += u.owed
	u.owed = 0
	return work
}

// interrupted executes the event of a core before the end of a burst: rarer than the end of a slice on
// one of cores that are all alike.
func (m *machine) interrupted(u *unit) {
	if u.thread != None {
		m.account(u)
		m.expire(u)
		return
	}
	if t := m.policy.wakes(u.number); t != None { // on its way out of idleness
		m.enter(u, t)
	}
}

// enter puts t, taken from the ready threads, on core u, where nobody computed.
func (m *machine) enter(u *unit, t int32) {
	m.wait(-1)
	m.idle.remove(u.number)
	m.awake(u)
	m.setRunning(m.running + 1)
	m.begin(u, t)
}

// expire ends the slice of the thread of core u, which has no event and is
// accounted for.
func (m *machine) expire(u *unit) {
	t := u.thread
	switch next := m.policy.expired(u, t); {
	case next == t:
		m.program(u)
	case m.costly:
		m.begin(u, next)
	default:
		m.put(u, next, 0)
	}
}

// rotate is account and expire where all cores are alike and nothing comes on
// top of a burst: the end of nearly every slice.
func (m *machine) rotate(u *unit, now des.Time) {
	t, d := u.thread, now-u.begin
	x := &m.threads[t]
	x.used += d
	x.work -= d
	u.busy += d
	m.worked += d
	u.begin = now
	next := m.policy.expired(u, t)
	if next == t {
		m.program(u)
		return
	}
	y := &m.threads[next]
	y.work += m.switchCost
	y.last, y.woken = u.number, false
	u.thread, u.last, u.picked = next, next, now
	u.finish = now + y.work
	m.switches++
	at, slice := u.finish, m.policy.started(u, next)
	u.armed = slice != des.Never
	if slice < at {
		at = max(slice, now)
	}
	m.Set(u.alarm, at)
}

func (m *machine) HandOver(core, t int32) bool {
	u := &m.cores[core]
	if _, ok := m.policy.(*goroutines); !ok || !u.open || u.heir != None {
		return false
	}
	x := &m.threads[t]
	x.work, x.used, x.woken = 0, 0, true
	u.heir = t
	return true
}

func (m *machine) MaySpin(core, t int32) bool {
	p, ok := m.policy.(*goroutines)
	if !ok || m.running < 2 {
		return false
	}
	u, x := &m.cores[core], &p.ps[core]
	return u.open && u.thread == t && x.runnext == None && x.queue.len == 0
}

// giveWay lets the heir of core u go on in the place of its thread.
func (m *machine) giveWay(u *unit) {
	heir := u.heir
	u.heir = None
	m.wait(1)
	m.policy.(*goroutines).yielded(u.number, u.thread)
	m.begin(u, heir)
}

// begin puts t, taken from the ready threads, on core u.
func (m *machine) begin(u *unit, t int32) {
	latency := des.Time(0)
	if m.costly && m.threads[t].woken {
		latency = m.same.Time(&m.costs)
	}
	m.put(u, t, latency)
}

// release gives core u, whose thread needs it no more, to another one.
func (m *machine) release(u *unit) {
	u.open = false
	m.policy.stopped(u, u.thread)
	if heir := u.heir; heir != None {
		u.heir = None
		m.begin(u, heir)
		return
	}
	if u.caller == None {
		if next := m.policy.next(u.number); next != None {
			m.wait(-1)
			m.begin(u, next)
			return
		}
		m.idle.add(u.number)
	}
	u.thread, u.finish = None, des.Never
	u.owed, u.rested = 0, m.Now()
	m.setRunning(m.running - 1)
	if !m.even {
		m.keepCompany()
	}
}

// Pause stops all cores.
func (m *machine) Pause() {
	for i := range m.cores {
		if u := &m.cores[i]; u.thread != None && !u.open {
			m.Stop(u.alarm)
			m.account(u)
		}
	}
	m.paused, m.observed = true, true
	m.setEven()
}

// Unpause lets the cores go on.
func (m *machine) Unpause() {
	m.paused, m.observed = false, m.spans != nil
	m.setEven()
	for i := range m.cores {
		if u := &m.cores[i]; u.thread != None && !u.open {
			u.begin, u.until = max(u.begin, m.Now()), 0
			m.program(u)
		}
	}
}

// SetSlowness changes the speed of all cores on which the program's threads are.
func (m *machine) SetSlowness(s Slowness) {
	m.hold()
	m.slowness = s
	m.pace = s.pace(float64(m.own()))
	m.setEven()
	m.proceed()
}

// keepCompany changes that speed if the number of these cores has changed.
func (m *machine) keepCompany() {
	if m.slowness.Company == 0 {
		return
	}
	if pace := m.slowness.pace(float64(m.own())); pace != m.pace {
		m.hold()
		m.pace = pace
		m.proceed()
	}
}

// own is the number of cores on which the program's threads are.
func (m *machine) own() (n int) {
	for i := range m.cores {
		if t := m.cores[i].thread; t != None && !m.threads[t].system {
			n++
		}
	}
	return n
}

// lost is the CPU time that slowness cost thread t in a time on a core.
func (m *machine) lost(t int32, d des.Time) des.Time {
	if m.threads[t].system || m.pace == 1 {
		return 0
	}
	return des.Time(float64(d) * (1 - m.pace))
}

// hold stops the events of all cores and brings their accounts up to now.
func (m *machine) hold() {
	for i := range m.cores {
		if u := &m.cores[i]; u.thread != None && !u.open && !m.paused {
			m.Stop(u.alarm)
			m.account(u)
		}
	}
}

// proceed schedules the events of all cores anew.
func (m *machine) proceed() {
	for i := range m.cores {
		if u := &m.cores[i]; u.thread != None && !u.open && !m.paused {
			m.program(u)
		}
	}
}

// rate is the speed at which core u computes now.
func (m *machine) rate(u *unit) float64 {
	r := 1.0
	if m.speed != nil {
		r = m.speed[u.number]
	}
	if !m.threads[u.thread].system {
		r *= m.pace
	}
	if m.busyFactor != nil {
		r *= m.busyFactor[max(m.running, 1)-1]
	}
	return r
}

// duration is the time that a core needs for an amount of work, if not all are
// alike at all times.
func (m *machine) duration(u *unit, work des.Time) des.Time {
	return des.Time(float64(work)/m.rate(u) + 0.5)
}

// progress is the work that such a core does in a time.
func (m *machine) progress(u *unit, d des.Time) des.Time {
	return des.Time(float64(d)*m.rate(u) + 0.5)
}

// setRunning changes the number of busy cores, and with it the speed of all.
func (m *machine) setRunning(n int) {
	if m.busyFactor == nil {
		m.running = n
		return
	}
	m.retime(n)
}

// retime is setRunning where the speed of a core depends on that number.
func (m *machine) retime(running int) {
	before := m.running
	m.running = running
	for i := range m.cores {
		u := &m.cores[i]
		if u.thread == None || u.open || m.paused {
			continue
		}
		m.Stop(u.alarm)
		m.running = before // the speed so far
		m.account(u)
		m.running = running
		m.program(u)
	}
}
