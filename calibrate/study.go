package calibrate

import (
	"context"
	"fmt"
	"slices"

	"tierscope/analysis/stage"
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
