package main

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/spf13/cobra"

	"tierscope/core"
	"tierscope/judge"
	"tierscope/project"
	"tierscope/simulation/experiment"
)

// configuration are the flags that say which configuration of a model is
// meant: a scenario of its project, and settings on top of it.
type configuration struct {
	scenario             string
	set                  []string
	threads, cores, rate string
	force                bool
}

// baseline is the scenario of the model as it is.
const baseline = "baseline"

func (c *configuration) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.scenario, "scenario", "", "`NAME` of a scenario of the project")
	cmd.Flags().StringArrayVar(&c.set, "set", nil, "set a parameter or path: `NAME=VALUE`, repeatable (see tierctl show --knobs)")
	cmd.Flags().StringVar(&c.threads, "threads", "", "size of the thread pool")
	cmd.Flags().StringVar(&c.cores, "cores", "", "number of cores")
	cmd.Flags().StringVar(&c.rate, "rate", "", "arrival rate, such as 120/s")
}

// forceFlag is for the commands that predict: they refuse a model that is not
// to be relied on.
func (c *configuration) forceFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.force, "force", false, "predict even with a model that its trust report advises against")
}

// chosen is a configuration that flags have chosen.
type chosen struct {
	project  string // folder, "" if the model is in none
	base     core.Model
	edits    []core.Edit // structural, of the scenario
	model    core.Model  // with the edits
	settings map[string]float64
}

// configured reads the model at path, a file or a project folder, and returns
// what the scenario and the other flags make of it.
func (c *configuration) configured(path string) (chosen, error) {
	m, err := loadModel(path)
	if err != nil {
		return chosen{}, err
	}
	return c.choose(m, projectOf(path))
}

// choose is configured for a model that has been read.
func (c *configuration) choose(m core.Model, home string) (chosen, error) {
	s, err := c.named(home)
	if err != nil {
		return chosen{}, err
	}
	out := chosen{project: home, base: m, edits: s.Edits, settings: map[string]float64{}}
	if out.model, err = m.Edited(s.Edits...); err != nil {
		return chosen{}, exit(exitInput, fmt.Errorf("scenario %q: %w", s.Name, err))
	}
	maps.Copy(out.settings, s.Settings)
	flags, err := c.settings(&out.model)
	for name, v := range flags {
		if _, ok := m.Parameter(name); ok { // in place of a path by which the scenario sets the same
			out.settings = m.Put(out.settings, name, v)
		}
	}
	maps.Copy(out.settings, flags)
	return out, err
}

// predicting returns the configuration of a model that may be relied on, and the
// ledger of its project, which may be nil.
func (c *configuration) predicting(ctx context.Context, t *terminal, path string) (chosen, *experiment.Ledger, error) {
	configured, err := await(ctx, func() (chosen, error) { return c.configured(path) })
	if err != nil {
		return chosen{}, nil, err
	}
	if err := c.applicable(configured.project); err != nil {
		return chosen{}, nil, err
	}
	ledger, err := await(ctx, func() (*experiment.Ledger, error) { return openLedger(t, configured.project) })
	return configured, ledger, err
}

// named returns the scenario that --scenario asks for, an empty one without.
func (c *configuration) named(home string) (project.Scenario, error) {
	if c.scenario == "" || c.scenario == baseline {
		return project.Scenario{}, nil
	}
	if home == "" {
		return project.Scenario{}, exit(exitUsage, fmt.Errorf("--scenario %s: the model is in no project folder, which scenarios belong to", c.scenario))
	}
	p, err := project.Open(home)
	if err != nil {
		return project.Scenario{}, exit(exitInput, err)
	}
	all, broken := p.Scenarios()
	names := baseline
	for _, s := range all {
		if s.Name == c.scenario {
			return s, nil
		}
		names += ", " + s.Name
	}
	if broken != nil { // the one that is meant may be among them
		return project.Scenario{}, exit(exitInput, broken)
	}
	return project.Scenario{}, exit(exitUsage, fmt.Errorf("--scenario %s: no such scenario; the project has %s", c.scenario, names))
}

// settings returns what the flags set in m.
func (c *configuration) settings(m *core.Model) (map[string]float64, error) {
	out, err := settings(c.set)
	if err != nil {
		return nil, exit(exitUsage, err)
	}
	for _, s := range []struct {
		flag, text string
		means      func(string) bool
	}{{"threads", c.threads, isThreads}, {"cores", c.cores, isCores}, {"rate", c.rate, isRate}} {
		if s.text == "" {
			continue
		}
		name, err := shortcut(m, s.flag, s.means)
		if err != nil {
			return nil, exit(exitUsage, err)
		}
		v, err := number(s.text)
		if err != nil {
			return nil, exit(exitUsage, fmt.Errorf("--%s: %w", s.flag, err))
		}
		out[name] = v
	}
	return out, nil
}

// applicable returns an error if the trust report of the project advises
// against predictions, unless --force is given.
func (c *configuration) applicable(home string) error {
	if c.force || home == "" {
		return nil
	}
	m, err := loadModel(home)
	if err != nil {
		return err
	}
	switch grade, why, err := judge.GradeOfProject(home, &m); {
	case err != nil:
		return exit(exitInput, err)
	case grade == judge.NoReliance:
		return exit(exitNotApplicable, fmt.Errorf("the model of %s has grade %s: %s. Analyse the program again, or use --force to predict all the same", home, grade, strings.TrimSuffix(why, ".")))
	}
	return nil
}

// loadModel reads a model file or the model of a project folder.
func loadModel(path string) (core.Model, error) {
	m, err := project.LoadModel(path)
	if err != nil {
		return core.Model{}, exit(exitInput, err)
	}
	return m, nil
}
