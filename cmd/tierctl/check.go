package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/judge"
	"tierscope/simulation"
)

func newCheck(t *terminal) *cobra.Command {
	var c configuration
	var format string
	var limit deadline
	cmd := &cobra.Command{
		Use:   "check MODEL",
		Short: "Validate a model and print its operational-law bounds",
		Long: `check reports every defect of a model, or says what operational laws say about
it without simulating: service demands, the bottleneck, the load at which it
saturates, bounds that nothing can better, and an estimate: analytic, or of a program that
ends by itself the mean of a few simulated runs.`,
		Example: "  tierctl check shop.tier\n  tierctl check --threads 8 --rate 120/s model.json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			stop, err := limit.start(cmd)
			if err != nil {
				return err
			}
			defer stop()
			return check(cmd.Context(), t, args[0], &c, format)
		},
	}
	c.flags(cmd)
	limit.flag(cmd)
	cmd.Flags().StringVar(&format, "format", "table", "table, csv (long: one row per number) or json")
	return cmd
}

func check(ctx context.Context, t *terminal, path string, c *configuration, format string) error {
	if err := checkFormat(format, "table", "csv", "json"); err != nil {
		return err
	}
	chosen, err := await(ctx, func() (chosen, error) { return c.configured(path) })
	if err != nil {
		if n := len(core.Defects(err)); n > 0 {
			err = exit(exitInput, fmt.Errorf("%d defects\n%w", n, err))
		}
		return err
	}
	configured, err := chosen.model.With(chosen.settings)
	if err != nil {
		return exit(exitUsage, err)
	}
	demands, err := await(ctx, func() (core.Demands, error) { return configured.Demands(), nil })
	if err != nil {
		return err
	}
	warnings := append(chosen.model.Extrapolations(chosen.settings), chosen.model.Warnings()...)
	if err := c.applicable(chosen.project); err != nil {
		warnings = append(warnings, err.Error())
	}
	for _, w := range append(warnings, demands.Notes...) {
		fmt.Fprintln(t.err, "warning:", w)
	}
	estimate, bounds, err := simulation.Forecast(ctx, configured)
	if err != nil {
		return err
	}
	report := newReport(&demands, estimate, bounds)
	if chosen.project != "" {
		if report.Grade, report.Why, err = judge.GradeOfProject(chosen.project, &chosen.base); err != nil {
			return exit(exitInput, err)
		}
	}
	switch format {
	case "json":
		return printJSON(t.out, report)
	case "csv":
		return report.csv(t.out)
	default:
		return report.print(t.out)
	}
}

// report is what check prints. Numbers that are infinite are left out.
type report struct {
	Unit       string          `json:"unit"` // what one unit of work is: "task" or "program run"
	Stations   []stationReport `json:"stations"`
	Bottleneck string          `json:"bottleneck,omitempty"`
	Saturation *float64        `json:"saturation,omitempty"` // tasks per second, or users of a closed model
	Closed     bool            `json:"closed"`
	Bounds     pair            `json:"bounds"`
	Estimate   pair            `json:"estimate"`
	Assumes    []string        `json:"assumes"`
	Grade      string          `json:"grade,omitempty"` // of the model, A to D
	Why        string          `json:"why,omitempty"`
}

type stationReport struct {
	Of          string   `json:"of"`
	Demand      float64  `json:"demand_s"`
	Limit       *float64 `json:"limit_per_s,omitempty"`
	Utilization float64  `json:"utilization"`
}

// pair is a response time and a throughput.
type pair struct {
	Response   *float64 `json:"response_s,omitempty"`
	Throughput *float64 `json:"throughput_per_s,omitempty"`
}

func finite(v float64) *float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}

func newReport(d *core.Demands, e core.Estimate, b core.Bounds) report {
	r := report{Unit: "task", Bottleneck: b.Bottleneck.Of, Saturation: finite(b.Saturation), Closed: b.Closed,
		Bounds:   pair{finite(b.Response), finite(b.Throughput)},
		Estimate: pair{finite(e.Response), finite(e.Throughput)}, Assumes: e.Assumptions}
	if d.Batch {
		r.Unit, r.Saturation = "program run", nil
	}
	for _, s := range d.Stations {
		r.Stations = append(r.Stations, stationReport{s.Of, s.Demand, finite(s.Limit()), e.Utilization[s.Of]})
	}
	return r
}

// csv writes one row per number. What has no value, such as the limit of a
// resource that nobody uses, has no row.
func (r report) csv(w io.Writer) error {
	out, cells := csv.NewWriter(w), quantity.Cells
	rows := [][]string{{"quantity", "of", "value", "unit"}}
	add := func(quantity, of string, v *float64, unit string) {
		if v != nil {
			rows = append(rows, cells([]string{quantity, of, decimal(*v), unit}))
		}
	}
	for _, s := range r.Stations {
		add("demand", s.Of, &s.Demand, "s")
		add("limit", s.Of, s.Limit, "1/s")
		add("utilization", s.Of, &s.Utilization, "1")
	}
	saturation := "1/s"
	if r.Closed {
		saturation = "users"
	}
	add("saturation", r.Bottleneck, r.Saturation, saturation)
	add("response bound", r.Unit, r.Bounds.Response, "s")
	add("throughput bound", r.Unit, r.Bounds.Throughput, "1/s")
	add("response estimate", r.Unit, r.Estimate.Response, "s")
	add("throughput estimate", r.Unit, r.Estimate.Throughput, "1/s")
	if err := out.WriteAll(rows); err != nil {
		return err
	}
	return out.Error()
}

func (r report) print(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "RESOURCE\tDEMAND PER %s\tLIMIT\tUTILIZATION\t\n", strings.ToUpper(r.Unit))
	for _, s := range r.Stations {
		mark := ""
		if s.Of == r.Bottleneck {
			mark = "← bottleneck"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", s.Of, quantity.Format(s.Demand, "s"), show(s.Limit, "1/s", "none"), quantity.Share(s.Utilization), mark)
	}
	fmt.Fprintln(table)
	response := "response time R"
	if r.Unit != "task" {
		response = "makespan T"
	}
	fmt.Fprintf(table, "\tBOUND\tESTIMATE\t\n")
	fmt.Fprintf(table, "%s\t≥ %s\t%s\t\n", response, show(r.Bounds.Response, "s", "unstable: arrivals exceed capacity"), show(r.Estimate.Response, "s", "unstable"))
	fmt.Fprintf(table, "throughput X\t≤ %s\t%s\t\n", show(r.Bounds.Throughput, "1/s", "no limit"), show(r.Estimate.Throughput, "1/s", "no limit"))
	if r.Saturation != nil {
		unit := "1/s"
		if r.Closed {
			unit = "users"
		}
		fmt.Fprintf(table, "saturates at\t%s\t\t\n", quantity.Format(*r.Saturation, unit))
	}
	if err := table.Flush(); err != nil || r.Grade == "" {
		return err
	}
	_, err := fmt.Fprintf(w, "\ntrust grade %s: %s\n", r.Grade, trust.Promise(r.Grade))
	return err
}

func show(v *float64, unit, otherwise string) string {
	if v == nil {
		return otherwise
	}
	return quantity.Format(*v, unit)
}
