package calibrate

import (
	"math"

	"tierscope/analysis/trust"
	"tierscope/core"
)

// seen is what others than the program at hand show of how far its runs and models err, as
// standard deviations of the logarithm of a time. cmd/uncertain_test.go finds these numbers in the
// validations of testdata/accuracy, how often intervals contain a program that they were not made
// of, and whether grades keep their promises.
type seen struct {
	// Run times of 37 programs in 292 configurations, predicted from one analysis: where two more
	// configurations were run, as package judge does, and the model was off by e in them, it is off by
	// √(anotherDay² + perCheck²·mean e²) in others, and by unchecked where none was. The grade of the
	// recording, the distance from its configuration and the number of cores tell nothing beside e.
	anotherDay, perCheck, unchecked float64
	// Response times below saturation of the median one of seven servers, which nobody checks.
	server float64
	// Runs of one program differ by this much, told with so many degrees of freedom (see package
	// demand): it stands beside the few plain runs of a program.
	run, freedom float64
}

func elsewhere() seen {
	return seen{anotherDay: 0.056, perCheck: 1.01, unchecked: 0.301, server: 0.108, run: 0.031, freedom: 2}
}

// leastFactor is a deviation below which a factor changes nothing that is printed.
const leastFactor = 1e-4

// Uncertain is what an analysis with this evidence, whose model was held against these checks, does
// not know of it.
func Uncertain(m *core.Model, e trust.Evidence, checks []trust.Check) []core.Uncertain {
	known, runs := elsewhere(), max(len(e.CPU), 1)
	squares, freedom := known.freedom*known.run*known.run, known.freedom+float64(runs-1)
	mean := 0.0
	for _, c := range e.CPU {
		mean += math.Log(c) / float64(runs)
	}
	for _, c := range e.CPU {
		squares += (math.Log(c) - mean) * (math.Log(c) - mean)
	}
	own := math.Sqrt(squares / freedom / float64(runs)) // of their mean
	all := []core.Uncertain{{
		Name: "what the program costs on another day", Deviation: math.Hypot(known.anotherDay, own),
		Rest: known.anotherDay, Runs: runs, Targets: []core.Loading{{Path: "cpu/speed", Power: -1}},
	}}
	if d := known.model(checks, len(m.Sources) > 0); d > leastFactor {
		all = append(all, core.Uncertain{Name: "how well models predict", Key: "model", Deviation: d, Targets: []core.Loading{{Path: core.EveryScale}}})
	}
	return all
}

// model is the deviation of what a model is off by beside what another day changes.
func (s seen) model(checks []trust.Check, server bool) float64 {
	off, n := trust.Off(checks)
	switch {
	case n > 0:
		return min(s.perCheck*off, core.MostDeviation)
	case server:
		return beside(s.server, s.anotherDay)
	}
	return beside(s.unchecked, s.anotherDay)
}

// beside is what a deviation leaves of a larger one.
func beside(all, part float64) float64 { return math.Sqrt(all*all - part*part) }

// Within is what the relative error of 95 % of the predictions does not exceed, by the errors of
// the checks of a program.
func Within(checks []trust.Check) float64 {
	known := elsewhere()
	return math.Expm1(normal95 * math.Hypot(known.anotherDay, known.model(checks, false)))
}

const normal95 = 1.96 // of the standard normal law, 95 % are within ±1.96
