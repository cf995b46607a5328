package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// Threads sleep 300 µs with a lock and then compute, all on one core. Who unlocks it wakes another one, which preempts him if he has had
// more than his share, though he has only just woken up: he still owed when he blocked. Measured on Linux 6.18 (2000 rounds of pthread_mutex_lock,
// nanosleep, pthread_mutex_unlock, and a loop; 395 µs of a round of one thread are sleep, timer slack and wake-up).
func TestWhoUnlocksMakesRoomIfHeOwes(t *testing.T) {
	t.Parallel()
	const asleep = 395e-6
	for _, c := range []struct {
		threads          int
		computes, rounds float64 // s
	}{
		{1, 100e-6, 497e-6}, {1, 600e-6, 993e-6},
		{2, 100e-6, 899e-6}, {2, 275e-6, 1079e-6}, {2, 600e-6, 1471e-6},
		{3, 100e-6, 1349e-6}, {3, 275e-6, 1584e-6}, {3, 600e-6, 2145e-6},
		{4, 100e-6, 1793e-6}, {4, 275e-6, 2139e-6}, {4, 600e-6, 2998e-6},
	} {
		const rounds = 400
		m := threads(c.threads, 1, loop("rounds", rounds, "enter"), syncOp("enter", "L", core.Enter, "sleep"),
			sleep("sleep", asleep, "exit"), syncOp("exit", "L", core.Exit, "compute"), cpu("compute", c.computes, "rounds"))
		m.CPU = core.CPU{Cores: 1, BaseSlice: .0014, Switch: 2e-6}
		m.Locks = []core.Lock{{ID: "L", Kind: core.Mutex, Fairness: core.Barging}}
		if got := makespan(t, m) / rounds; math.Abs(got/c.rounds-1) > .1 {
			t.Errorf("%d threads that compute %v µs: %.0f µs a round, measured %.0f", c.threads, 1e6*c.computes, 1e6*got, 1e6*c.rounds)
		}
	}
}
