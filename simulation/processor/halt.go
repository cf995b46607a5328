package processor

import (
	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/variate"
)

// halting is how cores that have nothing to do fall asleep (core.Halt).
type halting struct {
	after  des.Time
	wake   variate.Sampler
	adapts bool
}

// firstLook is for how long a core looks for work that had learnt not to. Source: halt_poll_ns_grow_start of KVM.
const firstLook = 10 * des.Microsecond

func newHalting(c *core.Halt) *halting {
	if c == nil || c.Wake.IsZero() {
		return nil
	}
	return &halting{des.Seconds(c.After), variate.Compile(c.Wake, 1), c.Adapts}
}

// halted is by how much the wake-up of the idle core c takes longer, as it has halted.
func (m *machine) halted(c int32) des.Time {
	if m.halt == nil {
		return 0
	}
	u := &m.cores[c]
	idle, looks := m.Now()-u.rested-m.search, m.halt.after
	if m.halt.adapts {
		looks = u.looks
	}
	if idle < looks {
		return 0
	}
	switch {
	case idle < m.halt.after:
		u.looks = min(m.halt.after, max(firstLook, 2*u.looks))
	case u.looks < 2*firstLook:
		u.looks = 0
	default:
		u.looks /= 2
	}
	return m.halt.wake.Time(&m.costs)
}
