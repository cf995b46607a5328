package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tierscope/simulation"
)

// Outcome is what is known about one configuration.
type Outcome struct {
	Result *simulation.Result // nil: not simulated yet
	Job    *Job               // nil: not running
	Err    error              // why there is no result
}

// Key identifies a configuration: equal settings have equal keys.
func Key(settings map[string]float64) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(&b, "%s=%g;", k, settings[k])
	}
	return b.String()
}

// Outcome returns what is known about a configuration, nil if nothing.
func (s *Session) Outcome(settings map[string]float64) *Outcome { return s.results[Key(settings)] }

// SetOutcome records what is known about a configuration.
func (s *Session) SetOutcome(settings map[string]float64, o *Outcome) {
	s.results[Key(settings)] = o
	s.emit(ResultsChanged)
}
