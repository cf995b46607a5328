package experiments

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tierscope/core/quantity"
	"tierscope/gui/axes"
	"tierscope/gui/session"
	"tierscope/simulation/experiment"
)

// design is what the analyst typed: an experiment as text.
type design struct {
	axes         *axes.Editor
	constraints  string // separated by ";"
	replications string
	precision    string // per cent; empty: replications only
	seed         string
}

// experiment parses the design. The error names every field that is not
// understood.
func (d design) experiment() (experiment.Experiment, error) {
	e := experiment.Experiment{Name: "sweep"}
	var errs []error
	var err error
	e.Axes, err = d.axes.Axes()
	errs = append(errs, err)
	for c := range strings.SplitSeq(d.constraints, ";") {
		if c = strings.TrimSpace(c); c != "" {
			e.Constraints = append(e.Constraints, c)
		}
	}
	number := func(name, text string, set func(float64)) {
		text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "%"))
		if text == "" {
			return
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || v < 0 {
			errs = append(errs, fmt.Errorf("%s is %q: type a number that is not negative", name, text))
			return
		}
		set(v)
	}
	number("replications", d.replications, func(v float64) { e.Replications = int(v) })
	number("precision", d.precision, func(v float64) { e.Precision = v / 100 })
	number("seed", d.seed, func(v float64) { e.Seed = uint64(v) })
	if errors.Join(errs...) == nil {
		errs = append(errs, e.Validate())
	}
	return e, errors.Join(errs...)
}

// preview is the sentence that says what running a plan means.
func preview(p *experiment.Plan) string {
	text := quantity.Count(int64(len(p.Points))) + " runs"
	if len(p.Points) == 1 {
		text = "1 run"
	}
	if p.Known > 0 {
		text += ", " + quantity.Count(int64(p.Known)) + " of them in the ledger already"
	}
	switch {
	case p.Known == len(p.Points):
		text += ": nothing to simulate"
	case p.Remaining > 0:
		text += ", about " + experiment.Roughly(p.Remaining)
	}
	return text + "."
}

// command is the sweep as a command line that gives the same numbers, with more words.
func command(e experiment.Experiment, path string, more []string) string {
	var b strings.Builder
	b.WriteString("tierctl sweep")
	for _, a := range e.Axes {
		fmt.Fprintf(&b, " --axis %s", session.Quote(a.Parameter+"="+axes.Spec(a)))
	}
	for _, c := range e.Constraints {
		fmt.Fprintf(&b, " --where %s", session.Quote(c))
	}
	if e.Replications > 0 {
		fmt.Fprintf(&b, " --reps %d", e.Replications)
	}
	if e.Precision > 0 {
		fmt.Fprintf(&b, " --precision %s%%", strconv.FormatFloat(100*e.Precision, 'g', -1, 64))
	}
	fmt.Fprintf(&b, " --seed %d %s", e.Seed, session.Quote(path))
	return strings.Join(append([]string{b.String()}, more...), " ")
}
