package calibrate

import (
	"context"
	"fmt"
	"slices"

	"tierscope/analysis/stage"
	"tierscope/core"
)

// Study runs the stages first to last of a study. The model that the last of them built is
// calibrated, and saved with its reports. The outcome is not nil when the error is not.
func Study(ctx context.Context, s *stage.Study, first, last stage.Stage) (*stage.Outcome, error) {
	release, err := s.Lock()
	if err != nil {
		return &stage.Outcome{Reached: first}, err
	}
	defer release()
	o, err := s.Run(ctx, first, last)
	if err != nil || o.Model == nil {
		return o, err
	}
	r, err := Model(ctx, *o.Model, o.Report.Evidence)
	if err == nil && r.lacks && slices.ContainsFunc(o.Model.Background, func(b core.Background) bool { return len(b.Stages) > 0 }) {
		o, r, err = withoutWarmUp(ctx, s, o, r)
	}
	if err != nil {
		return o, fmt.Errorf("%s: %w", stage.Build, err)
	}
	report := *o.Report
	report.Trust.Assumptions = slices.Concat(report.Trust.Assumptions, r.Assumptions)
	report.Trust.Doubt(r.Doubts)
	Hold(&r.Model, report.Evidence, nil)
	o.Model, o.Report = &r.Model, &report
	if err := s.Save(o); err != nil {
		return o, fmt.Errorf("%s: %w", stage.Build, err)
	}
	return o, nil
}

// withoutWarmUp is the outcome of a study, calibrated, without what the program's warm-up was taken to be, if the model no longer lacks
// what runs cost then. Computations may become shorter while compilers work because there is less to do in each, as in a sort: then what was
// taken from their demands, as time lost to code that is not compiled, the simulated compilers do not give back.
func withoutWarmUp(ctx context.Context, s *stage.Study, o *stage.Outcome, r Result) (*stage.Outcome, Result, error) {
	other := *s
	other.Options.NoWarmUp, other.Report = true, nil
	x, err := other.Run(ctx, stage.Build, stage.Build)
	if err != nil || x.Model == nil {
		return o, r, err
	}
	plain, err := Model(ctx, *x.Model, x.Report.Evidence)
	if err != nil || plain.lacks {
		return o, r, err
	}
	plain.Assumptions = append(plain.Assumptions, "code is taken to be as fast at first as later: that it became faster while the compilers worked does not explain what runs without probes cost")
	return x, plain, nil
}
