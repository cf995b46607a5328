package validate

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"tierscope/core/quantity"
)

// Rows returns the comparisons as a table of texts: a column per parameter, then
// metric, measured and predicted with their intervals, ε, ε at the speed of the base
// configuration and at equal CPU time, and remarks. Only means, unless all is set.
func (r *Report) Rows(all bool) (header []string, rows [][]string) {
	header = append(append(header, r.Parameters...), "metric", "measured", "predicted", "ε", "ε at base speed", "ε at equal CPU", "")
	for _, c := range r.Comparisons {
		if c.Stat != "mean" && !all {
			continue
		}
		var row []string
		for _, p := range r.Parameters {
			row = append(row, strconv.FormatFloat(c.Settings[p], 'g', -1, 64))
		}
		metric := c.Metric
		if c.Stat != "mean" {
			metric += " " + c.Stat
		}
		if strings.HasPrefix(c.Of, "disk/") || c.Metric == "E" {
			metric += " " + c.Of
		}
		var remarks []string
		if c.Outside {
			remarks = append(remarks, "outside")
		}
		if c.By != Own {
			remarks = append(remarks, "by the "+string(c.By))
		}
		if c.Saturated {
			remarks = append(remarks, "saturated")
		}
		if len(c.Measured.Warnings) > 0 {
			remarks = append(remarks, "flagged")
		}
		scaled := func(e *float64) string {
			if e == nil {
				return ""
			}
			return quantity.Change(*e)
		}
		rows = append(rows, append(row, metric,
			c.MeasuredText(),
			c.PredictedText(), ErrorText(c.Metric, c.Error), scaled(c.BaseSpeed), scaled(c.EqualCPU), strings.Join(remarks, ", ")))
	}
	return header, rows
}

// Markdown writes the report as a section: verdict, errors by metric, the
// table, knees and blame.
func (r *Report) Markdown(w io.Writer, title, command string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%s Confidence: %s (%s).\n\n", title, r.Verdict.Sentence, r.Verdict.Confidence, r.Verdict.Rule)
	fmt.Fprintf(&b, "- machine: %s\n- date: %s\n- command: `%s`\n", r.Machine, r.Date, command)
	for _, warning := range r.Warnings {
		fmt.Fprintf(&b, "- warning: %s\n", warning)
	}
	b.WriteString("\n| metric | configurations | mean \\|ε\\| | at base speed | at equal CPU | mean ε | worst | saturated only | outside |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, a := range r.Accuracies {
		saturated := "–"
		if a.Saturated.N > 0 {
			saturated = fmt.Sprintf("%s (%d)", a.size(a.Saturated.MeanAbs), a.Saturated.N)
		}
		scaled := func(p Part) string {
			if p.N == 0 {
				return "–"
			}
			return a.size(p.MeanAbs)
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | %s | %s | %s | %d |\n", a.Metric, a.N,
			a.size(a.MeanAbs), scaled(a.BaseSpeed), scaled(a.EqualCPU), ErrorText(a.Metric, a.Bias), a.size(a.MaxAbs), saturated, a.Outside)
	}
	b.WriteByte('\n')
	header, rows := r.Rows(false)
	header[len(header)-1] = "remarks"
	writeRow(&b, header)
	b.WriteString(strings.Repeat("|---", len(header)) + "|\n")
	for _, row := range rows {
		writeRow(&b, row)
	}
	for _, k := range r.Knees {
		fmt.Fprintf(&b, "\nKnee over %s", k.Parameter)
		if k.Others != "" {
			fmt.Fprintf(&b, " (%s)", k.Others)
		}
		fmt.Fprintf(&b, ": predicted %s, measured %s (%s).\n", quantity.Digits(k.Predicted, 3), quantity.Digits(k.Measured, 3), quantity.Change(k.Error()))
	}
	if lines := r.BlameLines(5); len(lines) > 0 {
		b.WriteString("\nMeasured and simulated time per execution in the base configuration, largest part of the error first:\n\n")
		for _, line := range lines {
			fmt.Fprintf(&b, "- %s\n", line)
		}
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

func writeRow(b *strings.Builder, cells []string) {
	for _, cell := range cells {
		b.WriteString("| " + strings.ReplaceAll(cell, "|", "\\|") + " ")
	}
	b.WriteString("|\n")
}

// BlameLines are the n largest contributions: "tier 3 lock cache: measured
// 12 µs, simulated 15 µs (+22 %), +3.1 % of the time".
func (r *Report) BlameLines(n int) []string {
	var out []string
	for _, x := range r.Blame[:min(n, len(r.Blame))] {
		out = append(out, fmt.Sprintf("tier %d %s: measured %s, simulated %s (%s), %s of all measured time", x.Tier, x.Of,
			quantity.Format(x.Measured, "s"), quantity.Format(x.Simulated, "s"), quantity.Change(x.Error()), quantity.Change(x.Share)))
	}
	return out
}
