package difference

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"tierscope/core/quantity"
)

// Condition is what must not be: "R.p95 > +5%".
type Condition struct {
	Text    string
	Name    string  // as in simulation.Metric
	Stat    string  // "mean" if not said
	Of      string  // "": of everything that has the metric
	Greater bool    // else less
	Limit   float64 // relative change
}

// Outcome is whether a condition holds.
type Outcome int

// Outcomes.
const (
	Met       Outcome = iota // what must not be is not
	Violated                 // it is
	Undecided                // the interval straddles the limit
)

var conditionSyntax = regexp.MustCompile(`^([A-Z])(?:\.(mean|p50|p90|p95|p99))?(?:\s+([^\s<>]+))?\s*([<>])\s*([+-]?[0-9.]+)\s*%$`)

// ParseCondition reads METRIC[.STAT] [OF] > LIMIT%.
func ParseCondition(text string) (Condition, error) {
	m := conditionSyntax.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return Condition{}, fmt.Errorf("condition %q: expected METRIC > CHANGE%%, such as 'R.p95 > +5%%', 'X < -2%%' or 'U disk/sda > 10%%'", text)
	}
	limit, err := strconv.ParseFloat(m[5], 64)
	if err != nil {
		return Condition{}, fmt.Errorf("condition %q: %q is not a number", text, m[5])
	}
	c := Condition{Text: text, Name: m[1], Stat: m[2], Of: m[3], Greater: m[4] == ">", Limit: limit / 100}
	if c.Stat == "" {
		c.Stat = "mean"
	}
	return c, nil
}

// Judge says whether what must not be is, and why. Of several metrics that the
// condition is about, the worst outcome counts.
func (c Condition) Judge(r *Report) (Outcome, string) {
	worst, why := Outcome(-1), ""
	for _, k := range r.Comparisons {
		if k.Name != c.Name || k.Stat != c.Stat || c.Of != "" && k.Of != c.Of || c.Of == "" && k.Name != "T" && !strings.HasPrefix(k.Of, "class/") {
			continue
		}
		lo, hi := k.Relative.Lo, k.Relative.Hi
		beyond, clear := lo > c.Limit, hi <= c.Limit
		if !c.Greater {
			beyond, clear = hi < c.Limit, lo >= c.Limit
		}
		outcome, word := Undecided, "undecided"
		switch {
		case beyond:
			outcome, word = Violated, "violated"
		case clear:
			outcome, word = Met, "no"
		}
		if outcome == Undecided {
			if word += ", more replications may decide"; r.decides(k, c.Limit) != "" {
				word = "undecided:" + strings.TrimSuffix(r.decides(k, c.Limit), ".")
			}
		}
		if worst < 0 || outcome == Violated || outcome == Undecided && worst == Met {
			worst, why = outcome, fmt.Sprintf("%s: %s; %s changed by %s", c.Text, word, k.Key(), fmt.Sprintf("%s [%s, %s]", quantity.Change(k.Relative.Mean), quantity.Change(lo), quantity.Change(hi)))
		}
	}
	if worst < 0 {
		return Undecided, fmt.Sprintf("%s: undecided, the models have no such metric in common", c.Text)
	}
	return worst, why
}
