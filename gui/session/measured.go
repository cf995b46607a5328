package session

import (
	"context"
	"errors"
	"path/filepath"

	"tierscope/gui/background"
	"tierscope/gui/recipe"
	"tierscope/measure/table"
)

// MeasuredFile is one file of measurements of the open project.
type MeasuredFile struct {
	Path  string // as given; inside the project once it is imported
	Table *table.Table
}

// Name is the file without its folders.
func (f MeasuredFile) Name() string { return filepath.Base(f.Path) }

// Measured returns the measurements of the open project.
func (s *Session) Measured() []MeasuredFile { return s.measured }

// AddMeasured shows measurements; a file of the same name is replaced.
func (s *Session) AddMeasured(f MeasuredFile) {
	for i := range s.measured {
		if s.measured[i].Name() == f.Name() {
			s.measured[i] = f
			s.emit(MeasuredChanged)
			return
		}
	}
	s.measured = append(s.measured, f)
	s.emit(MeasuredChanged)
}

// loadMeasured reads the measurements of the open project in the background.
func (s *Session) loadMeasured() {
	s.measured = nil
	if s.project == nil || s.model == nil {
		return
	}
	p, m := s.project, s.model
	background.Start(s.Runner, func(context.Context, func(struct{})) ([]MeasuredFile, error) {
		paths, err := recipe.Measurements(p)
		problems := []error{err}
		var files []MeasuredFile
		for _, path := range paths {
			t, err := recipe.ReadMeasurements(path, m.ParameterNames())
			problems = append(problems, err)
			if t != nil && len(t.Rows) > 0 {
				files = append(files, MeasuredFile{Path: path, Table: t})
			}
		}
		return files, errors.Join(problems...)
	}, nil, func(files []MeasuredFile, err error) {
		if s.model != m {
			return // another project was opened meanwhile
		}
		if err != nil {
			n := Failure("Some measurements of the project could not be read.", err)
			n.Level = Warning
			s.Notify(n)
		}
		s.measured = files
		s.emit(MeasuredChanged)
	})
}
