package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tierscope/core"
	"tierscope/judge"
	"tierscope/measure/table"
	"tierscope/measure/validate"
	"tierscope/project"
	"tierscope/simulation"
)

// validateFlags are the flags of tierctl validate.
type validateFlags struct {
	model, measured, mapping string
	metrics, failOn          []string
	tolerance                string
	reps                     int
	asItIs                   bool
	seed                     uint64
	director                 string
	format, title            string
	markdown, all            bool
}

func newValidate(t *terminal) *cobra.Command {
	var f validateFlags
	cmd := &cobra.Command{
		Use:   "validate MODEL --measured FILE",
		Short: "Compare predictions with measurements",
		Long: `Validate simulates every configuration of a measured table and compares: the signed
error ε = (predicted − measured)/measured of every configuration and metric (in points
for utilizations), the same where the system was saturated, the position of the knee, and
which fragment or resource the error comes from. A server is simulated for as long as it
was measured, under the very arrivals of its load generator where the table says of which draw
they were (arrival_seed). Intervals are of as many runs as were measured.

The table is what tierctl measure wrote, or any CSV file: columns are guessed from the
header, and --map FILE says what they are when the guess is wrong (--map of a file that
is not there writes the guess, to be edited).

--fail-on says what must not be, such as 'mean_abs_err > 15%', 'R.max_abs_err > 50%',
'knee_err > 10%', 'saturated_mean_abs_err > 5%', 'abs_bias > 5%' or 'outside > 20%'. Exit code 3
means that it is, 4 that the intervals do not decide it.`,
		Example: `  tierctl validate shop.tier
  tierctl validate --measured tomcat.csv --metric R --fail-on 'mean_abs_err > 15%' --fail-on 'knee_err > 10%' shop.tier
  tierctl validate --markdown --title 'Web server' shop.tier > report.md`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				f.model = args[0]
			}
			return f.run(cmd, t)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.model, "model", "", "project folder or model `FILE`, instead of the argument")
	flags.StringVar(&f.measured, "measured", "", "CSV `FILE` of measurements (default: measured/measured.csv of the project)")
	flags.StringVar(&f.mapping, "map", "", "JSON `FILE` that says what the columns are (default: measured/map.json of the project, if it is there)")
	flags.StringArrayVar(&f.metrics, "metric", nil, "compare only metric `NAME`, such as R, X, U or T; repeatable")
	flags.StringArrayVar(&f.failOn, "fail-on", nil, "`CONDITION` that must not be; repeatable")
	flags.StringVar(&f.tolerance, "tolerance", "15%", "|ε| up to which a prediction counts as right")
	flags.IntVar(&f.reps, "reps", 0, "replications per configuration (default 10)")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the random numbers")
	directorFlag(cmd, &f.director)
	flags.StringVar(&f.format, "format", "table", "table or json")
	asItIsFlag(cmd, &f.asItIs)
	flags.BoolVar(&f.markdown, "markdown", false, "print a section of a Markdown page")
	flags.StringVar(&f.title, "title", "", "of the Markdown section (default: name of the model)")
	flags.BoolVar(&f.all, "all", false, "show percentiles too, not only means")
	return cmd
}

func (f *validateFlags) run(cmd *cobra.Command, t *terminal) error {
	request, conditions, err := f.request(t)
	if err != nil {
		return err
	}
	var settings []map[string]float64
	for _, c := range request.Measured.Configurations() {
		settings = append(settings, c.Settings)
	}
	warnOutside(t, projectOf(f.model), &request.Model, settings...)
	report, err := validate.Run(cmd.Context(), request)
	if err != nil {
		return err
	}
	switch {
	case f.markdown:
		title := f.title
		if title == "" {
			title = report.Model
		}
		if err := report.Markdown(t.out, title, request.Measured.Note("command")); err != nil {
			return err
		}
	case f.format == "json":
		if err := printJSON(t.out, report); err != nil {
			return err
		}
	default:
		if err := printValidation(t, report, f.all); err != nil {
			return err
		}
	}
	if err := f.keep(t, &request.Model, report); err != nil {
		return err
	}
	return judgement(t, report, conditions)
}

// keep notes the verdict in the project, where it decides the grade that every command shows; a
// comparison of some metrics or of one director is none of the model.
func (f *validateFlags) keep(t *terminal, m *core.Model, r *validate.Report) error {
	home := projectOf(f.model)
	if home == "" || len(f.metrics) > 0 || f.director != "" || f.asItIs {
		return nil
	}
	p := &project.Project{Dir: home}
	if err := p.Writable(); err != nil {
		fmt.Fprintln(t.err, "warning: the verdict is not kept:", err)
		return nil
	}
	before, _, err := judge.GradeOfProject(home, m)
	if err != nil {
		return err
	}
	err = judge.ValidationOf(m, filepath.Base(f.measured), r).Keep(p)
	if project.Unwritable(err) {
		fmt.Fprintln(t.err, "warning: the verdict is not kept:", err)
		return nil
	}
	if err != nil {
		return err
	}
	if after, _, err := judge.GradeOfProject(home, m); err == nil && after != before {
		fmt.Fprintf(t.err, "the grade of the model is %s now, it was %s\n", after, cmp.Or(before, "not known"))
	}
	return nil
}

// request reads what the flags name.
func (f *validateFlags) request(t *terminal) (q validate.Request, conditions []validate.Condition, err error) {
	usage := func(err error) (validate.Request, []validate.Condition, error) {
		return q, nil, exit(exitUsage, err)
	}
	if f.model == "" {
		return usage(errors.New("which model? give a project folder or a model file"))
	}
	if err := checkFormat(f.format, "table", "json"); err != nil {
		return usage(err)
	}
	for _, text := range f.failOn {
		c, err := validate.ParseCondition(text)
		if err != nil {
			return usage(fmt.Errorf("--fail-on: %w", err))
		}
		conditions = append(conditions, c)
	}
	if q.Tolerance, err = number(f.tolerance); err != nil {
		return usage(fmt.Errorf("--tolerance: %w", err))
	}
	if q.Model, err = loadModel(f.model); err != nil {
		return q, nil, err
	}
	home := projectOf(f.model)
	if f.measured == "" {
		if home == "" {
			return usage(errors.New("--measured FILE is needed: the model is not part of a project"))
		}
		f.measured = filepath.Join(home, "measured", "measured.csv")
	}
	if q.Measured, err = f.table(t, &q.Model, home); err != nil {
		return q, nil, exit(exitInput, err)
	}
	q.Metrics = f.metrics
	q.Options = simulation.Options{Replications: f.reps, Seed: f.seed, ModelAsItIs: f.asItIs}
	if q.Options.Director, err = director(f.director); err != nil {
		return usage(err)
	}
	q.Simulate = simulation.Run
	last := 0
	q.Progress = func(done, planned int) {
		if step := 10 * done / planned; step != last {
			last = step
			fmt.Fprintf(t.err, "%d/%d configurations simulated\n", done, planned)
		}
	}
	return q, conditions, nil
}

// table reads the measurements through the mapping, if there is one.
func (f *validateFlags) table(t *terminal, m *core.Model, home string) (*table.Table, error) {
	var names []string
	for _, p := range m.Parameters {
		names = append(names, p.Name)
	}
	var mapping *table.Mapping
	path := f.mapping
	if path == "" && home != "" {
		path = filepath.Join(home, "measured", "map.json")
	}
	if path != "" {
		saved := &table.Mapping{}
		err := project.Load(path, table.MappingFormat, saved)
		switch {
		case err == nil:
			mapping = saved
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		case f.mapping != "":
			return nil, f.proposeMapping(t, names)
		}
	}
	file, err := os.Open(f.measured)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	measured, err := table.Read(file, mapping, names)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.measured, err)
	}
	return measured, nil
}

// proposeMapping writes the guessed mapping for the analyst to edit.
func (f *validateFlags) proposeMapping(t *terminal, parameters []string) error {
	file, err := os.Open(f.measured)
	if err != nil {
		return err
	}
	defer file.Close()
	header, err := table.Header(file)
	if err != nil {
		return fmt.Errorf("%s: %w", f.measured, err)
	}
	guess := table.Guess(header, parameters)
	if err := project.Save(f.mapping, table.MappingFormat, guess); err != nil {
		return err
	}
	for _, c := range guess.Columns {
		fmt.Fprintf(t.out, "%-20s %s %s\n", c.Header, c.Role, strings.Join(strings.Fields(c.Name+" "+c.Of+" "+c.Stat+" "+c.Unit), " "))
	}
	return fmt.Errorf("%s was not there; it holds the guess now: edit it if need be and run the command again", f.mapping)
}

// printValidation prints the verdict, the table and where the error comes
// from.
func printValidation(t *terminal, r *validate.Report, all bool) error {
	fmt.Fprintln(t.out, r.Verdict.Sentence)
	fmt.Fprintf(t.out, "Confidence: %s (%s).\n\n", r.Verdict.Confidence, r.Verdict.Rule)
	header, rows := r.Rows(all)
	if err := printTable(t.out, header, rows); err != nil {
		return err
	}
	if lines := r.BlameLines(8); len(lines) > 0 {
		fmt.Fprintf(t.out, "\nWhere does the error come from? Base configuration, time per execution:\n")
		for _, line := range lines {
			fmt.Fprintln(t.out, "  "+line)
		}
	}
	for _, w := range r.Warnings {
		fmt.Fprintln(t.err, "warning:", w)
	}
	return nil
}

func printTable(w io.Writer, header []string, rows [][]string) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, strings.Join(header, "\t"))
	for _, row := range rows {
		fmt.Fprintln(out, strings.Join(row, "\t"))
	}
	return out.Flush()
}

// judgement prints the outcomes of the conditions and chooses the exit code.
func judgement(t *terminal, r *validate.Report, conditions []validate.Condition) error {
	var v verdicts
	for _, c := range conditions {
		outcome, text := c.Judge(r)
		fmt.Fprintln(t.err, text)
		v.add(outcome == validate.Violated, outcome == validate.Uncertain)
	}
	return v.exit()
}
