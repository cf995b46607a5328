package execution

import (
	"fmt"
	"time"

	"tierscope/analysis/trace"
)

// TooShort says that a program without a load ended so soon that there is nothing to analyse,
// and what may be the reason.
func TooShort(w trace.Workload, took time.Duration) error {
	input := ""
	if w.Stdin == "" {
		input = "; if it reads its standard input, give it a file (--stdin FILE): it had none"
	}
	return fmt.Errorf("the program ended after %v: too short to analyse, give it more work (its arguments were %q)%s", took.Round(time.Millisecond), w.Args, input)
}
