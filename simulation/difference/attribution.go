package difference

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"tierscope/core"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

// attribution swaps parts of the changes in and out.
type attribution struct {
	before, after *core.Model // with the same names
	options       *Options
	parts         []string
	partOf        map[string]string // parts that are swapped together with another one
	done          int               // simulations
}

const (
	mostCode = 8                      // functions whose times are swapped one by one
	rest     = "the rest of the code" // swapped together: what is left
)

// divide groups the changes into parts that can be swapped one by one. The
// changes learn the part that they are in the end in. Where it is known which functions were edited,
// the times of all others, which differ by chance or through them, are one part.
func (a *attribution) divide(changes []Change) {
	a.partOf = map[string]string{}
	weights := map[string]float64{}
	whole := false
	for _, c := range changes {
		switch {
		case c.Part == "":
		case strings.HasPrefix(c.Part, "background/"):
			a.partOf[c.Part] = "background work"
		case c.Part == threads:
			whole = true
		case strings.HasPrefix(c.Part, codeOf) && (a.options.Edited == nil && c.Significant != Insignificant || len(a.edited(c.Part)) > 0):
			if c.Unit == "s" {
				weights[c.Part] += c.weight
			} else {
				weights[c.Part] = math.Inf(1) // a number of times: what it weighs is not known
			}
		}
	}
	code := slices.SortedFunc(maps.Keys(weights), func(x, y string) int {
		return cmp.Or(cmp.Compare(weights[y], weights[x]), cmp.Compare(x, y))
	})
	for _, c := range changes {
		if i := slices.Index(code, c.Part); strings.HasPrefix(c.Part, codeOf) && (i < 0 || i >= mostCode) {
			a.partOf[c.Part] = rest
		}
		if strings.HasPrefix(c.Part, "paths of ") && whole {
			a.partOf[c.Part] = threads
		}
	}
	a.list(changes)
	for _, part := range slices.Clone(a.parts) { // what cannot be swapped alone is swapped with the threads
		if part == threads || a.valid(part) {
			continue
		}
		a.partOf[part] = threads
	}
	a.list(changes)
}

// list collects the parts that the changes are in.
func (a *attribution) list(changes []Change) {
	a.parts = nil
	for i := range changes {
		c := &changes[i]
		if of, merged := a.partOf[c.Part]; merged {
			c.Part = of
		}
		if c.Part != "" && !slices.Contains(a.parts, c.Part) {
			a.parts = append(a.parts, c.Part)
		}
	}
}

// valid reports whether a part makes sense without the others, and they without it.
func (a *attribution) valid(part string) bool {
	first, last := a.only(part), a.allBut(part)
	return first.Validate() == nil && last.Validate() == nil
}

func (a *attribution) only(part string) core.Model {
	return between(a.before, a.after, map[string]bool{part: true}, a.partOf)
}

func (a *attribution) allBut(part string) core.Model {
	set := map[string]bool{}
	for _, p := range a.parts {
		set[p] = p != part
	}
	return between(a.before, a.after, set, a.partOf)
}

// run simulates everything and writes the report.
func (a *attribution) run(ctx context.Context, r *Report) error {
	before, after, err := a.compare(ctx, r)
	if err != nil {
		return err
	}
	old, now := samples(before, r.Metric), samples(after, r.Metric)
	left := difference(now, old)
	for _, part := range a.parts {
		first, last := a.only(part), a.allBut(part)
		alone, err := a.simulate(ctx, &first)
		if err == nil {
			var without *simulation.Result
			if without, err = a.simulate(ctx, &last); err == nil {
				effect := half(difference(samples(alone, r.Metric), old), difference(now, samples(without, r.Metric)))
				r.Shares = append(r.Shares, Share{part, output.Replications(effect, a.confidence()), a.edited(part)})
				left = difference(left, effect)
			}
		}
		if ctx.Err() != nil {
			r.Incomplete = true
			break
		}
		if err != nil {
			return err
		}
	}
	if len(r.Shares) > 0 && !r.Incomplete {
		e := output.Replications(left, a.confidence())
		r.Interaction = &e
	}
	slices.SortStableFunc(r.Shares, func(x, y Share) int {
		return cmp.Compare(math.Abs(y.Effect.Mean), math.Abs(x.Effect.Mean))
	})
	r.Verdict = r.verdict()
	return nil
}

// edited are the functions that were edited of the code of a part.
func (a *attribution) edited(part string) []string {
	function, ok := strings.CutPrefix(part, codeOf)
	if !ok || a.options.Edited == nil {
		return nil
	}
	return a.options.Edited(function)
}

func (a *attribution) confidence() float64 { return a.options.Simulation.Inputs().Confidence }

// samples are the observations of a metric, one of each replication; none if
// the result has not that metric.
func samples(r *simulation.Result, key string) []float64 {
	m, _ := r.Find(key)
	return m.Estimate.Samples
}

// difference is x − y, as far as both go.
func difference(x, y []float64) []float64 {
	d := make([]float64, min(len(x), len(y)))
	for i := range d {
		d[i] = x[i] - y[i]
	}
	return d
}

// half is the mean of x and y, as far as both go.
func half(x, y []float64) []float64 {
	d := make([]float64, min(len(x), len(y)))
	for i := range d {
		d[i] = (x[i] + y[i]) / 2
	}
	return d
}
