package main

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newMan(*terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIRECTORY",
		Short: "Write a man page for every subcommand",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			return doc.GenManTree(root, &doc.GenManHeader{Title: "TIERCTL", Section: "1", Source: "Tierscope " + version}, args[0])
		},
	}
}
