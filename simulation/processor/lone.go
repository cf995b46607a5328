package processor

import "tierscope/simulation/des"

// Burst is a stretch of computing of a thread that has a core.
type Burst struct {
	Alarm      des.Alarm // of its end
	Begin, End des.Time
}

// LoneBurst returns the present burst of the only thread there is, if it gets the same core whenever it wants one, at once and at full
// speed: then whoever executes its bursts himself need not tell the processor of each. It reports false if the thread does not compute,
// or something comes on top of bursts.
func LoneBurst(s Scheduler, t int32) (Burst, bool) {
	m, u := loneCore(s, t)
	if u == nil || !m.bare || u.thread != t || u.open {
		return Burst{}, false
	}
	return Burst{u.alarm, u.begin, u.finish}, true
}

// SetLoneBurst makes a burst the present one of the only thread, after others that have kept it busy for so long
// since that of LoneBurst began.
func SetLoneBurst(s Scheduler, t int32, b Burst, busy des.Time) {
	m, u := loneCore(s, t)
	u.begin, u.finish = b.Begin, b.End
	u.busy += busy
	m.worked += busy
	m.threads[t].work, m.threads[t].used = b.End-b.Begin, 0
}

// loneCore returns the core that the only thread had last, or nil where it might get another one.
func loneCore(s Scheduler, t int32) (*machine, *unit) {
	m, ok := s.(*machine)
	if !ok || m.threads[t].last == None {
		return nil, nil
	}
	switch m.policy.(type) {
	case *eevdf, *roundRobin:
		return m, &m.cores[m.threads[t].last]
	}
	return nil, nil
}
