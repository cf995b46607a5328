package processor

import (
	"math"

	"tierscope/core"
	"tierscope/simulation/des"
)

// coldness is how computing begins on a core that was idle (core.Cold).
type coldness struct {
	slowdown float64
	work     des.Time // until a core that is all cold is warm
	after    float64  // ns
}

func newColdness(c *core.Cold) *coldness {
	if c == nil || !(c.Slowdown > 0 && c.Work > 0) {
		return nil
	}
	return &coldness{slowdown: c.Slowdown, work: des.Seconds(c.Work), after: 1e9 * c.After}
}

// searched is for how long since the last Restart an idle core has looked for work
// (core.Cold.Search).
func (m *machine) searched(u *unit) des.Time {
	return max(0, min(m.Now(), u.rested+m.search)-max(u.rested, m.restarted))
}

// awake makes a core that has been idle until now as cold as that.
func (m *machine) awake(u *unit) {
	if m.plain {
		return
	}
	u.busy += m.searched(u)
	if m.cold != nil {
		m.cold.rest(u, m.Now()-u.rested)
	}
}

// rest makes a core colder by an idle time. What it had not warmed up before
// is still cold.
func (c *coldness) rest(u *unit, idle des.Time) {
	warm := float64(c.work - u.cold)
	if c.after > 0 {
		warm *= math.Exp(-float64(idle) / c.after)
	} else {
		warm = 0
	}
	u.cold = c.work - des.Time(warm)
}

// warm returns what a burst of the given work takes longer on a core that is
// cold, and makes the core warmer by it. That time is no work of the thread.
func (m *machine) warm(u *unit, work des.Time) des.Time {
	slow := min(u.cold, work)
	u.cold -= slow
	extra := des.Time(float64(slow) * m.cold.slowdown)
	m.worked -= extra
	return extra
}
