package accuracy

import (
	"cmp"
	"math"
	"regexp"
	"strings"

	"tierscope/measure/validate"
)

// From makes the rows of a result of a comparison of predictions with measurements,
// and says of it what the comparison knows: machine, command, date and repeats.
// Percentiles are left out, as the papers do; knees over rates are rows, too.
func From(report *validate.Report) Result {
	r := Result{Machine: known(report.Machine), Command: known(Portable(report.Command)), Analysed: report.Analysed}
	if day, _, ok := strings.Cut(report.Date, "T"); ok {
		r.Date = known(day)
	}
	repeats := math.MaxInt
	for _, c := range report.Comparisons {
		if c.Stat != "mean" {
			continue
		}
		quantity := c.Metric
		if strings.HasPrefix(c.Of, "disk/") || c.Metric == "E" {
			quantity += " " + c.Of
		}
		row := Row{
			Quantity: quantity, Unit: c.Unit, Configuration: cmp.Or(c.Name, "as analysed"),
			Measured:  &Value{Mean: c.Measured.Median},
			EqualCPU:  c.EqualCPU,
			Saturated: c.Saturated, Flagged: len(c.Measured.Warnings) > 0,
		}
		if !math.IsNaN(c.Error) { // else it was measured and not predicted
			row.Predicted, row.Error = between(c.Predicted.Mean, c.Predicted.Lo, c.Predicted.Hi), &c.Error
		}
		if c.Measured.Confidence > 0 {
			row.Measured = between(c.Measured.Median, c.Measured.Lo, c.Measured.Hi)
		}
		r.Rows = append(r.Rows, row)
		repeats = min(repeats, c.Measured.Runs())
	}
	if len(r.Rows) > 0 {
		r.Repeats = &repeats
	}
	for _, k := range report.Knees {
		if k.Unit == "" { // a position on a grid
			continue
		}
		e := k.Error()
		r.Rows = append(r.Rows, Row{Quantity: "knee over " + k.Parameter, Unit: k.Unit, Configuration: cmp.Or(k.Others, "all"),
			Predicted: between(k.Predicted, k.PredictedLo, k.PredictedHi), Measured: between(k.Measured, k.MeasuredLo, k.MeasuredHi), Error: &e})
	}
	return r
}

func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// between is a value with an interval, or alone if the interval is not known.
func between(mean, low, high float64) *Value {
	v := &Value{Mean: mean}
	if !math.IsNaN(low-high) && !math.IsInf(low-high, 0) {
		v.Low, v.High = &low, &high
	}
	return v
}

var (
	projects = regexp.MustCompile(`(\s|^)\S*\.tier(\s|$)`)
	folders  = regexp.MustCompile(`(\s|^)/\S*/`)
)

// Portable takes the folders of one machine, and the name of the project, which is the
// subject's, out of a command.
func Portable(command string) string {
	return folders.ReplaceAllString(projects.ReplaceAllString(command, "${1}P.tier$2"), "$1")
}
