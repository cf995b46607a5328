package optimise

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	units "tierscope/core/quantity"
	"tierscope/simulation/experiment"
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

// listed is the size of a space of which an answer lists the points that were not simulated, too.
const listed = 1000

// answer sorts the candidates and says what was found.
func (s *search) answer(ctx context.Context) (*Answer, error) {
	a := &Answer{Stages: s.stages, Incomplete: ctx.Err() != nil}
	if n := s.space.size(); !math.IsInf(n, 1) {
		a.Size = &n
	}
	best := s.incumbent(s.pool)
	finished := !a.Incomplete || best != nil
	for _, p := range s.pool {
		if c, ok := s.candidate(p, best, finished, a.Incomplete); ok {
			a.Candidates = append(a.Candidates, c)
		}
	}
	if len(a.Candidates) == 0 {
		a.State, a.Sentence = NotRun, "Nothing was simulated before the end."
		return a, nil
	}
	order := []State{Meets, Undecided, Dropped, Fails, NotRun}
	if best == nil && !a.Incomplete { // what was simulated and fails says more than an estimate
		order = []State{Meets, Undecided, Fails, Dropped, NotRun}
	}
	slices.SortStableFunc(a.Candidates, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.State), slices.Index(order, b.State)), boolean(a.Short)-boolean(b.Short), s.better(a, b))
	})
	first := &a.Candidates[0]
	if a.State = first.State; a.State == Meets {
		if s.question.Pareto {
			s.markFront(a.Candidates)
			slices.SortStableFunc(a.Candidates, func(a, b Candidate) int {
				return cmp.Or(boolean(b.Front)-boolean(a.Front), boolean(a.Front)*cmp.Compare(a.Cost, b.Cost))
			})
		} else {
			first.Best = true
			s.markRivals(a.Candidates)
		}
		if best != nil {
			a.Correct = s.correct(best)
		}
		if s.question.Load != "" && !first.Short {
			h, err := s.headroom(ctx, *first)
			if err != nil {
				return nil, err
			}
			a.Headroom = h
		}
	}
	a.Sentence = s.sentence(a)
	return a, nil
}

// candidate is what an answer says of a point; ok is false if it says nothing.
func (s *search) candidate(p, best *point, finished, interrupted bool) (c Candidate, ok bool) {
	switch {
	case p.full != nil:
		return *p.full, true
	case p.short != nil:
		c = *p.short
		if finished && c.State != Fails {
			if c.State = Dropped; best != nil {
				c.Why = "a short simulation shows that it is very probably not the best"
			}
		}
		return c, true
	case s.space.size() > listed:
		return c, false
	}
	c = Candidate{Point: experiment.Point{Settings: p.settings}, State: Dropped, Cost: p.cost}
	c.Objective = output.Estimate{Mean: math.NaN(), Lo: math.Inf(-1), Hi: math.Inf(1)}
	if s.byCost() {
		c.Objective = output.Exactly(p.cost, 0.95)
	}
	switch {
	case p.why != "":
		c.State, c.Why = Fails, p.why
	case best != nil && s.byCost() && p.cost > best.cost:
		c.Why = "costs more than the best"
	case interrupted:
		c.State = NotRun
	case s.feasible(p) < improbable:
		c.Why = "very probably fails, by its estimate"
	default:
		c.Why = "very probably not the best, by its estimate"
	}
	return c, true
}

// markRivals marks the points that meet the limits and whose objective is not
// clearly worse than that of the best, by paired differences.
func (s *search) markRivals(all []Candidate) {
	best := &all[0]
	for i := 1; i < len(all); i++ {
		c := &all[i]
		if c.State != Meets || c.Short {
			continue
		}
		if s.byCost() {
			c.Rival = c.Cost == best.Cost
			continue
		}
		d := output.Between(best.Objective, c.Objective, true, 0.95)
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
		n := float64(len(a.Candidates))
		if a.Size != nil {
			n = max(n, *a.Size)
		}
		text := fmt.Sprintf("None of the %.0f configurations meets the limits. The closest misses %s", n, s.closest(a.Candidates))
		if slices.ContainsFunc(a.Candidates, func(c Candidate) bool { return c.State == Dropped }) {
			text += " Those that were not simulated very probably fail, by their estimates."
		}
		return text
	case NotRun:
		return "Nothing was simulated before the end."
	case Undecided, Dropped:
		return fmt.Sprintf("Undecided: no configuration surely meets the limits; the most promising is %s with probability %s. %s.",
			describe(best.Settings), Probability(best.Probability), best.Why)
	case Meets:
	}
	if s.question.Pareto {
		return s.frontSentence(a)
	}
	text := fmt.Sprintf("%s. P(limits met) %s.", describe(best.Settings), Probability(best.Probability))
	if len(s.question.Limits) == 0 {
		text = describe(best.Settings) + "."
	}
	if best.Short {
		text += " That is the best so far, of short simulations."
	}
	if a.Headroom != nil {
		text += " " + a.Headroom.sentence(s.question.Load)
	}
	rivals, undecided := 0, 0
	for _, c := range a.Candidates {
		rivals += boolean(c.Rival)
		undecided += boolean(c.State == Undecided && !c.Short)
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
	if !s.byCost() && !best.Short {
		text += fmt.Sprintf(" P(none of the finalists is better by more than %s) %s.", units.Share(indifference), Probability(a.Correct))
	}
	if s.byCost() && s.cost != nil && !best.Short {
		if s.space.size() > exhaustive {
			_, expected := s.bargain()
			text += fmt.Sprintf(" Of the others that were looked at none promises to save more than %s: what it would save, times the probability that it keeps the limits.", units.Share(max(expected, 5e-3)))
		} else if p := s.cheaper(best.Cost); p > 0 {
			text += fmt.Sprintf(" Each cheaper one that was not simulated keeps the limits with a probability of at most %s, by its estimate.", Probability(p))
		}
	}
	return text
}

// cheaper is the largest probability of keeping the limits of a point that costs less and was not simulated.
func (s *search) cheaper(cost float64) float64 {
	most := 0.0
	for _, p := range s.pool {
		if p.cost < cost && p.full == nil && p.short == nil {
			most = max(most, s.feasible(p))
		}
	}
	return most
}

// closest describes the failing point with the highest probability.
func (s *search) closest(all []Candidate) string {
	best := slices.MaxFunc(all, func(a, b Candidate) int { return cmp.Compare(a.Probability, b.Probability) })
	for _, c := range all { // with all at 0: the one that misses its limit least
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
