package session

import (
	"errors"
	"fmt"
	"io/fs"

	"tierscope/analysis"
	"tierscope/analysis/stage"
)

// readTrust reads the trust report of the model, if an analysis left one.
func (o *Opened) readTrust() error {
	var trust analysis.Trust
	err := o.Project.Load(stage.TrustFormat, &trust, "analysis", "trust.json")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("the trust report: %w", err)
	}
	o.Trust = &trust
	return nil
}

// Trust returns the trust report of the open model, nil if there is none.
func (s *Session) Trust() *analysis.Trust { return s.trust }
