package validate

import (
	"fmt"
	"math"
	"slices"

	"tierscope/core/quantity"
	"tierscope/measure/table"
)

// Standing is how one configuration stands in the verdict.
type Standing struct {
	Name string `json:"name"`
	Base bool   `json:"base,omitempty"` // it is the configuration of the analysis
	Is   Place  `json:"is"`
	Why  string `json:"why,omitempty"` // it is not within
}

// Place is where the errors of a configuration lie.
type Place string

// Places. What was measured and not predicted is beyond: nothing can be used there.
const (
	Within   Place = "within"
	Beyond   Place = "beyond"
	Unjudged Place = "cannot be judged"
)

// disturbedShare is the part of the measured runs from which on disturbances can have
// moved their median.
const disturbedShare = 0.5

// standings places every configuration by the means of all metrics that count.
func (r *Report) standings(tolerance float64, isBase func(settings map[string]float64) bool) []Standing {
	var out []Standing
	by := map[string][]Comparison{}
	for _, c := range r.Comparisons {
		if c.Stat != "mean" || !r.judged(c.Metric) {
			continue
		}
		if _, seen := by[c.Name]; !seen {
			out = append(out, Standing{Name: c.Name, Base: isBase(c.Settings)})
		}
		by[c.Name] = append(by[c.Name], c)
	}
	for i := range out {
		out[i].Is, out[i].Why = place(by[out[i].Name], tolerance)
	}
	return out
}

// place judges the comparisons of one configuration. A clear miss counts, whatever else
// is doubtful; after that a doubt does.
func place(some []Comparison, tolerance float64) (Place, string) {
	if why := unanswered(some); why != "" {
		return Unjudged, why
	}
	doubt := ""
	for _, c := range some {
		switch e := math.Abs(c.Error); {
		case !c.known():
			return Beyond, c.Metric + " is not predicted"
		case float64(c.Measured.Disturbed) > disturbedShare*float64(len(c.Measured.Samples)):
			doubt = fmt.Sprintf("%d of %d measured runs were disturbed", c.Measured.Disturbed, len(c.Measured.Samples))
		case !(e-c.HalfWidth > tolerance) && !(c.HalfWidth <= tolerance):
			doubt = fmt.Sprintf("the error of %s is known to ±%s only", c.Metric, width(c))
		case e > tolerance:
			return Beyond, fmt.Sprintf("%s %s", c.Metric, ErrorText(c.Metric, c.Error))
		}
	}
	if doubt != "" {
		return Unjudged, doubt
	}
	return Within, ""
}

func width(c Comparison) string {
	if math.IsInf(c.HalfWidth, 0) || math.IsNaN(c.HalfWidth) {
		return "∞"
	}
	return quantity.Share(c.HalfWidth)
}

// unanswered says that how long the program takes and how much it does per second were
// measured, and neither was predicted.
func unanswered(some []Comparison) string {
	asked := ""
	for _, metric := range []string{"T", "X"} {
		i := slices.IndexFunc(some, func(c Comparison) bool { return c.Metric == metric })
		switch {
		case i >= 0 && some[i].known():
			return ""
		case i >= 0 && asked == "":
			asked = metric
		case i >= 0:
			asked += " nor " + metric
		}
	}
	if asked == "" {
		return ""
	}
	return "no " + asked + " is predicted"
}

// known reports whether there is an error at all: both numbers are there.
func (c *Comparison) known() bool { return !math.IsNaN(c.Error) && !math.IsInf(c.Error, 0) }

// answers are what a program's owner asks for: where they were measured and not
// predicted, that is an error of the model. Of other metrics it may have none.
var answers = []string{"T", "X", "R", "U"}

// missing is the comparison of an answer that the model does not give.
func missing(metric, of, stat string, m table.Summary) (Comparison, bool) {
	c := Comparison{Metric: metric, Of: of, Stat: stat, Unit: m.Unit, Measured: m, Error: math.NaN(), HalfWidth: math.NaN()}
	c.Predicted.Mean, c.Predicted.Lo, c.Predicted.Hi = math.NaN(), math.Inf(-1), math.Inf(1)
	return c, slices.Contains(answers, metric) && stat == "mean" && (of == "" || of == "program" || of == "cpu")
}
