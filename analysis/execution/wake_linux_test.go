package execution

import (
	"runtime"
	"testing"
	"time"
)

// A thread that sleeps runs some microseconds after it was woken up, on whatever
// machine, and not as late as after the pause before the next time.
func TestWakingAThreadOnAnIdleCoreTakesMicroseconds(t *testing.T) {
	t.Parallel()
	took := WakeUps()
	if runtime.NumCPU() < 2 {
		t.Skip("there is one core")
	}
	if len(took) < wakeTimes/10 {
		t.Fatalf("%d of %d wake-ups measured", len(took), wakeTimes)
	}
	if d := time.Duration(took[len(took)/2] * float64(time.Second)); d < 100*time.Nanosecond || d > 10*time.Millisecond {
		t.Errorf("a wake-up takes %v", d)
	}
}
