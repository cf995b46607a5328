package session

import (
	"context"
	"fmt"

	"tierscope/analysis/stage"
	"tierscope/analysis/trust"
	"tierscope/gui/background"
	"tierscope/judge"
	"tierscope/measure/validate"
)

// readTrust reads the trust report of the model, if an analysis left one, and
// the verdict of its last validation.
func (o *Opened) readTrust() (err error) {
	if o.Trust, err = stage.ReadTrust(o.Project); err != nil {
		return fmt.Errorf("the trust report: %w", err)
	}
	o.Validation, err = judge.LastValidation(o.Project, &o.Model)
	return err
}

// Trust returns the trust report of the open model, nil if there is none.
func (s *Session) Trust() *trust.Trust { return s.trust }

// Validation returns what the last comparison with measurements said of the
// open model, nil if it was not compared.
func (s *Session) Validation() *judge.Validation { return s.validation }

// Validated notes the verdict of a comparison, and keeps it in the project.
func (s *Session) Validated(file string, r *validate.Report) {
	if s.model == nil {
		return
	}
	kept := judge.ValidationOf(s.model, file, r)
	s.validation = &kept
	p := s.project
	if p == nil || p.Writable() != nil {
		return
	}
	background.Start(s.Runner, func(context.Context, func(struct{})) (struct{}, error) {
		return struct{}{}, kept.Keep(p)
	}, nil, func(_ struct{}, err error) {
		if err != nil {
			s.Notify(Failure("The verdict is shown, but could not be kept in the project.", err))
		}
	})
}

// Grade joins what the analysis and the last validation say of the open model, as judge.Grade does.
func (s *Session) Grade() (grade, why string) { return judge.Grade(s.trust, s.validation) }
