package optimise

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	units "tierscope/core/quantity"
	"tierscope/simulation/output"
)

// better compares two candidates by the objective, then the cost, then the
// settings, so that the order is always the same.
func (s *search) better(a, b Candidate) int {
	x, y := a.Objective.Mean, b.Objective.Mean
	if s.question.Maximise != "" {
		x, y = y, x
	}
	return cmp.Or(cmp.Compare(x, y), cmp.Compare(a.Cost, b.Cost), strings.Compare(describe(a.Settings), describe(b.Settings)))
}

// answer sorts the candidates and says what was found.
func (s *search) answer(ctx context.Context) (*Answer, error) {
	order := []State{Meets, Undecided, Fails, NotRun}
	slices.SortStableFunc(s.all, func(a, b Candidate) int {
		if c := slices.Index(order, a.State) - slices.Index(order, b.State); c != 0 {
			return c
		}
		return s.better(a, b)
	})
	a := &Answer{Candidates: s.all, State: s.all[0].State}
	for _, c := range s.all {
		a.Incomplete = a.Incomplete || c.State == NotRun
	}
	if a.State == Meets {
		best := &s.all[0]
		best.Best = true
		s.markRivals(best)
		if s.question.Load != "" {
			h, err := s.headroom(ctx, *best)
			if err != nil {
				return nil, err
			}
			a.Headroom = h
		}
	}
	a.Sentence = s.sentence(a)
	return a, nil
}

// markRivals marks the points that meet the limits and whose objective is not
// clearly worse than that of the best, by paired differences.
func (s *search) markRivals(best *Candidate) {
	for i := range s.all {
		c := &s.all[i]
		if c == best || c.State != Meets {
			continue
		}
		if s.question.Maximise == "" && s.question.Minimise == "" {
			c.Rival = c.Cost == best.Cost
			continue
		}
		d := output.Paired(best.Objective.Samples, c.Objective.Samples, 0.95)
		c.Rival = !d.Clear()
		if c.Rival {
			c.Why = "cannot be told apart from the best"
		}
	}
}

// sentence is the verdict, generated from the numbers.
func (s *search) sentence(a *Answer) string {
	best := a.Candidates[0]
	switch best.State {
	case Fails:
		return fmt.Sprintf("None of the %d configurations meets the limits. The closest misses %s", len(a.Candidates), s.closest())
	case NotRun:
		return "Nothing was simulated before the end."
	case Undecided:
		return fmt.Sprintf("Undecided: no configuration surely meets the limits; the most promising is %s with probability %s. %s.",
			describe(best.Settings), Probability(best.Probability), best.Why)
	case Meets:
	}
	text := fmt.Sprintf("%s. P(limits met) %s.", describe(best.Settings), Probability(best.Probability))
	if len(s.question.Limits) == 0 {
		text = describe(best.Settings) + "."
	}
	if a.Headroom != nil {
		text += " " + a.Headroom.sentence(s.question.Load)
	}
	rivals, undecided := 0, 0
	for _, c := range a.Candidates {
		if c.Rival {
			rivals++
		}
		if c.State == Undecided {
			undecided++
		}
	}
	switch {
	case rivals == 1:
		text += " 1 rival cannot be told apart."
	case rivals > 1:
		text += fmt.Sprintf(" %d rivals cannot be told apart.", rivals)
	}
	if undecided > 0 {
		text += fmt.Sprintf(" %d configurations are undecided.", undecided)
	}
	return text
}

// closest describes the failing point with the highest probability.
func (s *search) closest() string {
	best := slices.MaxFunc(s.all, func(a, b Candidate) int { return cmp.Compare(a.Probability, b.Probability) })
	for _, c := range s.all { // with all at 0: the one that misses its limit least
		if miss(c) < miss(best) {
			best = c
		}
	}
	return fmt.Sprintf("%s (%s).", best.Why, describe(best.Settings))
}

// miss is the factor by which a point misses its worst limit.
func miss(c Candidate) float64 {
	worst := 0.0
	for _, k := range c.Checks {
		ratio := k.Estimate.Mean / k.Limit.Value
		if k.Limit.AtLeast {
			ratio = 1 / ratio
		}
		worst = max(worst, ratio)
	}
	if len(c.Checks) == 0 {
		return math.Inf(1)
	}
	return worst
}

// describe writes settings as "cores 2, workers 6".
func describe(settings map[string]float64) string {
	var parts []string
	for name, v := range settings {
		parts = append(parts, name+" "+units.Digits(v, 6))
	}
	slices.Sort(parts)
	for i := range parts {
		parts[i] = trimZeros(parts[i])
	}
	return strings.Join(parts, ", ")
}

// trimZeros removes trailing zeros after a decimal point.
func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// Probability writes a probability; it never claims certainty.
func Probability(p float64) string {
	switch {
	case p > 0.995:
		return ">0.99"
	case p < 0.005:
		return "<0.01"
	}
	return units.Fixed(p, 2)
}

func value3(v float64, l Limit) string { return units.Format(v, l.unit()) }

func interval(e output.Estimate, l Limit) string {
	return units.Interval(e.Mean, e.Lo, e.Hi, l.unit())
}
