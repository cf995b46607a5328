package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tierscope/analysis/diskio"
	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/project"
)

func newDiskEstimate(t *terminal) *cobra.Command {
	var id, device, format, out string
	cmd := &cobra.Command{
		Use:   "estimate LOG…",
		Short: "Estimate a disk from a log of blkparse, blktrace, perf script or ftrace",
		Long: `estimate reads a log of disk requests that another program has recorded, and
makes a disk for a model: the order of the scheduler, the dispatch limit, and
P(t | type, overtaken) or P(t | type, in flight) for every type of request.

A log is one text file of blkparse, perf script --ns or the kernel's trace, or
the binary files of blktrace, one per CPU. Record one with
  perf record -a -k CLOCK_MONOTONIC -e 'block:block_bio_queue,block:block_rq_insert,block:block_rq_issue,block:block_rq_complete'`,
		Example: "  tierctl disk estimate perf.txt\n  tierctl disk estimate --out sda.json sda.blktrace.*",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat(format, "table", "json"); err != nil {
				return err
			}
			log, err := diskio.Import(args...)
			if err != nil {
				return exit(exitInput, err)
			}
			if err := log.OneDevice(device); err != nil {
				return exit(exitInput, err)
			}
			e, err := diskio.Model(id, diskio.Observe(log.Requests))
			if err != nil {
				return exit(exitInput, err)
			}
			for _, w := range append(log.Warnings, e.Warnings...) {
				fmt.Fprintln(t.err, "warning:", w)
			}
			return printDisk(t, &e.Disk, format, out, func() error { return printLaws(t, &e) })
		},
	}
	cmd.Flags().StringVar(&device, "device", "", "the disk in the log, as major:minor (default: that with most requests)")
	cmd.Flags().StringVar(&id, "id", "disk", "name of the disk in the model")
	cmd.Flags().StringVarP(&out, "out", "o", "", "also write the disk to this file (JSON)")
	cmd.Flags().StringVar(&format, "format", "table", "table or json")
	return cmd
}

// printDisk writes a disk to a file, if asked for, and prints it as JSON or
// with table.
func printDisk(t *terminal, d *core.Disk, format, out string, table func() error) error {
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if out != "" {
		if err := project.WriteFile(out, text); err != nil {
			return err
		}
	}
	if format == "json" {
		_, err := t.out.Write(text)
		return err
	}
	return table()
}

func printLaws(t *terminal, e *diskio.Estimate) error {
	table := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "TYPE\tGIVEN\tX\tREQUESTS\tMEAN\tP50\tP99\tPER MiB\t\n")
	for _, law := range e.Disk.Service {
		for _, r := range law.Rows {
			fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t\n", law.Type, or(string(law.Given), string(core.Overtaken)), r.X, r.Samples,
				quantity.Format(r.Time.Expectation(), "s"), quantity.Format(r.Time.Quantile(0.5), "s"),
				quantity.Format(r.Time.Quantile(0.99), "s"), quantity.Format(r.PerByte*(1<<20), "s"))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "\n%s order, dispatch limit %d: %s\n", e.Disk.Order, e.Disk.Depth, e.Reason)
	return nil
}
