// Package target is the list of front ends: the languages whose programs
// Tierscope analyses. The window and the command line share it.
package target

import (
	"context"

	"tierscope/analysis"
	"tierscope/analysis/execution"
	"tierscope/analysis/golang"
	"tierscope/analysis/java"
	"tierscope/analysis/native"
	"tierscope/analysis/trace"
	generator "tierscope/measure/load"
)

// All returns the front ends by name.
func All() map[string]analysis.Target {
	return map[string]analysis.Target{
		"go":     golang.Target{Drive: drive},
		"java":   java.Target{Drive: drive},
		"native": native.Target{Drive: drive},
	}
}

// Default is the front end of a program whose language nobody has named.
const Default = "go"

// drive puts the load on a server that is analysed, with the generator that
// measures servers, so that both see the same.
func drive(ctx context.Context, l *trace.Load, mark func()) (execution.Answers, error) {
	report, err := generator.Drive(ctx, *l, generator.Hooks{WorkStart: mark, WorkEnd: mark})
	if err != nil {
		return execution.Answers{}, err
	}
	return execution.Answers{Tasks: int64(report.X*l.Duration + 0.5), Response: trace.ResponseTime{Median: report.R.P50, Mean: report.R.Mean}}, nil
}
