package judge

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/measure/table"
	"tierscope/measure/validate"
	"tierscope/simulation"
)

// Replications of each prediction, from two on until the mean is known so well. Convention: five are as many as an interval needs, and runs of the program
// themselves differ by more.
const (
	leastReplications = 2
	replications      = 5
	precise           = 0.02
)

// compare predicts the runs of the tables, by graphs and as recorded.
func compare(ctx context.Context, m core.Model, tables []*table.Table) ([]trust.Check, error) {
	var out []trust.Check
	for _, t := range tables {
		chosen, err := predict(ctx, m, t, simulation.Choose)
		if err != nil {
			return nil, err
		}
		byGraph := chosen
		if len(m.Walks) > 0 {
			if byGraph, err = predict(ctx, m, t, simulation.AsProbabilities); err != nil {
				return nil, err
			}
		}
		var longer *validate.Report
		if len(m.Sources) > 0 {
			if longer, err = predict(ctx, Longer(m), t, simulation.Choose); err != nil {
				return nil, err
			}
		}
		for i, c := range chosen.Comparisons {
			if c.Stat != "mean" || saysNothing(m, c) {
				continue
			}
			k := trust.Check{Name: c.Name, At: c.At, Metric: c.Metric, Unit: c.Unit, Measured: c.Measured.Median, Low: c.Measured.Lo, High: c.Measured.Hi, Runs: c.Measured.Runs(),
				Predicted: finite(c.Predicted.Mean), Error: finite(c.Error)}
			if c.EqualCPU != nil { // ε is of one CPU time, this one of another
				k.Work = finite((1 + c.Error) / (1 + *c.EqualCPU))
			}
			for _, s := range chosen.Verdict.Standings {
				if s.Name == c.Name && s.Is == validate.Unjudged {
					k.Disturbed = s.Why
				}
			}
			if g := byGraph.Comparisons; i < len(g) && g[i].Name == c.Name {
				k.ByGraph = finite(g[i].Predicted.Mean)
			}
			if longer != nil && i < len(longer.Comparisons) && longer.Comparisons[i].Name == c.Name && longer.Comparisons[i].Of == c.Of {
				if f := Elasticity(c.Predicted.Mean, longer.Comparisons[i].Predicted.Mean); math.Abs(f) >= leastFollows {
					k.Follows = finite(f)
				}
			}
			follows := 0.0
			if k.Follows != nil {
				follows = *k.Follows
			}
			if noise := finite(c.Noise(follows)); noise != nil {
				k.Noise = *noise
			} else {
				k.Work = nil // of simulations of which hardly one came to its end
			}
			out = append(out, k)
		}
	}
	return out, nil
}

// followCPU notes how strongly T follows the CPU time in the checks of a program that ends by itself, if they are so far apart in
// that as to count, or the time itself cannot be relied on.
func followCPU(ctx context.Context, m core.Model, tables []*table.Table, checks []trust.Check) error {
	disturbed := slices.ContainsFunc(checks, func(c trust.Check) bool { return c.Disturbed != "" })
	known := !slices.ContainsFunc(checks, func(c trust.Check) bool { return c.FollowsCPU == nil && c.Predicted != nil })
	if len(m.Sources) > 0 || known || !disturbed && trust.GradeOf(math.Expm1(trust.Spread(checks))) == "A" {
		return nil
	}
	for _, t := range tables {
		slower, err := predict(ctx, Slower(m), t, simulation.Choose)
		if err != nil {
			return err
		}
		for _, c := range slower.Comparisons {
			for i := range checks {
				if k := &checks[i]; c.Stat == "mean" && k.Name == c.Name && k.Metric == c.Metric && k.Predicted != nil {
					k.FollowsCPU = finite(Elasticity(*k.Predicted, c.Predicted.Mean))
				}
			}
		}
	}
	return nil
}

// leastFollows is how strongly a metric has to follow demands to tell of them. Theory: what it is off by is divided by that, and
// so is all that has nothing to do with demands.
const leastFollows = 0.5

// saysNothing reports whether a comparison decides nothing: R of a server that does not keep up depends on how long it is
// loaded, and X of one that does is its load.
func saysNothing(m core.Model, c validate.Comparison) bool {
	switch c.Metric {
	case "R":
		return c.Saturated || finite(c.Predicted.Mean) == nil
	case "X":
		open := !slices.ContainsFunc(m.Sources, func(s core.Source) bool { return s.Population > 0 })
		return open && !c.Saturated && !c.Outside
	}
	return false
}

// predict holds what a director says against the runs of a table.
func predict(ctx context.Context, m core.Model, t *table.Table, d simulation.Director) (*validate.Report, error) {
	o := simulation.Options{Replications: replications, Director: d, ModelAsItIs: true}
	if len(m.Sources) == 0 { // its runs are from start to end, and those of a large program all but the same
		o.Replications, o.MaxReplications, o.Precision = leastReplications, replications, precise
	}
	r, err := validate.Run(ctx, validate.Request{Model: m, Measured: t, Metrics: metricsOf(&m), Simulate: simulation.Run, Options: o})
	if err != nil {
		return nil, fmt.Errorf("checks: %w", err)
	}
	return r, nil
}

// metricsOf are those that a program is judged by.
func metricsOf(m *core.Model) []string {
	if len(m.Sources) > 0 {
		return []string{"X", "R"}
	}
	return []string{"T"}
}

// finite returns a number as a pointer; nil if there is none.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// Sentence says a check in one line.
func Sentence(c trust.Check) string {
	s := fmt.Sprintf("%s: measured %s %s (%d runs)", c.Name, c.Metric, quantity.Format(c.Measured, c.Unit), c.Runs)
	if c.Predicted == nil {
		return s + ", not predicted"
	}
	s += fmt.Sprintf(", predicted %s", quantity.Format(*c.Predicted, c.Unit))
	if c.ByGraph != nil && math.Abs(*c.ByGraph / *c.Predicted - 1) > 0.01 {
		s += fmt.Sprintf(" (by the graphs alone %s)", quantity.Format(*c.ByGraph, c.Unit))
	}
	if c.Error != nil && (c.Disturbed == "" || c.Noise > 0) {
		s += fmt.Sprintf(": ε %+.0f %%", 100**c.Error)
	}
	switch {
	case c.Disturbed != "" && c.Noise > 0:
		s += fmt.Sprintf(", known to ±%.0f %% (%s)", 100*math.Expm1(core.Normal95*c.Noise), c.Disturbed)
	case c.Disturbed != "":
		s += ": " + c.Disturbed
	}
	return s
}
