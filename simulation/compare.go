package simulation

import (
	"math"

	"tierscope/simulation/output"
)

// Comparison is one metric in two configurations.
type Comparison struct {
	Name string          `json:"name"`
	Of   string          `json:"of"`
	Stat string          `json:"stat"`
	Unit string          `json:"unit"`
	A    output.Estimate `json:"a"`
	B    output.Estimate `json:"b"`
	output.Difference
}

// Key identifies the metric, as Metric.Key does.
func (c Comparison) Key() string { return c.Name + " " + c.Of + " " + c.Stat }

// Compare returns the differences of all metrics that both results have, in
// the order of a. Results of equal seeds were simulated with common random
// numbers and are compared replication by replication; the others as
// independent samples. For percentiles of whole runs (T) there is no interval
// of the difference.
func Compare(a, b *Result) []Comparison {
	paired := a.Seed == b.Seed && !a.BatchMeans && !b.BatchMeans
	inB := make(map[string]output.Estimate, len(b.Metrics))
	for _, m := range b.Metrics {
		inB[m.Key()] = m.Estimate
	}
	var all []Comparison
	for _, m := range a.Metrics {
		other, ok := inB[m.Key()]
		if !ok {
			continue
		}
		all = append(all, Comparison{m.Name, m.Of, m.Stat, m.Unit, m.Estimate, other, difference(m, other, paired)})
	}
	return all
}

func difference(m Metric, other output.Estimate, paired bool) output.Difference {
	a := m.Estimate
	confidence := a.Confidence
	switch {
	case m.Name == "T" && m.Stat != "mean":
		d := output.Estimate{Mean: other.Mean - a.Mean, Lo: math.Inf(-1), Hi: math.Inf(1), N: min(a.N, other.N), Confidence: confidence}
		d = d.Warn("percentiles of whole runs are compared without an interval")
		r := d
		r.Mean = d.Mean / a.Mean
		return output.Difference{Absolute: d, Relative: r}
	case paired:
		return output.Between(a, other, true, confidence)
	default:
		return output.Between(a, other, false, confidence)
	}
}
