package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"tierscope/analysis/predictability"
	"tierscope/gui/background"
)

// readStudy reads the study of predictability, if the project has one.
func (o *Opened) readStudy() error {
	var study predictability.Study
	err := o.Project.Load(predictability.Format, &study, predictability.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("the study of predictability: %w", err)
	}
	o.Study = &study
	return nil
}

// Predictability returns the study of the open project, nil if there is none.
func (s *Session) Predictability() *predictability.Study { return s.predictability }

// SetPredictability makes a study that of the open project and keeps it there.
func (s *Session) SetPredictability(study *predictability.Study) {
	s.predictability = study
	s.emit(ScenariosChanged)
	if s.project == nil || s.project.Writable() != nil {
		return
	}
	p := s.project
	background.Start(s.Runner, func(context.Context, func(struct{})) (struct{}, error) {
		return struct{}{}, p.Save(predictability.Format, study, predictability.File)
	}, nil, func(_ struct{}, err error) {
		if err != nil {
			s.Notify(Failure("The study of predictability was not saved; it stays in the window.", err))
		}
	})
}

// Outside says why the time of a scenario cannot be predicted, "" if it can, or
// if nothing is known.
func (s *Session) Outside(c Scenario) string { return s.OutsideAmong(c.Settings) }

// OutsideAmong says how many of several configurations cannot be predicted and
// why, "" if all can, or if nothing is known.
func (s *Session) OutsideAmong(settings ...map[string]float64) string {
	if s.predictability == nil || s.model == nil {
		return ""
	}
	return s.predictability.OutsideAmong(s.model, slices.Values(settings))
}
