package inputs

import (
	"context"
	"math"
	"testing"
)

// The machine computed at another speed in each recording, up to 30 % slower, and takes 2 ms to start a process, which no recording
// shows. Runs of the program are what is to be predicted: once the models repeat those, their demands follow the input as they should.
func TestRecordingsAtDifferentSpeedsAreAnchoredInRuns(t *testing.T) {
	t.Parallel()
	speeds := map[float64]float64{400: 1.3, 800: 0.9, 1600: 1.2, 3200: 0.85}
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
