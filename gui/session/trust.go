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

// Answer is the verdict in a word.
func (v *Validation) Answer() Answer {
	return AnswerTo(v.Verdict)
}

// Answer is whether a question is answered with yes or no.
type Answer string

// Answers.
const (
	Yes      Answer = "yes"
	Partly   Answer = "partly"
	No       Answer = "no"
	Unjudged Answer = "cannot be judged"
)

// Shares of the configurations within the tolerance, as the verdict in words
// has them: all are a yes, less than half are a no.
const half = 0.5

// AnswerTo returns the answer of a verdict. Nothing compared, or measurements
// that straddle the tolerance, are no answer.
func AnswerTo(v validate.Verdict) Answer {
	switch share := float64(v.Within) / float64(max(v.Of, 1)); {
	case v.Of == 0 || v.Confidence == validate.Undecided:
		return Unjudged
	case share == 1:
		return Yes
	case share >= half:
		return Partly
	}
	return No
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
	switch v.Answer() {
	case No:
		grade = "D"
	case Partly:
		grade = max(grade, "C")
	case Yes, Unjudged:
	}
	return grade, why
}
