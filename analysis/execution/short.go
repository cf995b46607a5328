package execution

import (
	"fmt"
	"time"

	"tierscope/analysis/trace"
)

// A batch program that can be analysed computes for this long, or takes, waiting, so much longer.
// Convention: below it clocks and the disturbance of a host are as large as what there is to see.
const (
	leastWork = 10 * time.Millisecond
	leastStay = 20 * leastWork
)

// TooShort is an error that says that a program without a load ended so soon that there is nothing to analyse, and what may be
// the reason; it is nil if there is enough. The threads' own CPU time decides, not the process's, to which starting and
// recording add as much as the machine happens to need for them.
func TooShort(w trace.Workload, t *trace.Trace, took time.Duration) error {
	if w.Load != nil || t.ThreadTime() >= leastWork.Seconds() || t.End >= leastStay.Nanoseconds() {
		return nil
	}
	input := ""
	if w.Stdin == "" {
		input = "; if it reads its standard input, give it a file (--stdin FILE): it had none"
	}
	return fmt.Errorf("the program ended after %v: too short to analyse, give it more work (its arguments were %q)%s", took.Round(time.Millisecond), w.Args, input)
}
