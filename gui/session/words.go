package session

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/judge"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// Differences says in words what a scenario changes, in a fixed order.
func Differences(m *core.Model, c Scenario) []string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(c.Settings)) {
		was, unit := math.NaN(), ""
		if p, ok := m.Parameter(k); ok {
			was, unit = p.Default, p.Unit
		} else if knob, err := m.Lookup(k); err == nil {
			was, unit = knob.Value, knob.Unit
		}
		out = append(out, fmt.Sprintf("%s %s to %s", short(k), number(was), quantity.Format(c.Settings[k], unit)))
	}
	for _, e := range c.Edits {
		out = append(out, EditWords(e))
	}
	return out
}

// short leaves out of a path what repeats: graphs/worker/fragments/parse/scale
// is "parse scale".
func short(path string) string {
	parts := strings.Split(path, "/")
	if len(parts) < 3 {
		return path
	}
	return strings.Join(parts[len(parts)-2:], " ")
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// EditWords says what a structural edit does.
func EditWords(e core.Edit) string {
	switch e.Kind {
	case core.SplitLock:
		return fmt.Sprintf("%s in %d stripes", e.Lock, e.N)
	case core.ReadWrite:
		return fmt.Sprintf("%s as read-write lock, %s reads", e.Lock, quantity.Share(e.Share))
	case core.FasterCS:
		return fmt.Sprintf("%s held %s of the time", e.Lock, quantity.Share(1/e.Factor))
	}
	return string(e.Kind) + " " + e.Lock
}

// Judge says what a scenario does to the response time (or the makespan) and
// throughput, from the simulated difference to the baseline.
func Judge(base, with *simulation.Result) Verdict {
	var parts []string
	worst := 0.0
	clear := false // something is known of every change: how large it is, or that it is small
	for _, c := range simulation.Compare(base, with, ofAll) {
		if !Tells(with, simulation.Metric{Name: c.Name, Of: c.Of, Stat: c.Stat, Estimate: c.B}) {
			continue
		}
		d := c.Absolute
		name := named(c.Name, c.Of)
		if c.B.Mean != 0 {
			worst = max(worst, c.B.Precision())
		}
		if d.Lo <= 0 && d.Hi >= 0 {
			if within, ok := Unchanged(c); ok {
				clear = true
				parts = append(parts, name+" changes by less than "+strings.TrimPrefix(within, "±"))
			} else {
				parts = append(parts, name+": no clear change")
			}
			continue
		}
		clear = true
		parts = append(parts, fmt.Sprintf("%s %s to %s (%s)", name,
			quantity.Format(c.A.Mean, c.Unit), quantity.Format(c.B.Mean, c.Unit), ChangeWords(c)))
	}
	if len(parts) == 0 {
		return Verdict{Sentence: "The two results have no metric in common.", Confidence: Undecided}
	}
	v := verdict(parts, fmt.Sprintf("%d and %s", base.Replications, quantity.Plural(with.Replications, "replication")), worst, with.Warnings)
	if !clear && v.Confidence != Weak {
		v.Confidence = Undecided
	}
	return v
}

// ofAll reports whether a metric is of a whole class of tasks, or the program: its mean R, T or X.
func ofAll(m simulation.Metric) bool {
	return m.Stat == "mean" && slices.Contains([]string{"R", "T", "X"}, m.Name) && (strings.HasPrefix(m.Of, "class/") || m.Of == "program")
}

// unchanged is the relative change up to which an interval around zero says that there is none, and not that
// nobody knows: what runs are asked to be precise to.
const unchanged = 0.05

// Unchanged says within what a metric stays as it is, "±0.3 %"; false if its change, or that there is none, is not clear.
func Unchanged(c simulation.Comparison) (within string, ok bool) {
	d, r := c.Absolute, c.Relative
	most := max(math.Abs(r.Lo), math.Abs(r.Hi))
	if !(d.Lo <= 0 && d.Hi >= 0) || min(c.A.N, c.B.N) < 2 || !(most <= unchanged) {
		return "", false
	}
	return quantity.PlusMinus(most), true
}

// Tells reports whether a metric of a result says anything: a batch program
// that has no tasks has no response time of them, and completes none per second.
func Tells(r *simulation.Result, m simulation.Metric) bool {
	return !math.IsNaN(m.Estimate.Mean) && !(r.Terminating && m.Name == "X" && m.Estimate.Mean == 0)
}

// Describe says what a single configuration shows.
func Describe(r *simulation.Result) Verdict {
	var parts []string
	worst := 0.0
	for _, m := range r.Metrics {
		if m.Stat != "mean" || !slices.Contains([]string{"R", "T", "X"}, m.Name) || !strings.HasPrefix(m.Of, "class/") && m.Of != "program" || !Tells(r, m) {
			continue
		}
		parts = append(parts, named(m.Name, m.Of)+" "+quantity.Amount(m.Estimate.Mean, m.Estimate.Lo, m.Estimate.Hi, m.Unit))
		if m.Estimate.Mean != 0 {
			worst = max(worst, m.Estimate.Precision())
		}
	}
	v := verdict(parts, quantity.Plural(r.Replications, "replication"), worst, r.Warnings)
	if of, u := r.Busiest(); of != "" {
		v.Sentence += fmt.Sprintf(" Busiest: %s, %s.", strings.Replace(of, "/", " ", 1), quantity.Share(u))
	}
	return v
}

// named says a metric, and of which class of tasks it is if not of the usual one.
func named(metric, of string) string {
	name := map[string]string{"R": "Response time", "T": "Makespan", "X": "Throughput"}[metric]
	switch class := strings.TrimPrefix(of, "class/"); {
	case class == core.DefaultClass || of == "program":
		return name
	case strings.HasPrefix(class, "in "): // what the program makes of its tasks
		return name + " " + class
	default:
		return name + " of " + class
	}
}

// Command is the line of tierctl that simulates a scenario the same way; a
// structural edit has no flag and needs the scenario's file.
func (s *Session) Command(c Scenario) string { return s.command(c, s.OptionsOf(c).Inputs()) }

// RunCommand is the line of tierctl that makes a run of the ledger again.
func (s *Session) RunCommand(r experiment.Run) string {
	return s.command(Scenario{Name: r.Scenario, Settings: r.Result.Configuration, Edits: r.Edits}, r.Inputs)
}

func (s *Session) command(c Scenario, in simulation.Inputs) string {
	words := []string{"tierctl", "run", Quote(s.path)}
	if len(c.Edits) > 0 && s.project != nil {
		words = append(words, "--scenario", Quote(c.Name))
	} else {
		for _, k := range slices.Sorted(maps.Keys(c.Settings)) {
			words = append(words, "--set", Quote(fmt.Sprintf("%s=%g", k, c.Settings[k])))
		}
	}
	words = append(words, fmt.Sprintf("--seed %d --reps %d", in.Seed, in.Replications))
	if in.Precision > 0 {
		words = append(words, fmt.Sprintf("--precision %g%%", 100*in.Precision))
	}
	if in.Confidence != (simulation.Options{}).Inputs().Confidence {
		words = append(words, fmt.Sprintf("--confidence %g%%", 100*in.Confidence))
	}
	return strings.Join(append(words, s.Despite()...), " ")
}

// Despite are the words by which a command line predicts what the window does:
// tierctl wants to be told to when the model's grade advises against it.
func (s *Session) Despite() []string {
	if grade, _ := s.Grade(); grade == judge.NoReliance {
		return []string{"--force"}
	}
	return nil
}

// Quote makes a word safe for a shell.
func Quote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+,:@%") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
