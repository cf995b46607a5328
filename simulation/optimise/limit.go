package optimise

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	units "tierscope/core/quantity"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

// Limit is a service level objective: every metric that it names stays at or
// below Value (or, with AtLeast, at or above).
type Limit struct {
	Name    string  `json:"name"`           // as in simulation.Metric: R, X, U, …
	Of      string  `json:"of,omitempty"`   // "": every class for R, X and D, and everything for the others
	Stat    string  `json:"stat,omitempty"` // "": mean
	AtLeast bool    `json:"at_least,omitempty"`
	Value   float64 `json:"value"`          // seconds, per second, or a share
	Sure    float64 `json:"sure,omitempty"` // probability of keeping it that is asked for; 0: 0.975
}

// ParseLimit reads "R.p95 <= 200ms", "R class/login mean <= 0.1", "U disk/sda
// <= 90%" or "X >= 100/s".
//
// "P(R.p95 <= 200ms) >= 0.9" also says how sure that must be.
func ParseLimit(text string) (Limit, error) {
	if inner, sure, given := probabilistic(text); given {
		p, err := value(sure)
		if err != nil || !(p > 0.5 && p < 1) {
			return Limit{}, fmt.Errorf("limit %q: give a probability between 0.5 and 1, such as P(R.p95 <= 200ms) >= 0.9", text)
		}
		l, err := ParseLimit(inner)
		l.Sure = p
		return l, err
	}
	bad := func() (Limit, error) {
		return Limit{}, fmt.Errorf("limit %q: expected a metric, <= or >=, and a value, such as \"R.p95 <= 200ms\" or \"U disk/sda <= 90%%\"", text)
	}
	var l Limit
	left, right, ok := strings.Cut(text, "<=")
	if !ok {
		if left, right, ok = strings.Cut(text, ">="); !ok {
			return bad()
		}
		l.AtLeast = true
	}
	words := strings.Fields(left)
	if len(words) == 0 || len(words) > 3 {
		return bad()
	}
	name, stat, dotted := strings.Cut(words[0], ".")
	l.Name = name
	if dotted {
		l.Stat = stat
	}
	for _, w := range words[1:] {
		switch {
		case strings.ContainsRune(w, '/') || w == "cpu" || w == "program":
			l.Of = w
		default:
			l.Stat = w
		}
	}
	if l.Stat == "mean" {
		l.Stat = ""
	}
	var err error
	if l.Value, err = value(right); err != nil || l.Name == "" {
		return bad()
	}
	return l, nil
}

// probabilistic takes "P(limit) >= q" apart.
func probabilistic(text string) (limit, sure string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "P(")
	end := strings.LastIndex(rest, ")")
	if !ok || end < 0 {
		return "", "", false
	}
	sure, ok = strings.CutPrefix(strings.TrimSpace(rest[end+1:]), ">=")
	return rest[:end], sure, ok
}

// sure is the probability from which the limit counts as kept.
func (l Limit) sure() float64 {
	if l.Sure > 0 {
		return l.Sure
	}
	return certain
}

// value reads a number, a duration, a rate or a percentage, with or without
// spaces.
func value(text string) (float64, error) {
	text = strings.Join(strings.FieldsFunc(text, unicode.IsSpace), "")
	if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(v) {
		return v, nil
	}
	if head, ok := strings.CutSuffix(text, "%"); ok {
		v, err := strconv.ParseFloat(head, 64)
		return v / 100, err
	}
	if head, ok := strings.CutSuffix(text, "/s"); ok {
		return strconv.ParseFloat(head, 64)
	}
	d, err := time.ParseDuration(text)
	return d.Seconds(), err
}

// stat returns the statistic that is limited.
func (l Limit) stat() string {
	if l.Stat == "" {
		return "mean"
	}
	return l.Stat
}

// String returns the limit in the form that ParseLimit reads.
func (l Limit) String() string {
	text := l.Name
	if l.Of != "" {
		text += " " + l.Of
	}
	if l.Stat != "" {
		text += " " + l.Stat
	}
	op := "<="
	if l.AtLeast {
		op = ">="
	}
	text = fmt.Sprintf("%s %s %s", text, op, units.Format(l.Value, l.unit()))
	if l.Sure > 0 {
		text = fmt.Sprintf("P(%s) >= %g", text, l.Sure)
	}
	return text
}

// unit is that of the metric.
func (l Limit) unit() string {
	switch l.Name {
	case "X":
		return "1/s"
	case "U", "D", "H":
		return "1"
	case "Q", "N", "V":
		return ""
	default:
		return "s"
	}
}

// matches reports whether the limit is about the metric.
func (l Limit) matches(m simulation.Metric) bool {
	if m.Name != l.Name || m.Stat != l.stat() {
		return false
	}
	if l.Of != "" {
		return m.Of == l.Of
	}
	switch l.Name {
	case "R", "X", "D", "N":
		return strings.HasPrefix(m.Of, "class/")
	case "U": // a pool that is busy waiting, or one core of many, is no saturated resource
		return !strings.HasPrefix(m.Of, "pool/") && !strings.HasPrefix(m.Of, "core/")
	default:
		return true
	}
}

// Check is one limit at one point, by the metric that is worst for it.
type Check struct {
	Limit       Limit           `json:"limit"`
	Of          string          `json:"of"`
	Estimate    output.Estimate `json:"estimate"`
	Probability float64         `json:"probability"` // that the limit is kept
}

// check judges a limit by a result. ok is false if the result has no such metric.
func (l Limit) check(r *simulation.Result) (worst Check, ok bool) {
	worst = Check{Limit: l, Probability: math.Inf(1)}
	for _, m := range r.Metrics {
		if !l.matches(m) || m.Estimate.N == 0 {
			continue
		}
		p := m.Estimate.ProbabilityBelow(l.Value)
		if l.AtLeast {
			p = 1 - p
		}
		if r.Unstable && (l.Name == "R" || l.Name == "N" || l.Name == "Q") && !l.AtLeast {
			p = 0 // it grows for ever
		}
		if math.IsNaN(p) {
			p = 0.5 // no interval: anything is possible
		}
		if p < worst.Probability {
			worst.Of, worst.Estimate, worst.Probability = m.Of, m.Estimate, p
		}
	}
	return worst, !math.IsInf(worst.Probability, 1)
}
