package session

import (
	"fmt"
	"maps"
	"slices"

	"tierscope/core"
	"tierscope/project"
)

// Scenario is a named difference from the baseline configuration: settings of
// parameters and paths, and structural edits.
type Scenario = project.Scenario

func clone(c Scenario) Scenario {
	c.Edits = slices.Clone(c.Edits)
	c.Settings = maps.Clone(c.Settings)
	if c.Settings == nil {
		c.Settings = map[string]float64{}
	}
	return c
}

// deck is the scenarios with their undo history. Scenario 0 is the baseline,
// which has no settings and cannot be changed.
type deck struct {
	state
	undo, redo []edit
}

// edit is a change of the deck as the two states around it: decks are small,
// and two states cannot disagree about how to get back.
type edit struct {
	label         string
	field         string // edits of one field in a row are one step
	before, after state
}

// state is what the deck holds. Scenarios are not changed where they are: the history and work in the background read them.
type state struct {
	scenarios []Scenario
	current   int
	pair      *Pair // that every page compares; nil: none
}

func (d *deck) reset() {
	*d = deck{state: state{scenarios: []Scenario{{Name: "baseline", Settings: map[string]float64{}}}}}
}

func (s state) clone() state {
	out := make([]Scenario, len(s.scenarios))
	for i, c := range s.scenarios {
		out[i] = clone(c)
	}
	s.scenarios = out
	return s
}

// change runs f, which may change the scenarios of the deck, as one undoable step.
func (s *Session) change(label, field string, f func(*deck)) {
	before := s.deck.state
	s.deck.state = before.clone()
	f(&s.deck)
	e := edit{label, field, before, s.deck.state}
	if n := len(s.deck.undo); n > 0 && field != "" && s.deck.undo[n-1].field == field {
		e.before = s.deck.undo[n-1].before // a slider drag is one step
		s.deck.undo = s.deck.undo[:n-1]
	}
	s.deck.undo, s.deck.redo = append(s.deck.undo, e), nil
	s.saveScenarios()
	s.emit(ScenariosChanged)
}

// Scenarios returns the deck; the first is the baseline. Callers do not
// change it.
func (s *Session) Scenarios() []Scenario { return s.deck.scenarios }

// Current returns the index of the current scenario.
func (s *Session) Current() int { return s.deck.current }

// Scenario returns the current scenario.
func (s *Session) Scenario() Scenario { return s.deck.scenarios[s.deck.current] }

// UseScenario makes the i-th scenario the current one.
func (s *Session) UseScenario(i int) {
	if i == s.deck.current || i < 0 || i >= len(s.deck.scenarios) {
		return
	}
	s.deck.current = i
	s.emit(ScenariosChanged)
}

// AddScenario adds a copy of the i-th scenario under a free name and makes it
// the current one.
func (s *Session) AddScenario(copyOf int) {
	s.change("new scenario", "", func(d *deck) {
		c := clone(d.scenarios[copyOf])
		c.Name = s.freeName()
		d.scenarios = append(d.scenarios, c)
		d.current = len(d.scenarios) - 1
	})
}

// AddSettings makes a scenario with given settings and edits the current one:
// the "Try" of a finding, a point of a curve. One that is there already is used,
// and a name that is taken gets a number.
func (s *Session) AddSettings(name string, settings map[string]float64, edits ...core.Edit) {
	settings = s.model.Named(settings)
	for i, c := range s.deck.scenarios {
		if maps.Equal(c.Settings, settings) && slices.Equal(c.Edits, edits) {
			s.UseScenario(i)
			return
		}
	}
	s.change("new scenario "+name, "", func(d *deck) {
		c := clone(Scenario{Name: name, Settings: settings, Edits: edits})
		taken := func(x Scenario) bool { return x.Name == c.Name }
		for n := 2; slices.ContainsFunc(d.scenarios, taken); n++ {
			c.Name = fmt.Sprintf("%s (%d)", name, n)
		}
		d.scenarios = append(d.scenarios, c)
		d.current = len(d.scenarios) - 1
	})
}

// freeName returns A, B, … Z, scenario 27, … : the first that is not taken.
func (s *Session) freeName() string {
	for i := 0; ; i++ {
		name := fmt.Sprintf("scenario %d", i+1)
		if i < 26 {
			name = string(rune('A' + i))
		}
		if !slices.ContainsFunc(s.deck.scenarios, func(c Scenario) bool { return c.Name == name }) {
			return name
		}
	}
}

// RemoveScenario removes the i-th scenario; the baseline stays.
func (s *Session) RemoveScenario(i int) {
	if i <= 0 || i >= len(s.deck.scenarios) {
		return
	}
	s.change("remove "+s.deck.scenarios[i].Name, "", func(d *deck) {
		d.scenarios = slices.Delete(d.scenarios, i, i+1)
		if d.current >= i {
			d.current--
		}
	})
}

// RenameScenario renames the i-th scenario; the baseline keeps its name.
func (s *Session) RenameScenario(i int, name string) {
	if i <= 0 || i >= len(s.deck.scenarios) || name == "" || name == s.deck.scenarios[i].Name {
		return
	}
	s.change("rename "+s.deck.scenarios[i].Name, "", func(d *deck) { d.scenarios[i].Name = name })
}

// Set changes one setting of the current scenario, as core.Model.Put does. Changing the baseline
// starts a new scenario instead, so a what-if never destroys the reference.
func (s *Session) Set(key string, value float64) {
	settings := s.model.Put(s.Scenario().Settings, key, value)
	if maps.Equal(settings, s.Scenario().Settings) {
		return
	}
	if s.deck.current == 0 {
		s.AddScenario(0)
	}
	field := fmt.Sprintf("%d %s", s.deck.current, key)
	s.change("set "+key, field, func(d *deck) { d.scenarios[d.current].Settings = settings })
}

// Reset takes one setting of the current scenario back to the baseline.
func (s *Session) Reset(key string) {
	if _, ok := s.Scenario().Settings[key]; !ok {
		return
	}
	s.change("reset "+key, "", func(d *deck) { delete(d.scenarios[d.current].Settings, key) })
}

// SetEdit makes a structural edit in the current scenario; it replaces one of
// the same kind on the same lock.
func (s *Session) SetEdit(e core.Edit) {
	if s.deck.current == 0 {
		s.AddScenario(0)
	}
	s.change(string(e.Kind)+" "+e.Lock, "", func(d *deck) {
		c := &d.scenarios[d.current]
		for i, x := range c.Edits {
			if x.Kind == e.Kind && x.Lock == e.Lock {
				c.Edits[i] = e
				return
			}
		}
		c.Edits = append(c.Edits, e)
	})
}

// ResetEdit takes back the i-th structural edit of the current scenario.
func (s *Session) ResetEdit(i int) {
	if i < 0 || i >= len(s.Scenario().Edits) {
		return
	}
	s.change("take back "+string(s.Scenario().Edits[i].Kind), "", func(d *deck) {
		c := &d.scenarios[d.current]
		c.Edits = slices.Delete(c.Edits, i, i+1)
	})
}

// ResetAll takes all changes of the current scenario back to the baseline.
func (s *Session) ResetAll() {
	if c := s.Scenario(); len(c.Settings)+len(c.Edits) == 0 {
		return
	}
	s.change("reset all", "", func(d *deck) {
		clear(d.scenarios[d.current].Settings)
		d.scenarios[d.current].Edits = nil
	})
}

// Restore replaces the deck with saved scenarios (without the baseline).
func (s *Session) Restore(saved []Scenario) {
	s.deck.reset()
	for _, c := range saved {
		c.Settings = s.model.Named(c.Settings)
		s.deck.scenarios = append(s.deck.scenarios, clone(c))
	}
	s.emit(ScenariosChanged)
}

// CanUndo returns what Undo would take back, "" if nothing.
func (s *Session) CanUndo() string {
	if n := len(s.deck.undo); n > 0 {
		return s.deck.undo[n-1].label
	}
	return ""
}

// CanRedo returns what Redo would do again, "" if nothing.
func (s *Session) CanRedo() string {
	if n := len(s.deck.redo); n > 0 {
		return s.deck.redo[n-1].label
	}
	return ""
}

// Undo takes back the last edit of the deck.
func (s *Session) Undo() {
	if n := len(s.deck.undo); n > 0 {
		e := s.deck.undo[n-1]
		s.deck.undo, s.deck.redo = s.deck.undo[:n-1], append(s.deck.redo, e)
		s.deck.state = e.before
		s.saveScenarios()
		s.emit(ScenariosChanged)
	}
}

// Redo does the last undone edit again.
func (s *Session) Redo() {
	if n := len(s.deck.redo); n > 0 {
		e := s.deck.redo[n-1]
		s.deck.redo, s.deck.undo = s.deck.redo[:n-1], append(s.deck.undo, e)
		s.deck.state = e.after
		s.saveScenarios()
		s.emit(ScenariosChanged)
	}
}
