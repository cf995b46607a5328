package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tierscope/core/quantity"
	"tierscope/measure/machine"
	"tierscope/project"
)

func newMachine(t *terminal) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "machine",
		Short: "Move a model to another machine",
	}
	cmd.AddCommand(newMachineMeasure(t), newMachineCompare(t))
	return cmd
}

func newMachineMeasure(t *terminal) *cobra.Command {
	var seconds float64
	var name, format, out string
	cmd := &cobra.Command{
		Use:   "measure",
		Short: "Measure how fast this machine does each kind of work",
		Long: `measure times a loop for each kind of work that programs are made of: chains of
integers, floating-point numbers, branches that nobody can predict, loads from the
cache and from memory, copying. Do it here and on the machine that a model is to be
moved to, while nothing else runs, and compare the two files.`,
		Example: "  tierctl machine measure --out here.json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFormat(format, "table", "json"); err != nil {
				return err
			}
			if !(seconds > 0) || seconds > 3600 {
				return exit(exitUsage, fmt.Errorf("--seconds %v: give a positive number, 3600 at most", seconds))
			}
			m, err := machine.Measure(cmd.Context(), time.Duration(seconds*float64(time.Second)))
			if errors.Is(err, context.Canceled) {
				return exit(exitInterrupted, err)
			}
			if err != nil {
				return err
			}
			m.Name = name
			return printMachine(t, m, format, out)
		},
	}
	f := cmd.Flags()
	f.Float64Var(&seconds, "seconds", 5, "time of all loops together")
	f.StringVar(&name, "name", "", "name of the machine")
	f.StringVarP(&out, "out", "o", "", "also write what was measured to this file (JSON)")
	f.StringVar(&format, "format", "table", "table or json")
	return cmd
}

// unsteady is a spread from which what was measured is called uncertain: other programs had the core. It is beyond what clock
// frequencies drift by on a quiet machine (3–9 % in five minutes).
const unsteady = 0.1

func printMachine(t *terminal, m machine.Machine, format, out string) error {
	data, err := machine.Format.Marshal(m)
	if err != nil {
		return err
	}
	if out != "" {
		if err := project.WriteFile(out, data); err != nil {
			return err
		}
	}
	for _, w := range m.Work {
		if w.Spread > unsteady {
			fmt.Fprintf(t.err, "warning: %s: the time of an operation varies by ± %s; measure when nothing else runs\n", w.Kind, quantity.Share(w.Spread))
		}
	}
	if format == "json" {
		_, err := t.out.Write(data)
		return err
	}
	table := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "WORK\tOPERATION\tSPREAD")
	for _, w := range m.Work {
		fmt.Fprintf(table, "%s\t%s\t± %s\n", w.Kind, quantity.Format(w.Time, "s"), quantity.Share(w.Spread))
	}
	return table.Flush()
}

func newMachineCompare(t *terminal) *cobra.Command {
	var work []string
	var format string
	cmd := &cobra.Command{
		Use:   "compare HERE THERE",
		Short: "How many times as fast another machine is, for each kind of work",
		Long: `compare says how many times as fast the second machine does each kind of work, and with
which settings a model that was made on the first predicts for the second. With --work,
the shares of its CPU time that the program spends with each kind, that is one number.`,
		Example: "  tierctl machine compare here.json there.json --work integer=3,memory=1\n  tierctl run shop.tier --set cpu/speed=1.31 --cores 16",
		Args:    cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat(format, "table", "json"); err != nil {
				return err
			}
			here, err := readMachine(args[0])
			if err != nil {
				return err
			}
			there, err := readMachine(args[1])
			if err != nil {
				return err
			}
			shares := machine.Mix{}
			for _, pair := range work {
				kind, text, _ := strings.Cut(pair, "=")
				if shares[kind], err = number(text); err != nil {
					return exit(exitUsage, fmt.Errorf("--work %q: %w; give KIND=SHARE", pair, err))
				}
			}
			return compareMachines(t, here, there, shares, format)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&work, "work", nil, "shares of CPU time, such as integer=3,memory=1")
	f.StringVar(&format, "format", "table", "table or json")
	return cmd
}

func readMachine(path string) (m machine.Machine, err error) {
	data, err := project.ReadFile(path)
	if err != nil {
		return m, exit(exitInput, err)
	}
	if err := machine.Format.Decode(bytes.NewReader(data), &m); err != nil {
		return m, exit(exitInput, fmt.Errorf("%s: %w", path, err))
	}
	if err := m.Check(); err != nil {
		return m, exit(exitInput, fmt.Errorf("%s: %w", path, err))
	}
	return m, nil
}

// comparison is what compare prints as JSON: between Least and Most, which are the same if the mix of work is known, lies cpu/speed.
type comparison struct {
	Work  []machine.Factor `json:"work"`
	Least float64          `json:"least_speed"`
	Most  float64          `json:"most_speed"`
	Cores int              `json:"cores"`
}

func compareMachines(t *terminal, here, there machine.Machine, shares machine.Mix, format string) error {
	c := comparison{Work: machine.Factors(here, there), Cores: there.Cores}
	if len(c.Work) == 0 {
		return exit(exitInput, errors.New("the two machines have no kind of work in common; measure both with the same tierctl"))
	}
	if len(shares) > 0 {
		speed, err := machine.Speed(c.Work, shares)
		if err != nil {
			return exit(exitUsage, fmt.Errorf("--work: %w", err))
		}
		c.Least, c.Most = speed, speed
	} else {
		c.Least, c.Most = c.Work[0].Speed, c.Work[0].Speed
		for _, f := range c.Work {
			c.Least, c.Most = min(c.Least, f.Speed), max(c.Most, f.Speed)
		}
	}
	if format == "json" {
		data, err := json.MarshalIndent(c, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(t.out, "%s\n", data)
		return err
	}
	table := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "WORK\tHERE\tTHERE\tSPEED")
	for _, f := range c.Work {
		fmt.Fprintf(table, "%s\t%s\t%s\t%.2f×\n", f.Kind, quantity.Format(f.Here, "s"), quantity.Format(f.There, "s"), f.Speed)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if c.Least == c.Most {
		_, err := fmt.Fprintf(t.out, "\nA model from here predicts for there with --set cpu/speed=%.3g --cores %d.\n", c.Least, c.Cores)
		return err
	}
	_, err := fmt.Fprintf(t.out, "\nA model from here predicts for there with --set cpu/speed=%.3g to %.3g, whatever the program's work is, and --cores %d; --work narrows that down.\n", c.Least, c.Most, c.Cores)
	return err
}
