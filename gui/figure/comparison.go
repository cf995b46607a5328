package figure

import (
	"math"
	"slices"
	"strings"

	"tierscope/gui/chart"
	"tierscope/gui/palette"
	"tierscope/simulation"
)

// parts are those of a response time in the order of every figure, with their
// words.
var parts = []struct{ stat, label string }{
	{"queue", "queue wait"}, {"ready", "CPU ready"}, {"cpu", "CPU"}, {"lock", "lock or signal wait"},
	{"disk_wait", "disk wait"}, {"disk_service", "disk service"}, {"delay", "delay"}, {"other", "other"},
}

// Side is one of two results that are compared.
type Side struct {
	Name   string
	Result *simulation.Result
}

// PairedBreakdown is where the time of a task goes in A and in B, a pair of
// bars per class.
func PairedBreakdown(a, b Side) chart.Bars {
	f := chart.Bars{Title: "Where a task's time goes", Axis: chart.Axis{Label: "Mean time per task", Unit: "s"}}
	for _, p := range parts {
		if hasPart(a.Result, p.stat) || hasPart(b.Result, p.stat) {
			f.Parts = append(f.Parts, chart.Part{Name: p.label, State: stateOf(p.stat)})
		}
	}
	for _, of := range classes(a.Result, b.Result) {
		for _, side := range []Side{a, b} {
			whole, ok := side.Result.Find("R " + of + " mean")
			if !ok {
				continue
			}
			name := side.Name
			if class := strings.TrimPrefix(of, "class/"); class != "task" {
				name += ", " + class
			}
			bar := chart.Bar{Name: name, Lo: max(whole.Estimate.Lo, 0), Hi: whole.Estimate.Hi}
			if math.IsInf(bar.Hi, 0) {
				bar.Lo, bar.Hi = 0, 0
			}
			for _, p := range parts {
				if !slices.ContainsFunc(f.Parts, func(x chart.Part) bool { return x.Name == p.label }) {
					continue
				}
				m, _ := side.Result.Find("B " + of + " " + p.stat)
				bar.Lengths = append(bar.Lengths, m.Estimate.Mean)
			}
			f.Bars = append(f.Bars, bar)
		}
	}
	return f
}

func stateOf(stat string) palette.State { return states[stat] }

func hasPart(r *simulation.Result, stat string) bool {
	return slices.ContainsFunc(r.Metrics, func(m simulation.Metric) bool {
		return m.Name == "B" && m.Stat == stat && m.Estimate.Mean > 0
	})
}

// classes are those of whose tasks either result says the response time.
func classes(all ...*simulation.Result) []string {
	var out []string
	for _, r := range all {
		for _, m := range r.Metrics {
			if m.Name == "R" && m.Stat == "mean" && !slices.Contains(out, m.Of) {
				out = append(out, m.Of)
			}
		}
	}
	return out
}

// quantiles are those that results hold of a distribution.
var quantiles = []struct {
	stat  string
	share float64
}{{"p50", 0.50}, {"p90", 0.90}, {"p95", 0.95}, {"p99", 0.99}}

// Distributions are those of the response time in A and B, as far as their
// percentiles tell, or of the makespan, by replication; and how much larger the
// share of B is that is done by a time.
func Distributions(a, b Side) chart.Lines {
	f := chart.Lines{Title: "Distribution of the response time", X: chart.Axis{Unit: "s"}, Y: chart.Axis{Label: "Share that is at most this", Unit: "1"}}
	name, of := "R", ""
	for _, m := range a.Result.Metrics {
		if m.Name == "T" && m.Stat == "mean" {
			name, of = "T", m.Of
			f.Title, f.Y.Label = "Distribution of the makespan", "Share of runs at most this"
			break
		}
		if m.Name == "R" && m.Stat == "mean" && of == "" {
			of = m.Of
		}
	}
	f.X.Label = map[string]string{"R": "Response time R", "T": "Makespan"}[name]
	var curves []chart.Series
	stairs := name == "T" && len(runs(a.Result, of)) > 1 && len(runs(b.Result, of)) > 1
	for i, side := range []Side{a, b} {
		s := chart.Series{Name: side.Name, Role: chart.Predicted, Colour: i}
		if stairs {
			all := runs(side.Result, of)
			for n, x := range all {
				s.Points = append(s.Points, chart.Point{X: x, Y: float64(n) / float64(len(all))}, chart.Point{X: x, Y: float64(n+1) / float64(len(all))})
			}
			curves = append(curves, s)
			continue
		}
		for _, q := range quantiles {
			if m, ok := side.Result.Find(name + " " + of + " " + q.stat); ok && m.Estimate.N > 0 {
				s.Points = append(s.Points, chart.Point{X: m.Estimate.Mean, Y: q.share})
			}
		}
		if len(s.Points) > 1 {
			curves = append(curves, s)
		}
	}
	f.Series = curves
	if len(curves) == 2 {
		if d := gap(curves[0], curves[1], stairs); len(d.Points) > 1 {
			f.Series = append(f.Series, d)
		}
	}
	return f
}

// runs are the makespans of the replications, ascending.
func runs(r *simulation.Result, of string) []float64 {
	m, _ := r.Find("T " + of + " mean")
	return slices.Sorted(slices.Values(m.Estimate.Samples))
}

// gap is B − A of two distribution functions where both are known: everywhere
// of stairs, of percentiles from the first of both on, in straight lines between them.
func gap(a, b chart.Series, stairs bool) chart.Series {
	d := chart.Series{Name: "B − A", Role: chart.Analytic, Colour: 2}
	first := max(a.Points[0].X, b.Points[0].X)
	var xs []float64
	for _, p := range slices.Concat(a.Points, b.Points) {
		if stairs || p.X >= first {
			xs = append(xs, p.X)
		}
	}
	slices.Sort(xs)
	for _, x := range slices.Compact(xs) {
		if stairs {
			d.Points = append(d.Points, chart.Point{X: x, Y: below(b, x) - below(a, x)})
		}
		d.Points = append(d.Points, chart.Point{X: x, Y: upTo(b, x) - upTo(a, x)})
	}
	return d
}

// upTo is the share that is at most x: on the line between two points, and
// above the last what that says.
func upTo(s chart.Series, x float64) float64 {
	last := chart.Point{X: math.Inf(-1)}
	for _, p := range s.Points {
		if p.X > x {
			if math.IsInf(last.X, 0) || last.X == x {
				return last.Y
			}
			return last.Y + (p.Y-last.Y)*(x-last.X)/(p.X-last.X)
		}
		last = p
	}
	return last.Y
}

// below is the share of stairs that is less than x.
func below(s chart.Series, x float64) float64 {
	share := 0.0
	for _, p := range s.Points {
		if p.X < x {
			share = p.Y
		}
	}
	return share
}
