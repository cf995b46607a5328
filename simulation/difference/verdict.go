package difference

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tierscope/core/quantity"
	"tierscope/simulation"
)

// Of returns the comparison of a metric.
func (r *Report) Of(key string) (simulation.Comparison, bool) {
	for _, c := range r.Comparisons {
		if c.Key() == key {
			return c, true
		}
	}
	return simulation.Comparison{}, false
}

// enough is the part of the difference from which the changes named explain it.
const enough = 0.8

// verdict says in a sentence or two what became of the metric, and why.
func (r *Report) verdict() string {
	c, ok := r.Of(r.Metric)
	if !ok {
		return ""
	}
	name := metricName(c)
	d := c.Absolute
	if !c.Clear() {
		return fmt.Sprintf("The %s is the same as far as can be seen: %s, a difference of %s.%s", name,
			quantity.Format(c.B.Mean, c.Unit), quantity.Interval(d.Mean, d.Lo, d.Hi, c.Unit), r.decides(c, 0))
	}
	word := "less"
	if d.Mean > 0 {
		word = "more"
	}
	text := fmt.Sprintf("The %s is %s %s: %s instead of %s, a difference of %s.", name, quantity.Share(math.Abs(c.Relative.Mean)), word,
		quantity.Format(c.B.Mean, c.Unit), quantity.Format(c.A.Mean, c.Unit), quantity.Interval(d.Mean, d.Lo, d.Hi, c.Unit))
	return text + r.because(d.Mean)
}

// decides says what would tell more than the two analyses can, if it is they that leave it
// undecided whether a relative difference is beyond a limit: what each of them does not know, draw by
// draw, and not what both have in common.
func (r *Report) decides(c simulation.Comparison, limit float64) string {
	if r.Rounds > 0 && c.Key() == runTime {
		return r.rounds(c, limit)
	}
	simulated, inputs := c.Relative.Shares()
	if inputs <= simulated {
		return ""
	}
	text := fmt.Sprintf(" These two analyses cannot know it better than ±%s.", quantity.Share(inputs))
	if n := r.runsFor(math.Abs(c.Relative.Mean-limit) / inputs); n > 0 {
		return text + fmt.Sprintf(" With %d more runs of each program it would show, if it is there.", n)
	}
	if r.left(mostRuns) < r.left(0)/2 {
		return text + fmt.Sprintf(" More than %d further runs of each program would be needed.", mostRuns)
	}
	return text + " No number of runs of each alone would show it: let both builds run by turns (tierctl diff --record)."
}

// rounds says how many would tell: the interval shrinks with the root of their number.
func (r *Report) rounds(c simulation.Comparison, limit float64) string {
	half := c.Relative.HalfWidth()
	wider := half / (c.Relative.Mean - limit)
	n := math.Floor(float64(r.Rounds)*wider*wider) + 1
	if n > mostRuns {
		return fmt.Sprintf(" %d rounds of turns know it to ±%s; more than %d would be needed.", r.Rounds, quantity.Share(half), mostRuns)
	}
	return fmt.Sprintf(" %d rounds of turns know it to ±%s; with --rounds %.0f it would show, if it is there.", r.Rounds, quantity.Share(half), n)
}

// mostRuns is how many more runs anybody would make.
const mostRuns = 100

// runsFor is how many more runs of both programs make what their analyses do not know as
// small as a share of it, 0 if no reasonable number does.
func (r *Report) runsFor(share float64) int {
	for n := 1; n <= mostRuns; n++ {
		if r.left(n) < share*r.left(0) {
			return n
		}
	}
	return 0
}

// left is what both analyses do not know apart from each other, after n more runs of each.
func (r *Report) left(n int) float64 {
	sum := 0.0
	for _, u := range slices.Concat(r.Before.Uncertain, r.After.Uncertain) {
		if u.Key == "" { // others cancel
			sum += u.WithMore(n) * u.WithMore(n)
		}
	}
	return math.Sqrt(sum)
}

// mostEdited functions of a part are named.
const mostEdited = 3

// because names the changes that the difference is due to.
func (r *Report) because(total float64) string {
	var names []string
	explained := 0.0
	for _, s := range r.Shares {
		if s.Effect.Lo <= 0 && s.Effect.Hi >= 0 || s.Effect.Mean*total < 0 {
			continue
		}
		name := s.Part
		if n := len(s.Edited); n > mostEdited {
			name += fmt.Sprintf(", in which %s and %d more were edited", strings.Join(s.Edited[:mostEdited], ", "), n-mostEdited)
		} else if n > 0 {
			name += ", in which " + strings.Join(s.Edited, ", ") + " was edited"
		}
		names = append(names, name)
		if explained += s.Effect.Mean / total; explained >= enough {
			break
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case len(names) == 1:
		return fmt.Sprintf(" One change explains %s of it: %s.", quantity.Share(explained), names[0])
	}
	last := len(names) - 1
	return fmt.Sprintf(" %d changes explain %s of it: %s and %s.", len(names), quantity.Share(explained), strings.Join(names[:last], ", "), names[last])
}

func metricName(c simulation.Comparison) string {
	name := map[string]string{"R": "response time", "X": "throughput", "T": "run time"}[c.Name]
	if name == "" {
		return c.Key()
	}
	return c.Stat + " " + name
}
