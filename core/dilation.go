package core

import "math"

// endsByItself reports whether a model is of a program that nothing comes to from outside while it runs.
func (m *Model) endsByItself() bool {
	for _, s := range m.Sources {
		if s.Kind != Batch {
			return false
		}
	}
	return true
}

// Stretched returns the model with the times in which an analysis can err longer by a factor. A
// program to which nothing comes from outside takes as much longer as a whole (Dilation). Of one that is given
// tasks, which come when they come, the fragments take longer, but not those that are until a time that was asked for.
func (m Model) Stretched(factor float64) Model {
	out := m.clone()
	out.stretch(factor)
	return out
}

// stretch is Stretched in place, of a model that has fragments of its own.
func (m *Model) stretch(factor float64) {
	if m.endsByItself() {
		m.Dilation = orOne(m.Dilation) * factor
		return
	}
	m.scale(factor, func(f *Fragment) bool { return !f.Timer })
}

// scale makes the times of those fragments longer by a factor that it may, in a model that has fragments of its own.
func (m *Model) scale(factor float64, may func(*Fragment) bool) {
	scale := fragmentFields[0]
	for i := range m.Graphs {
		for k := range m.Graphs[i].Fragments {
			if f := &m.Graphs[i].Fragments[k]; scale.applies(f) && may(f) {
				scale.set(f, scale.get(f)*factor)
			}
		}
	}
}

// inTimes returns the model with its dilation in the times of its fragments, for laws of mean values.
func (m *Model) inTimes() *Model {
	if orOne(m.Dilation) == 1 {
		return m
	}
	out := m.clone()
	out.scale(m.Dilation, func(*Fragment) bool { return true })
	out.Dilation = 0
	return &out
}

func (c *checker) dilation() {
	switch d := c.m.Dilation; {
	case d < 0 || math.IsNaN(d) || math.IsInf(d, 0):
		c.add("dilation", "%v is no factor; give a positive number, or none", d)
	case d != 0 && !c.m.endsByItself():
		c.add("dilation", "tasks come from outside when they come, however long all else takes; give none, and scale the graphs")
	}
}
