package inputs

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"tierscope/analysis/regress"
	"tierscope/core"
)

// Captured is what one input showed.
type Captured struct {
	Input  map[string]float64
	Model  core.Model
	Times  []float64 // wall-clock times of runs of the program without probes, in s
	Starts []float64 // of runs of a program that does nothing, where no probe sees what that takes
	// Disturbed is how many of these runs other programs took the cores from.
	Disturbed int
}

// Family is the models of a program over its inputs.
type Family struct {
	Variables []string
	Curves    map[string]regress.Curve // by number
	Left      []string                 // inputs whose runs did something else, with what
	captured  []Captured               // those that the curves are of
	simulated []float64                // their times by the curves, in s, when they have been compared
}

// leastInputs tell a line from a curve, and leave two to contradict.
const leastInputs = 4

// NewFamily fits the numbers of models of several inputs. Models that are not like
// most of the others are left out.
func NewFamily(all []Captured) (*Family, error) {
	if len(all) < leastInputs {
		return nil, fmt.Errorf("inputs: models of %d inputs: at least %d are needed", len(all), leastInputs)
	}
	f := &Family{Curves: map[string]regress.Curve{}, Variables: slices.Sorted(maps.Keys(all[0].Input))}
	all = slices.Clone(all)
	var models []*core.Model
	for i := range all {
		all[i].Model = copyOf(all[i].Model)
		models = append(models, &all[i].Model)
	}
	dropPassing(models)
	var of []map[string]float64
	for i := range all {
		of = append(of, parts(&all[i].Model))
	}
	typical, best := 0, 0.0
	for i := range all {
		sum := 0.0
		for k := range all {
			l := alike(of[i], of[k])
			sum += l.fragments + l.time
		}
		if sum >= best {
			typical, best = i, sum
		}
	}
	for i, c := range all {
		if l := alike(of[i], of[typical]); !l.same() {
			f.Left = append(f.Left, fmt.Sprintf("%s: the program did something else: %.0f %% of the code fragments, with %.0f %% of the time, are those of %s",
				Text(c.Input), 100*l.fragments, 100*l.time, Text(all[typical].Input)))
			continue
		}
		c.Model.Walks = nil // what threads did with one input is not what they do with another
		f.captured = append(f.captured, c)
	}
	if len(f.captured) < leastInputs {
		return nil, fmt.Errorf("inputs: only %d of %d inputs make the program do the same: give inputs of one regime\n%s", len(f.captured), len(all), strings.Join(f.Left, "\n"))
	}
	return f, f.fit()
}

// fit fits a curve to every number that enough of the models have; others stay as they
// are in the model at hand.
func (f *Family) fit() error {
	samples, clocked := map[string][]regress.Sample{}, map[string]bool{}
	for _, c := range f.captured {
		model := copyOf(c.Model)
		for key, n := range numbers(&model) {
			clocked[key] = n.clocked
			samples[key] = append(samples[key], regress.Sample{Variables: c.Input, Threads: 1, Y: n.value})
		}
	}
	noise := noiseOf(f.captured)
	for key, of := range samples {
		if len(of) < leastInputs {
			continue
		}
		c := regress.FitFew(of)
		if c.Exact == nil && clocked[key] && noise.explains(of) {
			c = regress.Steady(of)
		}
		f.Curves[key] = c
	}
	if len(f.Curves) == 0 {
		return errors.New("inputs: the models have no number in common")
	}
	return nil
}

// Text writes an input as flags would.
func Text(input map[string]float64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(input)) {
		parts = append(parts, fmt.Sprintf("%s=%.10g", name, input[name]))
	}
	return strings.Join(parts, ",")
}

// At returns the model of an input by the middle of all curves.
func (f *Family) At(input map[string]float64) (core.Model, error) { return f.draw(input, nil) }

// Draw returns a model of an input, its numbers drawn from the uncertainty of their
// curves.
func (f *Family) Draw(input map[string]float64, random *rand.Rand) (core.Model, error) {
	return f.draw(input, random)
}

func (f *Family) draw(input map[string]float64, random *rand.Rand) (core.Model, error) {
	for _, name := range f.Variables {
		if v, ok := input[name]; !ok || !(v > 0) {
			return core.Model{}, fmt.Errorf("inputs: give %s: a positive number is needed for it", name)
		}
	}
	m := copyOf(f.nearest(input).Model)
	varied := map[string]bool{}
	all := numbers(&m)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		c, ok := f.Curves[key]
		if !ok {
			continue
		}
		n := all[key]
		v := c.At(input)
		if random != nil {
			spread := math.Min(c.Spread(input), widest)
			v *= math.Exp(spread * c.Quantile(math.Min(1-tail, math.Max(tail, random.Float64()))))
		}
		switch {
		case n.whole && n.counted:
			v = math.Max(0, math.Round(v))
		case n.whole && v < 1 || !(v > 0):
			v = n.value // no curve goes through 0
		}
		if v != n.value {
			varied[key] = true
			n.set(v)
		}
	}
	settle(&m, varied)
	if err := m.Validate(); err != nil {
		return m, fmt.Errorf("inputs: the curves give no valid model for %s: %w", Text(input), err)
	}
	return m, nil
}

const (
	widest = 0.5   // relative standard deviation from which a curve says nothing, so that its draws are of no use
	tail   = 0.005 // of the law that is drawn from, beyond which nothing is drawn
)

// nearest is the captured input that is nearest in logarithms: its distributions have
// the shape that is scaled.
func (f *Family) nearest(input map[string]float64) Captured {
	best, least := 0, math.Inf(1)
	for i, c := range f.captured {
		d := 0.0
		for _, name := range f.Variables {
			d += math.Pow(math.Log(input[name]/c.Input[name]), 2)
		}
		if d <= least {
			best, least = i, d
		}
	}
	return f.captured[best]
}
