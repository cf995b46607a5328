package inputs

import (
	"context"
	"math"
	"testing"

	"tierscope/core"
)

// The machine became faster from one recording to the next, 50 % in all, and takes 2 ms to start a process, which no recording
// shows. Runs of the program are what is to be predicted: once the models repeat those, their demands follow the input as they should.
func TestRecordingsAtDifferentSpeedsAreAnchoredInRuns(t *testing.T) {
	t.Parallel()
	speeds := map[float64]float64{400: 1.3, 800: 1.15, 1600: 1, 3200: 0.85}
	const start = 2e-3
	var of []Captured
	for _, x := range []float64{400, 800, 1600, 3200} {
		c := captured(func() float64 { return speeds[x] }, x)[0]
		c.Times, c.Starts = []float64{truth(x) + start, 1.01 * (truth(x) + start), 0.99 * (truth(x) + start)}, []float64{start}
		of = append(of, c)
	}
	missed := func(anchor bool) float64 {
		f, err := NewFamily(of)
		if err != nil {
			t.Fatal(err)
		}
		if anchor {
			if err := f.Anchor(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
		}
		b, err := f.Compare(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for _, x := range []float64{100, 6400, 12800} {
			p, err := f.Predict(context.Background(), map[string]float64{"orders": x}, b, 1)
			if err != nil {
				t.Fatal(err)
			}
			worst = math.Max(worst, math.Abs(p.Time/(truth(x)+start)-1))
		}
		return worst
	}
	if with, without := missed(true), missed(false); with > 0.03 || without < 2*with {
		t.Errorf("predictions miss by up to %.3f, by %.3f without runs: want 0.03 at most, and less than half", with, without)
	}
}

// Of two threads that compute side by side each recording tells otherwise how much that slows them down: what it gives to that it takes
// from the demand. No curve is made of the demands, which would go on beyond what was captured.
func TestHowThreadsSlowEachOtherDownIsTheMachines(t *testing.T) {
	t.Parallel()
	besides := map[float64]float64{400: 0.5, 800: 0.52, 1600: 0.55, 3200: 0.6} // speed of a core whose neighbour computes
	var of []Captured
	for _, x := range []float64{400, 800, 1600, 3200} {
		c := captured(func() float64 { return besides[x] / 0.55 }, x)[0]
		c.Model = twice(c.Model, besides[x])
		took, err := makespan(context.Background(), c.Model, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		c.Times = []float64{took, 1.01 * took, 0.99 * took}
		of = append(of, c)
	}
	f, err := NewFamily(of)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Anchor(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	m, err := f.At(map[string]float64{"orders": 12800})
	if err != nil {
		t.Fatal(err)
	}
	got, err := makespan(context.Background(), m, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	want, err := makespan(context.Background(), twice(program(12800, exactly), 0.55), 0, 1)
	if err != nil || math.Abs(got/want-1) > 0.03 {
		t.Errorf("12800 orders are predicted to take %.3g s, want %.3g s (%v)", got, want, err)
	}
}

// twice is a model of two threads that do the same on two cores of which each is slower while the other one computes.
func twice(m core.Model, besides float64) core.Model {
	m.CPU.Cores, m.CPU.BusyFactor = 2, []float64{1, besides}
	m.Pools[0].Size = 2
	return m
}

// Where something else than computing decides how long a run takes, no speed repeats it: the model stays as it was recorded.
func TestOtherTimesThanThoseOfComputingAnchorNothing(t *testing.T) {
	t.Parallel()
	of := captured(exactly, 400, 800, 1600, 3200)
	for i := range of {
		of[i].Times = []float64{5 * truth(of[i].Input["orders"])}
	}
	f, err := NewFamily(of)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Anchor(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	p, err := f.Predict(context.Background(), map[string]float64{"orders": 1000}, Bias{}, 1)
	if err != nil || math.Abs(p.Time/truth(1000)-1) > 0.02 {
		t.Errorf("predicted %g s, %v, want the %g of the recordings", p.Time, err, truth(1000))
	}
}
