package session

import (
	"fmt"

	"tierscope/analysis"
	"tierscope/analysis/stage"
)

// readTrust reads the trust report of the model, if an analysis left one.
func (o *Opened) readTrust() (err error) {
	if o.Trust, err = stage.ReadTrust(o.Project); err != nil {
		return fmt.Errorf("the trust report: %w", err)
	}
	return nil
}

// Trust returns the trust report of the open model, nil if there is none.
func (s *Session) Trust() *analysis.Trust { return s.trust }
