package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tierscope/simulation"
)

// directorFlag adds --director.
func directorFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "director", "", "what threads do next: walks (as in the recorded run) or graph (by its probabilities); default: walks where they can answer")
}

// director is the value of --director.
func director(text string) (simulation.Director, error) {
	switch d := simulation.Director(text); d {
	case simulation.Choose, simulation.AsProbabilities, simulation.AsRecorded:
		return d, nil
	}
	return "", fmt.Errorf("--director %q: give %s or %s", text, simulation.AsRecorded, simulation.AsProbabilities)
}
