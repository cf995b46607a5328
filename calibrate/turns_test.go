package calibrate

import (
	"math"
	"strings"
	"testing"

	"tierscope/core"
)

// computing is a program whose main thread computes for so many seconds and sleeps for as many.
func computing(seconds, sleeps float64) core.Model {
	return core.Model{
		Name:  "batch",
		Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}},
		Graphs: []core.Graph{{ID: "main", Entry: "work", Fragments: []core.Fragment{
			{ID: "work", Class: core.CPUFragment, Demand: core.Const(seconds), Next: []core.Edge{{To: "sleep", Probability: 1}}},
			{ID: "sleep", Class: core.DelayFragment, Delay: core.Const(sleeps)},
		}}},
		CPU: core.CPU{Cores: 1},
		Uncertain: []core.Uncertain{
			{Name: "day", Deviation: .08, Rest: .05, Runs: 3, Targets: []core.Loading{{Path: "cpu/speed", Power: -1}}},
			{Name: "model", Key: core.ModelKey, Deviation: .1, Targets: []core.Loading{{Path: core.EveryScale}}},
		},
	}
}

// turns of a build that takes so many times as long and computes so many times as much, in so many rounds, on a machine
// that is slower from round to round.
func turns(rounds int, time, cpu func(round int) float64) (t Turns) {
	for i := range rounds {
		slow := 1 + .1*float64(i)
		t.Old = append(t.Old, Cost{2 * slow, slow})
		t.New = append(t.New, Cost{2 * slow * time(i), slow * cpu(i)})
	}
	return t
}

func always(factor float64) func(int) float64 { return func(int) float64 { return factor } }

// Recorded in another minute, a build seemed to compute 1.2 s in place of 1 s; by turns it takes 5 % more CPU time and
// 4 % more time in every round, as it waits for less. So its model takes 4 % more, and of that nothing is left unknown: all
// rounds agree. What models are off by is in the turns; another day is alike for both.
func TestBuildsDifferByWhatTheirTurnsDiffer(t *testing.T) {
	t.Parallel()
	old, now, says, err := Together(t.Context(), computing(1, 1), computing(1.2, 1), turns(6, always(1.04), always(1.05)))
	if err != nil {
		t.Fatal(err)
	}
	was, err1 := Costs(t.Context(), old, nil)
	is, err2 := Costs(t.Context(), now, nil)
	if err1 != nil || err2 != nil || math.Abs(is.Time/was.Time-1.04) > 1e-6 {
		t.Errorf("%+v and %+v (%v, %v), want 4 %% more", was, is, err1, err2)
	}
	// The model of a build that computes 1.05 s and sleeps for 1 s takes 2.05 s; that it is to take 2.08 s stretches both.
	if want := 1.05 * 2.08 / 2.05; math.Abs(is.CPU/was.CPU-want) > 1e-6 {
		t.Errorf("CPU time is %g times as much, want %g", is.CPU/was.CPU, want)
	}
	if !strings.Contains(says, "+4.0 %") || !strings.Contains(says, "+5.0 % CPU") {
		t.Errorf("it says %q", says)
	}
	for _, m := range []core.Model{old, now} {
		if len(m.Uncertain) != 1 || m.Uncertain[0].Key == "" || m.Uncertain[0].Deviation != .05 || m.Uncertain[0].Runs != 0 {
			t.Errorf("not known is %+v; want what another day changes, 0.05, and common to both", m.Uncertain)
		}
	}
}

// Of twelve rounds that took up to 2 % more or less, one of them 2.7 times as long, the interval of the signed ranks is
// what is not known.
func TestFewTurnsLeaveADifferenceUncertain(t *testing.T) {
	t.Parallel()
	noise := []float64{-.02, -.01, 0, .01, .02, -.015, .015, -.005, .005, 1, -.01, .01}
	twelve := turns(12, func(i int) float64 { return math.Exp(noise[i]) }, always(1))
	_, now, _, err := Together(t.Context(), computing(1, 0), computing(1, 0), twelve)
	if err != nil {
		t.Fatal(err)
	}
	more, lo, hi := twelve.Time()
	own := now.Uncertain[len(now.Uncertain)-1]
	if want := (math.Log1p(hi) - math.Log1p(lo)) / 2 / 1.96; math.Abs(own.Deviation-want) > 1e-9 || own.Key != "" || own.Runs != 12 {
		t.Errorf("%+v, want a deviation of %.4f that nothing cancels", own, want)
	}
	if math.Abs(more) > .01 || lo < -.02 || lo > 0 || hi < 0 || hi > .02 {
		t.Errorf("%+.3f [%+.3f, %+.3f] for eleven rounds within ±2 %%", more, lo, hi)
	}
	if _, _, _, err := Together(t.Context(), computing(1, 0), computing(1, 0), turns(5, always(1), always(1))); err == nil {
		t.Error("five rounds are enough")
	}
}
