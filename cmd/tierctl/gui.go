package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"tierscope/project"
)

func newGUI() *cobra.Command {
	return &cobra.Command{
		Use:     "gui [PROJECT]",
		Short:   "Open the window on a project",
		Long:    "Gui starts tierscope, the window, which lies beside tierctl or on the PATH, and ends with it.",
		Example: "  tierctl gui shop.tier",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, path := range args {
				if _, err := project.Open(path); err != nil {
					return exit(exitInput, err)
				}
			}
			window, err := windowProgram()
			if err != nil {
				return err
			}
			run := exec.CommandContext(cmd.Context(), window, args...)
			run.Stdin, run.Stdout, run.Stderr = os.Stdin, cmd.OutOrStdout(), cmd.ErrOrStderr()
			if err := run.Run(); err != nil {
				return fmt.Errorf("%s: %w", window, err)
			}
			return nil
		},
	}
}

// windowProgram finds tierscope: beside this program, where it is installed and
// built, or on the PATH.
func windowProgram() (string, error) {
	name := "tierscope"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		if beside := filepath.Join(filepath.Dir(self), name); isFile(beside) {
			return beside, nil
		}
	}
	window, err := exec.LookPath(name)
	if err != nil {
		return "", errors.New("the window is a program of its own, tierscope, which is neither beside tierctl nor on the PATH: make tierscope builds it")
	}
	return window, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
