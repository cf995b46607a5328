package validate

import (
	"math"
	"slices"
	"strings"

	"tierscope/measure/table"
	"tierscope/simulation"
)

// sameNumber is by how much two numbers of tasks of one run may differ, relative:
// both are a throughput times a makespan.
const sameNumber = 0.02

// asCounted returns the predicted throughput of what a batch program counts as its
// tasks. The program reports one number; the model may have several classes of
// tasks, which pass through different pools. Of the given class, any other one,
// and all of them together, the first is taken that has that number of tasks; the
// given one, if none has.
func asCounted(c table.Configuration, result *simulation.Result, given simulation.Metric) simulation.Metric {
	measured, ok := c.Metrics["T program mean"]
	predicted, hasT := result.Find("T program mean")
	reported, hasX := c.Metrics["X  mean"]
	if !ok || !hasT || !hasX || given.Name != "X" || given.Stat != "mean" {
		return given
	}
	number := reported.Median * measured.Median
	counts := func(m simulation.Metric) bool {
		return math.Abs(m.Estimate.Mean*predicted.Estimate.Mean/number-1) <= sameNumber
	}
	classes := slices.DeleteFunc(slices.Clone(result.Metrics), func(m simulation.Metric) bool {
		return m.Name != "X" || m.Stat != "mean" || !strings.HasPrefix(m.Of, "class/") || math.IsNaN(m.Estimate.Mean)
	})
	if counts(given) {
		return given
	}
	for _, m := range classes {
		if counts(m) {
			return m
		}
	}
	if all := together(classes); counts(all) {
		return all
	}
	return given
}

// plus returns a + share·b, draw by draw; what is not there is 0.
func plus(a, b []float64, share float64) []float64 {
	sum := slices.Clone(a)
	for len(sum) < len(b) {
		sum = append(sum, 0)
	}
	for i, x := range b {
		sum[i] += share * x
	}
	return sum
}

// together returns the throughput of all classes; its interval is as if they had
// all erred to the same side.
func together(classes []simulation.Metric) simulation.Metric {
	all := simulation.Metric{Name: "X", Of: "all classes", Stat: "mean", Unit: "1/s"}
	for _, m := range classes {
		e := m.Estimate
		all.Unit = m.Unit
		all.Estimate.Mean, all.Estimate.Lo, all.Estimate.Hi = all.Estimate.Mean+e.Mean, all.Estimate.Lo+e.Lo, all.Estimate.Hi+e.Hi
		all.Estimate.N, all.Estimate.Confidence = max(all.Estimate.N, e.N), e.Confidence
		all.Estimate.Inputs = plus(all.Estimate.Inputs, e.Inputs, 1)
		all.Estimate.Warnings = append(all.Estimate.Warnings, e.Warnings...)
	}
	return all
}
