package calibrate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/core/robust"
)

// A recording of a program that becomes fast while it runs is none like the other:
// when the code that matters is compiled is a matter of luck, and the compilers of the
// model meet other threads than those of the run. What runs without probes cost
// is known better, on all cores, and on one, where no thread has company. So the model is
// simulated as it was recorded and on one core, and made to repeat both: by one factor
// for all that the program computes, and by what part of the slowness of code that is not
// compiled is due to company (company.go).
const (
	leastPlain = 3     // runs of either kind. Theory: a median of three bears one outlier
	plainLimit = 1.25  // a factor beyond it is not the speed of the host. Measured: a fifth between minutes (docs/accuracy-method.md)
	plainExact = 0.005 // of the CPU time: nearer is in the noise. Convention, sensitivity slight
	plainTurns = 4     // at most, of the search for both by turns. Convention, sensitivity slight
)

// Paced returns the model of a batch program whose threads use the CPU time of plain runs, and
// what it assumes for that. The model is as it was, and "" is said, if there were too few of
// such runs. lacks: it costs so much less than they do that it stays as it is.
func Paced(ctx context.Context, m core.Model, e trust.Evidence) (_ core.Model, says string, lacks bool) {
	if min(len(e.CPU), len(e.AloneCPU)) < leastPlain {
		return m, "", false
	}
	p := pace{model: m, all: robust.Median(e.CPU), one: robust.Median(e.AloneCPU), others: e.Company, factor: 1, alone: 1}
	if err := p.solve(ctx); err != nil {
		return m, fmt.Sprintf("the model could not be compared with the cost of runs without probes, as it could not be simulated: %v", err), false
	}
	if !(p.factor > 1/plainLimit && p.factor < plainLimit) {
		return m, fmt.Sprintf("runs without probes took %s of CPU time, which the model repeats only if all takes %.2f times as long: too different, it is as the recorded run", quantity.Format(p.all, "s"), p.factor), p.factor > 1
	}
	company := ""
	if p.alone < 1 {
		company = fmt.Sprintf(", and %.0f %% of the slowness of code that is not compiled yet is due to threads that compute at the same time", 100*(1-p.alone))
	}
	return p.with(), fmt.Sprintf("to repeat the CPU time that the program's threads took without probes, %s and on one core %s (medians of %d runs), the model computes %.3f times as long as the recorded run%s",
		quantity.Format(p.all, "s"), quantity.Format(p.one, "s"), len(e.CPU), p.factor, company), false
}

// pace is what a model must repeat, and what makes it.
type pace struct {
	model    core.Model
	all, one float64 // s of CPU of the program's threads on all cores, and on one
	others   float64 // cores that computed for the program beside one while it was slow

	factor float64 // of what the program computes
	alone  float64 // part of the slowness that code has on one core as well
}

// solve finds both by turns: company changes what one core saves, the factor hardly.
func (p *pace) solve(ctx context.Context) error {
	known := p.others < leastCompany || knowsCompany(p.model)
	for range plainTurns {
		if !known {
			if err := p.findAlone(ctx); err != nil {
				return err
			}
		}
		all, err := programCPU(ctx, p.with())
		if err != nil || math.Abs(p.all/all-1) < plainExact {
			return err
		}
		p.factor *= p.all / all
	}
	return nil
}

// with is the model as they make it.
func (p pace) with() core.Model {
	m := p.model
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
			c.Stages[k].After *= p.factor
		}
		if p.alone < 1 {
			share(c.Stages, p.alone, p.others)
		}
	}
	return m
}
