package calibrate

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tierscope/analysis/trace"
	"tierscope/core"
	"tierscope/simulation"
)

// How a model is simulated as it was recorded.
const (
	repeats      = 5                // Convention, sensitivity slight
	repeatBudget = 20 * time.Second // Convention, sensitivity none: longer than what is worth a wait
	repeatTasks  = 10_000           // from outside, in each. Theory: a mean of independent times is known to a hundredth of their deviation
)

// simulate runs a model in a configuration, nil as it was recorded: to its end, or for so many tasks from outside that what it costs
// does not depend on how busy it is.
func simulate(ctx context.Context, m core.Model, settings map[string]float64) (*simulation.Result, error) {
	o := simulation.Options{Replications: repeats, Budget: repeatBudget}
	if len(m.Sources) > 0 && m.Sources[0].Rate > 0 {
		o.Duration = repeatTasks / m.Sources[0].Rate
		o.Warmup = o.Duration / 10
	}
	return simulation.Run(ctx, m, settings, o)
}

// programCPU is the CPU time of the program's threads, without background work, in s.
func programCPU(ctx context.Context, m core.Model) (float64, error) {
	c, err := Costs(ctx, m, nil)
	return c.CPU, err
}

// Costs is what the program takes in a configuration, without background work.
func Costs(ctx context.Context, m core.Model, settings map[string]float64) (Cost, error) {
	c, background, err := costs(ctx, m, settings)
	c.CPU -= background
	return c, err
}

// costs is what the whole process takes, and what of its CPU time is background work.
func costs(ctx context.Context, m core.Model, settings map[string]float64) (c Cost, background float64, err error) {
	r, err := simulate(ctx, m, settings)
	if err != nil {
		return Cost{}, 0, err
	}
	configured, err := m.With(settings)
	if err != nil {
		return Cost{}, 0, err
	}
	took, cores := 0.0, 0.0
	for _, x := range r.Metrics {
		switch mean := x.Estimate.Mean; {
		case x.Stat != "mean":
		case x.Name == "T":
			took = mean
		case x.Name == "U" && x.Of == "cpu":
			cores += mean * float64(configured.CPU.Cores)
		case x.Name == "N" && strings.HasPrefix(x.Of, "background/"):
			background += mean
		}
	}
	if r.Interrupted || !(took > 0) {
		return Cost{}, 0, fmt.Errorf("it did not come to its end %d times within %v", repeats, repeatBudget)
	}
	return Cost{Time: took, CPU: took * cores}, took * background, nil
}

// response is the response time of the tasks of the first source; zero if none was answered.
func response(ctx context.Context, m core.Model) (answered trace.ResponseTime) {
	r, err := simulate(ctx, m, nil)
	if err != nil || r.Interrupted || len(m.Sources) == 0 {
		return answered
	}
	of := "class/" + m.Sources[0].Class
	for _, x := range r.Metrics {
		switch {
		case x.Name != "R" || x.Of != of:
		case x.Stat == "p50":
			answered.Median = x.Estimate.Mean
		case x.Stat == "mean":
			answered.Mean = x.Estimate.Mean
		}
	}
	return answered
}
