package validate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tierscope/core/quantity"
	"tierscope/core/robust"
)

// Verdict is the answer in one sentence, with how sure it is.
type Verdict struct {
	Sentence   string     `json:"sentence"`
	Confidence Confidence `json:"confidence"`
	Rule       string     `json:"rule"` // why this confidence
	Within     int        `json:"within"`
	Of         int        `json:"of"` // configurations
}

// Confidence is how sure a verdict is.
type Confidence string

// Confidences.
const (
	Good      Confidence = "good"
	Fair      Confidence = "fair"
	Weak      Confidence = "weak"
	Undecided Confidence = "undecided"
)

// judged reports whether a metric counts in the verdict. All do, but for R of the
// tasks of a batch program: they are all there at the start, so their R says
// which of them the program takes up first, and the model takes equal ones.
func (r *Report) judged(metric string) bool {
	return metric != "R" || !slices.ContainsFunc(r.Comparisons, func(c Comparison) bool { return c.Metric == "T" })
}

// verdict judges by the means of all metrics that count: a configuration is
// within when every one of them is.
func verdict(r *Report, tolerance float64) Verdict {
	var names []string
	within := map[string]bool{}
	var worst *Comparison
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		if c.Stat != "mean" || math.IsNaN(c.Error) || !r.judged(c.Metric) {
			continue
		}
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
			within[c.Name] = true
		}
		within[c.Name] = within[c.Name] && math.Abs(c.Error) <= tolerance
		if worst == nil || math.Abs(c.Error) > math.Abs(worst.Error) {
			worst = c
		}
	}
	v := Verdict{Of: len(names)}
	for _, ok := range within {
		if ok {
			v.Within++
		}
	}
	parts := []string{
		answer(v.Within, v.Of),
		fmt.Sprintf("%d of %d configurations within ±%s.", v.Within, v.Of, quantity.Share(tolerance)),
	}
	if worst != nil {
		parts = append(parts, fmt.Sprintf("Worst: %s, %s (%s).", worst.Name, worst.Metric, ErrorText(worst.Metric, worst.Error)))
	}
	for _, a := range r.Accuracies {
		parts = append(parts, a.sentence())
	}
	if k := kneeSentence(r.Knees); k != "" {
		parts = append(parts, k)
	}
	v.Sentence = strings.Join(parts, " ")
	v.Confidence, v.Rule = confidence(r, tolerance)
	return v
}

func answer(within, of int) string {
	switch share := float64(within) / float64(max(of, 1)); {
	case share == 1:
		return "YES."
	case share >= 0.8:
		return "YES, mostly."
	case share >= 0.5:
		return "PARTLY."
	default:
		return "NO."
	}
}

// ErrorText writes an error ε of a metric as all screens and tables show it:
// in per cent, or in points for utilizations.
func ErrorText(metric string, e float64) string {
	text := quantity.Change(e)
	if metric == "U" {
		text = strings.TrimSuffix(text, " %") + " pp"
	}
	return text
}

// MeasuredText is the median with its interval, or alone where one run has
// none.
func (c Comparison) MeasuredText() string {
	if c.Measured.Confidence == 0 {
		return quantity.Format(c.Measured.Median, c.Unit)
	}
	return quantity.Interval(c.Measured.Median, c.Measured.Lo, c.Measured.Hi, c.Unit)
}

func (a Accuracy) sentence() string {
	text := fmt.Sprintf("%s: mean |ε| %s", a.Metric, a.size(a.MeanAbs))
	if a.Saturated.N > 0 && a.Saturated.N < a.N {
		text += fmt.Sprintf(" (saturated only %s)", a.size(a.Saturated.MeanAbs))
	}
	if a.BaseSpeed.N > 0 {
		text += fmt.Sprintf(" (%s at the speed of the base configuration)", a.size(a.BaseSpeed.MeanAbs))
	}
	if a.EqualCPU.N > 0 {
		text += fmt.Sprintf(" (%s at equal CPU time)", a.size(a.EqualCPU.MeanAbs))
	}
	return text + "."
}

func (a Accuracy) size(v float64) string {
	if a.Metric == "U" {
		return fmt.Sprintf("%.1f pp", 100*v)
	}
	return fmt.Sprintf("%.1f %%", 100*v)
}

// kneeSentence names the only knee, or the mean error of several.
func kneeSentence(knees []Knee) string {
	switch len(knees) {
	case 0:
		return ""
	case 1:
		k := knees[0]
		unit := ""
		if k.Unit != "" {
			unit = " " + quantity.For(k.Unit, k.Measured).Unit
		}
		return fmt.Sprintf("Knee at %s: predicted %s, measured %s%s (%s).", k.Parameter,
			quantity.Digits(k.Predicted, 3), quantity.Digits(k.Measured, 3), unit, quantity.Change(k.Error()))
	}
	sum, exact := 0.0, 0
	for _, k := range knees {
		sum += math.Abs(k.Error())
		if k.Predicted >= k.MeasuredLo && k.Predicted <= k.MeasuredHi {
			exact++
		}
	}
	if knees[0].Unit == "" { // positions on a grid
		return fmt.Sprintf("Knee: within what was measured in %d of %d curves.", exact, len(knees))
	}
	return fmt.Sprintf("Knee: mean |ε| of the position %.1f %% over %d curves.", 100*sum/float64(len(knees)), len(knees))
}

// Limits of the confidence words.
const (
	goodRepeats, fairRepeats     = 3, 2
	goodReplications             = 10
	goodPrecision, fairPrecision = 0.10, 0.25 // median relative half-width of the measured medians
	goodFlagged                  = 0.25       // share of comparisons with flagged runs
)

// confidence applies the rule that Rule prints.
func confidence(r *Report, tolerance float64) (Confidence, string) {
	repeats, replications := math.MaxInt, math.MaxInt
	var widths []float64
	flagged := 0
	for _, c := range r.Comparisons {
		if c.Stat != "mean" {
			continue
		}
		repeats = min(repeats, c.Measured.N)
		replications = min(replications, c.Predicted.N)
		widths = append(widths, c.Measured.Precision())
		if len(c.Measured.Warnings) > 0 {
			flagged++
		}
	}
	if len(widths) == 0 {
		return Weak, "no means were compared"
	}
	width := robust.Median(widths)
	flaggedShare := float64(flagged) / float64(len(widths))
	rule := fmt.Sprintf("at least %d measured runs and %d replications per configuration; measured medians ±%s; %s of the comparisons have flagged runs",
		repeats, replications, quantity.Share(width), quantity.Share(flaggedShare))
	for _, a := range r.Accuracies {
		if a.Metric != "U" && r.judged(a.Metric) && math.Abs(a.MeanAbs-tolerance) < a.HalfWidth {
			return Undecided, rule + fmt.Sprintf("; mean |ε| of %s is %.1f %% ± %.1f, which straddles the tolerance", a.Metric, 100*a.MeanAbs, 100*a.HalfWidth)
		}
	}
	switch {
	case repeats >= goodRepeats && replications >= goodReplications && width <= goodPrecision && flaggedShare <= goodFlagged:
		return Good, rule
	case repeats >= fairRepeats && width <= fairPrecision:
		return Fair, rule
	default:
		return Weak, rule
	}
}
