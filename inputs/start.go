package inputs

import (
	"context"
	"fmt"
	"path/filepath"

	"tierscope/analysis"
	"tierscope/analysis/trace"
	"tierscope/measure"
	"tierscope/project"
)

// starts is how often a program that does nothing is run in a round: it takes a millisecond, of which chance decides half.
// Convention.
const starts = 9

// nothing is the folder of the program that does nothing, below that of a project.
const nothing = "nothing"

// startsFile has the times of a program that does nothing.
func startsFile(dir string) string { return filepath.Join(dir, folder, nothing, "measured.csv") }

// start measures what a start and an end cost a program of this kind that does nothing between: no probe of a recorded run sees it,
// and of small inputs it is a large share. There is nothing to measure where recordings begin with the process.
func (p Plan) start(ctx context.Context, round int) []float64 {
	target, ok := p.Target.(analysis.Starter)
	if !ok {
		return nil
	}
	dir := filepath.Join(p.Dir, folder, nothing)
	for name, text := range target.Nothing() {
		if err := project.WriteFile(filepath.Join(dir, name), []byte(text)); err != nil {
			p.Report(fmt.Sprintf("what a start costs is not measured: %v", err))
			return nil
		}
	}
	c := measure.Campaign{Workload: trace.Workload{Program: dir, Env: p.Workload.Env, Cores: p.Workload.Cores}, Repeats: (round + 1) * starts}
	t, err := c.Record(ctx, startsFile(p.Dir), p.Tool, func(measure.Progress) {})
	if err != nil {
		p.Report(fmt.Sprintf("what a start costs is not measured: %v", err))
		return nil
	}
	all, _ := times(t)
	return all
}
