package report_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"tierscope/analysis/trust"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/recipe"
	"tierscope/gui/report"
	"tierscope/simulation"
)

// Method and limits are generated from everything that travels with the
// numbers: nobody can forget to say it.
func TestAReportAlwaysSaysItsLimits(t *testing.T) {
	t.Parallel()
	m := pagetest.Model()
	m.Provenance.Warnings = []string{"network time is a constant delay"}
	trust := trust.Trust{Grade: "B", Explained: 0.93, NotModelled: []string{"2 threads started by timers"}}
	var runs []recipe.Observation
	for _, w := range []float64{2, 4} {
		r, err := pagetest.Simulate(context.Background(), *m, map[string]float64{"workers": w}, simulation.Options{})
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, recipe.FromResult(r, nil, "")...)
	}
	r := report.Compose(report.Content{Name: "shop", Model: m, Trust: &trust, Observations: runs, Overview: true,
		Charts: []recipe.Recipe{{Metric: "X class/task mean", X: "workers"}, {Metric: "R class/other mean", X: "workers"}}, Date: time.Unix(0, 0).UTC(), Version: "test"})
	for _, want := range []string{"network time is a constant delay", "2 threads started by timers", "Trust grade B: 93 % of the CPU time of the measuring run is in the model."} {
		if !slices.Contains(r.Limits, want) {
			t.Errorf("the limits lack %q: %q", want, r.Limits)
		}
	}
	var headings []string
	for _, s := range r.Sections {
		headings = append(headings, s.Heading)
	}
	if want := []string{"Other configurations", "Throughput X over workers", "Response time R, other over workers", "Parameters of the model"}; !slices.Equal(headings, want) {
		t.Errorf("sections %q, want %q", headings, want)
	}
	if s := r.Sections[1:3]; s[0].Figure == nil || s[1].Figure != nil || s[1].Text == "" {
		t.Errorf("the pinned charts are %+v; want a figure, and a sentence where there is nothing to draw", s)
	}
	var b bytes.Buffer
	if err := report.WriteHTML(&b, r); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "Performance of shop") {
		t.Error("the title is missing")
	}
}
