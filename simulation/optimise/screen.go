package optimise

import (
	"fmt"
	"math"
	"strings"

	"tierscope/core"
	units "tierscope/core/quantity"
)

// screened is what is known of a point without simulating it.
type screened struct {
	place    place
	settings map[string]float64
	name     string // of the settings
	features []float64
	cost     float64
	guesses  []float64 // logarithms of the quantities, by the analytic estimate; NaN: it has none
	rate     float64   // throughput by the estimate, 0: unknown
	response float64   // response time by the estimate; +Inf: unstable
	why      string    // that it fails, provably; "": it may meet the limits
}

// screen looks at a point: constraints, cost, operational bounds, analytic estimate. ok is false if it
// breaks a constraint.
func (s *search) screen(p place) (c screened, ok bool, err error) {
	c = screened{place: p, settings: s.space.settings(p)}
	if ok, err = s.space.rules.Keep(c.settings); !ok || err != nil {
		return c, false, err
	}
	if c.cost, err = s.costOf(c.settings); err != nil {
		return c, false, err
	}
	configured, err := s.runner.Model.With(c.settings)
	if err != nil {
		return c, false, err
	}
	c.features = s.space.features(p)
	c.name = describe(c.settings)
	demands := configured.Demands()
	c.why = s.impossible(&configured, &demands)
	estimate := demands.Estimate()
	if !demands.Batch && !math.IsInf(estimate.Throughput, 1) {
		c.rate, c.response = estimate.Throughput, estimate.Response
	}
	for _, q := range s.quantities {
		c.guesses = append(c.guesses, q.guess(&estimate))
	}
	return c, true, nil
}

// impossible says why a point fails a limit without any simulation: its arrivals exceed its capacity,
// or a limit lies beyond what operational laws allow. "" if that cannot be said.
func (s *search) impossible(configured *core.Model, d *core.Demands) string {
	b := d.Bounds()
	if len(d.Notes) > 0 || len(configured.Classes) > 1 {
		return ""
	}
	lossless := true // otherwise tasks may be lost instead of waiting
	for _, q := range configured.Queues {
		lossless = lossless && q.Capacity < 0 && q.Patience.IsZero()
	}
	for _, l := range s.question.Limits {
		switch {
		case l.Name == "R" && !l.AtLeast && !b.Batch && !b.Stable && lossless:
			return fmt.Sprintf("%.3g /s arrive, but %s serves %.3g /s at most", d.Rate, b.Bottleneck.Of, b.Bottleneck.Limit())
		case l.Name == "R" && l.stat() == "mean" && !l.AtLeast && !b.Batch && lossless && b.Response > l.Value*(1+beyond):
			return fmt.Sprintf("%s: by operational laws it is at least %s", l, units.Format(b.Response, "s"))
		case l.Name == "T" && l.stat() == "mean" && !l.AtLeast && b.Batch && b.Response > l.Value*(1+beyond):
			return fmt.Sprintf("%s: by operational laws it is at least %s", l, units.Format(b.Response, "s"))
		case l.Name == "X" && l.AtLeast && b.Throughput < l.Value*(1-beyond):
			return fmt.Sprintf("%s: by operational laws it is at most %s", l, units.Format(b.Throughput, "1/s"))
		}
	}
	return ""
}

// beyond is how far beyond its limit a bound must be to decide: bounds are of means over infinite time.
const beyond = 0.02

// quantity is a number that the search predicts: the objective, or what a limit is about.
type quantity struct {
	name, of, stat string
	limit          *Limit // nil: the objective
}

// exponentialQuantile is the ratio of the percentiles of an exponential time to its mean: −ln(1−p).
var exponentialQuantile = map[string]float64{"mean": 1, "p50": math.Ln2, "p90": math.Log(10), "p95": math.Log(20), "p99": math.Log(100)}

// guess is the logarithm of the quantity by the analytic estimate; NaN if that has no such number.
func (q *quantity) guess(e *core.Estimate) float64 {
	v := math.NaN()
	switch q.name {
	case "R":
		v = e.Response * exponentialQuantile[q.stat]
	case "T":
		v = e.Response // makespans vary little
	case "X":
		v = e.Throughput
	case "U":
		v = 0
		for of, u := range e.Utilization {
			if of == q.of || q.of == "" && !strings.HasPrefix(of, "pool/") {
				v = max(v, u)
			}
		}
	}
	if !(v > 0) || math.IsInf(v, 1) {
		return math.NaN()
	}
	return math.Log(v)
}
