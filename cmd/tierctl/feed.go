package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tierscope/analysis/regress"
	"tierscope/project"
)

func newFeed(t *terminal) *cobra.Command {
	var at, base []string
	cmd := &cobra.Command{
		Use:   "feed REPORT PARAMETER=BEHAVIOUR … --at NAME=VALUE,…",
		Short: "Let regression models set parameters of a simulation model",
		Long: `Feed evaluates models of a report (report.json of --out) for an input and prints --set flags for
"tierctl run": the parameters Π of the simulation model as a function of the program's input
(Tarvo & Reiss 2014, §6). PARAMETER is a parameter or path of the model; BEHAVIOUR is named as the
table of "tierctl regress" names it, or by its last word where that is clear.

With --base the value is the prediction relative to that for the base input, the one that the
model was measured with: right for factors such as graphs/G/fragments/F/scale.`,
		Example: `  tierctl regress feed models/report.json graphs/worker/fragments/price/scale=cpu_s --at options=50000,n=4 --base options=10000,n=4
  tierctl run shop.tier $(tierctl regress feed models/report.json …)`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			report, err := openReport(args[0])
			if err != nil {
				return exit(exitInput, err)
			}
			return feed(t.out, t.err, report, args[1:], at, base)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&at, "at", nil, "input: `NAME=VALUE,…` (n is the number of threads)")
	flags.StringSliceVar(&base, "base", nil, "input that the model was measured with: print values relative to it")
	if err := cmd.MarkFlagRequired("at"); err != nil {
		panic(err)
	}
	return cmd
}

func openReport(path string) (*regress.Report, error) {
	if err := project.Complete(filepath.Dir(path)); err != nil { // a fit whose writer was killed
		return nil, err
	}
	file, err := project.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	report, err := regress.ReadReport(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return report, nil
}

// feed prints a --set flag for every pair.
func feed(out, warnings io.Writer, r *regress.Report, pairs, at, base []string) error {
	input, err := settings(at)
	if err != nil {
		return exit(exitUsage, fmt.Errorf("--at: %w", err))
	}
	reference, err := settings(base)
	if err != nil {
		return exit(exitUsage, fmt.Errorf("--base: %w", err))
	}
	for name, given := range map[string]map[string]float64{"--at": input, "--base": reference} {
		if err := r.Check(given); err != nil {
			return exit(exitUsage, fmt.Errorf("%s: %w", name, err))
		}
	}
	var flags []string
	for _, pair := range pairs {
		i := strings.LastIndexByte(pair, '=')
		if i < 1 {
			return exit(exitUsage, fmt.Errorf("%q: give PARAMETER=BEHAVIOUR", pair))
		}
		b, err := behaviourOf(r, pair[i+1:])
		if err != nil {
			return exit(exitInput, err)
		}
		v, err := b.predict(input, warnings)
		if err != nil {
			return exit(exitInput, err)
		}
		if len(base) > 0 {
			v0, err := b.predict(reference, warnings)
			if err != nil {
				return exit(exitInput, err)
			}
			if v0 == 0 {
				return exit(exitInput, fmt.Errorf("%s is predicted to be 0 for the base input: nothing can be relative to it", b.Label()))
			}
			v /= v0
		}
		flags = append(flags, "--set "+pair[:i]+"="+strconv.FormatFloat(v, 'g', 10, 64))
	}
	_, err = fmt.Fprintln(out, strings.Join(flags, " "))
	return err
}

// fed is a behaviour that can be predicted.
type fed struct{ regress.Behaviour }

func behaviourOf(r *regress.Report, name string) (fed, error) {
	var found []regress.Behaviour
	for _, b := range r.Behaviours {
		if b.Label() == name {
			found = []regress.Behaviour{b}
			break
		}
		if b.Name == name {
			found = append(found, b)
		}
	}
	switch {
	case len(found) == 0:
		return fed{}, fmt.Errorf("the report has no behaviour %q", name)
	case len(found) > 1:
		return fed{}, fmt.Errorf("%q could be %s or %s: give the whole name", name, found[0].Label(), found[1].Label())
	case !found[0].Acceptable():
		return fed{}, fmt.Errorf("%s has no acceptable model: %s", found[0].Label(), found[0].Unmodelled)
	}
	return fed{found[0]}, nil
}

// predict evaluates the model; what it needs must be given or follow from what is.
func (b fed) predict(at map[string]float64, warnings io.Writer) (float64, error) {
	f, err := b.Forecast(at)
	for _, text := range f.Warnings {
		fmt.Fprintf(warnings, "warning: %s: %s\n", b.Label(), text)
	}
	return f.Value, err
}
