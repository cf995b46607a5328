package stage

import (
	"errors"
	"io/fs"

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
