package optimise

import (
	"fmt"
	"math"
	"strings"

	"tierscope/simulation"
	"tierscope/simulation/output"
)

// judge checks all limits of a simulated point.
func (s *search) judge(c *Candidate) error {
	c.Checks, c.Probability, c.State, c.Why = nil, 1, Meets, ""
	// The probability that all hold is at least 1 − Σ(1 − pᵢ) (Bonferroni):
	// the metrics of one simulation are not independent.
	missing := 0.0 // of the limits that say nothing about it themselves
	var worst *Check
	for _, l := range s.question.Limits {
		check, ok := l.check(c.Result)
		if !ok {
			return fmt.Errorf("limit %s: the result has no such metric", l)
		}
		c.Checks = append(c.Checks, check)
		if l.Sure == 0 {
			missing += 1 - check.Probability
		}
		c.Probability -= 1 - check.Probability
	}
	unsure := false
	for i := range c.Checks {
		k := &c.Checks[i]
		if worst == nil || k.Probability < worst.Probability {
			worst = k
		}
		unsure = unsure || k.Limit.Sure > 0 && k.Probability < k.Limit.Sure
	}
	c.Probability = max(0, c.Probability)
	switch {
	case c.Result.Halted != "":
		c.State, c.Probability, c.Why = Fails, 0, c.Result.Halted
	case worst != nil && worst.Probability <= 1-worst.Limit.sure():
		c.State = Fails
		c.Why = worst.Limit.String() + ": it is " + value3(worst.Estimate.Mean, worst.Limit)
	case missing > 1-certain || unsure:
		c.State = Undecided
		c.Why = worst.Limit.String() + ": " + interval(worst.Estimate, worst.Limit)
	}
	var err error
	c.Objective, err = s.objective(c)
	return err
}

// objective is the estimate to be maximised (or minimised).
func (s *search) objective(c *Candidate) (output.Estimate, error) {
	name := s.question.Maximise + s.question.Minimise
	if name == "" {
		return output.Exactly(c.Cost, 0.95), nil
	}
	m, ok := metric(c.Result, name)
	if !ok {
		return output.Estimate{}, fmt.Errorf("objective %q: the result has no such metric", name)
	}
	return m.Estimate, nil
}

// metric finds a metric by its key, or by "NAME.STAT" of the class that
// completes most.
func metric(r *simulation.Result, name string) (simulation.Metric, bool) {
	if m, ok := r.Find(name); ok {
		return m, true
	}
	short, stat, dotted := strings.Cut(name, ".")
	if !dotted {
		stat = "mean"
	}
	class, most := "", -1.0
	for _, m := range r.Metrics {
		if m.Name == "X" && strings.HasPrefix(m.Of, "class/") && m.Estimate.Mean > most {
			class, most = m.Of, m.Estimate.Mean
		}
	}
	if m, ok := r.Find(short + " " + class + " " + stat); ok {
		return m, true
	}
	return r.Find(short + " program " + stat)
}

// indifference is the relative difference of two objectives that makes no difference.
const indifference = 0.01

// incumbent is the best point that was simulated in full and meets the limits, nil if there is none.
func (s *search) incumbent(among []*point) *point {
	var best *point
	for _, p := range among {
		if p.full != nil && p.full.State == Meets && (best == nil || s.better(*p.full, *best.full) < 0) {
			best = p
		}
	}
	return best
}

// superior is the probability that b is better than a by more than the indifference, by their paired
// differences on common random numbers.
func (s *search) superior(a, b *Candidate) float64 {
	if s.byCost() {
		return 0
	}
	d := output.Between(a.Objective, b.Objective, true, 0.95).Absolute
	step := indifference * math.Abs(a.Objective.Mean)
	p := d.ProbabilityBelow(-step)
	if s.question.Maximise != "" {
		p = 1 - d.ProbabilityBelow(step)
	}
	if math.IsNaN(p) {
		return 0.5
	}
	return p
}

// doubtful is the probability of being better than the best from which a point is simulated longer.
const doubtful = 0.05

// unclear returns the points of a batch that may be better than the best of them, and that best one; none
// if it is clear.
func (s *search) unclear(batch []*point) []*point {
	best := s.incumbent(batch)
	if best == nil {
		return nil
	}
	var open []*point
	for _, p := range batch {
		if p != best && p.full != nil && p.full.State != Fails && s.superior(best.full, p.full) > doubtful {
			open = append(open, p)
		}
	}
	if len(open) > 0 {
		open = append(open, best)
	}
	return open
}

// correct is a lower bound of the probability that none of the points that were simulated in full keeps the limits
// and is better than the best by more than the indifference: 1 − Σ P(point is), by paired differences.
func (s *search) correct(best *point) float64 {
	wrong := 0.0
	for _, p := range s.pool {
		if p != best && p.full != nil && p.full.State != Fails {
			wrong += s.superior(best.full, p.full) * p.full.Probability
		}
	}
	return max(0, 1-wrong)
}
