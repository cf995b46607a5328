package diskio

import (
	"math"
	"testing"

	"tierscope/core"
)

// Four threads in step at a device that takes 80 µs to begin, 20 back and 10 for each request need
// 140 µs for a read, but took 180: each request takes 20. Without a recording they took 90, so that
// everything is twice as fast; they computed 30 µs instead of 40.
func TestACalibratedDiskRepeatsTheLoadItWasEstimatedFrom(t *testing.T) {
	t.Parallel()
	trial := calibrated(t, 180e-6, 90e-6)
	d := trial.Estimate.Disk
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"setup", d.Setup, 40e-6}, {"way back", d.Latency, 10e-6}, {"service", d.Service[0].Rows[0].Time.Expectation(), 10e-6},
		{"doorbell", d.Doorbell[0], 15e-6}, {"CPU time", trial.Cost.CPU, 7.5e-6},
	} {
		if math.Abs(c.got/c.want-1) > 0.002 {
			t.Errorf("%s: %.3g s, want %.3g s", c.what, c.got, c.want)
		}
	}
	if len(trial.Warnings) != 0 {
		t.Error(trial.Warnings)
	}
}

// The reads took 70 µs, less than the way alone: all of it takes half as long.
func TestADiskThatIsTooSlowAsAWholeKeepsItsProportions(t *testing.T) {
	t.Parallel()
	trial := calibrated(t, 70e-6, 70e-6)
	d := trial.Estimate.Disk
	if way, service := d.Setup+d.Latency, d.Service[0].Rows[0].Time.Expectation(); math.Abs(way/50e-6-1) > 0.002 || math.Abs(service/5e-6-1) > 0.002 || len(trial.Warnings) != 0 {
		t.Errorf("way %v s, service %v s, warnings %q; want 50 µs, 5 µs and none", way, service, trial.Warnings)
	}
}

// No disk up to 8 times as fast repeats reads of 1 µs.
func TestALoadThatNoDiskRepeatsLeavesTheDiskAsItWas(t *testing.T) {
	t.Parallel()
	trial := calibrated(t, 1e-6, 1e-6)
	if got := trial.Estimate.Disk.Setup; math.Abs(got/80e-6-1) > 0.002 || len(trial.Warnings) != 1 {
		t.Errorf("setup %v s, warnings %q; want 80 µs and one", got, trial.Warnings)
	}
}

// calibrated is a trial of 100 reads that took so long when recorded and when not.
func calibrated(t *testing.T, recorded, plain float64) *Trial {
	const n = 100
	trial := &Trial{Learning: Point{Threads: 4}, Cost: Cost{CPU: 10e-6, Doorbell: []float64{20e-6, 0}}}
	trial.pieces, trial.Learning.Reads = []piece{{reads: n, busy: true}, {reads: 1}}, make([]Operation, n+1)
	for i := range trial.Learning.Reads {
		trial.Learning.Reads[i].CPU = 40_000
	}
	trial.Learning.rounds = []round{{n, 1, n * recorded, n}, {1, 1, 1, 1}}
	trial.Plain.Times = make([]float64, n)
	trial.Plain.rounds = []round{{10, 1, 10, 10}, {10, 1, 10 * plain, 10}, {n - 20, 1, 0, n - 20}} // the host stood still in one
	trial.Plain.CPU = n * 30e-6
	trial.Estimate.Disk = core.Disk{Delivery: core.DeliverIdle, Setup: 80e-6, Latency: 20e-6, Service: []core.ServiceLaw{{Rows: []core.ServiceRow{{Time: core.Const(10e-6)}}}}}
	err := trial.Calibrate(func(threads int) (float64, error) {
		d := &trial.Estimate.Disk
		return d.Setup + d.Latency + float64(threads)*d.Service[0].Rows[0].Time.Expectation(), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return trial
}
