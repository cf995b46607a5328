package inputs

import (
	"cmp"
	"context"
	"math"
	"slices"

	"tierscope/core"
	"tierscope/core/robust"
)

const (
	anchored    = 0.01 // relative distance from the runs at which a model repeats them
	closeEnough = 0.05 // and from which it does not: something else than computing decides
	steps       = 4    // towards that, each in proportion
	mostAnchor  = 2.0  // factor beyond which it is not the speed of the machine that differs
)

// Anchor makes the model of every captured input take as long as the runs of the program without probes did in the middle, by the
// speed at which it computes, and fits the curves anew. A recording is one run at the speed that the machine had then, which differs
// from one recording to the next; the runs go round the inputs, and there are several of each.
func (f *Family) Anchor(ctx context.Context, seed uint64) error {
	machine := f.machine()
	for i := range f.captured {
		c := &f.captured[i]
		if len(c.Times) == 0 {
			continue
		}
		target := robust.Median(c.Times)
		if len(c.Starts) > 0 {
			target -= robust.Median(c.Starts)
		}
		recorded := c.Model
		recorded.CPU = machine
		recorded.CPU.Cores = c.Model.CPU.Cores // which an input may say
		factor, m := 1.0, recorded
		for range steps {
			t, err := makespan(ctx, m, 0, seed)
			if err != nil {
				return err
			}
			off := target / t
			if math.Abs(off-1) < closeEnough {
				c.Model = m
			}
			if math.Abs(off-1) < anchored {
				break
			}
			if factor *= off; !(factor > 1/mostAnchor && factor < mostAnchor) {
				break
			}
			m = computing(recorded, factor)
		}
	}
	return f.fit()
}

// machine is the processor of all models: of the recording in which threads slowed each other down by the median. What a fragment takes is
// what is left of its time when that has been taken out, so what one recording gives to the one it takes from the other, and a curve
// through demands alone would be of both.
func (f *Family) machine() core.CPU {
	slowed := func(c Captured) float64 {
		all := c.Model.CPU.Contention()
		if len(all) == 0 {
			return 1
		}
		return slices.Min(all)
	}
	order := slices.SortedFunc(slices.Values(f.captured), func(a, b Captured) int { return cmp.Compare(slowed(a), slowed(b)) })
	return order[len(order)/2].Model.CPU
}

// computing is a model whose computations take so many times as long.
func computing(m core.Model, times float64) core.Model {
	m = copyOf(m)
	for i := range m.Graphs {
		for k := range m.Graphs[i].Fragments {
			if f := &m.Graphs[i].Fragments[k]; f.Class == core.CPUFragment {
				f.Demand = f.Demand.Scaled(times)
			}
		}
	}
	return m
}
