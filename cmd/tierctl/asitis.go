package main

import "github.com/spf13/cobra"

// asItIsFlag adds the flag that keeps what is not known of a model out of intervals.
func asItIsFlag(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "no-input-uncertainty", false, "intervals of the simulation alone, without what the analysis does not know of the model")
}
