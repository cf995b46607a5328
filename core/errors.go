package core

import "math"

// Errors is the law of the errors ln(measured/predicted) of models over configurations, which are
// alike in those that are near: a Gaussian process (kriging; Rasmussen & Williams 2006, §2.2) whose
// scale differs from program to program, as a log-normal law says, and is learned of a program's runs.
type Errors struct {
	Common float64 // part of the variance that all configurations of a program have in common
	Own    float64 // part that each has for itself, however often it is run
	Reach  float64 // octaves of a setting after which the rest is alike to 1/e
	Cores  float64 // the same of the number of cores
	Alone  float64 // deviation of all but the common part on one core, where nothing runs side by side; 1 on several
	Noise  float64 // part that one run adds
	Scale  float64 // deviation of the errors of the median program
	Spread float64 // deviation of its logarithm among programs
	// Day is the deviation of what runs of another day have in common beside all that.
	Day float64
}

// CoresPath is that of the number of cores.
const CoresPath = "cpu/cores"

// ErrorsOfModels is the law with the largest likelihood, on a grid, of the errors of 61 programs
// in 520 configurations over threads and cores (testdata/accuracy); Day is by how much the CPU times of the same programs differed
// between their analyses and later measurements, beyond what runs of one hour do (cmd/uncertain_test.go).
func ErrorsOfModels() Errors {
	return Errors{Common: 0.05, Own: 0.05, Reach: 4, Cores: 2, Alone: 0.7, Noise: 0.2, Scale: 0.06, Spread: 0.8, Day: 0.035}
}

// ErrorsOfServers is the law of the errors of the demands of servers, by their response times: as ErrorsOfModels, but for what ten of
// them say of how large errors are.
func ErrorsOfServers() Errors {
	l := ErrorsOfModels()
	l.Scale, l.Spread = 0.1, 0.8
	return l
}

// Errors is the law of the errors of models like m.
func (m *Model) Errors() Errors {
	if len(m.Sources) > 0 {
		return ErrorsOfServers()
	}
	return ErrorsOfModels()
}

// Usual is the root mean square of the errors of all programs.
func (l Errors) Usual() float64 { return l.Scale * math.Exp(l.Spread*l.Spread) }

// Run is the deviation of one run of the median program from what its runs have in common.
func (l Errors) Run() float64 { return l.Scale * math.Sqrt(l.Noise) }

// covariance of the errors in two configurations that differ, or in what two runs of one have in common but for Own; of scale 1.
func (l Errors) covariance(a, b map[string]float64) float64 {
	far := 0.0
	for _, path := range sortedKeys(a) {
		octaves, reach := 1.0, l.Reach
		if path == CoresPath {
			reach = l.Cores
		}
		switch x, y := a[path], b[path]; {
		case x == y:
			continue
		case x > 0 && y > 0:
			octaves = math.Abs(math.Log2(x / y))
		}
		if _, ok := b[path]; ok {
			far += octaves / reach
		}
	}
	return l.Common + (1-l.Common-l.Own)*l.beside(a)*l.beside(b)*math.Exp(-far)
}

// beside is the deviation that a configuration has beside what all have in common.
func (l Errors) beside(at map[string]float64) float64 {
	if at[CoresPath] == 1 {
		return l.Alone
	}
	return 1
}

// variance of the error in a configuration, of scale 1.
func (l Errors) variance(at map[string]float64) float64 {
	own := l.beside(at)
	return l.Common + (1-l.Common)*own*own
}

// noise is what so many runs of a configuration add to its variance.
func (l Errors) noise(at map[string]float64, runs int) float64 {
	own := l.beside(at)
	return own * own * l.Noise / float64(max(runs, 1))
}

// Likelihood is the logarithm of the density of a program's errors, without what does not depend
// on the law.
func (l Errors) Likelihood(seen []Checked) float64 {
	_, density := l.field(seen)
	return density
}
