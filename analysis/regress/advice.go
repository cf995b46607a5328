package regress

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// reasons are why behaviours are hard to predict, whatever the program.
var reasons = []struct{ word, why string }{
	{"switch", "the scheduler makes switches: other programs, the number of cores and how long threads happen to wait decide about them, and a few of a run are chance"},
	{"fault", "the kernel and the allocator hand out pages in steps, and keep them for the next"},
	{"sync", "waiting follows from when the others come, not from the inputs alone: simulate it (tierctl hybrid), or look at the phases between barriers"},
	{"miss", "misses leap where the working set outgrows a cache"},
}

// noisy is the difference between runs of the same input from which it limits a model.
const noisy = 0.1

// Advice says why a behaviour is predicted badly, as far as that is known, and what to
// do next; nil if there is nothing to be done.
func (b *Behaviour) Advice() []string {
	if b.Constant || b.Acceptable() && b.Evaluation.HeldOut >= Levels[0] {
		return nil
	}
	var out []string
	for _, r := range reasons {
		if strings.Contains(strings.ToLower(b.Name), r.word) {
			out = append(out, r.why)
			break
		}
	}
	switch missed := 1 - b.Evaluation.HeldOut; {
	case len(b.Samples) < leastRows:
		out = append(out, fmt.Sprintf("add runs with other inputs: there are %d, and %d are the least", len(b.Samples), leastRows))
	case b.Noise > noisy && b.Noise > missed/2:
		out = append(out, fmt.Sprintf("runs of the same input differ by %.0f %%: no model of the inputs can be closer than that; more repeats of each input would be (%d as many halve it)", 100*b.Noise, 4))
	case b.Noise > 0:
		out = append(out, fmt.Sprintf("runs of the same input differ by %.1f %% only: an input that is not among the variables, or a function that is not in the pool, is missing", 100*b.Noise))
	}
	return out
}

// More says which runs would bring a new input into the range that was seen, "" if it is
// there.
func (b *Behaviour) More(f Forecast) string {
	i := slices.IndexFunc(f.Outside, func(o Outside) bool { return o.Factor > 0 })
	if i < 0 {
		return ""
	}
	o := f.Outside[i]
	edge := o.Hi
	if o.Value < o.Lo {
		edge = o.Lo
	}
	var at []string
	for k := range 3 {
		at = append(at, fmt.Sprintf("%.3g", edge*math.Pow(o.Value/edge, float64(k+1)/3)))
	}
	return fmt.Sprintf("three runs with %s = %s would bring the prediction into the range that was seen; the first tells whether the model holds there", o.Name, strings.Join(at, ", "))
}
