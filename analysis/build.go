package analysis

import (
	"errors"
	"fmt"

	"tierscope/core"
)

// finer is by how much less matters where a model without insignificant computations is not sound,
// and leastThreshold the least that is tried.
const (
	finer          = 0.1
	leastThreshold = 1e-5
)

// Build makes a model of a program from one run of it (Tarvo & Reiss 2014,
// §4.3.1 to §4.4). A thread that goes round and round and computes next to nothing would go round
// at one moment for ever if that were left out: then less is. A model that is returned is valid;
// of a trace that gives none the error names every element that is not (ErrNoModel).
func Build(in Input, opt Options) (*core.Model, *Report, error) {
	if in.Trace == nil {
		return nil, nil, errors.New("build: no trace")
	}
	if opt.Threshold == 0 {
		opt.Threshold = DefaultThreshold
	}
	m, report, err := buildWith(in, opt, nil)
	if err != nil {
		return nil, report, err
	}
	defects := m.Validate()
	if defects == nil {
		return m, report, nil
	}
	for t := opt.Threshold * finer; t >= leastThreshold; t *= finer {
		says := fmt.Sprintf("computations are significant from %.2g %% of their threads' CPU time on: with %.2g %% a thread would go round and round without time", 100*t, 100*opt.Threshold)
		less := opt
		less.Threshold = t
		again, with, err := buildWith(in, less, []string{says})
		if err == nil && again.Validate() == nil {
			return again, with, nil
		}
	}
	return nil, report, fmt.Errorf("build: %w: %w", ErrNoModel, defects)
}

// buildWith is Build with one threshold; the trust report tells also what the caller assumed.
func buildWith(in Input, opt Options, assumed []string) (*core.Model, *Report, error) {
	b := newBuild(in, opt, assumed)
	for _, p := range Passes() {
		if p.Run(b); b.err != nil {
			return nil, &Report{Groups: b.reports, Unmatched: b.unmatched}, fmt.Errorf("build: %w", b.err)
		}
	}
	m := b.model()
	report := &Report{Groups: b.reports, Unmatched: b.unmatched, Trust: b.reportTrust(m), Evidence: b.evidence()}
	m.Provenance.Warnings = report.Trust.Warnings
	return m, report, nil
}
