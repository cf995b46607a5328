package inputs

import (
	"math"
	"slices"

	"tierscope/analysis/regress"
	"tierscope/core/robust"
)

// Bias is what is known of the simulation from runs of the program at the captured
// inputs: by what factor they take longer than simulated, and how that scatters; or a
// line, whose constant is what a start costs that no probe saw: a larger share of a small
// input's time than of a large one's. The line goes through what a program takes that does
// nothing; without one it is taken where it predicts inputs left out better.
type Bias struct {
	Mean  float64 `json:"mean"`  // of log(median measured/simulated)
	Sigma float64 `json:"sigma"` // relative standard deviation of a single run about it, or about the line
	Runs  int     `json:"runs"`
	// Disturbed is how many of the runs other programs took the cores from.
	Disturbed int `json:"disturbed,omitempty"`
	// Constant and Factor are those of the line, in s; 0: there is none.
	Constant float64 `json:"constant_s,omitempty"`
	Factor   float64 `json:"factor,omitempty"`

	line *regress.Curve
}

// simulatedTime is the variable of the line.
const simulatedTime = "simulated"

// compared is an input: what was simulated for it, and what its runs took, in s.
type compared struct {
	simulated float64
	runs      []float64
}

// newBias compares runs with what was simulated for their inputs. A program that does nothing is an input of which no time is
// simulated.
func newBias(all []compared, starts []float64) Bias {
	b := factorOf(all)
	if b.Runs < 2 {
		return b
	}
	if len(starts) > 0 {
		if line := lineOf(all, compared{0, starts}); line.line != nil {
			return line
		}
	}
	if line := lineOf(all); line.line != nil && leftOut(all, func(some []compared) Bias { return lineOf(some) }) < leftOut(all, factorOf) {
		return line
	}
	return b
}

// fewest is how many runs the input has that has least of them: as many of each count, so that an input that is run more often,
// because its runs are short, is not more than another.
func fewest(all []compared) int {
	n := math.MaxInt
	for _, c := range all {
		n = min(n, len(c.runs))
	}
	return n * len(all)
}

// scatter is the relative standard deviation of the runs about what is expected for their inputs.
func scatter(all []compared, parameters int, expected func(simulated float64) float64) float64 {
	sum := 0.0
	for _, c := range all {
		for _, t := range c.runs {
			sum += math.Pow(math.Log(t/expected(c.simulated)), 2) / float64(len(c.runs)*len(all))
		}
	}
	n := float64(fewest(all))
	return math.Sqrt(sum * n / math.Max(1, n-float64(parameters)))
}

func factorOf(all []compared) Bias {
	var b Bias
	for _, c := range all {
		b.Runs += len(c.runs)
		b.Mean += math.Log(robust.Median(c.runs)/c.simulated) / float64(len(all))
	}
	if b.Runs > 1 {
		b.Sigma = scatter(all, 1, func(simulated float64) float64 { return simulated * math.Exp(b.Mean) })
	}
	return b
}

// lineOf goes through the medians of the inputs: a run that was disturbed takes longer, and none takes less for it.
func lineOf(all []compared, besides ...compared) Bias {
	b := factorOf(all)
	var samples []regress.Sample
	for _, c := range slices.Concat(all, besides) {
		middle := regress.Sample{Variables: map[string]float64{simulatedTime: c.simulated}, Threads: 1, Y: robust.Median(c.runs)}
		samples = append(samples, slices.Repeat([]regress.Sample{middle}, fewest(all)/len(all))...)
	}
	line := regress.Line(samples, simulatedTime)
	if len(line.Model.Coefficients) < 2 || line.Model.Coefficients[0] <= 0 || line.Model.Coefficients[1] <= 0 {
		return b
	}
	b.Constant, b.Factor = line.Model.Coefficients[0], line.Model.Coefficients[1]
	b.Sigma = scatter(all, 2, func(simulated float64) float64 { return b.Constant + b.Factor*simulated })
	line.Sigma = b.Sigma
	b.line = &line
	return b
}

// leftOut is the root mean square of the logarithms by which the medians of inputs miss what all other inputs predict.
func leftOut(all []compared, fit func([]compared) Bias) float64 {
	if len(all) < 3 {
		return math.Inf(1)
	}
	squares := 0.0
	for i, c := range all {
		expected, _, _ := fit(slices.Delete(slices.Clone(all), i, i+1)).apply(c.simulated)
		squares += math.Pow(math.Log(robust.Median(c.runs)/expected), 2)
	}
	return math.Sqrt(squares / float64(len(all)))
}

// apply returns the time of a simulated one, the relative standard deviation of a run
// about it, and the degrees of freedom of that.
func (b Bias) apply(simulated float64) (time, spread, freedom float64) {
	if b.line != nil {
		at := map[string]float64{simulatedTime: simulated}
		return b.line.At(at), b.line.Spread(at), float64(max(1, b.line.Freedom))
	}
	return simulated * math.Exp(b.Mean), b.Sigma * math.Sqrt(1+1/float64(max(1, b.Runs))), float64(max(1, b.Runs-1))
}
