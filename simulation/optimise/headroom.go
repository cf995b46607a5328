package optimise

import (
	"context"
	"fmt"
	"maps"
	"math"

	units "tierscope/core/quantity"
	"tierscope/simulation/experiment"
)

// Headroom is how much the load may grow before a limit breaks.
type Headroom struct {
	Now   float64 `json:"now"`   // the load of the point
	Sure  float64 `json:"sure"`  // the largest load simulated at which all limits are met
	Break float64 `json:"break"` // the smallest load above it at which they are not, or not surely; 0: none was found
	Limit string  `json:"limit"` // that breaks first
}

// sentence says the headroom in words.
func (h *Headroom) sentence(load string) string {
	if h.Break == 0 {
		return fmt.Sprintf("It takes at least %s more %s.", units.Share(h.Sure/h.Now-1), load)
	}
	return fmt.Sprintf("It takes %s more %s before %s breaks.", units.Share(h.Sure/h.Now-1), load, h.Limit)
}

// The search for the headroom doubles the load at most maxDoublings times and
// then halves the gap until it is headroomStep of the load.
const (
	maxDoublings = 6
	headroomStep = 0.02
)

// headroom raises the load of a point until it no longer surely meets the
// limits. nil if ctx ends first or the model has no such load.
func (s *search) headroom(ctx context.Context, best Candidate) (*Headroom, error) {
	now, err := s.load(best.Settings)
	if err != nil {
		return nil, err
	}
	h := &Headroom{Now: now, Sure: now}
	breaks := math.Inf(1)
	most := math.Inf(1)
	if p, ok := s.runner.Model.Parameter(s.question.Load); ok {
		most = p.Max
	}
	for n := 0; breaks > h.Sure*(1+headroomStep); n++ {
		next := (h.Sure + breaks) / 2
		if math.IsInf(breaks, 1) {
			if next = min(2*h.Sure, most); n == maxDoublings || next <= h.Sure {
				break
			}
		}
		state, why, err := s.at(ctx, best.Settings, next)
		switch {
		case err != nil:
			return nil, err
		case state == NotRun:
			return nil, nil
		case state == Meets:
			h.Sure = next
		default:
			breaks = next
			h.Break, h.Limit = next, why
		}
	}
	return h, nil
}

// load returns the load of a configuration.
func (s *search) load(settings map[string]float64) (float64, error) {
	if v, ok := settings[s.question.Load]; ok {
		return v, nil
	}
	if p, ok := s.runner.Model.Parameter(s.question.Load); ok {
		return p.Default, nil
	}
	k, err := s.runner.Model.Lookup(s.question.Load)
	return k.Value, err
}

// at judges a point at another load, and names the limit that it misses.
func (s *search) at(ctx context.Context, settings map[string]float64, load float64) (State, string, error) {
	settings = maps.Clone(settings)
	settings[s.question.Load] = load
	if s.hopeless(settings) != "" {
		return Fails, "stability", nil
	}
	probe := search{runner: s.runner, question: s.question, cost: s.cost, all: []Candidate{{Point: experiment.Point{Settings: settings}, State: NotRun}}}
	if err := probe.simulate(ctx, s.question.Grid, []int{0}); err != nil {
		return NotRun, "", err
	}
	c := probe.all[0]
	limit := ""
	worst := math.Inf(1)
	for _, k := range c.Checks {
		if k.Probability < worst {
			worst, limit = k.Probability, k.Limit.String()
		}
	}
	return c.State, limit, nil
}
