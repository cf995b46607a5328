package main

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"tierscope/simulation/output"
)

// Made is what became of a recording, as the runner prints it.
type Made struct {
	Model     string               `json:"model"` // hashes
	Trust     string               `json:"trust"`
	Trouble   string               `json:"trouble"` // why there is no model, or no end of its simulation
	Simulated bool                 `json:"simulated"`
	Metrics   map[string][]float64 `json:"metrics"` // means of T, R and X in each replication
}

// compared says what is not in the recordings as it was.
func compared(was, is map[string]Made) Change {
	var c Change
	for _, name := range slices.Sorted(maps.Keys(was)) {
		w, i := was[name], is[name]
		if i.Model != w.Model {
			c.Models++
		}
		if i.Trust != w.Trust {
			c.Reports++
		}
		if i.Trouble != "" && w.Trouble == "" {
			c.Without++
			continue
		}
		if !i.Simulated {
			continue
		}
		for _, metric := range slices.Sorted(maps.Keys(w.Metrics)) {
			if change := changed(w.Metrics[metric], i.Metrics[metric]); math.Abs(change) > c.largest() {
				c.Largest = &Largest{Change: round(change), Metric: metric, Recording: name}
			}
		}
	}
	return c
}

// certain is the confidence of a change that counts. Random numbers are common, but a model that
// is another one by a rounding error may use them otherwise from some moment on.
const certain = 0.999

// changed is the relative change of a mean, from values of the same replications; 0 if they do
// not show one for certain.
func changed(was, is []float64) float64 {
	if len(was) != len(is) || len(was) < 2 {
		return 0
	}
	d := output.Paired(was, is, certain)
	if change := d.Relative.Mean; d.Clear() && !math.IsInf(change, 0) {
		return change
	}
	return 0
}

// round keeps three digits.
func round(x float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	return r
}
