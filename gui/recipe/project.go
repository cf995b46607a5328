package recipe

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"tierscope/core"
	"tierscope/measure/table"
	"tierscope/project"
	"tierscope/simulation/experiment"
)

// Load returns everything that a project knows about its model in its present
// revision: the runs of the ledger and the measurements in measured/*.csv.
// What cannot be read is in the error; the rest is returned with it.
func Load(p *project.Project, m *core.Model) ([]Observation, error) {
	all, err := predictions(p, m)
	problems := []error{err}
	files, err := Measurements(p)
	problems = append(problems, err)
	for _, file := range files {
		t, err := ReadMeasurements(file, m.ParameterNames())
		if err != nil {
			problems = append(problems, err)
		}
		if t != nil {
			all = append(all, FromMeasured(t, m)...)
		}
	}
	return all, errors.Join(problems...)
}

func predictions(p *project.Project, m *core.Model) (all []Observation, err error) {
	if _, err := os.Stat(filepath.Dir(p.LedgerPath())); errors.Is(err, os.ErrNotExist) {
		return nil, nil // nothing was run yet
	}
	ledger, err := experiment.OpenLedger(p.LedgerPath())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	var runs []experiment.Run
	var problems []error
	for run, err := range ledger.All() {
		if err != nil {
			problems = append(problems, err)
			continue
		}
		runs = append(runs, run)
	}
	return FromRuns(runs, m), errors.Join(problems...)
}

// Measurements returns the CSV files of measurements of a project, sorted.
func Measurements(p *project.Project) ([]string, error) {
	entries, err := os.ReadDir(p.Path("measured"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("measurements: %w", err)
	}
	var files []string
	for _, e := range entries {
		if !e.IsDir() && filepath.Ext(e.Name()) == ".csv" {
			files = append(files, p.Path("measured", e.Name()))
		}
	}
	slices.Sort(files)
	return files, nil
}

// ReadMeasurements reads one CSV file of measurements. Rows that are not
// understood are in the error, by number; the others are returned with it.
func ReadMeasurements(file string, parameters []string) (*table.Table, error) {
	data, err := project.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("measurements: %w", err)
	}
	t, err := table.Read(bytes.NewReader(data), nil, parameters)
	if err != nil {
		err = fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	return t, err
}
