package judge

import (
	"errors"
	"fmt"
	"io/fs"

	"tierscope/analysis/stage"
	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/measure/validate"
	"tierscope/project"
)

// Validation is what the last comparison with measurements said of a model.
type Validation struct {
	ModelHash string           `json:"model_hash"`
	File      string           `json:"file"` // of the measurements
	Verdict   validate.Verdict `json:"verdict"`
	Within    *float64         `json:"within,omitempty"` // what 95 % of the errors |ε| did not exceed; nil: not known
}

// ValidationFormat is that of the file that keeps it in a project.
var ValidationFormat = core.Format{Name: "tierscope-validation", Version: 1}

var validationFile = []string{"measured", "verdict.json"}

// ValidationOf is what a comparison says of a model.
func ValidationOf(m *core.Model, file string, r *validate.Report) Validation {
	return Validation{ModelHash: core.Hash(*m), File: file, Verdict: r.Verdict, Within: finite(r.Within())}
}

// Keep writes it into a project.
func (v Validation) Keep(p *project.Project) error {
	return p.Save(ValidationFormat, v, validationFile...)
}

// LastValidation reads what a project keeps of the model; nil if there is none, or of another model.
func LastValidation(p *project.Project, m *core.Model) (*Validation, error) {
	var v Validation
	err := p.Load(ValidationFormat, &v, validationFile...)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("the verdict of the last validation: %w", err)
	case v.ModelHash != core.Hash(*m):
		return nil, nil
	}
	return &v, nil
}

// NoReliance is the grade of a model on whose predictions nobody should rely.
const NoReliance = "D"

// Grade joins what the analysis and a validation say of a model; either may be nil. Measurements decide: a YES gives
// the grade that the errors allow, better or worse than that of the analysis; a NO gives D, a PARTLY no better than C.
// What cannot be judged, or only weakly, changes nothing. why is what the validation said.
func Grade(t *trust.Trust, v *Validation) (grade, why string) {
	if t != nil {
		grade = t.Grade
	}
	if v == nil {
		return grade, ""
	}
	why = "Compared with " + v.File + ": " + v.Verdict.Sentence
	switch v.Verdict.Answer {
	case validate.No:
		grade = NoReliance
	case validate.Partly:
		grade = max(grade, "C")
	case validate.Yes, validate.Mostly:
		if sure := v.Verdict.Confidence; v.Within != nil && (sure == validate.Good || sure == validate.Fair) {
			grade = trust.GradeOf(*v.Within)
		}
	case validate.NoAnswer:
	}
	return grade, why
}

// GradeOfProject is the grade of the model of a project folder, "" if nothing is known of it.
func GradeOfProject(dir string, m *core.Model) (grade, why string, err error) {
	p := &project.Project{Dir: dir}
	t, err := stage.ReadTrust(p)
	if err != nil {
		return "", "", err
	}
	v, err := LastValidation(p, m)
	if err != nil {
		return "", "", err
	}
	if grade, why = Grade(t, v); why == "" && t != nil && len(t.Reasons) > 0 {
		why = t.Reasons[0]
	}
	return grade, why, nil
}
