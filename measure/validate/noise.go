package validate

import (
	"math"
	"slices"
	"strconv"

	"tierscope/core"
	"tierscope/measure/table"
)

// delayed is the part of the measured times that runs waited for a CPU, at most, as something else had it. nil: nobody knows.
func (q Request) delayed(c table.Configuration, metric string) *float64 {
	waited, ok := c.Metrics["waited others sum"]
	if !ok { // of an earlier version
		waited, ok = c.Metrics["waited cpu sum"]
	}
	late := slices.ContainsFunc(q.Measured.Rows, func(r table.Row) bool {
		return slices.Contains(c.Runs, r.Run) && slices.Contains(r.Flags, table.GeneratorLate)
	})
	if !ok || late {
		return nil
	}
	all := c.Metrics["T program mean"].Median
	if metric == "R" || metric == "X" {
		r, known := c.Metrics["R server mean"]
		if !known {
			r = c.Metrics["R  mean"]
		}
		warmup, _ := strconv.ParseFloat(q.Measured.Note("warmup_s"), 64)
		duration, _ := strconv.ParseFloat(q.Measured.Note("duration_s"), 64)
		all = r.Median * c.Metrics["X  mean"].Median * (warmup + duration)
	}
	if !(all > 0) {
		return nil
	}
	part := waited.Median / all
	return &part
}

// ofRuns are the degrees of freedom with which it is known how far runs of a program scatter before any is seen. Theory: that few
// count little beside even the three runs of a check.
const ofRuns = 2

// Noise is how far the median may be from what undisturbed runs and simulations without end tell, beside what runs of programs differ
// by, as the deviation of the logarithm of their quotient. follows is how strongly the metric follows demands: who waits delays others
// as much. Infinite: nobody knows.
func (x *Comparison) Noise(follows float64) float64 {
	run := core.ErrorsOfModels().Run()
	squares, n := ofRuns*run*run, float64(len(x.Measured.Samples))
	mean := 0.0
	for _, s := range x.Measured.Samples {
		mean += math.Log(s) / n
	}
	for _, s := range x.Measured.Samples {
		squares += (math.Log(s) - mean) * (math.Log(s) - mean)
	}
	noise := 0.0
	if n > 1 {
		noise = max(0, squares/(ofRuns+n-1)-run*run) / n
	}
	if x.Measured.Disturbed > 0 {
		if x.Delayed == nil || *x.Delayed >= 1 {
			return math.Inf(1)
		}
		most := -math.Log1p(-*x.Delayed) * max(1, math.Abs(follows))
		noise += most * most / 3 // it lies anywhere from 0 to that
	}
	simulated, _ := x.Predicted.Shares()
	simulated /= core.Normal95 * x.Predicted.Mean
	if noise += simulated * simulated; math.IsNaN(noise) {
		return math.Inf(1)
	}
	return math.Sqrt(noise)
}
