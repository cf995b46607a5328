package processor

import (
	"math"

	"tierscope/core"
	"tierscope/simulation/des"
)

// turns is what it costs threads to take turns at a core (core.Turns).
type turns struct {
	slowdown float64
	work     float64 // ns
}

func newTurns(c *core.Turns) *turns {
	if c == nil || !(c.Slowdown > 0 && c.Work > 0) {
		return nil
	}
	return &turns{slowdown: c.Slowdown, work: 1e9 * c.Work}
}

// turn puts t on core u in place of the thread that had it last, and notes how much t must bring back.
func (m *machine) turn(u *unit, t int32) {
	if m.turns == nil {
		return
	}
	if u.last != None {
		m.threads[u.last].left = u.busy
	}
	if x := &m.threads[t]; x.last == u.number {
		kept := m.turns.work - float64(x.lacks)
		x.lacks = des.Time(m.turns.work - kept*math.Exp(-float64(u.busy-x.left)/m.turns.work))
	}
}

// bringBack returns what a burst of the given work takes longer because others had the core. That time is no work
// of the thread.
func (m *machine) bringBack(t int32, work des.Time) des.Time {
	x := &m.threads[t]
	slow := min(x.lacks, work)
	x.lacks -= slow
	extra := des.Time(float64(slow) * m.turns.slowdown)
	m.worked -= extra
	return extra
}
