package stage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tierscope/analysis"
	"tierscope/analysis/execution"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// worked is the CPU time from which on a program that ends with a status other than
// 0 may have done its work; what complains about its arguments needs less.
const worked = 20 * time.Millisecond

// sample runs the first stage. Many programs tell by their exit status what they
// found, as linters do: where the analyst did not say what to expect, a status with
// which the program ends twice after some work is taken for the one of all runs, and
// kept with the workload.
func (s *Study) sample(ctx context.Context, work string, in *trail.Input) (*trace.Samples, error) {
	samples, err := s.Target.Sample(ctx, s.Workload, work, s.Report)
	ended, ok := errors.AsType[*execution.StatusError](err)
	if !ok || s.Workload.ExitStatus != 0 || s.Workload.Load != nil || ended.CPU < worked {
		return samples, err
	}
	if s.Report != nil {
		s.Report(analysis.Progress{Stage: string(Sample), Done: -1,
			Fact: fmt.Sprintf("the program ended with exit status %d: is that how it ends? once more", ended.Status)})
	}
	s.Workload.ExitStatus = ended.Status
	again, second := s.Target.Sample(ctx, s.Workload, work, s.Report)
	if second != nil {
		return nil, errors.Join(err, fmt.Errorf("and the second time: %w", second))
	}
	in.Workload = s.Workload
	return again, s.saveWorkload()
}
