package calibrate

import (
	"math"

	"tierscope/analysis/trust"
	"tierscope/core"
)

// seen is what others than the program at hand show of how far its runs and models err, as
// standard deviations of the logarithm of a time.
type seen struct {
	// Run times of 26 programs in 304 configurations, predicted from one analysis and measured on
	// other days (testdata/accuracy): what all configurations of a program are off by, and
	// what each is off by beside that. cmd/uncertain_test.go finds these numbers, and how often
	// intervals made of them contain a program that they were not made of.
	anotherDay, model float64
	// Runs of one program differ by this much, told with so many degrees of freedom (see package
	// demand): it stands beside the few plain runs of a program.
	run, freedom float64
}

func elsewhere() seen { return seen{anotherDay: 0.051, model: 0.135, run: 0.031, freedom: 2} }

// Uncertain is what an analysis with this evidence does not know of its model.
func Uncertain(e trust.Evidence) []core.Uncertain {
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
	return []core.Uncertain{
		{
			Name: "what the program costs on another day", Deviation: math.Hypot(known.anotherDay, own),
			Rest: known.anotherDay, Runs: runs, Targets: []core.Loading{{Path: "cpu/speed", Power: -1}},
		},
		{Name: "how well models predict", Key: "model", Deviation: known.model, Targets: []core.Loading{{Path: core.EveryScale}}},
	}
}
