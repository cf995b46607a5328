package inputs

import (
	"context"

	"tierscope/analysis"
	"tierscope/analysis/stage"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/calibrate"
	"tierscope/core"
	"tierscope/measure"
)

// look records runs of a program and makes models of them.
type look struct {
	study       *stage.Study
	calibration trace.Calibration
	base        seen
}

// seen is what a recorded run shows.
type seen struct {
	model *core.Model
	pools []trail.PoolReport
	cost  calibrate.Cost
}

// newLook records the program as it was analysed: what disturbs it now disturbs the other runs too.
func newLook(ctx context.Context, s *stage.Study) (*look, error) {
	in, err := stage.Inputs(s.Dir)
	if err != nil {
		return nil, err
	}
	l := &look{study: s, calibration: in.Trace.Calibration}
	l.base, err = l.at(ctx, in.Workload)
	return l, err
}

// record records a run of a workload.
func (l *look) record(ctx context.Context, w trace.Workload) (*trace.Trace, error) {
	ctx, cancel := context.WithTimeout(ctx, trialEach)
	defer cancel()
	return l.study.Watch(ctx, w)
}

// at records a run of a workload and makes a model of it.
func (l *look) at(ctx context.Context, w trace.Workload) (seen, error) {
	t, err := l.record(ctx, w)
	if err != nil {
		return seen{}, err
	}
	in, err := stage.Inputs(l.study.Dir)
	if err != nil {
		return seen{}, err
	}
	t.Calibration = l.calibration
	in.Workload, in.Trace = w, t
	m, r, err := analysis.Build(in, l.study.Options)
	if err != nil {
		return seen{}, err
	}
	return seen{m, r.Groups, cost(t)}, nil
}

// cost is what a recorded run took, and the CPU time of its threads.
func cost(t *trace.Trace) calibrate.Cost {
	return calibrate.Cost{Time: float64(t.End) * 1e-9, CPU: t.ThreadTime()}
}

// with records a run with another value of a parameter.
func (l *look) with(ctx context.Context, p core.Parameter, at float64) (seen, error) {
	w, err := measure.Axis{Name: p.Name, How: p.How}.Apply(l.study.Workload, at)
	if err != nil {
		return seen{}, err
	}
	return l.at(ctx, w)
}
