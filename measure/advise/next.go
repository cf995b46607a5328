package advise

import (
	"maps"
	"math"

	"tierscope/core"
)

// Candidate is a run that can be made.
type Candidate struct {
	Settings map[string]float64
	Cost     float64 // s
}

// Width is the widest interval of configurations: by how much more, as a part, the measured value
// may be.
func Width(f *core.Field, asked []map[string]float64) float64 {
	widest := 0.0
	for _, a := range asked {
		_, half := f.Another(a)
		widest = max(widest, half)
	}
	return math.Expm1(widest)
}

// leastRuns before an interval is believed. Theory: one run that agrees with the model by chance says
// nothing of how far others are off; two that do are rarely both chance.
const leastRuns = 2

// Known reports whether all configurations are known to a width.
func Known(f *core.Field, asked []map[string]float64, width float64) bool {
	return f.Seen() >= leastRuns && Width(f, asked) <= width
}

// mean half-width: it shrinks with every run, where the widest may not.
func mean(f *core.Field, asked []map[string]float64) float64 {
	sum := 0.0
	for _, a := range asked {
		_, half := f.At(a)
		sum += half / float64(len(asked))
	}
	return sum
}

// Next is the candidate after whose run the mean half-width of what is asked has shrunk most for
// what it costs, and the field as it is expected then. -1: there is no candidate.
func Next(f *core.Field, asked []map[string]float64, candidates []Candidate) (best int, after *core.Field) {
	best = -1
	now, most := mean(f, asked), math.Inf(-1)
	for i, c := range candidates {
		then := f.After(c.Settings)
		if gain := (now - mean(then, asked)) / c.Cost; gain > most {
			best, after, most = i, then, gain
		}
	}
	return best, after
}

// Times is a grid with one more axis.
func Times(grid []map[string]float64, name string, values []float64) (out []map[string]float64) {
	for _, g := range grid {
		for _, v := range values {
			s := maps.Clone(g)
			s[name] = v
			out = append(out, s)
		}
	}
	return out
}
