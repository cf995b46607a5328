package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tierscope/core"
)

// ScenarioFormat is the format of scenarios/*.json.
var ScenarioFormat = core.Format{Name: "tierscope-scenario", Version: 1}

// Scenario is a named difference from the model: settings of parameters and
// paths, and structural edits.
type Scenario struct {
	Name     string             `json:"name"`
	Settings map[string]float64 `json:"settings,omitempty"`
	Edits    []core.Edit        `json:"edits,omitempty"`
	Note     string             `json:"note,omitempty"`
	Order    int                `json:"order,omitempty"` // place in the deck
}

// Apply returns the model under the scenario.
func (s Scenario) Apply(m core.Model) (core.Model, error) {
	edited, err := m.Edited(s.Edits...)
	if err != nil {
		return core.Model{}, fmt.Errorf("scenario %q: %w", s.Name, err)
	}
	out, err := edited.With(s.Settings)
	if err != nil {
		return core.Model{}, fmt.Errorf("scenario %q: %w", s.Name, err)
	}
	return out, nil
}

// Scenarios reads all scenarios in the order of the deck. Those that cannot be
// read are reported in the error; the others are returned all the same.
func (p *Project) Scenarios() ([]Scenario, error) {
	var scenarios []Scenario
	var errs []error
	for _, file := range p.documents("scenarios") {
		var s Scenario
		if err := Load(file, ScenarioFormat, &s); err != nil {
			errs = append(errs, err)
			continue
		}
		scenarios = append(scenarios, s)
	}
	slices.SortStableFunc(scenarios, func(a, b Scenario) int {
		if a.Order != b.Order {
			return a.Order - b.Order
		}
		return strings.Compare(a.Name, b.Name)
	})
	return scenarios, errors.Join(errs...)
}

// SaveScenario writes a scenario to a file named after it.
func (p *Project) SaveScenario(s Scenario) error {
	if strings.TrimSpace(s.Name) == "" {
		return fmt.Errorf("a scenario without a name cannot be saved; give it one")
	}
	return p.Save(ScenarioFormat, s, "scenarios", FileName(s.Name)+".json")
}

// RemoveScenario removes the file of a scenario; a missing one is no error.
func (p *Project) RemoveScenario(name string) error {
	path := p.Path("scenarios", FileName(name)+".json")
	if err := p.MayWrite(path); err != nil {
		return err
	}
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// documents lists the JSON files of a folder of the project, sorted.
func (p *Project) documents(folder string) []string {
	files, _ := filepath.Glob(filepath.Join(escapeGlob(p.Dir), folder, "*.json"))
	slices.Sort(files)
	return files
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// FileName turns a name that a person gave into one that every file system
// takes; different names give different file names.
func FileName(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '.' && b.Len() > 0:
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('_')
		default: // capitals too: some file systems do not tell them apart
			fmt.Fprintf(&b, "~%x~", r)
		}
	}
	return b.String()
}
