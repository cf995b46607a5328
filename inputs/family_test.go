package inputs

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tierscope/core"
)

// program is the model of a program that handles x orders, one after the other: each
// takes 2 ms of a core, and a share of them, 1 in 4, another 3 ms; a table is made
// first, in x²/10 µs. scatter is what clocks add to each demand.
func program(x float64, scatter func() float64) core.Model {
	at := func(f core.Fragment, function string, line int) core.Fragment {
		f.Origin = core.Origin{Function: function, Line: line}
		return f
	}
	n := int64(x)
	edge := func(to string, count int64) core.Edge {
		return core.Edge{To: to, Probability: float64(count) / x, Count: count}
	}
	return core.Model{Name: "orders", CPU: core.CPU{Cores: 1},
		Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}},
		Graphs: []core.Graph{{ID: "main", Entry: "table", Fragments: []core.Fragment{
			at(core.Fragment{ID: "table", Class: core.CPUFragment, Demand: core.Const(1e-7 * x * x * scatter()), Next: []core.Edge{{To: "loop", Probability: 1, Count: 1}}}, "main.main", 5),
			at(core.Fragment{ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: core.Const(x), Body: "order"}}, "main.main", 7),
			at(core.Fragment{ID: "order", Class: core.CPUFragment, Demand: core.Const(2e-3 * scatter()), Next: []core.Edge{edge("rare", n/4), edge("loop", n-n/4)}}, "main.handle", 12),
			at(core.Fragment{ID: "rare", Class: core.CPUFragment, Demand: core.Const(3e-3 * scatter()), Next: []core.Edge{{To: "loop", Probability: 1, Count: n / 4}}}, "main.handle", 15),
		}}},
	}
}

// truth is the time of the program.
func truth(x float64) float64 { return 1e-7*x*x + 2e-3*x + 3e-3*math.Floor(x/4) }

func exactly() float64 { return 1 }

func captured(scatter func() float64, inputs ...float64) (out []Captured) {
	for _, x := range inputs {
		out = append(out, Captured{Input: map[string]float64{"orders": x}, Model: program(x, scatter)})
	}
	return out
}

// Four inputs tell that the loop iterates as often as there are orders, that the rare
// branch is taken by a quarter, and that the table is quadratic: the time of four times
// the largest input, and of a quarter of the smallest, follows.
func TestTheTimeOfOtherInputsFollowsFromFour(t *testing.T) {
	t.Parallel()
	f, err := NewFamily(captured(exactly, 400, 800, 1600, 3200))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{100, 1000, 6400, 12800} {
		p, err := f.Predict(context.Background(), map[string]float64{"orders": x}, Bias{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if want := truth(x); math.Abs(p.Time/want-1) > 0.02 {
			t.Errorf("%g orders are predicted to take %g s, want %g", x, p.Time, want)
		}
	}
	p, err := f.Predict(context.Background(), map[string]float64{"orders": 100_000}, Bias{}, 1)
	if err != nil || !strings.Contains(strings.Join(p.Warnings, "\n"), "more than 4 times outside") {
		t.Errorf("30 times the largest input: warnings %q, error %v", p.Warnings, err)
	}
}

// With clocks that scatter by 3 %, the intervals of 20 families contain the time in at
// least 17: of 95 %, fewer than 17 of 20 have a probability of 2 %. Runs of the program
// scatter by 3 %, too.
func TestIntervalsHaveWhatTheCurvesLeaveOpen(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one goroutine computes")
	}
	random := rand.New(rand.NewPCG(11, 2))
	scatter := func() float64 { return math.Exp(0.03 * random.NormFloat64()) }
	inside := 0
	for k := range uint64(20) {
		of := captured(scatter, 400, 800, 1600, 3200)
		for i := range of {
			for range 3 {
				of[i].Times = append(of[i].Times, truth(of[i].Input["orders"])*scatter())
			}
		}
		f, err := NewFamily(of)
		if err != nil {
			t.Fatal(err)
		}
		b, err := f.Compare(context.Background(), k)
		if err != nil {
			t.Fatal(err)
		}
		p, err := f.Predict(context.Background(), map[string]float64{"orders": 6400}, b, k)
		if err != nil {
			t.Fatal(err)
		}
		if want := truth(6400); math.Abs(p.Time/want-1) > 0.2 {
			t.Errorf("6400 orders are predicted to take %g s, want %g", p.Time, want)
		} else if p.Lo <= want && want <= p.Hi {
			inside++
		}
	}
	if inside < 17 {
		t.Errorf("%d of 20 intervals contain the time", inside)
	}
}

// What one order takes is the same with any number of them. Recordings at speeds that differ as those of runs do make no curve of it,
// which would go on: in at most 2 of 40 families it is a tenth off with four times as many orders, since one test in twenty errs.
func TestTimesThatDifferAsRunsDoFollowNothing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 5))
	speed := func() float64 { return math.Exp(0.08 * random.NormFloat64()) }
	var off []float64
	for range 40 {
		var of []Captured
		for _, x := range []float64{400, 800, 1600, 3200} {
			recorded := speed()
			c := Captured{Input: map[string]float64{"orders": x}, Model: program(x, func() float64 { return recorded })}
			for range 3 {
				c.Times = append(c.Times, truth(x)*speed())
			}
			of = append(of, c)
		}
		f, err := NewFamily(of)
		if err != nil {
			t.Fatal(err)
		}
		m, err := f.At(map[string]float64{"orders": 12800})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(m.Graphs[0].Fragments, func(f core.Fragment) bool { return f.ID == "order" })
		off = append(off, math.Abs(math.Log(m.Graphs[0].Fragments[i].Demand.Expectation()/2e-3)))
	}
	if far := slices.DeleteFunc(off, func(o float64) bool { return o < 0.1 }); len(far) > 2 {
		t.Errorf("what an order takes is off by e to the power of %.3f in %d of 40 families", far, len(far))
	}
}

// A model that repeats what each recorded thread did would do so for every input.
func TestWhatThreadsDidWithOneInputIsForgotten(t *testing.T) {
	t.Parallel()
	of := captured(exactly, 400, 800, 1600, 3200)
	for i := range of {
		of[i].Model.Walks = []byte{1, 2, 3}
	}
	f, err := NewFamily(of)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := f.At(map[string]float64{"orders": 6400}); err != nil || len(m.Walks) > 0 {
		t.Errorf("the model of another input keeps %d bytes of what threads did (%v)", len(m.Walks), err)
	}
}

// An input at which the program does something else is left out, and that is said; too
// few that are alike are refused.
func TestInputsOfAnotherRegimeAreLeftOut(t *testing.T) {
	t.Parallel()
	of := captured(exactly, 400, 800, 1600, 3200, 6400)
	other := of[4].Model
	for i := range other.Graphs[0].Fragments {
		other.Graphs[0].Fragments[i].Origin.Function = "main.parallel"
	}
	f, err := NewFamily(of)
	if err != nil || len(f.Left) != 1 || !strings.Contains(f.Left[0], "orders=6400") {
		t.Errorf("left out: %q, error %v", f.Left, err)
	}
	if _, err := NewFamily(slices.Delete(of, 0, 1)); err == nil || !strings.Contains(err.Error(), "only 3 of 4") {
		t.Errorf("three alike: error %v", err)
	}
	if _, err := f.At(map[string]float64{"size": 3}); err == nil || !strings.Contains(err.Error(), "give orders") {
		t.Errorf("another variable: error %v", err)
	}
}

// Beyond some input a run-time system starts threads of its own: six fragments more, and no time. That is no other program.
func TestFragmentsWithoutTimeMakeNoOtherRegime(t *testing.T) {
	t.Parallel()
	of := captured(exactly, 400, 800, 1600, 3200)
	for i := range of {
		g := &of[i].Model.Graphs[0]
		for k := range g.Fragments {
			if f := &g.Fragments[k]; f.Class == core.CPUFragment {
				f.Demand.Samples = 10
			}
		}
		for line := range 6 * (i / 2) { // of the two larger ones
			id := fmt.Sprintf("start %d", line)
			g.Fragments = append(g.Fragments, core.Fragment{ID: id, Class: core.DispatchFragment, Origin: core.Origin{Function: "runtime.start", Line: line},
				Next: []core.Edge{{To: g.Entry, Probability: 1, Count: 1}}})
			g.Entry = id
		}
	}
	f, err := NewFamily(of)
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Predict(context.Background(), map[string]float64{"orders": 6400}, Bias{}, 1)
	if want := truth(6400); err != nil || math.Abs(p.Time/want-1) > 0.02 {
		t.Errorf("6400 orders are predicted to take %g s (%v), want %g", p.Time, err, want)
	}
}

// ran are inputs of which runs scatter about a time.
func ran(random *rand.Rand, runs int, noise float64, time func(simulated float64) float64, inputs ...float64) (all []compared) {
	for _, s := range inputs {
		c := compared{simulated: s}
		for range runs {
			c.runs = append(c.runs, time(s)*math.Exp(noise*random.NormFloat64()))
		}
		all = append(all, c)
	}
	return all
}

// Runs that take 0.1 s to start and 1.2 times what is simulated: a factor alone would
// say 3.2 for the smallest input and 1.25 for the largest.
func TestWhatAStartCostsIsNoFactor(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 4))
	b := newBias(ran(random, 3, 0.01, func(s float64) float64 { return 0.1 + 1.2*s }, 0.05, 0.1, 0.4, 0.8, 2), nil)
	if at, _, _ := b.apply(8); math.Abs(at/(0.1+1.2*8)-1) > 0.03 || b.Constant < 0.09 || b.Constant > 0.11 {
		t.Errorf("8 s simulated take %g s by %+v, want 9.7", at, b)
	}
	if at, _, _ := newBias([]compared{{1, []float64{1.1, 1.12}}, {2, []float64{2.2, 2.22}}, {4, []float64{4.41, 4.45}}}, nil).apply(16); math.Abs(at/17.7-1) > 0.02 {
		t.Errorf("16 s simulated take %g s, want 1.107 times as long", at)
	}
}

// A start of 2.2 ms that no probe saw is a seventh of the smallest input's time, which scatters by 5 % from run to run, and half of the
// time of an input a quarter as large: 2.2 + 1.06·4 ms. By a factor alone that would be 4.5 ms. Where there is none, the time is in
// proportion. Two standard deviations hold what is true in 19 of 20 cases.
func TestWhatAStartCostsIsNoShareOfTheWork(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 3))
	for _, start := range []float64{2.2e-3, 0} {
		b := newBias(ran(random, 5, 0.05, func(s float64) float64 { return start + 1.06*s }, 16e-3, 32e-3, 64e-3, 128e-3), nil)
		for _, s := range []float64{4e-3, 512e-3} {
			if at, spread, _ := b.apply(s); math.Abs(at/(start+1.06*s)-1) > 2*spread || spread > 0.15 {
				t.Errorf("a start of %g s: %g s simulated take %g ± %g %% by %+v, want %g", start, s, at, 100*spread, b, start+1.06*s)
			}
		}
	}
}

// An empty program takes 1.5 ms, give or take a half, so an input of which 4 ms are simulated takes 1.5 + 1.06·4 = 5.74 ms: with what the
// empty one takes within 5 %, in nine of ten studies whose runs scatter by 5 %; four larger inputs alone leave it open by twice as much.
func TestTheLineGoesThroughAProgramThatDoesNothing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 3))
	with, without := 0, 0
	for range 40 {
		all := ran(random, 5, 0.05, func(s float64) float64 { return 1.5e-3 + 1.06*s }, 16e-3, 32e-3, 64e-3, 128e-3)
		var starts []float64
		for range 45 {
			starts = append(starts, 1.5e-3*math.Exp(0.3*random.NormFloat64()))
		}
		within := func(b Bias) bool {
			at, _, _ := b.apply(4e-3)
			return math.Abs(at/5.74e-3-1) < 0.05
		}
		if within(newBias(all, starts)) {
			with++
		}
		if within(newBias(all, nil)) {
			without++
		}
	}
	if with < 36 || without >= with {
		t.Errorf("within 5 %% are %d of 40 with an empty program, %d without", with, without)
	}
}

// Whether the main thread waits for its run-time system is chance, and what it computes next is the same: two models of five with
// such a wait are no other program, and the quadratic table has one curve.
func TestAWaitThatChanceDecidesMakesNoOtherProgram(t *testing.T) {
	t.Parallel()
	all := captured(exactly, 400, 800, 1600, 3200, 6400)
	for i := range all {
		g := &all[i].Model.Graphs[0]
		g.Entry = "begin"
		begin := core.Fragment{ID: "begin", Class: core.DispatchFragment, Next: []core.Edge{{To: "table", Probability: 1, Count: 1}}}
		g.Fragments[0].Origin = core.Origin{}
		if i%2 == 1 {
			start := core.Origin{Function: "start"}
			begin.Next[0].To, g.Fragments[0].Origin = "wait", start
			g.Fragments = append(g.Fragments, core.Fragment{ID: "wait", Class: core.DelayFragment, Delay: core.Const(1e-4), Origin: start,
				Next: []core.Edge{{To: "table", Probability: 1, Count: 1}}})
		}
		g.Fragments = append(g.Fragments, begin)
	}
	f, err := NewFamily(all)
	if err != nil || len(f.Left) > 0 {
		t.Fatalf("left out are %q (%v)", f.Left, err)
	}
	p, err := f.Predict(context.Background(), map[string]float64{"orders": 25600}, Bias{}, 1)
	if want := truth(25600); err != nil || math.Abs(p.Time/want-1) > 0.02 {
		t.Errorf("25600 orders are predicted to take %g s, want %g (%v)", p.Time, want, err)
	}
}

// Runs that take 10 % longer than simulated, all of them: the captured inputs are predicted with that, and the interval of
// a run covers what was measured.
func TestCapturedInputsAreSetBesideTheirRuns(t *testing.T) {
	t.Parallel()
	all := captured(exactly, 400, 800, 1600, 3200)
	for i := range all {
		now := 1.1 * truth(all[i].Input["orders"])
		all[i].Times = []float64{0.99 * now, 1.01 * now}
	}
	f, err := NewFamily(all)
	if err != nil {
		t.Fatal(err)
	}
	bias, err := f.Compare(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := f.Predict(context.Background(), map[string]float64{"orders": 1000}, bias, 1); err != nil || len(p.Warnings) > 0 {
		t.Errorf("an input among those captured is predicted with %q (%v)", p.Warnings, err)
	}
	all[0].Disturbed, all[1].Disturbed, all[2].Disturbed = 2, 2, 1 // 5 of 8 runs
	if f, err = NewFamily(all); err != nil {
		t.Fatal(err)
	}
	if bias, err = f.Compare(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if p, err := f.Predict(context.Background(), map[string]float64{"orders": 1000}, bias, 1); err != nil || !strings.Contains(strings.Join(p.Warnings, ""), "5 of the 8 runs of the captured inputs were disturbed") {
		t.Errorf("most runs had others beside them: %q (%v)", p.Warnings, err)
	}
	checks := f.Checks(bias)
	if len(checks) != 4 {
		t.Fatalf("%d inputs are compared, want 4", len(checks))
	}
	for _, c := range checks {
		if want := 1.1 * truth(c.Input["orders"]); math.Abs(c.Time/want-1) > 0.02 || c.Lo > slices.Min(c.Measured) || c.Hi < slices.Max(c.Measured) {
			t.Errorf("%v takes %g s [%g, %g], want %g and its runs %v inside", c.Input, c.Time, c.Lo, c.Hi, want, c.Measured)
		}
	}
}
