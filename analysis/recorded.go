package analysis

import (
	"errors"
	"slices"

	"tierscope/analysis/assemble"
	"tierscope/analysis/pcg"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// RecordedThread is what a thread of the recorded run did, step by step, as it was recorded.
type RecordedThread struct {
	Pool   string // as in the model
	Thread *trace.Thread
	Steps  []trail.Step
}

// lastWhole is the pass after which it is known who waited for what, and nothing is taken out yet because it hardly
// matters.
const lastWhole = "contention"

// Recorded returns what the threads of the modelled pools did, pool by pool. The locks, queues and channels of the steps
// are called as in the model.
func Recorded(in trail.Input) ([]RecordedThread, error) {
	if in.Trace == nil {
		return nil, errors.New("the recording is not kept in this project")
	}
	tr := trail.New(in, trail.Options{Threshold: pcg.DefaultThreshold}, nil)
	whole := map[int64][]trail.Step{} // by thread
	for _, p := range Passes() {
		if err := apply(tr, p); err != nil {
			return nil, err
		}
		if p.Name != lastWhole {
			continue
		}
		for _, g := range tr.Pools {
			for _, q := range g.Sequences {
				whole[q.Thread.ID] = slices.Clone(q.Steps)
			}
		}
	}
	assemble.Model(tr) // gives everything its name
	var out []RecordedThread
	for _, g := range tr.Modelled {
		for _, q := range g.Sequences {
			if steps := whole[q.Thread.ID]; len(steps) > 0 {
				out = append(out, RecordedThread{g.Name, q.Thread, steps})
			}
		}
	}
	return out, nil
}
