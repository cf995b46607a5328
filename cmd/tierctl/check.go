package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tierscope/core"
)

func newCheck(t *terminal) *cobra.Command {
	var c configuration
	cmd := &cobra.Command{
		Use:     "check MODEL",
		Short:   "Validate a model and print its operational-law bounds",
		Example: "  tierctl check shop.tier\n  tierctl check --threads 8 --rate 120/s model.json",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return check(t, args[0], &c)
		},
	}
	c.flags(cmd)
	return cmd
}

func check(t *terminal, path string, c *configuration) error {
	m, err := loadModel(path)
	if err != nil {
		if n := len(core.Defects(err)); n > 0 {
			err = exit(exitInput, fmt.Errorf("%d defects\n%w", n, err))
		}
		return err
	}
	set, err := c.settings(&m)
	if err != nil {
		return err
	}
	configured, err := m.With(set)
	if err != nil {
		return exit(exitUsage, err)
	}
	for _, w := range append(m.Extrapolations(set), configured.Warnings()...) {
		fmt.Fprintln(t.err, "warning:", w)
	}
	fmt.Fprintf(t.out, "%s is valid: %d pools, %d graphs, %d locks, %d disks\n", path,
		len(configured.Pools), len(configured.Graphs), len(configured.Locks), len(configured.Disks))
	return nil
}
