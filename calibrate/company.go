package calibrate

import (
	"context"
	"math"
	"slices"

	"tierscope/core"
)

// Code that is not compiled yet counts its calls and branches in memory that its threads share, and
// those that compute it at the same time make each other wait for these counters. A
// recording shows how slow code was with the company that it had; how much of that was
// due to it, runs on one core tell, which save as much as there is no company.
const (
	// leastCompany is how many other cores must compute for the program, on average,
	// while it is slow, to show what they do. Convention, sensitivity strong.
	leastCompany = 0.1

	companySteps = 6 // bisections. Theory: each halves the error, to 2⁻⁶
)

// knowsCompany reports whether a model tells already what company costs.
func knowsCompany(m core.Model) bool {
	return slices.ContainsFunc(m.Background, func(b core.Background) bool {
		return slices.ContainsFunc(b.Stages, func(s core.Stage) bool { return s.Company > 0 })
	})
}

// findAlone bisects: the more of the slowness is company's, the less one core costs. At
// either end the program is as near as it can be.
func (p *pace) findAlone(ctx context.Context) error {
	low, high := 0.0, 1.0
	for range companySteps {
		p.alone = (low + high) / 2
		m := p.with()
		all, err := programCPU(ctx, m)
		if err != nil {
			return err
		}
		one, err := programCPU(ctx, onOneCore(m))
		if err != nil {
			return err
		}
		if all/one < p.all/p.one {
			high = p.alone
		} else {
			low = p.alone
		}
	}
	if high == 1 {
		p.alone = 1
	}
	return nil
}

// share leaves to each stage a part of its slowness that code has alone; the rest comes from
// so many other cores. Both are by so much larger that code is as slow as it was on average.
func share(stages []core.Stage, alone, others float64) {
	for i := range stages {
		s := &stages[i]
		a, c := s.Slowdown*alone, s.Slowdown*(1-alone)/others
		x := enlarged(s.Slowdown, a, a+c*max(1, others), min(1, others))
		s.Slowdown, s.Company = a*x, c*x
	}
}

// enlarged is the factor x of two slownesses, alone and together, by which code that is in company for a part q of its CPU time
// computes as much in it as with a slowness of mean throughout:
//
//	(1−q)/(1+x·alone) + q/(1+x·together) = 1/(1+mean)
func enlarged(mean, alone, together, q float64) float64 {
	a := alone * together
	if a == 0 { // of code that is not slow alone, or not at all
		return 1
	}
	b := alone + together - (1+mean)*((1-q)*together+q*alone)
	return (math.Sqrt(b*b+4*a*mean) - b) / (2 * a)
}

// onOneCore is the model on one core, with a run-time system that is told of all.
func onOneCore(m core.Model) core.Model {
	m.CPU.Cores, m.CPU.Single = 1, 0
	return m
}
