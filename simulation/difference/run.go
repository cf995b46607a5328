package difference

import (
	"context"
	"fmt"
	"slices"

	"tierscope/core"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
	"tierscope/simulation/explain"
	"tierscope/simulation/output"
)

// Options say how two models are compared.
type Options struct {
	Settings  map[string]float64 // of both models
	Metric    string             // Metric.Key of what the changes are judged by; "": as explain chooses for the old model
	Attribute bool               // also find what each change costs: two more simulations for each
	// Turns are what both programs took by turns, as they were recorded; nil: they did not run. Changed settings were not run.
	Turns *Turns
	// Edited tells which functions that a function executes were edited, itself among them; nil: not known.
	Edited     func(function string) []string
	Simulation simulation.Options
	Simulate   experiment.Simulate
	Progress   func(done, total int) // simulations; may be nil
}

// Report is what changed between two models.
type Report struct {
	Old     Side     `json:"old"`
	New     Side     `json:"new"`
	Changes []Change `json:"changes"`
	Renamed []Rename `json:"renamed,omitempty"` // found under another name than lines account for

	Metric      string                  `json:"metric"`
	Comparisons []simulation.Comparison `json:"comparisons"` // new against old
	Shares      []Share                 `json:"shares,omitempty"`
	Interaction *output.Estimate        `json:"interaction,omitempty"` // what the shares do not add up to
	Verdict     string                  `json:"verdict"`

	// Before and After are the two models in the configuration, both with the
	// names of the old one.
	Before core.Model `json:"-"`
	After  core.Model `json:"-"`

	Rounds     int  `json:"rounds,omitempty"`     // of turns that told by how much the run times differ; 0: simulations did
	Incomplete bool `json:"incomplete,omitempty"` // cancelled: what there was
}

// Turns is by how much longer the new program ran, relative, with the interval of 95 % that so many rounds tell.
type Turns struct {
	Rounds       int
	More, Lo, Hi float64
}

// Graphs returns a call graph before and after, nil where there is none.
func (r *Report) Graphs(id string) (before, after *core.Graph) {
	return graph(&r.Before, id), graph(&r.After, id)
}

// Side is one of the two models.
type Side struct {
	Name    string `json:"name"`
	Hash    string `json:"hash"`
	Build   string `json:"build,omitempty"`
	Created string `json:"created,omitempty"`
}

// Rename is an element that has another name in the new model.
type Rename struct {
	Kind string `json:"kind"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Share is what one part of the changes does to the metric, in its unit: the
// mean of its effect as the first and as the last change made.
type Share struct {
	Part   string          `json:"part"`
	Effect output.Estimate `json:"effect"`
	Edited []string        `json:"edited,omitempty"` // functions in that code
}

// Run compares two models. The error reports a model or settings that are not
// valid. When ctx ends it returns what there is, marked Incomplete; without
// both models' results there is nothing, and the error is that of ctx.
func Run(ctx context.Context, before, after core.Model, o Options) (*Report, error) {
	r := &Report{Old: side(&before), New: side(&after)}
	var err error
	if before, err = before.With(o.Settings); err != nil {
		return nil, fmt.Errorf("old model: %w", err)
	}
	if after, err = after.With(o.Settings); err != nil {
		return nil, fmt.Errorf("new model: %w", err)
	}
	before.Checked, after.Checked = nil, nil // what models of one program are off by cancels
	match := Find(&before, &after)
	r.Renamed = match.renames()
	before.Parameters = nil
	after = match.renamed(before, after)
	r.Changes = changesOf(&before, &after)
	if err := after.Validate(); err != nil {
		return nil, fmt.Errorf("the new model with the names of the old one: %w", err)
	}
	r.Before, r.After = before, after
	a := attribution{before: &r.Before, after: &r.After, options: &o}
	if o.Attribute {
		a.divide(r.Changes)
	}
	return r, a.run(ctx, r)
}

func side(m *core.Model) Side {
	return Side{Name: m.Name, Hash: core.Hash(*m), Build: m.Provenance.Build, Created: m.Provenance.Created}
}

// renames lists the pairs whose names differ by more than lines and numbers of
// function literals.
func (m Match) renames() []Rename {
	var all []Rename
	for _, k := range []struct {
		kind string
		of   map[string]string
	}{{"pool", m.Pools}, {"queue", m.Queues}, {"lock", m.Locks}, {"disk", m.Disks}, {"source", m.Sources}, {"sink", m.Sinks}} {
		for after, before := range k.of {
			if stable(after) != stable(before) {
				all = append(all, Rename{k.kind, before, after})
			}
		}
	}
	slices.SortFunc(all, func(a, b Rename) int { return slices.Compare([]string{a.Kind, a.Old}, []string{b.Kind, b.Old}) })
	return all
}

// compare simulates the two models and fills in what that says.
func (a *attribution) compare(ctx context.Context, r *Report) (before, after *simulation.Result, err error) {
	if before, err = a.simulate(ctx, a.before); err != nil {
		return nil, nil, err
	}
	if after, err = a.simulate(ctx, a.after); err != nil {
		return nil, nil, err
	}
	if r.Metric = a.options.Metric; r.Metric == "" {
		r.Metric = explain.MetricOf(before, a.before)
	}
	for _, result := range []*simulation.Result{before, after} {
		if _, ok := result.Find(r.Metric); !ok {
			return nil, nil, fmt.Errorf("metric %q: one of the models has none of that name", r.Metric)
		}
	}
	r.Comparisons = simulation.Compare(before, after, nil)
	if t := a.options.Turns; t != nil && len(a.options.Settings) == 0 {
		r.seen(*t)
	}
	return before, after, nil
}

// runTime is the metric that turns measure.
const runTime = "T program mean"

// seen puts what turns told in the place of what simulations of two models that were made to differ by it would.
func (r *Report) seen(t Turns) {
	for i := range r.Comparisons {
		if c := &r.Comparisons[i]; c.Key() == runTime {
			r.Rounds = t.Rounds
			c.Relative = output.Estimate{Mean: t.More, Lo: t.Lo, Hi: t.Hi, N: t.Rounds, Confidence: c.Relative.Confidence}
			c.Absolute = output.Estimate{Mean: t.More * c.A.Mean, Lo: t.Lo * c.A.Mean, Hi: t.Hi * c.A.Mean, N: t.Rounds, Confidence: c.Absolute.Confidence}
		}
	}
}

// simulate runs one model. An interrupted result is none: it has other
// replications than those it is compared with.
func (a *attribution) simulate(ctx context.Context, m *core.Model) (*simulation.Result, error) {
	result, err := a.options.Simulate(ctx, *m, nil, a.options.Simulation)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	a.done++
	if a.options.Progress != nil {
		a.options.Progress(a.done, 2+2*len(a.parts))
	}
	return result, nil
}
