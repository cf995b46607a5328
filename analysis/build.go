package analysis

import (
	"errors"
	"fmt"
	"slices"

	"tierscope/analysis/assemble"
	"tierscope/analysis/pcg"
	"tierscope/analysis/trail"
	"tierscope/analysis/trust"
	"tierscope/core"
)

// finer is by how much less matters where a model without insignificant computations is not sound,
// and leastThreshold the least that is tried: by decades, as what is sought is an order of
// magnitude. Convention, sensitivity none.
const (
	finer          = 0.1
	leastThreshold = 1e-5
)

// Build makes a model of a program from one run of it (Tarvo & Reiss 2014,
// §4.3.1 to §4.4). A thread that goes round and round and computes next to nothing would go round
// at one moment for ever if that were left out: then less is. A model that is returned is valid;
// of a trace that gives none the error names every element that is not (ErrNoModel).
func Build(in trail.Input, opt trail.Options) (*core.Model, *trust.Report, error) {
	if in.Trace == nil {
		return nil, nil, errors.New("build: no trace")
	}
	if opt.Threshold == 0 {
		opt.Threshold = pcg.DefaultThreshold
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
	return nil, report, fmt.Errorf("build: %w: %w", trail.ErrNoModel, defects)
}

// buildWith is Build with one threshold; the trust report tells also what the caller assumed.
func buildWith(in trail.Input, opt trail.Options, assumed []string) (*core.Model, *trust.Report, error) {
	return buildBy(Passes(), in, opt, assumed)
}

// buildBy is buildWith by given passes.
func buildBy(passes []Pass, in trail.Input, opt trail.Options, assumed []string) (*core.Model, *trust.Report, error) {
	tr := trail.New(in, opt, assumed)
	for _, p := range passes {
		if err := apply(tr, p); err != nil {
			return nil, &trust.Report{Groups: tr.Reports, Unmatched: tr.Unmatched}, err
		}
	}
	m := assemble.Model(tr)
	report := &trust.Report{Groups: tr.Reports, Unmatched: tr.Unmatched, Silent: tr.Silent, Likely: tr.Likely, Guessed: tr.Guessed, Trust: trust.ReportTrust(tr, m), Evidence: trust.EvidenceOf(tr)}
	report.Evidence.Sampling = m.Uncertain
	m.Provenance.Warnings = slices.Concat(report.Trust.Warnings, m.Provenance.Warnings)
	return m, report, nil
}
