package session

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/measure/validate"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// Record is a run of the ledger in words.
type Record struct {
	experiment.Run
	Changes string // what the configuration sets and edits: "rate 120, workers 8"
	State   string // "complete", "interrupted", or EarlierModel
	Present bool   // made with the open model in its present revision
}

// EarlierModel is the state of a run of a revision of the model that is not open.
const EarlierModel = "earlier model"

// Records returns the runs of the project whose words contain every word of
// filter, latest first: the ledger of every run ever made.
func (s *Session) Records(filter string) []Record {
	words := strings.Fields(strings.ToLower(filter))
	present := map[string]bool{} // hash of a model → it is the open one, edited
	var out []Record
	for _, r := range slices.Backward(s.runs.all) {
		c := s.record(r, present)
		text := strings.ToLower(strings.Join([]string{c.Scenario, c.Changes, c.State, c.Time.Local().Format("2006-01-02 15:04"), "seed " + strconv.FormatUint(c.Inputs.Seed, 10)}, " "))
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			out = append(out, c)
		}
	}
	return out
}

func (s *Session) record(r experiment.Run, present map[string]bool) Record {
	c := Record{Run: r, Changes: Changes(r.Result.Configuration, r.Edits), State: "complete"}
	was, known := present[r.Result.ModelHash]
	if !known {
		if m, err := s.model.Edited(r.Edits...); err == nil {
			was = core.Hash(m) == r.Result.ModelHash
		}
		present[r.Result.ModelHash] = was
	}
	c.Present = was
	drawn := strings.HasSuffix(r.Result.Model, validate.AsMeasured)
	if drawn {
		c.Changes = r.Result.Model
	}
	switch {
	case r.Result.Interrupted:
		c.State = "interrupted"
	case !c.Present && !drawn:
		c.State = EarlierModel
	}
	return c
}

// Changes names a configuration by what it sets: "rate 120, workers 8"; the
// baseline sets nothing.
func Changes(settings map[string]float64, edits []core.Edit) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		parts = append(parts, short(name)+" "+strconv.FormatFloat(settings[name], 'g', 6, 64))
	}
	for _, e := range edits {
		parts = append(parts, EditWords(e))
	}
	if len(parts) == 0 {
		return "baseline"
	}
	return strings.Join(parts, ", ")
}

// RunName names a run by the scenario for which it was made and what it sets: "A: workers 8".
func RunName(r experiment.Run) string {
	changes := Changes(r.Result.Configuration, r.Edits)
	if r.Scenario == "" || r.Scenario == changes {
		return changes
	}
	return r.Scenario + ": " + changes
}

// Headline returns a metric of a result as a table shows it: the mean of R, X
// or T of the class that completes most.
func Headline(r *simulation.Result, name string) (text string, mean float64, ok bool) {
	best := -1
	for i, m := range r.Metrics {
		if m.Name != name || m.Stat != "mean" || m.Estimate.N == 0 || !strings.HasPrefix(m.Of, "class/") && m.Of != "program" {
			continue
		}
		if best < 0 || m.Estimate.N > r.Metrics[best].Estimate.N {
			best = i
		}
	}
	if best < 0 {
		return "–", 0, false
	}
	m := r.Metrics[best]
	return quantity.Amount(m.Estimate.Mean, m.Estimate.Lo, m.Estimate.Hi, m.Unit), m.Estimate.Mean, true
}

// Repeat simulates the configuration of a run again on the open model, with
// the same options and a seed. Equal inputs come from the ledger, so a repeat
// with the seed of a complete run only shows it; another seed is an
// independent check, and the seed of an interrupted run completes it.
func (s *Session) Repeat(r experiment.Run, seed uint64) {
	runner, options := s.Experimenter(nil), r.Inputs.Options()
	options.Seed, options.Pool = seed, runner.Pool
	title := fmt.Sprintf("Repeat %s, seed %d", Changes(r.Result.Configuration, r.Edits), seed)
	StartJob(s, title, func(ctx context.Context, report func(simulation.Progress)) (experiment.Run, error) {
		options.Progress = report
		run, _, err := runner.Single(ctx, r.Scenario, r.Edits, r.Result.Configuration, options)
		return run, err
	}, func(j *Job, p simulation.Progress) {
		j.Fraction, j.Remaining, j.Fact = p.Done, p.Remaining, Precision(p)
	}, func(j *Job, run experiment.Run, _ error) {
		if run.Result != nil && !s.left(j) {
			j.Fact = quantity.Plural(run.Result.Replications, "replication")
			s.AddRuns(run)
		}
	})
}
