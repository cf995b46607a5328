package simulation

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"tierscope/core"
	units "tierscope/core/quantity"
	"tierscope/simulation/output"
)

// What is not known of a model is drawn once for each of the first replications, which are
// then simulated again: with the same random numbers, so that the difference is what the
// inputs do, and with the same draws in every configuration, so that what two of them
// have in common cancels. A factor is at the middle of each of some slices of its law once in as
// many draws (Latin hypercube sampling, McKay et al. 1979): inputStrata, or all draws if they are fewer.
const (
	inputStrata = 10
	mostDraws   = 20
)

// varied is a simulator whose replications differ in what is not known.
type varied struct {
	simulator
	models []*program
}

func (v varied) start(seed, index uint64, spans int) replication {
	return v.models[index].start(seed, index, spans)
}

// withoutInputs is the warning of results whose intervals hold the scatter of the replications only.
const withoutInputs = "what is not known of the model is simulated last: the intervals are without it"

// varies reports whether something is not known of the model that the intervals of a complete result hold.
func (c *conductor) varies(r *Result) bool {
	return c.model != nil && len(c.model.Uncertain) > 0 && !r.BatchMeans && r.Halted == ""
}

// vary adds what is not known of the inputs to a complete result.
func (c *conductor) vary(ctx context.Context, r *Result, done int) {
	if !c.varies(r) || r.Interrupted {
		return
	}
	n := min(done, mostDraws)
	v := varied{simulator: c.simulator}
	var dilations []float64
	for i := range n {
		m := c.model.Drawn(func(u core.Uncertain) float64 { return drawOf(keyOf(c.model, u), i, min(n, inputStrata)) })
		p, err := c.compiledLike(&m)
		if err != nil {
			r.Warnings = append(r.Warnings, fmt.Sprintf("what is not known of the model is not in the intervals: %v", err))
			return
		}
		v.models, dilations = append(v.models, p), append(dilations, orOne(m.Dilation)/c.dilation)
	}
	asItIs, progress := c.simulator, c.options.Progress
	c.simulator, c.options.Progress = v, nil // which is about the model as it is
	outcomes, whole := c.replicate(ctx, 0, n)
	c.simulator, c.options.Progress = asItIs, progress
	if !whole {
		r.Interrupted = true
		r.Warnings = append(r.Warnings, "interrupted before what is not known of the model was simulated: the intervals are without it")
		return
	}
	drawn := c.estimate(outcomes, false)
	r.Events += drawn.Events
	for i := range r.Metrics {
		m := &r.Metrics[i]
		other, ok := drawn.Find(m.Key())
		changes := make([]float64, min(len(m.Estimate.Samples), len(other.Estimate.Samples), n))
		if !ok || m.Estimate.N < 2 {
			continue
		}
		for k := range changes {
			changes[k] = other.Estimate.Samples[k]*stretchOf(m.Unit, dilations[k]) - m.Estimate.Samples[k]
		}
		m.Estimate = m.Estimate.WithInputs(changes)
		if !slices.Contains([]string{"R", "T", "U", "E"}, m.Name) && (m.Name != "X" || classOf(m.Of) == "") {
			m.Estimate.Inputs = nil // nobody compares it
		}
	}
	r.Doubt = r.doubt(c.model)
}

// compiledLike compiles another model, for threads that do next what those of the conducted one do.
func (c *conductor) compiledLike(m *core.Model) (*program, error) {
	compiled, err := newCompiler(c.original, m)
	if err != nil || !c.scripted {
		return compiled.program, err
	}
	return compiled.following(c.walks, c.way)
}

// keyOf names a factor across models.
func keyOf(m *core.Model, u core.Uncertain) string {
	if u.Key != "" {
		return u.Key
	}
	p := m.Provenance
	return strings.Join([]string{u.Name, m.Name, p.Build, p.Command, p.Created}, "\x00")
}

// drawOf is the draw of a factor for a replication, a normal number, of so many strata.
func drawOf(key string, i, strata int) float64 {
	h := fnv.New64a()
	h.Write([]byte(key))
	random := rand.New(rand.NewPCG(h.Sum64(), uint64(i/strata)))
	stratum := random.Perm(strata)[i%strata]
	// The middles of the strata have less than the variance 1 of the law.
	return distuv.UnitNormal.Quantile((float64(stratum)+.5)/float64(strata)) / strataDeviation(strata)
}

// sameDraws leaves those draws that two estimates have in common, so that what both err alike cancels: from inputStrata on they are
// the first of the longer ones. Fewer are others altogether, and those of a model itself are left out.
func sameDraws(a, b output.Estimate, alike bool) (output.Estimate, output.Estimate) {
	n := min(len(a.Inputs), len(b.Inputs))
	switch {
	case n == 0 || len(a.Inputs) == len(b.Inputs):
	case n >= inputStrata:
		a.Inputs, b.Inputs = a.Inputs[:n], b.Inputs[:n]
	case alike && len(a.Inputs) == n:
		a.Inputs = nil
	case alike:
		b.Inputs = nil
	}
	return a, b
}

// strataDeviation is the root mean square of the middles of strata of the normal law; of one stratum there is
// none to divide by.
func strataDeviation(strata int) float64 {
	sum := 0.0
	for i := range strata {
		z := distuv.UnitNormal.Quantile((float64(i) + .5) / float64(strata))
		sum += z * z
	}
	if sum == 0 {
		return 1
	}
	return math.Sqrt(sum / float64(strata))
}

// doubt says how well the answer is known, and which part of that is of the inputs: "±6 %, of
// which ±5 % is what the analysis cannot know; 2 more runs would make it ±4 %". "" if there is
// nothing to say.
func (r *Result) doubt(m *core.Model) string {
	i := slices.IndexFunc(r.Metrics, func(x Metric) bool {
		return x.Stat == "mean" && (x.Name == "T" || x.Name == "R") && len(x.Estimate.Inputs) > 0
	})
	if i < 0 {
		return ""
	}
	e := r.Metrics[i].Estimate
	replications, inputs := e.Shares()
	if math.IsInf(e.HalfWidth(), 0) || !(inputs > 0) {
		return ""
	}
	share := func(v float64) string { return "±" + units.Share(v/math.Abs(e.Mean)) }
	text := fmt.Sprintf("%s is known to %s, of which %s is what the analysis cannot know", r.Metrics[i].Name, share(e.HalfWidth()), share(inputs))
	var now, then float64
	for _, u := range m.Uncertain {
		now += u.Deviation * u.Deviation
		then += u.WithMore(moreRuns) * u.WithMore(moreRuns)
	}
	if left := math.Sqrt(then / now); left < worthwhile {
		text += fmt.Sprintf("; %d more runs of the program would make it %s", moreRuns, share(math.Hypot(replications, inputs*left)))
	}
	text += "."
	if math.Abs(r.Correction) >= worthMention {
		text += fmt.Sprintf(" It is corrected by %s, as other runs of the program show.", units.Change(r.Correction))
	}
	return text
}

// worthMention is a correction that anybody would see in the digits that are printed.
const worthMention = 0.01

// moreRuns are proposed if they leave less than worthwhile of what is not known.
const (
	moreRuns   = 2
	worthwhile = 0.95
)
