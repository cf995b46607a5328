package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// parallelFlag is how many replications run at once. It is not called workers,
// as the pools of many programs are: who asks for --workers 8 means those.
func parallelFlag(cmd *cobra.Command, n *int) {
	cmd.Flags().IntVar(n, "parallel", 0, "replications at a time (default: all cores)")
}

// flagError says how a parameter of the model is set where a flag is unknown.
func flagError(cmd *cobra.Command, err error) error {
	if name, ok := strings.CutPrefix(err.Error(), "unknown flag: --"); ok && cmd.Flags().Lookup("set") != nil {
		return fmt.Errorf("%w; a parameter of the model is set with --set %s=VALUE, and tierctl show --knobs lists them", err, name)
	}
	return err
}
