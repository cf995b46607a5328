package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tierscope/analysis/stage"
	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/gui/recipe"
	document "tierscope/gui/report"
	"tierscope/measure/table"
	"tierscope/measure/validate"
	"tierscope/project"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
	"tierscope/simulation/explain"
)

// reportFlags are the flags of tierctl report.
type reportFlags struct {
	configuration
	out     string
	format  string
	seed    uint64
	reps    int
	without []string
}

func newReportCommand(t *terminal) *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report PROJECT --out FILE.html",
		Short: "Write a report about a project as one HTML file",
		Long: `Report explains the configuration, compares the model with the measurements of the
project, and draws its runs and the charts and figures that were pinned in the window (charts/*.json, report.json), into one self-contained HTML file: verdicts first, then the
evidence, and always the method and its limits.`,
		Example: `  tierctl report shop.tier --out shop.html
  tierctl report shop.tier --rate 120/s --out shop-at-120.html --without validate`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.report(cmd, t, args[0]) },
	}
	f.flags(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "out", "o", "", "HTML `FILE` to write")
	flags.StringVar(&f.format, "format", "html", "html, or json: print what the report is made of (with --out, write the file too)")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the random numbers")
	flags.IntVar(&f.reps, "reps", 0, "replications per simulation (default 10)")
	flags.StringArrayVar(&f.without, "without", nil, "leave out a `PART`: explain, validate, runs or charts; repeatable")
	cmd.MarkFlagsOneRequired("out", "format")
	return cmd
}

func (f *reportFlags) has(part string) bool {
	for _, w := range f.without {
		if w == part {
			return false
		}
	}
	return true
}

func (f *reportFlags) report(cmd *cobra.Command, t *terminal, path string) error {
	if err := checkFormat(f.format, "html", "json"); err != nil {
		return err
	}
	if f.format == "html" && f.out == "" {
		return exit(exitUsage, errors.New("which file? give --out FILE.html, or --format json"))
	}
	p, err := project.Open(path)
	if err != nil {
		return exit(exitInput, err)
	}
	m, err := p.Model()
	if err != nil {
		return exit(exitInput, err)
	}
	chosen, err := f.choose(m, path)
	if err != nil {
		return err
	}
	c := document.Content{Name: p.Manifest.Name, Model: &chosen.model, Scenario: baseline, Date: time.Now(), Version: version}
	switch {
	case f.scenario != "":
		c.Scenario = f.scenario
	case len(chosen.settings) > 0:
		c.Scenario = strings.TrimPrefix(fmt.Sprint(chosen.settings), "map")
	}
	options := simulation.Options{Seed: f.seed, Replications: f.reps}
	if f.has("explain") {
		r := experiment.Runner{Model: chosen.model, Pool: simulation.NewPool(0), Simulate: simulation.Run, Progress: sweepProgress(t)}
		if c.Explain, err = explain.Run(cmd.Context(), &r, explain.Options{Settings: chosen.settings, Simulation: options}); err != nil {
			return err
		}
	}
	if f.has("validate") {
		if c.Validation, err = f.validation(cmd, p, &m, options); err != nil {
			return err
		}
	}
	if f.has("charts") {
		if c.Charts, err = recipe.Charts(p); err != nil {
			fmt.Fprintln(t.err, "warning: some charts could not be read:", err)
		}
		if c.Pins, err = recipe.Pins(p); err != nil {
			fmt.Fprintln(t.err, "warning: the figures that are pinned could not be read:", err)
		}
	}
	if c.Overview = f.has("runs"); c.Overview || len(c.Charts) > 0 {
		if c.Observations, err = recipe.Load(p, &m); err != nil {
			fmt.Fprintln(t.err, "warning: some of it could not be read:", err)
		}
	}
	if c.Trust, err = stage.ReadTrust(p); err != nil {
		fmt.Fprintln(t.err, "warning:", err)
	}
	if f.format == "json" {
		if err := printJSON(t.out, struct {
			Project    string           `json:"project"`
			Scenario   string           `json:"scenario"`
			Explain    *explain.Report  `json:"explain"`
			Validation *validate.Report `json:"validation"`
			Trust      *trust.Trust     `json:"trust"`
		}{c.Name, c.Scenario, c.Explain, c.Validation, c.Trust}); err != nil || f.out == "" {
			return err
		}
	}
	var b bytes.Buffer
	if err := document.WriteHTML(&b, document.Compose(c)); err != nil {
		return err
	}
	return project.WriteFile(f.out, b.Bytes())
}

// validation compares the model with the first measurements of the project,
// nil if there are none.
func (f *reportFlags) validation(cmd *cobra.Command, p *project.Project, m *core.Model, o simulation.Options) (*validate.Report, error) {
	files, err := recipe.Measurements(p)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	var measured *table.Table
	if measured, err = recipe.ReadMeasurements(files[0], m.ParameterNames()); err != nil {
		return nil, exit(exitInput, err)
	}
	return validate.Run(cmd.Context(), validate.Request{Model: *m, Measured: measured, Options: o, Simulate: simulation.Run})
}
