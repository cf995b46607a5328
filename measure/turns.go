package measure

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/project/scratch"
)

// Took is what one run of a program took.
type Took struct {
	Time float64 `json:"time_s"` // from start to end
	CPU  float64 `json:"cpu_s"`  // of all its threads
}

// ByTurns runs programs that end by themselves one after the other, as they are, in rounds
// until enough says so of the runs of each; every other round goes backwards, so that a machine that becomes
// slower does so for all alike. A first round, which gets programs and data off the disk, does not count.
// It returns the runs of each program.
func ByTurns(ctx context.Context, programs []trace.Workload, enough func(took [][]Took) bool, report func(fact string)) ([][]Took, error) {
	dir, err := os.MkdirTemp("", scratch.Name("", "tierscope-turns-"))
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) // a folder for temporary files
	campaigns := make([]Campaign, len(programs))
	order := make([]int, len(programs))
	for i, w := range programs {
		if w.Load != nil || w.Timeout > 0 {
			return nil, &InputError{fmt.Errorf("%s: only programs that end by themselves run by turns", w.Program)}
		}
		own := filepath.Join(dir, fmt.Sprint(i))
		if err := os.Mkdir(own, 0o700); err != nil {
			return nil, err
		}
		campaigns[i], order[i] = Campaign{Workload: w}, i
		if campaigns[i].Executable, err = Build(ctx, w, own); err != nil {
			return nil, &InputError{err}
		}
	}
	took := make([][]Took, len(programs))
	for round := 0; round == 0 || !enough(took); round++ {
		for _, i := range order {
			o, err := campaigns[i].run(ctx, Run{})
			if err != nil {
				return nil, fmt.Errorf("round %d of %s: %w", round, programs[i].Program, err)
			}
			if round > 0 {
				took[i] = append(took[i], Took{Time: o.wall, CPU: o.use.cpu})
			}
		}
		if round > 0 {
			report(fmt.Sprintf("round %d", round))
		}
		slices.Reverse(order)
	}
	return took, nil
}
