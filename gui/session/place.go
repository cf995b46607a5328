package session

import "slices"

// Place is where the analyst is: a page, a part of it, and what is selected.
type Place struct {
	Page     string // identifier of a page, such as "model"
	Part     string // part of the page, such as "tier2/worker"; "" is its beginning
	Selected string // path of a model element, such as "locks/L3"; "" is nothing
}

// maxHistory bounds the way back.
const maxHistory = 200

// Place returns where the analyst is.
func (s *Session) Place() Place { return s.place }

// Go moves to a place and remembers the way back.
func (s *Session) Go(p Place) {
	if p == s.place {
		return
	}
	s.back = append(s.back, s.place)
	if len(s.back) > maxHistory {
		s.back = slices.Delete(s.back, 0, 1)
	}
	s.forward = nil
	s.move(p)
}

// GoPage moves to the beginning of a page and keeps the selection.
func (s *Session) GoPage(page string) { s.Go(Place{Page: page, Selected: s.place.Selected}) }

// Select selects a model element without a step in the history: clicking
// through twenty fragments is not twenty pages.
func (s *Session) Select(path string) {
	if path == s.place.Selected {
		return
	}
	s.place.Selected = path
	s.emit(SelectionChanged)
}

// Selected returns the path of the selected model element.
func (s *Session) Selected() string { return s.place.Selected }

// CanBack and CanForward report whether there is a place to go to.
func (s *Session) CanBack() bool { return len(s.back) > 0 }

// CanForward reports whether Back was the last move.
func (s *Session) CanForward() bool { return len(s.forward) > 0 }

// Back returns to the previous place, if there is one.
func (s *Session) Back() {
	if n := len(s.back); n > 0 {
		p := s.back[n-1]
		s.back, s.forward = s.back[:n-1], append(s.forward, s.place)
		s.move(p)
	}
}

// Forward takes back a Back.
func (s *Session) Forward() {
	if n := len(s.forward); n > 0 {
		p := s.forward[n-1]
		s.forward, s.back = s.forward[:n-1], append(s.back, s.place)
		s.move(p)
	}
}

func (s *Session) move(p Place) {
	selected := p.Selected != s.place.Selected
	s.place = p
	s.emit(PlaceChanged)
	if selected {
		s.emit(SelectionChanged)
	}
}
