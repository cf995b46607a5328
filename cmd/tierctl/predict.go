package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tierscope/analysis/capture"
)

func newPredict(t *terminal) *cobra.Command {
	var p capture.Predictor
	cmd := &cobra.Command{
		Use:   "predict REPORT PACKAGE --hook FUNCTION -o EXECUTABLE",
		Short: "Compile prediction code into a Go program, which tells it what its threads will do",
		Long: `Predict builds a Go program with the models of a report ("tierctl regress capture … --out FOLDER"
writes FOLDER/report.json). Just before the program creates threads of a kind it reads the variables that
the models need, by itself, and calls the hook, a function of the program:

  func(kind string, predict func(behaviour string, threads int) (float64, bool))

predict says what one thread is expected to do if there are so many of them: "wall_s", "loads", … The program can
choose the number of its threads by that, or anything else. Nothing of its source is edited, and
without prediction code nobody calls the hook.`,
		Example: `  tierctl regress capture ./histogram --vary items=100000..10000000 --vary bins=1000..1000000 --vary threads=1,2,4,8 --out models
  tierctl regress predict models/report.json ./histogram --hook choose -o histogram`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if p.Report, err = openReport(args[0]); err != nil {
				return exit(exitInput, err)
			}
			p.Program = args[1]
			done, err := p.Build(cmd.Context())
			if err != nil {
				return exit(exitInput, err)
			}
			fmt.Fprintf(t.err, "wrote %s: before it creates threads at %s it reads %s and calls %s\n", p.Out,
				strings.Join(done.Kinds, ", "), strings.Join(done.Variables, ", "), p.Hook)
			for _, text := range done.Left {
				fmt.Fprintln(t.err, "not predicted:", text)
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&p.Hook, "hook", "", "`FUNCTION` of the program that is called, NAME or PACKAGE.NAME")
	flags.StringVarP(&p.Out, "out", "o", "", "`EXECUTABLE` to write")
	flags.StringArrayVar(&p.Env, "env", nil, "environment of the build: `NAME=VALUE`, repeatable")
	for _, name := range []string{"hook", "out"} {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err)
		}
	}
	return cmd
}
