package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/stat/distuv"

	"tierscope/core/robust"
	"tierscope/measure/accuracy"
	"tierscope/project"
	"tierscope/simulation/difference"
)

func newAccuracyBuilds(t *terminal) *cobra.Command {
	var load, command, limit string
	cmd := &cobra.Command{
		Use:   "builds FOLDER RESULTS",
		Short: "Write result files of comparisons of builds",
		Long: `Builds reads what tierctl diff --format json printed: same-NAME-N.json of two builds of one source,
planted-FUNCTION-PERCENT-N.json of one whose FUNCTION was edited so that the program takes PERCENT more.`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			condition, err := difference.ParseCondition(limit)
			if err != nil {
				return exit(exitUsage, err)
			}
			files, err := filepath.Glob(filepath.Join(args[0], "*.json"))
			if err != nil {
				return exit(exitUsage, err)
			}
			subjects := map[string]*compared{}
			for _, path := range files {
				if err := compareInto(subjects, path, condition); err != nil {
					return exit(exitInput, err)
				}
			}
			for name, c := range subjects {
				r := c.result(name)
				today := time.Now().Format(time.DateOnly)
				r.Load, r.Command, r.Date = &load, &command, &today
				if err := project.Save(filepath.Join(args[1], r.Subject+".json"), accuracy.Format, r); err != nil {
					return err
				}
			}
			fmt.Fprintf(t.err, "%d comparisons of %d kinds\n", len(files), len(subjects))
			return nil
		},
	}
	cmd.Flags().StringVar(&load, "load", "", "what `ELSE` ran meanwhile")
	cmd.Flags().StringVar(&command, "command", "testdata/programs/builds.sh", "that made them")
	cmd.Flags().StringVar(&limit, "fail-on", "T > +2%", "`CONDITION` that they were judged by")
	return cmd
}

// compared is what comparisons of one kind say.
type compared struct {
	title                             string
	function                          string // planted; "": none
	changes                           []float64
	violated, undecided, named, pairs int
}

var comparedName = regexp.MustCompile(`^(same-(.+)|planted-([a-z]+)-([0-9]+))-[0-9]+\.json$`)

// compareInto adds the comparison of a file.
func compareInto(subjects map[string]*compared, path string, condition difference.Condition) error {
	name := comparedName.FindStringSubmatch(filepath.Base(path))
	if name == nil {
		return fmt.Errorf("%s: expected same-NAME-N.json or planted-FUNCTION-PERCENT-N.json", path)
	}
	text, err := project.ReadFile(path)
	if err != nil {
		return err
	}
	var r difference.Report
	if err := json.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("%s: %w; expected what tierctl diff --format json prints", path, err)
	}
	change, ok := r.Of("T program mean")
	if !ok {
		return fmt.Errorf("%s: it has no run time", path)
	}
	kind, title := "same", "the same source"
	if name[3] != "" {
		kind, title = name[1], fmt.Sprintf("%s, +%s %%", name[3], name[4])
	}
	c := subjects[kind]
	if c == nil {
		c = &compared{title: title, function: name[3]}
		subjects[kind] = c
	}
	c.pairs++
	c.changes = append(c.changes, change.Relative.Mean)
	switch outcome, _ := condition.Judge(&r); outcome {
	case difference.Violated:
		c.violated++
	case difference.Undecided:
		c.undecided++
	case difference.Met:
	}
	i := slices.IndexFunc(r.Shares, func(s difference.Share) bool { return len(s.Edited) > 0 })
	if i == 0 && slices.Equal(r.Shares[0].Edited, []string{"main." + c.function}) {
		c.named++
	}
	return nil
}

func (c *compared) result(name string) *accuracy.Result {
	of := func(quantity, unit string, v float64) accuracy.Row {
		return accuracy.Row{Quantity: quantity, Unit: unit, Configuration: "as recorded", Measured: &accuracy.Value{Mean: v}}
	}
	r := &accuracy.Result{Subject: "builds-" + strings.ToLower(name), Title: c.title, Area: "builds", Repeats: &c.pairs, Rows: []accuracy.Row{
		of("pairs", "number", float64(c.pairs)), of("T > +2 %", "1", float64(c.violated)/float64(c.pairs)), of("undecided", "number", float64(c.undecided)),
		of("change, median", "1", robust.Median(c.changes)),
	}}
	lo, hi := shareInterval(c.violated, c.pairs)
	r.Rows[1].Measured.Low, r.Rows[1].Measured.High = &lo, &hi
	if c.function != "" {
		r.Rows = append(r.Rows, of("named first", "number", float64(c.named)))
	}
	return r
}

// shareInterval is the exact interval of 95 % of a probability, of k cases in n (Clopper and Pearson; Conover 1999, §3.1).
func shareInterval(k, n int) (lo, hi float64) {
	hi = 1
	if k > 0 {
		lo = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(0.025)
	}
	if k < n {
		hi = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(0.975)
	}
	return lo, hi
}
