package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// All that a program does takes a factor longer: every time is longer by it, every rate lower, and what is counted, or is a
// share, stays; so Little's law holds of every lock as it held before. The timeline ends with the program.
func TestADilatedProgramTakesLongerInAllItsTimes(t *testing.T) {
	t.Parallel()
	const by = 1.0625
	for i, m := range drawn(t, 100, anyProgram) {
		o := Options{Replications: 3, Timeline: 100_000}
		is, longer := run(t, m, nil, o), run(t, m.Stretched(by), nil, o)
		if is.Fingerprint != longer.Fingerprint {
			t.Fatalf("program %d does something else when all takes longer", i)
		}
		for k, a := range is.Metrics {
			b := longer.Metrics[k]
			want := a.Estimate.Mean
			switch a.Unit {
			case "s":
				want *= by
			case "1/s":
				want /= by
			}
			if b.Key() != a.Key() || math.Abs(b.Estimate.Mean-want) > 1e-9*math.Abs(want) {
				t.Errorf("program %d: %s was %g, and is %g; want %g", i, a.Key(), a.Estimate.Mean, b.Estimate.Mean, want)
			}
		}
		if total := find(t, longer, "T program mean").Samples[0]; math.Abs(longer.Timeline.Until.Seconds()-total) > 1e-8 {
			t.Errorf("program %d: the timeline ends at %v, the program at %g s", i, longer.Timeline.Until, total)
		}
	}
}

// A Go program sleeps for 2 ms at a time, of which its runs take 4 % more: it takes 4 % longer, not as much as timers
// that are looked for every millisecond add to sleeps of 2.08 ms. What checks leave unknown of it is 2 %, no more.
func TestWhatChecksSayOfAProgramIsNoLongerSleep(t *testing.T) {
	t.Parallel()
	nap := sleep("nap", .002, "burst")
	nap.Timer = true
	m := threads(1, 1, loop("rounds", 100, "nap"), nap, cpu("burst", 1e-6, "rounds"))
	m.CPU.Policy, m.CPU.WakeIdleCore = core.GoScheduler, constant(70e-6)
	is := find(t, run(t, m, nil, Options{}), "T program mean").Mean
	m.Uncertain = []core.Uncertain{{Name: "model", Key: core.ModelKey, Deviation: .02, Targets: []core.Loading{{Path: core.EveryScale}}}}
	unsure := find(t, run(t, m, nil, Options{}), "T program mean")
	if math.Abs(unsure.Mean/is-1) > .005 || math.Abs(unsure.HalfWidth()/is-.039) > .003 {
		t.Errorf("T = %.4g ± %.2g, want %.4g ± 3.9 %%", unsure.Mean, unsure.HalfWidth(), is)
	}
	m.Checked = []core.Checked{{At: map[string]float64{"cpu/cores": 1}, Off: math.Log(1.04), Runs: 3}}
	r := run(t, m, nil, Options{})
	if got := find(t, r, "T program mean").Mean / is; r.Correction < .02 || math.Abs(got-1-r.Correction) > .005 {
		t.Errorf("it is corrected by %+.3f, and takes %.3f times as long", r.Correction, got)
	}
	e, _, err := Forecast(t.Context(), m)
	if err != nil || math.Abs(e.Response/is-1-r.Correction) > .005 {
		t.Errorf("it is corrected by %+.3f, and estimated to take %.3f times as long (%v)", r.Correction, e.Response/is, err)
	}
}
