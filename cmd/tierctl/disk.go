package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/stat"

	"tierscope/analysis/diskio"
	"tierscope/core/quantity"
)

func newDisk(t *terminal) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "disk",
		Short: "Make the model of a disk",
	}
	cmd.AddCommand(newDiskMeasure(t), newDiskEstimate(t), newDiskTry(t), newDiskCheck(t), newDiskUse(t), newDiskCompare(t))
	return cmd
}

func newDiskMeasure(t *terminal) *cobra.Command {
	var o diskio.MeasureOptions
	var seconds float64
	var create, id, format, out string
	cmd := &cobra.Command{
		Use:   "measure DIR",
		Short: "Measure the disk of a directory with random reads",
		Long: `measure reads random places of the files in a directory, past the page cache,
with 1 to 32 threads, and makes a disk for a model of the times: one server, or a
parallel device with a service law given the number of requests in flight.

It only reads, unless --create lets it write a file, which it removes again.`,
		Example: "  tierctl disk measure /srv/data\n  tierctl disk measure --create 1GiB --out ssd.json /tmp",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(format, "table", "json"); err != nil {
				return err
			}
			if seconds <= 0 {
				return exit(exitUsage, fmt.Errorf("--seconds %v: give a positive number", seconds))
			}
			if !slices.IsSorted(o.Threads) || len(o.Threads) == 0 || o.Threads[0] < 1 {
				return exit(exitUsage, fmt.Errorf("--threads %v: give ascending numbers from 1 on", o.Threads))
			}
			if o.Bytes < 4096 || o.Bytes%4096 != 0 {
				return exit(exitUsage, fmt.Errorf("--bytes %d: give a multiple of 4096", o.Bytes))
			}
			o.PerPoint = time.Duration(seconds * float64(time.Second))
			if create != "" {
				size, err := byteSize(create)
				if err != nil {
					return exit(exitUsage, fmt.Errorf("--create: %w", err))
				}
				o.Create = size
			}
			return measureDisk(cmd.Context(), t, args[0], o, id, format, out)
		},
	}
	f := cmd.Flags()
	f.IntSliceVar(&o.Threads, "threads", []int{1, 2, 4, 8, 16, 32}, "numbers of threads that read")
	f.Float64Var(&seconds, "seconds", 3, "time of reading with each number of threads")
	f.IntVar(&o.Bytes, "bytes", 4096, "size of a read, a multiple of 4096")
	f.StringVar(&create, "create", "", "write a file of this size to read from, such as 1GiB, and remove it")
	f.StringVar(&id, "id", "disk", "name of the disk in the model")
	f.StringVarP(&out, "out", "o", "", "also write the disk to this file (JSON)")
	f.StringVar(&format, "format", "table", "table or json")
	return cmd
}

func measureDisk(ctx context.Context, t *terminal, dir string, o diskio.MeasureOptions, id, format, out string) error {
	if isTerminal(t.err) {
		o.Progress = func(done, all int) { fmt.Fprintf(t.err, "\rreading: %d of %d", done, all) }
		defer fmt.Fprintln(t.err)
	}
	m, err := diskio.Measure(ctx, dir, o)
	if err != nil {
		return err
	}
	e := m.Disk(id)
	for _, w := range e.Warnings {
		fmt.Fprintln(t.err, "warning:", w)
	}
	return printDisk(t, &e.Disk, format, out, func() error { return printPoints(t, &m, &e) })
}

func printPoints(t *terminal, m *diskio.Measurement, e *diskio.Estimate) error {
	table := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "THREADS\tREADS\tTHROUGHPUT\tMEAN\tP50\tP99\t\n")
	for i := range m.Points {
		p := &m.Points[i]
		sorted := slices.Sorted(slices.Values(p.Times))
		at := func(q float64) string { return quantity.Format(stat.Quantile(q, stat.Empirical, sorted, nil), "s") }
		fmt.Fprintf(table, "%d\t%d\t%s\t%s\t%s\t%s\t\n", p.Threads, len(p.Times), quantity.Format(p.Throughput(), "1/s"),
			quantity.Format(p.Mean(), "s"), at(0.5), at(0.99))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "\n%s\n", e.Reason)
	if m.PerByte > 0 {
		fmt.Fprintf(t.out, "a byte adds %s: %s/s\n", quantity.Format(m.PerByte, "s"), quantity.Format(1/m.PerByte, "B"))
	}
	return nil
}

// byteSize reads a number of bytes such as 512, 64MiB or 1GiB.
func byteSize(text string) (int64, error) {
	number, factor := text, int64(1)
	for i, unit := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if n, ok := strings.CutSuffix(text, unit); ok {
			number, factor = n, 1<<(10*(i+1))
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 40)
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("%q is no size; give one such as 512, 64MiB or 1GiB", text)
	}
	return n * factor, nil
}
