package session

import (
	"context"
	"slices"

	"tierscope/gui/background"
	"tierscope/gui/recipe"
)

// Pins returns the figures that are pinned to the report, in its order.
func (s *Session) Pins() []recipe.Pin { return slices.Clone(s.pins) }

// PinFigure appends a figure to the report.
func (s *Session) PinFigure(p recipe.Pin) {
	s.setPins(append(slices.Clone(s.pins), p))
	s.Notify(Notice{Level: Info, What: p.Title + " is pinned to the report."})
}

// UnpinFigure takes the figure at a place out of the report.
func (s *Session) UnpinFigure(at int) { s.setPins(slices.Delete(slices.Clone(s.pins), at, at+1)) }

// MovePin moves the figure at a place by some places down in the report, or up if negative; no further than its ends.
func (s *Session) MovePin(at, by int) {
	to := min(max(at+by, 0), len(s.pins)-1)
	if to == at {
		return
	}
	f := s.pins[at]
	s.setPins(slices.Insert(slices.Delete(slices.Clone(s.pins), at, at+1), to, f))
}

// NotePin changes the analyst's note on a figure of the report.
func (s *Session) NotePin(at int, note string) {
	all := slices.Clone(s.pins)
	all[at].Note = note
	s.setPins(all)
}

// setPins keeps the figures in the project.
func (s *Session) setPins(all []recipe.Pin) {
	s.pins = all
	s.keepPins()
}

// keepPins writes the figures in the background, one writer at a time: what changes meanwhile is written after it.
func (s *Session) keepPins() {
	p, base, all := s.project, s.keptPins, s.pins
	if p == nil { // a model alone: they live as long as the window
		return
	}
	if s.keepingPins {
		s.pinsChanged = true
		return
	}
	s.keepingPins = true
	background.Start(s.Runner, func(context.Context, func(struct{})) (struct{}, error) {
		return struct{}{}, recipe.SavePins(p, base, all)
	}, nil, func(_ struct{}, err error) {
		s.keepingPins = false
		switch {
		case err != nil:
			s.Notify(Failure("The figures of the report could not be kept in the project.", err))
		case s.project == p:
			s.keptPins = all
		}
		if s.pinsChanged {
			s.pinsChanged = false
			s.keepPins()
		}
	})
}
