package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/project"
)

func newDiskUse(t *terminal) *cobra.Command {
	var id, out string
	cmd := &cobra.Command{
		Use:   "use MODEL DISK",
		Short: "Put another disk into a model: the same program on another disk",
		Long: `use replaces a disk of a model by one from a file that disk measure, estimate or
try has written, or by the disk of another model. What the program asks of the disk
stays what it was; so does the name that the model has for it.`,
		Example: "  tierctl disk use --out on-ssd.json shop.tier ssd.json\n  tierctl disk use --id sda --out fast.json shop.tier other.tier",
		Args:    cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			return useDisk(t, args[0], args[1], id, out)
		},
	}
	cmd.Flags().StringVar(&id, "id", "", "disk of the model to replace (default: its only one)")
	cmd.Flags().StringVarP(&out, "out", "o", "", "file for the new model (JSON)")
	if err := cmd.MarkFlagRequired("out"); err != nil {
		panic(err)
	}
	return cmd
}

func useDisk(t *terminal, model, disk, id, out string) error {
	m, err := loadAnyModel(model)
	if err != nil {
		return exit(exitInput, err)
	}
	d, err := loadDisk(disk)
	if err != nil {
		return exit(exitInput, err)
	}
	changed, err := m.WithDisk(id, d)
	if err != nil {
		return exit(exitInput, err)
	}
	if err := changed.Validate(); err != nil {
		return exit(exitInput, fmt.Errorf("%s with the disk of %s: %w", model, disk, err))
	}
	if err := project.Save(out, core.ModelFormat, changed); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "%s: the program of %s on %s\n", out, model, disk)
	return nil
}

// loadAnyModel reads a model file or the model of a project.
func loadAnyModel(path string) (core.Model, error) {
	if strings.HasSuffix(strings.TrimSuffix(path, "/"), project.Extension) {
		path = filepath.Join(path, "model", "model.json")
	}
	return project.LoadModel(path)
}

// loadDisk reads a disk from its file, or the only one of a model.
func loadDisk(path string) (core.Disk, error) {
	var d core.Disk
	text, err := project.ReadFile(path)
	if err == nil {
		if err = json.Unmarshal(text, &d); err == nil && len(d.Service) > 0 {
			return d, nil
		}
	} else if errors.Is(err, fs.ErrNotExist) {
		return d, err
	}
	m, err := loadAnyModel(path)
	if err != nil {
		return d, fmt.Errorf("%s is neither a disk nor a model: %w", path, err)
	}
	if len(m.Disks) != 1 {
		return d, fmt.Errorf("%s has %d disks; give a model with one, or the file of a disk", path, len(m.Disks))
	}
	return m.Disks[0], nil
}

// comparedDisk is what a disk does for one type of request.
type comparedDisk struct {
	Disk   string  `json:"disk"`
	Type   string  `json:"type"`
	Order  string  `json:"order"`
	Limit  int     `json:"limit"` // requests that it takes at once
	Alone  float64 `json:"alone_s"`
	P50    float64 `json:"p50_s"`
	P99    float64 `json:"p99_s"`
	AtMost float64 `json:"at_most_per_s"`
}

func newDiskCompare(t *terminal) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:     "compare DISK DISK…",
		Short:   "Compare disks: what one request takes, and how many a second they serve",
		Example: "  tierctl disk compare hdd.json ssd.json shop.tier",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat(format, "table", "json"); err != nil {
				return err
			}
			var all []comparedDisk
			for _, path := range args {
				d, err := loadDisk(path)
				if err != nil {
					return exit(exitInput, err)
				}
				for _, l := range d.Service {
					alone, loaded := d.ServiceTime(core.RequestType{Type: l.Type, Bytes: core.Const(4096)})
					first := l.Rows[0].Time
					all = append(all, comparedDisk{path, or(l.Type, "any"), or(string(d.Order), string(core.DiskFIFO)), max(d.Depth, 1),
						alone, first.Quantile(0.5), first.Quantile(0.99), 1 / loaded})
				}
			}
			if format == "json" {
				return printJSON(t.out, all)
			}
			table := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', tabwriter.AlignRight)
			fmt.Fprintf(table, "DISK\tTYPE\tORDER\tLIMIT\tALONE\tP50\tP99\tAT MOST\t\n")
			for _, d := range all {
				fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t\n", d.Disk, d.Type, d.Order, d.Limit,
					quantity.Format(d.Alone, "s"), quantity.Format(d.P50, "s"), quantity.Format(d.P99, "s"), quantity.Format(d.AtMost, "1/s"))
			}
			return table.Flush()
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "table or json")
	return cmd
}
