package execution

import (
	"runtime"
	"testing"
	"time"
)

// A thread that sleeps runs some microseconds after it was woken up, on whatever
// machine, and not as late as after the pause before the next time. On a busy machine most
// times are those that other programs took, which WakeUps leaves out: then it says little, and
// what it says may be of few.
func TestWakingAThreadOnAnIdleCoreTakesMicroseconds(t *testing.T) {
	t.Parallel()
	took, _ := WakeUps()
	if runtime.NumCPU() < 2 {
		t.Skip("there is one core")
	}
	if len(took) < wakeTimes/10 {
		t.Skipf("cannot be judged here: %d of %d wake-ups measured, other programs have the cores", len(took), wakeTimes)
	}
	if d := time.Duration(took[len(took)/2] * float64(time.Second)); d < 100*time.Nanosecond || d > 10*time.Millisecond {
		t.Errorf("a wake-up takes %v", d)
	}
}
