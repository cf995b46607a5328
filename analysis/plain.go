package analysis

import (
	"fmt"
	"math"
	"slices"

	"tierscope/core"
)

// A recording of a program that becomes fast while it runs is none like the other:
// when the code that matters is compiled is a matter of luck, and the compilers of the
// model meet other threads than those of the run. What runs without probes cost
// is known better, on all cores, and on one, where no thread has company. So the model is
// simulated as it was recorded and on one core, and made to repeat both: by one factor
// for all that the program computes, and by what part of the slowness of code that is not compiled
// is due to company (warmup_company.go).
const (
	leastPlain = 3     // runs of either kind that tell something
	plainLimit = 1.25  // a factor beyond it is not the speed of the host
	plainExact = 0.005 // of the CPU time: nearer is in the noise
	plainTurns = 4     // at most, of the search for both by turns
	plainSteps = 6     // bisections: to 1/64

	// leastCompany is how many other cores must compute for the program, on average,
	// while it is slow, to show what they do.
	leastCompany = 0.1
)

// repeatPlain makes the model of a batch program repeat the cost of plain runs.
func (b *build) repeatPlain(m *core.Model) {
	if b.opt.CPU == nil || len(b.t.Plain) != len(b.t.PlainSystem) || min(len(b.t.Plain), len(b.t.PlainAlone)) < leastPlain || m.Validate() != nil {
		return
	}
	p := plainCost{model: m, simulate: b.opt.CPU, all: Median(b.t.plainOwn()), one: Median(b.t.PlainAlone), others: b.others, factor: 1, alone: 1}
	if err := p.solve(); err != nil {
		b.assume(fmt.Sprintf("the model could not be compared with the cost of runs without probes, as it could not be simulated: %v", err))
		return
	}
	if !(p.factor > 1/plainLimit && p.factor < plainLimit) {
		b.assume(fmt.Sprintf("runs without probes took %.3g s of CPU time, which the model repeats only if all takes %.2f times as long: too different, it is as the recorded run", p.all, p.factor))
		return
	}
	*m = p.with()
	company := ""
	if p.alone < 1 {
		company = fmt.Sprintf(", and %.0f %% of the slowness of code that is not compiled yet is due to threads that compute at the same time", 100*(1-p.alone))
	}
	b.assume(fmt.Sprintf("to repeat the CPU time that the program's threads took without probes, %.3g s and on one core %.3g s (medians of %d runs), the model computes %.3f times as long as the recorded run%s",
		p.all, p.one, len(b.t.Plain), p.factor, company))
}

// plainOwn is what the program's own threads cost in runs without probes, s of CPU.
func (t *Trace) plainOwn() []float64 {
	own := slices.Clone(t.Plain)
	for i, s := range t.PlainSystem {
		own[i] -= s
	}
	return own
}

// plainCost is what the model must repeat, and what makes it.
type plainCost struct {
	model    *core.Model
	simulate func(core.Model) (float64, error)
	all, one float64 // s of CPU of the program's threads on all cores, and on one
	others   float64 // cores that computed for the program beside one while it was slow

	factor float64 // of what the program computes
	alone  float64 // part of the slowness that code has on one core as well
}

// solve finds both by turns: company changes what one core saves, the factor hardly.
func (p *plainCost) solve() error {
	for range plainTurns {
		if p.others >= leastCompany {
			if err := p.findAlone(); err != nil {
				return err
			}
		}
		all, err := p.simulate(p.with())
		if err != nil || math.Abs(p.all/all-1) < plainExact {
			return err
		}
		p.factor *= p.all / all
	}
	return nil
}

// findAlone bisects: the more of the slowness is company's, the less one core costs. At
// either end the program is as near as it can be.
func (p *plainCost) findAlone() error {
	low, high := 0.0, 1.0
	for range plainSteps {
		p.alone = (low + high) / 2
		m := p.with()
		all, err := p.simulate(m)
		if err != nil {
			return err
		}
		one, err := p.simulate(onOneCore(m))
		if err != nil {
			return err
		}
		if all/one < p.all/p.one {
			high = p.alone
		} else {
			low = p.alone
		}
	}
	switch {
	case low == 0:
		p.alone = 0
	case high == 1:
		p.alone = 1
	}
	return nil
}

// with is the model as they make it.
func (p *plainCost) with() core.Model {
	m := *p.model
	m.Graphs = slices.Clone(m.Graphs)
	for i := range m.Graphs {
		g := &m.Graphs[i]
		g.Fragments = slices.Clone(g.Fragments)
		for k := range g.Fragments {
			if f := &g.Fragments[k]; f.Class == core.CPUFragment && !f.Demand.IsZero() {
				f.Demand = f.Demand.Scaled(p.factor)
			}
		}
	}
	m.Background = slices.Clone(m.Background)
	for i := range m.Background {
		c := &m.Background[i]
		if c.Trigger == core.EveryCPU {
			c.Interval = c.Interval.Scaled(p.factor)
		}
		c.Start *= p.factor
		c.Stages = slices.Clone(c.Stages)
		for k := range c.Stages {
			s := &c.Stages[k]
			s.After *= p.factor
			if p.alone < 1 {
				s.Slowdown, s.Company = s.Slowdown*p.alone, s.Slowdown*(1-p.alone)/p.others
			}
		}
	}
	return m
}

// onOneCore is the model on one core, with a run-time system that is told of all.
func onOneCore(m core.Model) core.Model {
	m.CPU.Cores, m.CPU.Single = 1, 0
	return m
}
