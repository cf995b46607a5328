package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	"tierscope/analysis/predictability"
	"tierscope/analysis/stage"
	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/gui/recipe"
	"tierscope/judge"
	"tierscope/project"
	"tierscope/simulation/experiment"
)

// Opened is what a path holds: a project, or a model alone.
type Opened struct {
	Path      string
	Project   *project.Project // nil: a model file alone
	Model     core.Model
	hash      string // of Model
	Scenarios []Scenario
	Charts    []recipe.Recipe    // pinned to the report
	Pins      []recipe.Pin       // figures pinned to it as they were
	Names     map[string]string  // that the analyst gave to elements
	Ledger    *experiment.Ledger // nil without a project that can be written
	Runs      []experiment.Run
	Study     *predictability.Study // nil: the project has none
	Trust     *trust.Trust          // nil: the project has none
	// Validation is the verdict of the last comparison of this revision of the model; nil: none.
	Validation *judge.Validation
	Warning    error // parts that could not be read
}

// Read reads a project folder, a bundle or a model file. A bundle is unpacked
// beside itself. It may be slow, and changes nothing else.
func Read(path string) (*Opened, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s does not exist or cannot be read: %w", path, err)
	}
	if !info.IsDir() {
		if filepath.Ext(path) == project.BundleExtension {
			dir := path[:len(path)-len(project.BundleExtension)] + project.Extension
			if err := project.Unbundle(path, dir); err != nil {
				return nil, err
			}
			return Read(dir)
		}
		m, err := project.LoadModel(path)
		if err != nil {
			return nil, err
		}
		return &Opened{Path: path, Model: m, hash: core.Hash(m)}, nil
	}
	p, err := project.Open(path)
	if err != nil {
		return nil, err
	}
	o := &Opened{Path: path, Project: p}
	if o.Model, err = p.Model(); err != nil {
		return nil, err
	}
	o.hash = core.Hash(o.Model)
	var problems []error
	if p.ReadOnly != "" {
		problems = append(problems, p.Writable())
	}
	o.Scenarios, err = p.Scenarios()
	problems = append(problems, err)
	o.Charts, err = recipe.Charts(p)
	problems = append(problems, err)
	o.Names, err = p.Names()
	problems = append(problems, err)
	o.Pins, err = recipe.Pins(p)
	problems = append(problems, err, o.readLedger(), o.readStudy(), o.readTrust())
	for _, mismatch := range stage.Mismatches(p.Dir) {
		problems = append(problems, errors.New(mismatch))
	}
	o.Warning = errors.Join(problems...)
	return o, nil
}

// readLedger opens the ledger and reads its runs; a damaged line is reported,
// the others are kept.
func (o *Opened) readLedger() error {
	if o.Project.Writable() != nil {
		return nil
	}
	if err := o.Project.MayWrite(o.Project.LedgerPath()); err != nil {
		return err
	}
	l, err := experiment.OpenLedger(o.Project.LedgerPath())
	if project.Unwritable(err) { // such as a sample of an installed package
		o.Project.ReadOnly = err.Error()
		return o.Project.Writable()
	}
	if err != nil {
		return err
	}
	o.Ledger = l
	var problems []error
	for r, err := range l.All() {
		if err != nil {
			problems = append(problems, err)
			continue
		}
		o.Runs = append(o.Runs, r)
	}
	if n := l.Damaged(); n > 0 {
		problems = append(problems, fmt.Errorf("%s: %d lines cannot be read and are ignored", o.Project.LedgerPath(), n))
	}
	return errors.Join(problems...)
}

// Show makes what was read the open model of the window and goes to a page;
// "" stays where it is.
func (s *Session) Show(o *Opened, page string) {
	s.project = o.Project
	s.setModel(&o.Model, o.Path, o.hash)
	s.charts, s.pins, s.keptPins, s.names = o.Charts, o.Pins, o.Pins, o.Names
	s.predictability, s.trust, s.validation = o.Study, o.Trust, o.Validation
	s.emit(ModelChanged)
	s.Restore(o.Scenarios)
	s.kept = o.Scenarios
	if err := s.UseLedger(o.Ledger, o.Runs); err != nil {
		s.Notify(Failure("The ledger of the previous project was not closed.", err))
	}
	s.loadMeasured()
	if page != "" {
		s.GoPage(page)
	}
	if o.Warning != nil {
		what := "The project opened, but not all of it could be read."
		if o.Project != nil && o.Project.Writable() != nil {
			what = "The project opened, but nothing will be kept in it."
		}
		n := Failure(what, o.Warning)
		n.Level = Warning
		s.Notify(n)
	}
}

// Project returns the open project, nil for a model file alone.
func (s *Session) Project() *project.Project { return s.project }

// saveScenarios writes the deck to the project, in the background; changes
// that come meanwhile are written afterwards.
func (s *Session) saveScenarios() {
	if s.project == nil || s.project.Writable() != nil {
		return
	}
	s.unsaved = true
	if s.saving {
		return
	}
	s.saving, s.unsaved = true, false
	p, base, deck := s.project, s.kept, s.deck.scenarios
	background.Start(s.Runner, func(context.Context, func(struct{})) ([]Scenario, error) {
		return writeScenarios(p, base, deck)
	}, nil, func(kept []Scenario, err error) {
		s.saving = false
		if s.project == p {
			s.kept = kept
		}
		if err != nil {
			s.Notify(Failure("The scenarios were not saved; they stay in the window.", err))
		}
		if s.unsaved {
			s.saveScenarios()
		}
	})
}

// writeScenarios writes to the project what the deck has that base, what this window knows to be there, has not,
// and removes what the deck has no more. Scenarios that others keep in the folder stay: another window, or a person with
// an editor. It returns what is there of this window's then.
func writeScenarios(p *project.Project, base, deck []Scenario) (kept []Scenario, err error) {
	var problems []error
	old := map[string]Scenario{}
	for _, c := range base {
		old[c.Name] = c
	}
	for i, c := range deck[1:] {
		c.Order = i + 1
		was, ok := old[c.Name]
		delete(old, c.Name)
		if !ok || !reflect.DeepEqual(clone(was), c) {
			if err := p.SaveScenario(c); err != nil {
				problems = append(problems, err)
				if !ok {
					continue // to be written next time
				}
				c = was
			}
		}
		kept = append(kept, c)
	}
	for name, was := range old {
		if err := p.RemoveScenario(name); err != nil {
			problems = append(problems, err)
			kept = append(kept, was)
		}
	}
	return kept, errors.Join(problems...)
}
