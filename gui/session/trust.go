package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"tierscope/analysis/stage"
	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/measure/validate"
)

// readTrust reads the trust report of the model, if an analysis left one, and
// the verdict of its last validation.
func (o *Opened) readTrust() (err error) {
	if o.Trust, err = stage.ReadTrust(o.Project); err != nil {
		return fmt.Errorf("the trust report: %w", err)
	}
	var v Validation
	switch err := o.Project.Load(ValidationFormat, &v, "measured", "verdict.json"); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("the verdict of the last validation: %w", err)
	case v.ModelHash == core.Hash(o.Model):
		o.Validation = &v
	}
	return nil
}

// ValidationFormat is the file format of the verdict of the last validation.
var ValidationFormat = core.Format{Name: "tierscope-validation", Version: 1}

// Validation is what the last comparison with measurements said of a model.
type Validation struct {
	ModelHash string           `json:"model_hash"`
	File      string           `json:"file"` // of the measurements
	Verdict   validate.Verdict `json:"verdict"`
}

// Trust returns the trust report of the open model, nil if there is none.
func (s *Session) Trust() *trust.Trust { return s.trust }

// Validation returns what the last comparison with measurements said of the
// open model, nil if it was not compared.
func (s *Session) Validation() *Validation { return s.validation }

// Validated notes the verdict of a comparison, and keeps it in the project.
func (s *Session) Validated(file string, v validate.Verdict) {
	if s.model == nil {
		return
	}
	s.validation = &Validation{ModelHash: core.Hash(*s.model), File: file, Verdict: v}
	p, kept := s.project, *s.validation
	if p == nil || p.Writable() != nil {
		return
	}
	background.Start(s.Runner, func(context.Context, func(struct{})) (struct{}, error) {
		return struct{}{}, p.Save(ValidationFormat, kept, "measured", "verdict.json")
	}, nil, func(_ struct{}, err error) {
		if err != nil {
			s.Notify(Failure("The verdict is shown, but could not be kept in the project.", err))
		}
	})
}

// Grade joins what the analysis and the validation say of the open model: the
// grade of the trust report, which falls to C when measurements confirm only
// some of the predictions and to D when they confirm less than half. why is
// what the validation said. "" means that neither is known.
func (s *Session) Grade() (grade, why string) {
	if s.trust != nil {
		grade = s.trust.Grade
	}
	v := s.validation
	if v == nil {
		return grade, ""
	}
	why = "Compared with " + v.File + ": " + v.Verdict.Sentence
	switch v.Verdict.Answer {
	case validate.No:
		grade = "D"
	case validate.Partly:
		grade = max(grade, "C")
	case validate.Yes, validate.Mostly, validate.NoAnswer:
	}
	return grade, why
}
