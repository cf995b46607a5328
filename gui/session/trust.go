package session

import (
	"fmt"

	"tierscope/analysis/stage"
	"tierscope/analysis/trust"
)

// readTrust reads the trust report of the model, if an analysis left one.
func (o *Opened) readTrust() (err error) {
	if o.Trust, err = stage.ReadTrust(o.Project); err != nil {
		return fmt.Errorf("the trust report: %w", err)
	}
	return nil
}

// Trust returns the trust report of the open model, nil if there is none.
func (s *Session) Trust() *trust.Trust { return s.trust }
