package validate

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Condition is what must not be: "mean_abs_err > 15%".
type Condition struct {
	Text     string
	Metric   string // "": the worst metric
	Quantity string
	Greater  bool
	Limit    float64
}

// Outcome is whether a condition holds.
type Outcome int

// Outcomes.
const (
	Met       Outcome = iota // what must not be is not
	Violated                 // it is
	Uncertain                // the interval straddles the limit
)

var conditionSyntax = regexp.MustCompile(`^(?:([A-Za-z]+)\.)?([a-z_]+)\s*(>=?|<=?)\s*([0-9.]+)\s*(%?)$`)

// quantities are what conditions can be about. Each returns a value and the
// half-width of its interval, NaN if there is none.
var quantities = map[string]func(r *Report, metric string) (value, half float64){
	"mean_abs_err": func(r *Report, metric string) (float64, float64) {
		return worst(r, metric, func(a Accuracy) (float64, float64) { return a.MeanAbs, a.HalfWidth })
	},
	"max_abs_err": func(r *Report, metric string) (value, half float64) {
		value = math.NaN()
		for _, c := range r.Comparisons {
			if c.Stat == "mean" && c.known() && (metric == "" || c.Metric == metric) && !(math.Abs(c.Error) <= value) {
				value, half = math.Abs(c.Error), c.HalfWidth
			}
		}
		return value, half
	},
	"saturated_mean_abs_err": func(r *Report, metric string) (float64, float64) {
		return worst(r, metric, func(a Accuracy) (float64, float64) {
			if a.Saturated.N == 0 {
				return math.NaN(), 0
			}
			return a.Saturated.MeanAbs, a.Saturated.HalfWidth
		})
	},
	"abs_bias": func(r *Report, metric string) (float64, float64) {
		return worst(r, metric, func(a Accuracy) (float64, float64) { return math.Abs(a.Bias), a.HalfWidth })
	},
	"outside": func(r *Report, metric string) (float64, float64) {
		return worst(r, metric, func(a Accuracy) (float64, float64) { return float64(a.Outside) / float64(a.N+a.Missing), 0 })
	},
	"knee_err": func(r *Report, _ string) (value, half float64) {
		value = math.NaN()
		for _, k := range r.Knees {
			if e := math.Abs(k.Error()); !(e <= value) {
				value = e
				half = math.Hypot((k.MeasuredHi-k.MeasuredLo)/2, (k.PredictedHi-k.PredictedLo)/2) / k.Measured
			}
		}
		return value, half
	},
}

// worst is the largest value over the metrics.
func worst(r *Report, metric string, of func(Accuracy) (float64, float64)) (value, half float64) {
	value = math.NaN()
	for _, a := range r.Accuracies {
		if metric != "" && a.Metric != metric || a.N == 0 {
			continue
		}
		if v, h := of(a); !math.IsNaN(v) && !(v <= value) {
			value, half = v, h
		}
	}
	return value, half
}

// missingOf is how many comparisons of a metric, or of all, have no prediction.
func missingOf(r *Report, metric string) (n int) {
	for _, a := range r.Accuracies {
		if metric == "" || a.Metric == metric {
			n += a.Missing
		}
	}
	return n
}

// ParseCondition parses "mean_abs_err > 15%", "R.max_abs_err > 0.5".
func ParseCondition(text string) (Condition, error) {
	m := conditionSyntax.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return Condition{}, fmt.Errorf("condition %q: expected QUANTITY > LIMIT, such as 'mean_abs_err > 15%%' or 'R.knee_err > 0.1'", text)
	}
	c := Condition{Text: text, Metric: m[1], Quantity: m[2], Greater: m[3][0] == '>'}
	if _, ok := quantities[c.Quantity]; !ok {
		return Condition{}, fmt.Errorf("condition %q: %q is not one of %s", text, c.Quantity, strings.Join(slices.Sorted(maps.Keys(quantities)), ", "))
	}
	limit, err := strconv.ParseFloat(m[4], 64)
	if err != nil {
		return Condition{}, fmt.Errorf("condition %q: %q is not a number", text, m[4])
	}
	if m[5] == "%" {
		limit /= 100
	}
	c.Limit = limit
	return c, nil
}

// Judge says whether what must not be is, and why.
func (c Condition) Judge(r *Report) (Outcome, string) {
	value, half := quantities[c.Quantity](r, c.Metric)
	if n := missingOf(r, c.Metric); n > 0 && c.Greater && !(value-half > c.Limit) {
		return Uncertain, fmt.Sprintf("%s: undecided, %d comparisons have no prediction", c.Text, n)
	}
	if math.IsNaN(value) {
		return Uncertain, fmt.Sprintf("%s: undecided, the measurements do not show it", c.Text)
	}
	seen := fmt.Sprintf("it is %.1f %% ± %.1f", 100*value, 100*half)
	lo, hi := value-half, value+half
	beyond, clear := lo > c.Limit, hi <= c.Limit
	if !c.Greater {
		beyond, clear = hi < c.Limit, lo >= c.Limit
	}
	switch {
	case beyond:
		return Violated, fmt.Sprintf("%s: violated, %s", c.Text, seen)
	case clear:
		return Met, fmt.Sprintf("%s: no, %s", c.Text, seen)
	default:
		return Uncertain, fmt.Sprintf("%s: undecided, %s; more repetitions or replications may decide", c.Text, seen)
	}
}
