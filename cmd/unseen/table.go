//go:build unix

package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tierscope/core/robust"
)

// page is what is kept of the programs, as Markdown; all are those that there are.
func page(rows []row, all []program) string {
	var b strings.Builder
	b.WriteString("# What the analysis makes of programs that nobody prepared\n\n" +
		"`make unseen` writes this page. Structure: pools, queues, locks and knobs as `programs.txt` says they are. " +
		"ε is the error of T over numbers of threads and 1 and 2 cores, two plain runs each, while nothing else ran. Knobs: those in the model, of those that change what the program does.\n\n")
	fmt.Fprintf(&b, "%s\n\n", summary(rows))
	if names := missing(rows, all); len(names) > 0 {
		fmt.Fprintf(&b, "Not measured: %s.\n\n", strings.Join(names, ", "))
	}
	var machines []string
	for _, r := range rows {
		if !slices.Contains(machines, r.Machine) {
			machines = append(machines, r.Machine)
		}
	}
	for i, m := range machines {
		fmt.Fprintf(&b, "Machine %d: %s. ", i+1, dash(m))
	}
	b.WriteString("\n\n| Program | Structure | Grade | median ε | worst | within 15 % | Knobs | Analysis | Commit | Date | Machine |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d of %d | %s | %s | %s | %d |\n", r.Program, r.Structure, dash(r.Grade), r.Errors, r.Knobs[0], r.Knobs[1], r.cost(),
			dash(r.Commit), dash(r.Date), slices.Index(machines, r.Machine)+1)
	}
	return b.String()
}

func missing(rows []row, all []program) (names []string) {
	for _, p := range all {
		if !slices.ContainsFunc(rows, func(r row) bool { return r.Program == p.title() }) {
			names = append(names, p.title())
		}
	}
	return names
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
		return sound
	default:
		return strings.Join(o.Wrong, "; ")
	}
}

// String is three cells: the median, the worst, and how many are small.
func (e *errs) String() string {
	if e == nil {
		return "– | – | –"
	}
	return fmt.Sprintf("%.1f %% | %+.0f %% | %d of %d", 100*e.Median, 100*e.Worst, e.Near, e.Configurations)
}

func (r *row) cost() string {
	if r.Seconds == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f s, %.0f MB, %+.0f %%", r.Seconds, r.Megabytes, 100*r.Overhead)
}

// right counts the programs whose structure is right.
func right(rows []row) (n int) {
	for _, r := range rows {
		if r.Structure == sound {
			n++
		}
	}
	return n
}

// summary is the page in a few sentences.
func summary(rows []row) string {
	var medians []float64
	off := map[string]float64{} // the worst error by grade
	var within, all, has, knobs int
	for _, r := range rows {
		has, knobs = has+r.Knobs[0], knobs+r.Knobs[1]
		if e := r.Errors; e != nil {
			medians = append(medians, e.Median)
			off[r.Grade] = max(off[r.Grade], math.Abs(e.Worst))
			within, all = within+e.Near, all+e.Configurations
		}
	}
	text := fmt.Sprintf("Structure right for %d of %d programs; %d of %d knobs.", right(rows), len(rows), has, knobs)
	if len(medians) > 0 {
		text += fmt.Sprintf(" ε of T: median of the programs' medians %.1f %%, %d of %d configurations within %.0f %%.", 100*robust.Median(medians), within, all, 100*near)
		for _, g := range []string{"A", "B"} {
			if e, ok := off[g]; ok {
				text += fmt.Sprintf(" Worst of grade %s: %.0f %%.", g, 100*e)
			}
		}
	}
	return text
}
