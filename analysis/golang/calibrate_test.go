package golang

import (
	"testing"

	"tierscope/analysis/trace"
	"tierscope/core/robust"
)

// Known of Go on any machine of these years, within a generous margin: waking
// a goroutine on an idle core takes microseconds, on the same core less than
// a microsecond or two; a computing goroutine keeps its P for 10 ms at least
// (sysmon's forcePreemptNS); marking 40 MB of pointers takes milliseconds.
func TestCalibrationFindsTheMagnitudesOfGosScheduler(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a program for two seconds")
	}
	c, err := Target{Record: minProbeFile}.Calibrate(t.Context(), trace.Workload{}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("wake idle %.1f µs, waker %.2f µs, local %.0f ns, switch %.0f ns, slice %.1f ms, timer %.0f µs, probe %.1f ns, collection %.2f ms + %.2f ms/MB",
		1e6*robust.Median(c.WakeIdle), 1e6*robust.Median(c.WakerCost), 1e9*robust.Median(c.WakeLocal), 1e9*c.Switch, 1e3*c.Quantum,
		1e6*robust.Median(c.TimerLatency), 1e9*c.ProbeCost, 1e3*c.CollectCycle, 1e9*c.CollectByte)
	for _, x := range []struct {
		what          string
		got, low, top float64
	}{
		// so wide that they hold on a busy machine, too
		{"switch on one P", c.Switch, 10e-9, 100e-6},
		{"time slice", c.Quantum, 100e-6, 2},
		{"record", c.ProbeCost, 1e-9, 100e-6},
		{"collection of nothing", c.CollectCycle, 1e-6, 2},
		{"marking a byte", c.CollectByte, 1e-12, 1e-6},
	} {
		if x.got < x.low || x.got > x.top {
			t.Errorf("%s: %g s, want %g to %g", x.what, x.got, x.low, x.top)
		}
	}
	if c.Cores > 1 && (robust.Median(c.WakeIdle) < 1e-6 || robust.Median(c.WakeIdle) > 20e-3) {
		t.Errorf("waking an idle core takes %g s, want µs", robust.Median(c.WakeIdle))
	}
}
