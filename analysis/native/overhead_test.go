package native

import (
	"testing"
	"time"

	"tierscope/analysis/execution"
)

// 2,659 records of 130 ms of CPU cannot make them 160: another program did, and no lock is left out for that. A million
// can.
func TestOperationsAreNotLeftOutForWhatOtherProgramsCost(t *testing.T) {
	t.Parallel()
	recorded, plain := execution.Outcome{CPU: 160 * time.Millisecond}, execution.Outcome{CPU: 130 * time.Millisecond}
	if more := dearer(recorded, plain, 2659); more > dear {
		t.Errorf("2,659 records are said to cost %.0f %%", 100*more)
	}
	if more := dearer(recorded, plain, 1_000_000); more < 0.2 || more > 0.25 {
		t.Errorf("a million records are said to cost %.0f %%, want 30 of 130 ms", 100*more)
	}
}
