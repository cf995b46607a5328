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

// Compare returns the differences of the metrics that both results have, in
// the order of a: of those that are asked for, by what they are called, or of all if only is nil, which are many where
// there are thousands of fragments. Results of equal seeds were simulated with common random
// numbers and are compared replication by replication; the others as
// independent samples. For percentiles of whole runs (T) there is no interval
// of the difference. What is not known of a model moves its results alike: where that was not simulated for one of two of the
// same model, as it is while replications are still missing, or with draws that are not those of the other, it is taken to change it
// in proportion.
func Compare(a, b *Result, only func(Metric) bool) []Comparison {
	paired := a.Seed == b.Seed && !a.BatchMeans && !b.BatchMeans
	alike := a.ModelHash == b.ModelHash
	type identity struct{ name, of, stat string }
	inB := map[identity]int{}
	for i, m := range b.Metrics {
		if only == nil || only(m) {
			inB[identity{m.Name, m.Of, m.Stat}] = i
		}
	}
	all := make([]Comparison, 0, len(inB))
	for _, m := range a.Metrics {
		i, ok := inB[identity{m.Name, m.Of, m.Stat}]
		if !ok {
			continue
		}
		c := Comparison{Name: m.Name, Of: m.Of, Stat: m.Stat, Unit: m.Unit, A: m.Estimate, B: b.Metrics[i].Estimate}
		was, is := c.A, c.B
		was, is = sameDraws(was, is, alike)
		if alike {
			was, is = was.AsUnsureAs(is), is.AsUnsureAs(was)
		}
		c.Difference = difference(c, was, is, paired)
		all = append(all, c)
	}
	return all
}

func difference(c Comparison, a, other output.Estimate, paired bool) output.Difference {
	confidence := a.Confidence
	switch {
	case c.Name == "T" && c.Stat != "mean":
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
