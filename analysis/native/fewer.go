package native

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tierscope/analysis/trace"
)

// beginning is the target that records no more of a run than an analysis can be asked to read: what happens more often than that
// happens early.
func (t Target) beginning() Target {
	t.Record = min(cmp.Or(t.Record, recordAtMost), mostRecords*recordSize)
	return t
}

// few records a run, and, if it ends, again without what happens most often if there are more records than an analysis can be asked to read.
func (t Target) few(ctx context.Context, s *subject, w trace.Workload) (run, error) {
	first, err := t.beginning().record(ctx, s, w)
	switch {
	case err != nil || first.outcome.Stopped:
		return first, err
	case len(first.muted) > 0 && (first.full || first.trace.Records() > mostRecords):
		return t.without(ctx, s, w, first)
	case first.full:
		return t.record(ctx, s, w)
	}
	return first, nil
}

// without records a run without what need not be recorded of another one, in which some was left out already.
func (t Target) without(ctx context.Context, s *subject, w trace.Workload, r run) (run, error) {
	left, waited := slices.Concat(r.left, r.muted), r.leftWaited+r.waited
	r.trace = nil // it is large
	if err := s.mute(left); err != nil {
		return run{}, err
	}
	out, err := t.record(ctx, s, w)
	out.left, out.leftWaited = left, waited
	if err == nil {
		out.trace.Warnings = append(out.trace.Warnings, out.leftOut())
	}
	return out, err
}

// leftOut says what is not recorded, and how long threads waited there.
func (r *run) leftOut() string {
	waits := "nobody waits there"
	if r.leftWaited > 0 {
		waits = fmt.Sprintf("threads waited there for up to %.0f ms in all, of which the model knows nothing", 1e-6*float64(r.leftWaited))
	}
	return fmt.Sprintf("%d places where locks or files are used are not recorded: it happens very often and %s", len(r.left), waits)
}

// most is how many records of a recording may stay: of one that was full a part, so that there is room for what came later.
func (r *recording) most(t *trace.Trace) int {
	const part = 4 // Convention: a run of which a quarter of the room shows a quarter fits
	if r.full {
		return min(mostRecords, t.Records()/part)
	}
	return mostRecords
}
