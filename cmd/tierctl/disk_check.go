package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tierscope/analysis/diskio"
)

func newDiskCheck(t *terminal) *cobra.Command {
	var o diskio.CheckOptions
	var recorder, format string
	cmd := &cobra.Command{
		Use:   "check DIR",
		Short: "Examine whether the requests to a disk can be recorded and attributed here",
		Long: `check lets a few threads do mixed operations (cold and warm reads, stat, open,
fsync) in a folder of their own below a directory, and records them. It says whether
every operation contains one system call and every request belongs to an operation,
what the recording costs, and whether the same recording with another clock and
other names of threads would be matched again by cross-correlation.`,
		Example: "  tierctl disk check /srv/data",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(format, "table", "json"); err != nil {
				return err
			}
			if o.Threads < 1 || o.Operations < 100*o.Threads {
				return exit(exitUsage, fmt.Errorf("--threads %d and --operations %d: give at least 100 operations for each thread", o.Threads, o.Operations))
			}
			var err error
			if o.Recorder, err = recorderNamed(recorder); err != nil {
				return err
			}
			return checkDisk(cmd.Context(), t, args[0], o, format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "table or json")
	cmd.Flags().StringVar(&recorder, "recorder", "", "tracefs or ebpf (default: the best that can be used)")
	cmd.Flags().BoolVar(&o.Cold, "cold", false, "only cold reads: threads that do nothing but wait for the disk")
	cmd.Flags().BoolVar(&o.RealTime, "real-time", false, "threads of real-time priority, so that other programs do not matter for the cost")
	cmd.Flags().IntVar(&o.Threads, "threads", 4, "threads of the load")
	cmd.Flags().IntVar(&o.Operations, "operations", 10_000, "operations of all threads")
	return cmd
}

// recorderNamed is the recorder of a name, or the best one.
func recorderNamed(name string) (diskio.Recorder, error) {
	if name == "" {
		r, err := diskio.Choose()
		if err != nil {
			return nil, exit(exitInput, err)
		}
		return r, nil
	}
	var names []string
	for _, r := range diskio.Recorders() {
		if r.Name() == name {
			return r, nil
		}
		names = append(names, r.Name())
	}
	return nil, exit(exitUsage, fmt.Errorf("--recorder %s: there is %s", name, strings.Join(names, ", ")))
}

func checkDisk(ctx context.Context, t *terminal, dir string, o diskio.CheckOptions, format string) error {
	c, err := diskio.Examine(ctx, dir, o)
	if err != nil {
		return err
	}
	for _, w := range c.Log.Warnings {
		fmt.Fprintln(t.err, "warning:", w)
	}
	n := len(c.Operations)
	attributed, requests := c.Attributed()
	if format == "json" {
		median := func(by map[string]time.Duration) map[string]float64 {
			all := map[string]float64{}
			for kind, d := range by {
				all[kind] = d.Seconds()
			}
			return all
		}
		return printJSON(t.out, struct {
			Recorder   string             `json:"recorder"`
			Operations int                `json:"operations"`
			OneCall    int                `json:"operations_with_one_call"`
			Requests   int                `json:"requests"`
			Attributed int                `json:"requests_of_operations"`
			Plain      map[string]float64 `json:"plain_s"`
			Recorded   map[string]float64 `json:"recorded_s"`
		}{c.Recorder, n, c.OneCall(), requests, attributed, median(c.Plain), median(c.Recorded)})
	}
	fmt.Fprintf(t.out, "recorder %s: %d operations of %d threads, %d system calls, %d requests\n", c.Recorder, n, o.Threads, len(c.Log.Calls), requests)
	fmt.Fprintf(t.out, "operations that contain exactly one system call: %d of %d (%.2f %%)\n", c.OneCall(), n, percent(c.OneCall(), n))
	fmt.Fprintf(t.out, "requests that belong to an operation: %d of %d (%.2f %%)\n\n", attributed, requests, percent(attributed, requests))
	table := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "OPERATION, MEDIAN\tPLAIN\tRECORDED\tCOST\t\n")
	for _, kind := range slices.Sorted(maps.Keys(c.Plain)) {
		fmt.Fprintf(table, "%s\t%v\t%v\t%v\t\n", kind, c.Plain[kind], c.Recorded[kind], c.Recorded[kind]-c.Plain[kind])
	}
	if err := table.Flush(); err != nil {
		return err
	}
	const lag, drift = 12345678901 * time.Nanosecond, 50
	r, err := c.Rematch(lag, drift)
	if err != nil {
		fmt.Fprintf(t.out, "\nwith another clock and other names: %v\n", err)
		return nil
	}
	fmt.Fprintf(t.out, "\nwith %v added, %d ppm of drift and threads renamed: %d of %d threads found again, lag within %v, confidence %.1f\n",
		lag, drift, r.Right, r.Threads, r.LagError, r.Match.Confidence)
	return nil
}

func percent(part, all int) float64 { return 100 * float64(part) / float64(max(1, all)) }
