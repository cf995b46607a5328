package optimise

import (
	"context"
	"fmt"
	"maps"
	"math"

	units "tierscope/core/quantity"
)

// Headroom is how much the load may grow before a limit breaks.
type Headroom struct {
	Now   float64 `json:"now"`   // the load of the point
	Sure  float64 `json:"sure"`  // the largest load simulated at which all limits are met
	Break float64 `json:"break"` // the smallest load above it at which they are not, or not surely; 0: none was found
	// Undecided: at Break even the longest simulations do not tell whether the limits are met.
	Undecided bool   `json:"undecided,omitempty"`
	Limit     string `json:"limit"` // that breaks first
}

// sentence says the headroom in words.
func (h *Headroom) sentence(load string) string {
	if h.Break == 0 {
		return fmt.Sprintf("It takes at least %s.", more(h.Sure/h.Now, load))
	}
	if h.Undecided {
		return fmt.Sprintf("It takes %s; whether %s holds at %s is undecided.", more(h.Sure/h.Now, load), h.Limit, more(h.Break/h.Now, load))
	}
	return fmt.Sprintf("It takes %s before %s breaks.", more(h.Sure/h.Now, load), h.Limit)
}

// more says how much more of a load a ratio is: "20 % more rate", "17 times the rate".
func more(ratio float64, load string) string {
	if ratio < 3 {
		return units.Share(ratio-1) + " more " + load
	}
	return units.Digits(ratio, 3) + " times the " + load
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
			h.Break, h.Limit, h.Undecided = next, why, state == Undecided
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

// at judges a point at another load, longer if it must be, and names the limit that it misses.
func (s *search) at(ctx context.Context, settings map[string]float64, load float64) (State, string, error) {
	settings = maps.Clone(settings)
	settings[s.question.Load] = load
	configured, err := s.runner.Model.With(settings)
	if err != nil {
		return NotRun, "", err
	}
	demands := configured.Demands()
	if s.impossible(&configured, &demands) != "" {
		return Fails, "stability", nil
	}
	p := &point{screened: screened{settings: settings}}
	e := s.question.Grid
	for range 1 + rounds {
		if err := s.simulate(ctx, e, "simulated for the headroom", []*point{p}, func(p *point, c *Candidate) { p.full = c }); err != nil {
			return NotRun, "", err
		}
		if p.full == nil || p.full.State != Undecided || ctx.Err() != nil {
			break
		}
		e = longer(e)
	}
	if p.full == nil {
		return NotRun, "", nil
	}
	limit := ""
	worst := math.Inf(1)
	for _, k := range p.full.Checks {
		if k.Probability < worst {
			worst, limit = k.Probability, k.Limit.String()
		}
	}
	return p.full.State, limit, nil
}
