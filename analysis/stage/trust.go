package stage

import (
	"errors"
	"io/fs"
	"syscall"

	"tierscope/analysis/trace"
	"tierscope/analysis/trust"
	"tierscope/project"
)

// ReadTrust reads the trust report of a project's model, nil if no analysis left
// one.
func ReadTrust(p *project.Project) (*trust.Trust, error) {
	var trust trust.Trust
	switch err := p.Load(TrustFormat, &trust, "analysis", "trust.json"); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &trust, nil
}

// ReadFacts reads what the scan of a project's program found, nil if no analysis left it.
func ReadFacts(p *project.Project) (*trace.Facts, error) {
	var facts trace.Facts
	switch err := p.Load(FactsFormat, &facts, "analysis", "facts.json"); {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &facts, nil
}
