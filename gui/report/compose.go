package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/gui/chart"
	"tierscope/gui/figure"
	"tierscope/gui/palette"
	"tierscope/gui/recipe"
	"tierscope/measure/validate"
	"tierscope/simulation/explain"
)

// Content is what is known about a model; any part but the model may be nil.
type Content struct {
	Name         string // of the project
	Model        *core.Model
	Scenario     string // that Explain is about
	Explain      *explain.Report
	Validation   *validate.Report
	Observations []recipe.Observation // runs and measurements
	Charts       []recipe.Recipe      // what the analyst pinned, drawn from Observations
	Pins         []recipe.Pin         // figures that the analyst pinned as they were
	Overview     bool                 // draw Observations over what varies most
	Trust        *trust.Trust
	Grade        string // as all screens show it (judge.Grade); "": that of Trust
	Date         time.Time
	Version      string
	Lines        palette.Set // colours of the lines of figures
}

// Compose puts a report together: the verdicts first, then the evidence, and
// always the method and its limits.
func Compose(c Content) Report {
	r := Report{
		Title:    "Performance of " + c.Name,
		Subtitle: fmt.Sprintf("model %s@%.7s", c.Model.Name, core.Hash(*c.Model)),
		Footer:   fmt.Sprintf("Tierscope %s, %s", c.Version, c.Date.Format("2006-01-02 15:04")),
		Lines:    c.Lines,
	}
	if p := c.Model.Provenance; p.Program != "" {
		r.Subtitle += ", built from one run of " + p.Program
		if p.Machine != "" {
			r.Subtitle += " on " + p.Machine
		}
	}
	if c.Explain != nil {
		r.Verdict = c.Explain.Verdict.Sentence
		r.Sections = append(r.Sections, c.explained()...)
	}
	if c.Validation != nil {
		if r.Verdict == "" {
			r.Verdict = c.Validation.Verdict.Sentence
		}
		r.Sections = append(r.Sections, c.validated()...)
	}
	if section, ok := c.explored(); ok {
		r.Sections = append(r.Sections, section)
	}
	for _, chart := range c.Charts {
		r.Sections = append(r.Sections, c.pinned(chart))
	}
	for _, p := range c.Pins {
		r.Sections = append(r.Sections, Section{Heading: p.Title, Text: p.Note, Caption: p.Summary, Pin: &p})
	}
	r.Sections = append(r.Sections, c.parameters())
	r.Limits = c.limits()
	return r
}

func (c Content) explained() []Section {
	base := c.Explain.Baseline
	from := c.from()
	from.Scenario, from.Seed, from.Replications = c.Scenario, base.Seed, base.Replications
	findings := chart.Table{Header: []string{"finding", "points", "why"}}
	for _, f := range c.Explain.Findings {
		findings.Rows = append(findings.Rows, []string{f.Summary, quantity.Count(int64(f.Score)), f.Why})
	}
	return []Section{
		{Heading: "Where a task's time goes", Figure: figure.Breakdown(c.Explain), From: from},
		{Heading: "What would help", Figure: figure.Gains(c.Explain), From: from,
			Text: "Every resource and piece of code was made faster in the simulator, on the same random numbers as the baseline."},
		{Heading: "Findings", Table: &findings},
	}
}

func (c Content) validated() []Section {
	v := c.Validation
	from := c.from()
	from.Measured = v.Date + " on " + v.Machine
	sections := []Section{{Heading: "Does the model match what was measured?", Text: v.Verdict.Sentence + " Confidence: " + string(v.Verdict.Confidence) + " (" + v.Verdict.Rule + ")."}}
	units := recipe.Units(c.Model)
	for i, a := range v.Accuracies {
		s := Section{Heading: a.Metric + ": predicted and measured", Figure: figure.PredictedMeasured(v, a.Metric, units, false), From: from}
		if i == 0 {
			header, rows := v.Rows(false)
			s.Table = &chart.Table{Header: header, Rows: rows}
		}
		sections = append(sections, s)
	}
	return sections
}

// explored is the figure of all runs, if they vary anything.
func (c Content) explored() (Section, bool) {
	if !c.Overview || len(recipe.Varied(c.Observations)) == 0 {
		return Section{}, false
	}
	r := recipe.Suggest(c.Observations, recipe.Metrics(c.Observations)[0])
	return Section{Heading: "Other configurations", Figure: r.Lines(c.Observations, recipe.Units(c.Model)),
		From: c.from()}, true
}

// from is where a figure comes from, if nothing more is known.
func (c Content) from() chart.Provenance {
	return chart.Provenance{Model: c.Name, Revision: core.Hash(*c.Model), Program: "Tierscope " + c.Version, Date: c.Date}
}

// pinned is the figure of a chart that the analyst chose.
func (c Content) pinned(chart recipe.Recipe) Section {
	s := Section{Heading: chart.Name(), From: c.from()}
	n := len(chart.Select(c.Observations))
	if n == 0 {
		s.Text = "No run of this revision of the model is known that this chart could show."
		return s
	}
	s.Figure = chart.Lines(c.Observations, recipe.Units(c.Model))
	return s
}

func (c Content) parameters() Section {
	t := chart.Table{Header: []string{"parameter", "value of the run", "supported by it", "follows", "how the program is told"}}
	for _, p := range c.Model.Parameters {
		supported := "–"
		if p.SupportedMin != 0 || p.SupportedMax != 0 {
			supported = quantity.Format(p.SupportedMin, "") + " … " + quantity.Format(p.SupportedMax, p.Unit)
		}
		follows := ""
		if p.Follows != nil {
			follows = p.Follows.String()
		}
		t.Rows = append(t.Rows, []string{p.Name, quantity.Format(p.Default, p.Unit), supported, follows, p.How})
	}
	return Section{Heading: "Parameters of the model", Table: &t}
}

// limits are everything that travels with the numbers.
func (c Content) limits() []string {
	all := []string{"The model is a discrete-event simulation of three tiers: queues and thread pools, a probabilistic call graph per pool, and CPU, disk and locks. Intervals are 95 % confidence intervals over independent replications."}
	if t := c.Trust; t != nil {
		all = append(all, fmt.Sprintf("Trust grade %s: %s of the CPU time of the measuring run is in the model.", cmp.Or(c.Grade, t.Grade), quantity.Share(t.Explained)))
		for _, list := range [][]string{t.Reasons, t.Assumptions, t.Suspects, t.NotModelled, t.WallClock, t.Warnings} {
			all = append(all, list...)
		}
	}
	all = append(all, c.Model.Provenance.Warnings...)
	if c.Explain != nil {
		all = append(all, c.Explain.Baseline.Warnings...)
	}
	if c.Validation != nil {
		all = append(all, c.Validation.Warnings...)
	}
	slices.Sort(all[1:])
	return append(all[:1], slices.Compact(all[1:])...)
}
