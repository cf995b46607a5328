package session

import (
	"context"
	"maps"
	"strings"

	"tierscope/gui/background"
)

// Names are what the analyst calls elements of the model, by their paths.
func (s *Session) Names() map[string]string { return maps.Clone(s.names) }

// NameOf is what the analyst calls an element, or else its identifier.
func (s *Session) NameOf(path string) string {
	if name := s.names[path]; name != "" {
		return name
	}
	_, id, _ := strings.Cut(path, "/")
	return id
}

// Call gives an element another name on screens, kept in the project; "" takes it back.
func (s *Session) Call(path, name string) {
	name = strings.TrimSpace(name)
	if _, id, _ := strings.Cut(path, "/"); name == id {
		name = ""
	}
	if s.names[path] == name {
		return
	}
	all := maps.Clone(s.names)
	if all == nil {
		all = map[string]string{}
	}
	if all[path] = name; name == "" {
		delete(all, path)
	}
	s.names = all
	s.emit(SettingsChanged)
	p := s.project
	if p == nil {
		return // a model alone: the name lives as long as the window
	}
	background.Start(s.Runner, func(context.Context, func(struct{})) (struct{}, error) {
		return struct{}{}, p.Call(path, name)
	}, nil, func(_ struct{}, err error) {
		if err != nil {
			s.Notify(Failure("The name could not be kept in the project.", err))
		}
	})
}
