package session

import (
	"maps"

	"tierscope/core"
)

// Subject is what a side of a comparison simulates: a configuration of the open model, or of another build.
type Subject struct {
	Build    string // path of the other build; "": the open model
	Model    *core.Model
	Scenario Scenario
}

// Now is the current scenario of the open model.
func (s *Session) Now() Subject { return Subject{Model: s.model, Scenario: s.Scenario()} }

// SubjectOf returns what a side simulates; false for measurements, and for another build until it has been
// read, which SubjectOf starts.
func (s *Session) SubjectOf(x Side) (Subject, bool) {
	switch x.Kind {
	case MeasuredSide:
		return Subject{}, false
	case BuildSide:
		m := s.others[x.Name]
		if m == nil {
			s.build(x.Name)
			return Subject{}, false
		}
		return Subject{x.Name, m, fitting(m, s.Scenario())}, true
	case ScenarioSide, RunSide:
	}
	c, ok := s.ScenarioOf(x)
	return Subject{Model: s.model, Scenario: c}, ok
}

// Compared returns what both sides of the comparison simulate, A first; false if nothing is compared, or one of
// them cannot be simulated.
func (s *Session) Compared() (both [2]Subject, ok bool) {
	pair := s.Comparing()
	if pair == nil {
		return both, false
	}
	a, okA := s.SubjectOf(pair.A)
	b, okB := s.SubjectOf(pair.B)
	return [2]Subject{a, b}, okA && okB
}

// fitting is a configuration as another build can have it: without what that build does not know.
func fitting(m *core.Model, c Scenario) Scenario {
	c = clone(c)
	c.Edits = nil
	maps.DeleteFunc(c.Settings, func(name string, _ float64) bool {
		if _, ok := m.Parameter(name); ok {
			return false
		}
		_, err := m.Lookup(name)
		return err != nil
	})
	return c
}
