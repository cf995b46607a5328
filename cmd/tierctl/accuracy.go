package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"tierscope/analysis/stage"
	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/measure/accuracy"
	"tierscope/measure/validate"
	"tierscope/project"
)

func newAccuracy(t *terminal) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "accuracy",
		Short: "Keep errors of predictions in files, and make the tables of pages of them",
		Long: `Accuracy keeps what validate found as files, one per subject, with machine, load, commit,
command, date and repeats, and writes the tables of Markdown pages from such files: the parts
between <!-- generated: … --> and <!-- end of the generated part -->.`,
	}
	cmd.AddCommand(newAccuracyRecord(t), newAccuracyPages(t), newAccuracyBuilds(t))
	return cmd
}

func newAccuracyRecord(t *terminal) *cobra.Command {
	var name, title, area, load, commit, home, sizes string
	var apart bool
	cmd := &cobra.Command{
		Use:   "record FOLDER",
		Short: "Write the result file of one subject from the JSON that validate prints",
		Example: `  tierctl validate --format json shop.tier | tierctl accuracy record --subject shop --title 'Web shop' --area servers \
      --project shop.tier --load 'nothing else' --commit "$(git rev-parse --short HEAD)" testdata/accuracy`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var report validate.Report
			if err := json.NewDecoder(core.Bounded(cmd.InOrStdin(), project.MostFile)).Decode(&report); err != nil {
				return exit(exitInput, fmt.Errorf("standard input: %w; expected what tierctl validate --format json prints", err))
			}
			if apart {
				m, err := loadModel(home)
				if err != nil {
					return err
				}
				report.Comparisons = slices.DeleteFunc(report.Comparisons, func(c validate.Comparison) bool { return wasChecked(&m, c.At) })
			}
			r := accuracy.From(&report)
			r.Subject, r.Title, r.Area = name, title, area
			for _, x := range []struct {
				to   **string
				text string
			}{{&r.Load, load}, {&r.Commit, commit}} {
				if x.text != "" {
					*x.to = &x.text
				}
			}
			var err error
			if r.Grade, err = gradeOf(home); err != nil {
				return err
			}
			if sizes != "" {
				text, err := project.ReadFile(sizes)
				if err != nil {
					return err
				}
				if err := json.Unmarshal(text, &r.Size); err != nil {
					return exit(exitInput, fmt.Errorf("%s: %w; expected what tierctl reduction --format json prints of one project", sizes, err))
				}
			}
			if err := r.Check(); err != nil {
				return exit(exitInput, err)
			}
			path := filepath.Join(args[0], name+".json")
			if err := project.Save(path, accuracy.Format, r); err != nil {
				return err
			}
			fmt.Fprintln(t.err, "written:", path)
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&name, "subject", "", "`NAME` of the subject and of its file")
	flags.StringVar(&title, "title", "", "`WORDS` of the tables")
	flags.StringVar(&area, "area", "", "`NAME` of the table that shows it")
	flags.StringVar(&load, "load", "", "what `ELSE` ran meanwhile (default: not known)")
	flags.StringVar(&commit, "commit", "", "`HASH` of the program that predicted (default: not known)")
	flags.StringVar(&home, "project", "", "project `FOLDER` whose trust report has the grade (default: not known)")
	flags.BoolVar(&apart, "apart", false, "leave out what the analysis ran itself: the intervals of the model know it")
	flags.StringVar(&sizes, "sizes", "", "`FILE` with what reduction --format json prints of the project (default: not known)")
	return cmd
}

// wasChecked reports whether the model was held against a run of the configuration that sets these paths.
func wasChecked(m *core.Model, at map[string]float64) bool {
	configured, err := m.With(at)
	return err == nil && slices.ContainsFunc(m.Checked, func(c core.Checked) bool { return maps.Equal(c.At, configured.CheckedAt()) })
}

// gradeOf returns the grade of a project's model, nil if there is none.
func gradeOf(home string) (*string, error) {
	if home == "" {
		return nil, nil
	}
	var trust trust.Trust
	err := project.Load(filepath.Join(home, "analysis", "trust.json"), stage.TrustFormat, &trust)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return &trust.Grade, err
}

func newAccuracyPages(t *terminal) *cobra.Command {
	var check bool
	var pictures string
	cmd := &cobra.Command{
		Use:   "pages RESULTS PAGES",
		Short: "Write the generated parts of the Markdown pages in one folder from the result files in another",
		Example: `  tierctl accuracy pages testdata/accuracy docs
  tierctl accuracy pages --pictures assets/pictures testdata/accuracy docs
  tierctl accuracy pages --check testdata/accuracy docs`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			book, err := accuracy.Read(args[0])
			if err != nil {
				return exit(exitInput, err)
			}
			if !check {
				n, err := book.Update(args[1])
				if err != nil {
					return err
				}
				fmt.Fprintf(t.err, "%d pages changed\n", n)
				if pictures != "" {
					return drawAdvice(book, pictures)
				}
				return nil
			}
			stale, err := book.Stale(args[1])
			if err != nil {
				return exit(exitInput, err)
			}
			for _, path := range slices.Sorted(maps.Keys(stale)) {
				fmt.Fprintln(t.out, path)
			}
			if len(stale) > 0 {
				return &silentError{exitViolated}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&pictures, "pictures", "", "`FOLDER` for the figures of the pages, which are drawn anew")
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; print the pages that are not what the files give, and exit with 3 if there are some")
	return cmd
}
