//go:build unix

package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tierscope/core/robust"
)

// page is what came of all programs, as Markdown.
func page(of []outcome) string {
	var b strings.Builder
	b.WriteString("# What the analysis makes of programs that nobody prepared\n\n" +
		"`make unseen` writes this page. Structure: pools, queues, locks and knobs as `programs.txt` says they are. " +
		"ε is the error of T over numbers of threads and 1 and 2 cores. Knobs: those in the model, of those that change what the program does.\n\n")
	fmt.Fprintf(&b, "%s\n\n", summary(of))
	b.WriteString("| Program | Structure | Grade | median ε | worst | within 15 % | Knobs | Analysis |\n|---|---|---|---|---|---|---|---|\n")
	for _, o := range of {
		fmt.Fprintf(&b, "| %s %s | %s | %s | %s | %s | %s |\n", o.Language, o.Name, o.structure(), dash(o.Trust.Grade), o.errors(), o.knobs(), o.cost())
	}
	return b.String()
}

func dash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// structure says whether the model is that of the program, or in what not.
func (o *outcome) structure() string {
	switch {
	case o.Failure != "":
		return "no model: " + strings.ReplaceAll(o.Failure, "|", "/")
	case len(o.Wrong) == 0:
		return "right"
	default:
		return strings.Join(o.Wrong, "; ")
	}
}

// errors are three cells: the median, the worst, and how many are small.
func (o *outcome) errors() string {
	if len(o.Errors) == 0 {
		return "– | – | –"
	}
	worst, near := 0.0, 0
	for _, e := range o.Errors {
		if math.Abs(e) > math.Abs(worst) {
			worst = e
		}
		if math.Abs(e) <= 0.15 {
			near++
		}
	}
	return fmt.Sprintf("%.1f %% | %+.0f %% | %d of %d", 100*robust.Median(sizes(o.Errors)), 100*worst, near, len(o.Errors))
}

func sizes(es []float64) (out []float64) {
	for _, e := range es {
		out = append(out, math.Abs(e))
	}
	return out
}

func (o *outcome) knobs() string {
	if o.Model == nil {
		return "–"
	}
	has, all := o.found(o.Model)
	return fmt.Sprintf("%d of %d", has, all)
}

func (o *outcome) cost() string {
	if o.Seconds == 0 {
		return "–"
	}
	text := fmt.Sprintf("%.0f s, %.0f MB", o.Seconds, o.Megabyte)
	if o.Trust.Overhead != nil {
		text += fmt.Sprintf(", %+.0f %%", 100**o.Trust.Overhead)
	}
	return text
}

// right counts the programs whose structure is right.
func right(of []outcome) (n int) {
	for _, o := range of {
		if o.Failure == "" && len(o.Wrong) == 0 {
			n++
		}
	}
	return n
}

// summary is the page in a few sentences.
func summary(of []outcome) string {
	var all []float64
	off := map[string]float64{} // the worst error by grade
	has, knobs := 0, 0
	for _, o := range of {
		for _, e := range sizes(o.Errors) {
			all = append(all, e)
			off[o.Trust.Grade] = max(off[o.Trust.Grade], e)
		}
		if o.Model != nil {
			h, n := o.found(o.Model)
			has, knobs = has+h, knobs+n
		}
	}
	text := fmt.Sprintf("Structure right for %d of %d programs; %d of %d knobs.", right(of), len(of), has, knobs)
	if len(all) > 0 {
		slices.Sort(all)
		text += fmt.Sprintf(" ε of T in %d configurations: median %.1f %%, 90 %% within %.0f %%.", len(all), 100*robust.Median(all), 100*all[len(all)*9/10])
		for _, g := range []string{"A", "B"} {
			if e, ok := off[g]; ok {
				text += fmt.Sprintf(" Worst of grade %s: %.0f %%.", g, 100*e)
			}
		}
	}
	return text
}
