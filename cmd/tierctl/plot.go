package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/plot/vg"

	"tierscope/core"
	"tierscope/gui/chart"
	"tierscope/gui/recipe"
	"tierscope/project"
	"tierscope/simulation/experiment"
)

// plotFlags are the flags of tierctl plot; those given override the recipe.
type plotFlags struct {
	recipe, metric, x, by, out, title string
	format                            string
	where                             []string
	logX, logY, dark, noFooter        bool
	width, height, scale              float64
}

func newPlot(t *terminal) *cobra.Command {
	var f plotFlags
	cmd := &cobra.Command{
		Use:   "plot PROJECT --out FILE | --format json",
		Short: "Draw runs and measurements of a project as a figure",
		Long: `Plot draws a metric of all runs in the ledger of a project over one of its
parameters, one line per value of another, with the measurements in measured/*.csv as
markers. What is not said is chosen: the first metric, the parameters that vary most.

The extension of --out says what is written: svg, pdf, png or eps, or the numbers as
csv, md or tex; --format json prints them. A recipe is a chart file such as the window saves (charts/*.json).`,
		Example: `  tierctl plot shop.tier --out r.svg
  tierctl plot shop.tier --metric 'R class/task p95' --over rate --by workers --log-y --out fig3.pdf
  tierctl plot shop.tier --recipe shop.tier/charts/fig3.json --out fig3.png --scale 2`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return f.plot(t, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.recipe, "recipe", "", "chart `FILE` that says what to draw")
	flags.StringVar(&f.metric, "metric", "", "`KEY` of the metric, such as 'R class/task mean'")
	flags.StringVar(&f.x, "over", "", "`PARAMETER` on the x axis")
	flags.StringVar(&f.by, "by", "", "`PARAMETER` with one line per value")
	flags.StringArrayVar(&f.where, "where", nil, "keep only configurations with `NAME=VALUE`; repeatable")
	flags.StringVar(&f.title, "title", "", "of the figure")
	flags.BoolVar(&f.logX, "log-x", false, "logarithmic x axis")
	flags.BoolVar(&f.logY, "log-y", false, "logarithmic y axis")
	flags.BoolVar(&f.dark, "dark", false, "on a dark background")
	flags.BoolVar(&f.noFooter, "no-footer", false, "without the line of provenance")
	flags.Float64Var(&f.width, "width", 160, "in millimetres")
	flags.Float64Var(&f.height, "height", 100, "in millimetres")
	flags.Float64Var(&f.scale, "scale", 2, "of a png: pixels per 1/96 inch")
	flags.StringVarP(&f.out, "out", "o", "", "`FILE` to write")
	flags.StringVar(&f.format, "format", "", "json: print the numbers, with or without a file")
	cmd.MarkFlagsOneRequired("out", "format")
	return cmd
}

func (f *plotFlags) plot(t *terminal, path string) error {
	if f.format != "" {
		if err := checkFormat(f.format, "json"); err != nil {
			return err
		}
	}
	p, err := project.Open(path)
	if err != nil {
		return exit(exitInput, err)
	}
	m, err := p.Model()
	if err != nil {
		return exit(exitInput, err)
	}
	observations, err := recipe.Load(p, &m)
	if err != nil {
		fmt.Fprintln(t.err, "warning: some of it could not be read:", err)
	}
	if len(observations) == 0 {
		return exit(exitInput, fmt.Errorf("%s: nothing to draw: no runs of this model are in the ledger and no measurements in measured/; run tierctl sweep first", path))
	}
	r, err := f.choose(observations)
	if err != nil {
		return err
	}
	figure := r.Lines(observations, recipe.Units(&m))
	if len(figure.Series) == 0 {
		return exit(exitInput, fmt.Errorf("nothing is known about %q over %q: metrics are %s; parameters are %s", r.Metric, r.X,
			strings.Join(quoted(recipe.Metrics(observations), 8), ", "), strings.Join(m.ParameterNames(), ", ")))
	}
	if f.format == "json" {
		numbers := figure.Table()
		if err := printJSON(t.out, struct {
			Metric string     `json:"metric"`
			Header []string   `json:"header"`
			Rows   [][]string `json:"rows"`
		}{r.Metric, numbers.Header, numbers.Rows}); err != nil || f.out == "" {
			return err
		}
	}
	from := chart.Provenance{Model: m.Name, Revision: core.Hash(m), Program: "tierctl " + version, Date: chart.Today(), Command: "tierctl plot " + p.Dir}
	if err := addRuns(&from, p); err != nil {
		fmt.Fprintln(t.err, "warning: the figure does not say its seed:", err)
	}
	data, err := f.render(figure, from)
	if err != nil {
		return err
	}
	if err := project.WriteFile(f.out, data); err != nil {
		return err
	}
	fmt.Fprintln(t.err, figure.Summary())
	return nil
}

// addRuns says of how many runs of the model a figure is, and how the last of
// them was made.
func addRuns(from *chart.Provenance, p *project.Project) (err error) {
	if _, err := os.Stat(p.LedgerPath()); err != nil {
		return nil // nothing was run: the figure is of measurements
	}
	ledger, err := experiment.OpenLedger(p.LedgerPath())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	for run, err := range ledger.All() {
		if err == nil && run.Result.ModelHash == from.Revision {
			from.Runs++
			from.Seed, from.Replications = run.Result.Seed, run.Result.Replications
		}
	}
	return nil
}

// choose returns the recipe: the file's, or a suggestion, with the flags on
// top.
func (f *plotFlags) choose(observations []recipe.Observation) (recipe.Recipe, error) {
	metric := f.metric
	if metric == "" {
		metric = recipe.Metrics(observations)[0]
	}
	r := recipe.Recipe{Metric: metric}
	if f.recipe != "" {
		data, err := project.ReadFile(f.recipe)
		if err != nil {
			return r, exit(exitInput, err)
		}
		if r, err = recipe.Decode(bytes.NewReader(data)); err != nil {
			return r, exit(exitInput, fmt.Errorf("%s: %w", f.recipe, err))
		}
		if f.metric != "" {
			r.Metric = f.metric
		}
	}
	if f.x != "" {
		if r.X != f.x && r.By == f.x {
			r.By = ""
		}
		r.X = f.x
		delete(r.Where, f.x)
	}
	if f.by != "" {
		r.By = f.by
		delete(r.Where, f.by)
	}
	if f.title != "" {
		r.Title = f.title
	}
	r.LogX, r.LogY = r.LogX || f.logX, r.LogY || f.logY
	for _, text := range f.where {
		name, value, ok := strings.Cut(text, "=")
		v, err := strconv.ParseFloat(value, 64)
		if !ok || err != nil {
			return r, exit(exitUsage, fmt.Errorf("--where %q: expected NAME=VALUE, such as workers=4", text))
		}
		if r.Where == nil {
			r.Where = map[string]float64{}
		}
		r.Where[name] = v
	}
	if f.recipe == "" {
		r = r.Completed(observations)
	}
	return r, nil
}

func (f *plotFlags) render(figure chart.Figure, from chart.Provenance) ([]byte, error) {
	var b bytes.Buffer
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(f.out)), ".")
	switch format {
	case "csv":
		err := figure.Table().WriteCSV(&b)
		return b.Bytes(), err
	case "md":
		err := figure.Table().WriteMarkdown(&b)
		return b.Bytes(), err
	case "tex":
		err := figure.Table().WriteLaTeX(&b)
		return b.Bytes(), err
	}
	if !slices.Contains(chart.Formats, chart.Format(format)) {
		return nil, exit(exitUsage, fmt.Errorf("--out %s: the extension must be svg, pdf, png, eps, csv, md or tex", f.out))
	}
	o := chart.Options{Format: chart.Format(format), Width: vg.Length(f.width) * vg.Millimeter, Height: vg.Length(f.height) * vg.Millimeter, Scale: f.scale, Provenance: from}
	if !f.noFooter {
		o.Footer = from.Line()
	}
	if f.dark {
		o.Theme = &chart.Dark
	}
	err := chart.Export(&b, figure, o)
	return b.Bytes(), err
}

// quoted returns at most n of the texts in quotes.
func quoted(texts []string, n int) []string {
	var all []string
	for _, s := range texts[:min(n, len(texts))] {
		all = append(all, strconv.Quote(s))
	}
	if len(texts) > n {
		all = append(all, "…")
	}
	return all
}
