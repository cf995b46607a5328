package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tierscope/analysis/consent"
	"tierscope/analysis/stage"
	"tierscope/analysis/trace"
	"tierscope/core"
	"tierscope/measure"
	"tierscope/measure/table"
	"tierscope/project"
	"tierscope/project/work"
	"tierscope/simulation/experiment"
)

// measureFlags are the flags of tierctl measure.
type measureFlags struct {
	model, program, out, dir string
	tags                     string
	grid, how, env           []string
	repeats, cpus, exit      int
	seed                     uint64
	timeout                  time.Duration
	priority                 string
	dryRun                   bool
	load                     driveFlags
	consent                  consentFlags
	format                   string
	lasting
}

func newMeasure(t *terminal) *cobra.Command {
	var f measureFlags
	cmd := &cobra.Command{
		Use:   "measure --model P.tier | --program PACKAGE --grid NAME=VALUES … [-- ARGS]",
		Short: "Run the real program in many configurations and record how fast it is",
		Long: `Measure runs the uninstrumented program in every configuration of a grid, in
blocks: each block has every configuration once, in an order of its own, so that a
drifting machine hurts all alike. Beside every run it times a fixed calibration unit.
Response times, throughput, makespan, CPU and disk use go to a CSV file in long form,
which is saved after every run: an interrupted campaign goes on where it was ("tierctl status"
says how far).

How the program is given a parameter comes from the model, from --how, or by
convention: NAME in capitals is an environment variable, cores (or cpus) limits the
CPUs, rate and connections change the load, anything else is a flag -name.`,
		Example: `  tierctl measure --model shop.tier --grid workers=1,2,4,8 --grid GOMAXPROCS=1,2
  tierctl measure --program ./testdata/programs/go/tiles --grid workers=1..4 --out tiles.csv -- -json
  tierctl measure --program ./testdata/programs/go/docserver --cpus 1 --grid workers=1,3 --grid rate=20,40,60 \
      --load-url http://127.0.0.1:8081/passage --load-duration 5s --out doc.csv`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, t, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.model, "model", "", "project folder or model of the program; its workload and the ways to set parameters are used")
	flags.StringVar(&f.program, "program", "", "Go main `PACKAGE`, path@version, or executable")
	flags.StringArrayVar(&f.grid, "grid", nil, "values of a parameter: `NAME=1,2,4`, NAME=10..130/10 (step), NAME=1..1000:7 (points) or :7log; repeatable")
	flags.StringArrayVar(&f.how, "how", nil, "how the program is given a parameter: `NAME=TEMPLATE`, such as 'workers=-w {value}' or 'n=N={value}'; repeatable")
	flags.IntVar(&f.repeats, "repeats", 3, "runs of each configuration")
	flags.StringVarP(&f.out, "out", "o", "", "CSV `FILE` (default: measured/measured.csv of the project)")
	flags.StringVar(&f.dir, "dir", "", "working directory of the program")
	flags.StringArrayVar(&f.env, "env", nil, "environment of the program: `NAME=VALUE`, repeatable")
	flags.StringVar(&f.tags, "tags", "", tagsHelp)
	flags.IntVar(&f.exit, "exit-status", 0, exitStatusHelp)
	flags.IntVar(&f.cpus, "cpus", 0, "CPUs that the program may run on; a load generator then uses the others; 0: all")
	flags.Uint64Var(&f.seed, "seed", 1, "of the order of the runs")
	flags.DurationVar(&f.timeout, "timeout", 10*time.Minute, "of one run")
	flags.StringVar(&f.priority, "priority", "", "high (nice -20) or rt (SCHED_RR): keep other programs out of the measurement")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print the plan and everything that would be executed or contacted, run nothing")
	flags.StringVar(&f.format, "format", "table", "table or json: what is measured now, or with --dry-run the plan")
	f.lasting.flags(cmd)
	f.load.flags(cmd)
	f.consent.flags(cmd)
	return cmd
}

func (f *measureFlags) run(cmd *cobra.Command, t *terminal, args []string) (err error) {
	if err := checkFormat(f.format, "table", "json"); err != nil {
		return err
	}
	campaign, from, err := f.campaign(cmd.Flags().Changed, args)
	if err != nil {
		return exit(exitUsage, err)
	}
	out := f.out
	if out == "" {
		if f.model == "" || projectOf(f.model) == "" {
			return exit(exitUsage, errors.New("--out FILE is needed when there is no project to keep the measurements in"))
		}
		home := projectOf(f.model)
		out = filepath.Join(home, "measured", "measured.csv")
		if err := project.Within(home, out); err != nil {
			return exit(exitInput, err)
		}
	}
	if err := campaign.Check(); err != nil {
		return exit(exitUsage, err)
	}
	if f.dryRun {
		return f.printPlan(t, campaign, consent.Request{Workload: campaign.Workload, Hows: from.Hows}.Lines())
	}
	if err := f.consent.ask(cmd, t, from); err != nil {
		return err
	}
	if left, err := f.leaves(t); left || err != nil {
		return err
	}
	f.log = work.Begin("runs", os.Args[1:])
	defer func() { f.log.End(cmd.Context(), err) }()
	campaign.Patience, campaign.Waits = f.patience, f.waits(t)
	command := "tierctl " + strings.Join(os.Args[1:], " ")
	measured, err := campaign.Record(cmd.Context(), out, command, func(p measure.Progress) {
		f.log.Report(p.Done, p.Planned, p.Remaining)
		fmt.Fprintf(t.err, "%d/%d %s (%s to go)\n", p.Done, p.Planned, p.Fact, experiment.Roughly(p.Remaining))
	})
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(t.err, "interrupted: %d runs are in %s; the same command goes on from there\n", len(measured.Runs()), out)
		return exit(exitInterrupted, err)
	}
	if _, bad := errors.AsType[*measure.InputError](err); bad {
		return exit(exitInput, err)
	}
	if err != nil {
		return err
	}
	if f.format == "json" {
		return printJSON(t.out, struct {
			File           string                `json:"file"`
			Runs           int                   `json:"runs"`
			Configurations []table.Configuration `json:"configurations"`
		}{out, len(measured.Runs()), measured.Configurations()})
	}
	fmt.Fprintf(t.out, "%d runs of %d configurations in %s\n", len(measured.Runs()), len(measured.Configurations()), out)
	return nil
}

// printPlan prints what would be executed or contacted, and the runs.
func (f *measureFlags) printPlan(t *terminal, campaign measure.Campaign, executes []string) error {
	type run struct {
		ID       string             `json:"id"`
		Settings map[string]float64 `json:"settings"`
	}
	var runs []run
	for _, r := range campaign.Runs() {
		settings := map[string]float64{}
		for i, a := range campaign.Axes {
			settings[a.Name] = r.Settings[i]
		}
		runs = append(runs, run{r.ID, settings})
	}
	if f.format == "json" {
		return printJSON(t.out, struct {
			Executes []string `json:"executes"`
			Runs     []run    `json:"runs"`
		}{executes, runs})
	}
	for _, line := range executes {
		fmt.Fprintln(t.out, "#", line)
	}
	for _, r := range campaign.Runs() {
		fmt.Fprintln(t.out, r.ID, campaign.Name(r))
	}
	return nil
}

// campaign makes the plan of the flags. from is what the project brought along.
func (f *measureFlags) campaign(given func(flag string) bool, args []string) (c measure.Campaign, from consent.Request, err error) {
	c = measure.Campaign{Repeats: f.repeats, Seed: f.seed, Timeout: f.timeout, Priority: measure.Priority(f.priority)}
	var m *core.Model
	if f.model != "" {
		model, err := loadModel(f.model)
		if err != nil {
			return c, from, err
		}
		m = &model
		// What the model was made from; one that no analysis made has none.
		if _, c.Workload, err = stage.Load(projectOf(f.model)); err != nil && f.program == "" {
			return c, from, err
		}
		from = consent.Of(cmp.Or(projectOf(f.model), f.model), c.Workload, m)
		c.Workload.Env = maps.Clone(c.Workload.Env) // the flags change it, not what the project says
	}
	if f.program != "" {
		c.Workload = trace.Workload{Program: f.program}
	}
	if c.Workload.Program == "" {
		return c, from, errors.New("which program? give --program PACKAGE, or --model of a project that tierctl analyze made")
	}
	if len(args) > 0 {
		c.Workload.Args = args
	}
	if f.dir != "" {
		c.Workload.Dir = f.dir
	}
	if f.exit != 0 {
		c.Workload.ExitStatus = f.exit
	}
	if f.cpus > 0 {
		c.Workload.Cores = f.cpus
	}
	for _, e := range f.env {
		name, value, ok := strings.Cut(e, "=")
		if !ok {
			return c, from, fmt.Errorf("--env %q: give NAME=VALUE", e)
		}
		if c.Workload.Env == nil {
			c.Workload.Env = map[string]string{}
		}
		c.Workload.Env[name] = value
	}
	c.Workload.Env = withTags(c.Workload.Env, f.tags)
	load, err := f.load.change(given, c.Workload.Load)
	if err != nil {
		return c, from, err
	}
	c.Workload.Load = load
	return c, from, f.axes(&c, m)
}

// axes adds the grid to the campaign.
func (f *measureFlags) axes(c *measure.Campaign, m *core.Model) error {
	hows := map[string]string{}
	for _, h := range f.how {
		name, template, ok := strings.Cut(h, "=")
		if !ok {
			return fmt.Errorf("--how %q: give NAME=TEMPLATE", h)
		}
		hows[name] = template
	}
	for _, text := range f.grid {
		a, err := experiment.ParseAxis(text)
		if err != nil {
			return err
		}
		values, err := a.Expand()
		if err != nil {
			return err
		}
		axis := measure.AxisOf(m, a.Parameter, values)
		if how := hows[a.Parameter]; how != "" {
			axis.How = how
		}
		delete(hows, a.Parameter)
		c.Axes = append(c.Axes, axis)
	}
	for name := range hows {
		return fmt.Errorf("--how %s: there is no --grid %s", name, name)
	}
	return nil
}
