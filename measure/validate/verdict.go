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
	Answer     Answer     `json:"answer"`
	Confidence Confidence `json:"confidence"`
	Rule       string     `json:"rule"` // why this confidence
	Within     int        `json:"within"`
	Of         int        `json:"of"`        // configurations
	Standings  []Standing `json:"standings"` // each of them
}

// Answer is the verdict in one word.
type Answer string

// Answers.
const (
	Yes      Answer = "YES"
	Mostly   Answer = "YES, mostly"
	Partly   Answer = "PARTLY"
	No       Answer = "NO"
	NoAnswer Answer = "CANNOT BE JUDGED"
)

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
func verdict(r *Report, tolerance float64, isBase func(map[string]float64) bool) Verdict {
	v := Verdict{Standings: r.standings(tolerance, isBase)}
	v.Of = len(v.Standings)
	unjudged := 0
	for _, s := range v.Standings {
		switch s.Is {
		case Within:
			v.Within++
		case Unjudged:
			unjudged++
		case Beyond:
		}
	}
	v.Answer = answer(v.Within, unjudged, v.Of)
	sentence, base := baseSentence(v.Standings)
	if base == Beyond {
		v.Answer = No
	}
	parts := []string{string(v.Answer) + ".", fmt.Sprintf("%d of %d configurations within ±%s.", v.Within, v.Of, quantity.Share(tolerance))}
	if sentence != "" {
		parts = append(parts, sentence)
	}
	parts = append(parts, doubts(v.Standings)...)
	if worst := r.Worst(); worst != nil {
		parts = append(parts, fmt.Sprintf("Worst: %s, %s (%s).", worst.Name, worst.Metric, ErrorText(worst.Metric, worst.Error)))
	}
	corrected := false // said of the first metric that counts
	for _, a := range r.Accuracies {
		first := !corrected && r.judged(a.Metric)
		corrected = corrected || first
		parts = append(parts, a.sentence(first))
	}
	if k := kneeSentence(r.Knees); k != "" {
		parts = append(parts, k)
	}
	v.Sentence = strings.Join(parts, " ")
	v.Confidence, v.Rule = confidence(r, tolerance)
	switch {
	case v.Answer == NoAnswer:
		v.Confidence = Undecided
	case base == "" && v.Confidence == Good:
		v.Confidence = Fair
	}
	if base == "" {
		v.Rule += "; the configuration of the analysis is not among them"
	}
	return v
}

// Worst is the comparison with the largest known error of a metric that counts, nil if there is none.
func (r *Report) Worst() *Comparison {
	var worst *Comparison
	for i := range r.Comparisons {
		if c := &r.Comparisons[i]; c.Stat == "mean" && c.known() && r.judged(c.Metric) && (worst == nil || math.Abs(c.Error) > math.Abs(worst.Error)) {
			worst = c
		}
	}
	return worst
}

// baseSentence says what is wrong in the configuration of the analysis, where
// everything was seen: a model that misses it cannot be trusted anywhere. The place is
// "" if it was not measured.
func baseSentence(standings []Standing) (string, Place) {
	i := slices.IndexFunc(standings, func(s Standing) bool { return s.Base })
	switch {
	case i < 0:
		return "", ""
	case standings[i].Is == Beyond:
		return fmt.Sprintf("The configuration that was analysed is missed itself (%s).", standings[i].Why), Beyond
	}
	return "", standings[i].Is
}

// doubts counts the configurations that cannot be judged, by reason.
func doubts(standings []Standing) []string {
	var first *Standing
	n := 0
	for i := range standings {
		if standings[i].Is == Unjudged {
			n++
			if first == nil {
				first = &standings[i]
			}
		}
	}
	switch n {
	case 0:
		return nil
	case 1:
		return []string{fmt.Sprintf("%s cannot be judged: %s.", first.Name, first.Why)}
	}
	return []string{fmt.Sprintf("%d cannot be judged, such as %s: %s.", n, first.Name, first.Why)}
}

// Shares of the configurations within the tolerance from which the answer is a yes, and
// from which it is no no.
const (
	mostlyShare = 0.8
	partlyShare = 0.5
)

// answer is what holds whatever the configurations would show that cannot be judged. If
// it depends on them, there is none.
func answer(within, unjudged, of int) Answer {
	least := float64(within) / float64(max(of, 1))
	most := float64(within+unjudged) / float64(max(of, 1))
	switch {
	case least == 1:
		return Yes
	case least >= mostlyShare:
		return Mostly
	case most < partlyShare:
		return No
	case least >= partlyShare && most < mostlyShare:
		return Partly
	}
	return NoAnswer
}

// ErrorText writes an error ε of a metric as all screens and tables show it:
// in per cent, or in points for utilizations.
func ErrorText(metric string, e float64) string {
	if math.IsNaN(e) || math.IsInf(e, 0) {
		return "–"
	}
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
	return quantity.Amount(c.Measured.Median, c.Measured.Lo, c.Measured.Hi, c.Unit)
}

// PredictedText is the prediction with its interval, a dash where there is none.
func (c Comparison) PredictedText() string {
	if !c.known() {
		return "–"
	}
	return quantity.Amount(c.Predicted.Mean, c.Predicted.Lo, c.Predicted.Hi, c.Unit)
}

// sentence says how large the errors of a metric are; corrected adds how large they would be on a machine that is
// always as fast as when the model was made.
func (a Accuracy) sentence(corrected bool) string {
	if a.N == 0 {
		return fmt.Sprintf("%s: not predicted.", a.Metric)
	}
	text := fmt.Sprintf("%s: mean |ε| %s", a.Metric, a.size(a.MeanAbs))
	var more []string
	if a.Missing > 0 {
		more = append(more, fmt.Sprintf("not predicted in %d more", a.Missing))
	}
	if a.Saturated.N > 0 && a.Saturated.N < a.N {
		more = append(more, "saturated only "+a.size(a.Saturated.MeanAbs))
	}
	if corrected && a.BaseSpeed.N > 0 {
		more = append(more, a.size(a.BaseSpeed.MeanAbs)+" at the speed of the base configuration")
	}
	if corrected && a.EqualCPU.N > 0 {
		more = append(more, a.size(a.EqualCPU.MeanAbs)+" at equal CPU time")
	}
	if len(more) > 0 {
		text += " (" + strings.Join(more, "; ") + ")"
	}
	return text + "."
}

func (a Accuracy) size(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
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
		repeats = min(repeats, c.Measured.Runs())
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
	spread := "measured medians " + quantity.PlusMinus(width)
	if repeats < fairRepeats && width == 0 {
		spread = "how far runs of one configuration differ is not known"
	}
	flags := "no comparison has flagged runs"
	if flagged > 0 {
		flags = quantity.Share(flaggedShare) + " of the comparisons have flagged runs"
	}
	rule := fmt.Sprintf("at least %s and %s per configuration; %s; %s",
		quantity.Plural(repeats, "measured run"), quantity.Plural(replications, "replication"), spread, flags)
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
