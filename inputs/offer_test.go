package inputs

import (
	"math"
	"strings"
	"testing"

	"tierscope/analysis/settings"
	"tierscope/analysis/trust"
	"tierscope/calibrate"
	"tierscope/core"
	"tierscope/project"
)

// Rows of a picture, each with a cost, of which there is a number: a main thread that goes round a loop.
func rows(count, demand float64) core.Model {
	return core.Model{
		Name: "rows", CPU: core.CPU{Cores: 1},
		Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}},
		Graphs: []core.Graph{{ID: "main", Entry: "begin", Fragments: []core.Fragment{
			{ID: "begin", Class: core.CPUFragment, Demand: core.Const(1), Next: []core.Edge{{To: "rows", Probability: 1}}},
			{ID: "rows", Class: core.LoopFragment, Loop: &core.Loop{Count: core.Const(count), Body: "row"}},
			{ID: "row", Class: core.CPUFragment, Demand: core.Const(demand), Next: []core.Edge{{To: "rows", Probability: 1}}},
		}}},
	}
}

// both are a time on one core, all of it computed.
func both(s float64) calibrate.Cost { return calibrate.Cost{Time: s, CPU: s} }

// With half the edge there are half as many rows of half the cost: the law is a line for each, and a quarter of the edge takes
// 1 s and a sixteenth of 16 s.
func TestATrialShowsWhatASettingChanges(t *testing.T) {
	t.Parallel()
	m, other := rows(4, 4), rows(2, 2)
	quarter := rows(1, 1)
	trial := Trial{Parameter: core.Parameter{Name: "edge", How: "-edge {value}", Default: 4, Integer: true, Description: "-edge"}, Base: both(17),
		Runs: [2]Run{{At: 2, Cost: both(5), Factors: factors(&m, &other)}, {At: 1, Cost: both(2), Factors: factors(&m, &quarter)}}}
	p, why := trial.parameter(t.Context(), &m, both(17))
	if why != "" || len(p.Targets) != 2 {
		t.Fatalf("it drives %+v (%s), want the rounds and the cost of a row", p.Targets, why)
	}
	with := m
	with.Parameters = []core.Parameter{p}
	if took, err := predicted(t.Context(), with, map[string]float64{"edge": 8}); err != nil || math.Abs(took.Time-65) > 1e-9 {
		t.Errorf("with an edge of 8 it takes %v s (%v), want 1 + 8·8", took, err)
	}
	trial.Runs[1].Cost = both(10)
	if _, why := trial.parameter(t.Context(), &m, both(17)); !strings.Contains(why, "the model says 0.12") {
		t.Errorf("a run that took 10 of 17 s is said to be as predicted: %q", why)
	}
	trial.Base.Time, trial.Runs[0].Cost.Time, trial.Runs[1].Cost = 170, 90, calibrate.Cost{Time: 60, CPU: 2}
	if _, why := trial.parameter(t.Context(), &m, both(17)); why != "" {
		t.Errorf("on a busy machine the CPU time does not tell: %s", why)
	}
	trial.Base, trial.Runs[0].Cost, trial.Runs[1].Cost = both(17), both(17.5), both(16.5)
	if _, why := trial.parameter(t.Context(), &m, both(17)); !strings.Contains(why, "took as long") {
		t.Errorf("what changes no time is a parameter: %q", why)
	}
}

// Where no number of the model shows it, the work of a pool follows the setting: a quarter of 4 has half of half of it.
func TestTheWorkOfAPoolFollowsASetting(t *testing.T) {
	t.Parallel()
	m := rows(4, 4)
	trial := Trial{Parameter: core.Parameter{Name: "n", How: "-n {value}", Default: 4, Integer: true}, Base: both(17),
		Runs: [2]Run{{At: 2, Cost: both(8.5), Pools: map[string]float64{"main": .5}}, {At: 1, Cost: both(4.25)}}}
	p, why := trial.parameter(t.Context(), &m, both(17))
	if why != "" || len(p.Targets) != 1 || p.Targets[0].Path != "graphs/main/scale" {
		t.Fatalf("it drives %+v (%s), want all that main does", p.Targets, why)
	}
	m.Parameters = []core.Parameter{p}
	if took, err := predicted(t.Context(), m, map[string]float64{"n": 8}); err != nil || math.Abs(took.Time-34) > 1e-9 {
		t.Errorf("with twice as much it takes %v s (%v), want twice 17", took, err)
	}
}

// A thread waits for its turn and answers, in turn: whether a loop begins with the one or the other depends on what it did first.
func TestALoopIsKnownByItsBody(t *testing.T) {
	t.Parallel()
	turn := func(first, second string, count float64) core.Model {
		m := rows(count, 1)
		g := &m.Graphs[0]
		loop, at := g.Fragment("rows"), func(place string) core.Origin { return core.Origin{Function: place, Line: 1} }
		loop.Origin, loop.Loop.Body = at(first), "one"
		g.Fragments = append(g.Fragments[:2],
			core.Fragment{ID: "one", Class: core.CPUFragment, Demand: core.Const(1), Origin: at(first), Next: []core.Edge{{To: "two", Probability: 1}}},
			core.Fragment{ID: "two", Class: core.CPUFragment, Demand: core.Const(1), Origin: at(second), Next: []core.Edge{{To: "rows", Probability: 1}}})
		return m
	}
	m, other := turn("wait", "answer", 8), turn("answer", "wait", 2)
	if fs := factors(&m, &other); len(fs) != 1 || fs["main loop around cpu answer:1 iterations"] != 0.25 {
		t.Errorf("a quarter of the rounds is %v", fs)
	}
}

// A number that was 8 at 4 and is 2 at 2 is the square of it; 8 and 5 lie on 2 + 3/2·x; 8 and 14 on 2 + 24/x; all of them
// are 1 times themselves at 4.
func TestARunGivesALaw(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ factor, at1, at8 float64 }{
		{2.0 / 8, .5 / 8, 32.0 / 8}, {5.0 / 8, 3.5 / 8, 14.0 / 8}, {14.0 / 8, 26.0 / 8, 5.0 / 8}, {4, 64.0 / 4, 1.0 / 4},
	} {
		l, _ := law("path", 4, []point{{.5, c.factor}})
		for x, want := range map[float64]float64{4: 1, 2: c.factor, 1: c.at1, 8: c.at8} {
			if got := l.Apply(x); math.Abs(got-want) > 1e-9 {
				t.Errorf("%v at half of 4: at %g it is %v times as large, want %v", c.factor, x, got, want)
			}
		}
	}
}

// 8, 5 and 17/4 at 4, 2 and 1 are 4 + x²/4: half of it goes with the square. 1, 0.71 and 0.5 go with the root.
func TestTwoRunsTellLawsApart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ half, quarter, double float64 }{
		{5.0 / 8, 4.25 / 8, 20.0 / 8}, {math.Sqrt(.5), .5, math.Sqrt2}, {.5, .25, 2},
	} {
		l, _ := law("path", 4, []point{{.5, c.half}, {.25, c.quarter}})
		if got := l.Apply(8); math.Abs(got-c.double) > 1e-9 {
			t.Errorf("%v and %v times as large at half and a quarter: %v at twice, want %v", c.half, c.quarter, got, c.double)
		}
	}
}

// Solutions of a board grow sixfold with each row more: with half of the rows there is nothing to do, and with one and two fewer the
// next follows.
func TestASteepAmountIsTriedBesideTheRecordedOne(t *testing.T) {
	t.Parallel()
	if one, two := beside(15, true); one != 14 || two != 13 {
		t.Errorf("%v and %v are tried in place of 15, want 14 and 13", one, two)
	}
	m := rows(4, 4)
	trial := Trial{Parameter: core.Parameter{Name: "n", How: "-n {value}", Default: 15, Integer: true}, Base: both(17), Steep: true,
		Runs: [2]Run{{At: 14, Cost: both(17.0 / 6), Pools: map[string]float64{"main": 1.0 / 6}}, {At: 13, Cost: both(17.0 / 36), Pools: map[string]float64{"main": 1.0 / 36}}}}
	p, why := trial.parameter(t.Context(), &m, both(17))
	if why != "" {
		t.Fatal(why)
	}
	m.Parameters = []core.Parameter{p}
	if took, err := predicted(t.Context(), m, map[string]float64{"n": 14}); err != nil || math.Abs(took.Time*6/17-1) > .1 {
		t.Errorf("with a row less it takes %v s (%v), want a sixth of 17", took, err)
	}
	trial.Steep = false
	if p, why := trial.parameter(t.Context(), &m, both(17)); why == "" {
		t.Errorf("a number that grows with the 25th power of a setting is offered: %+v", p.Targets)
	}
}

// A clock of the program that ticks twice as often takes 7 and 11 % longer than a run before; one after it took as long.
func TestWhatOneMoreRunDoesTooIsNoEffect(t *testing.T) {
	t.Parallel()
	trial := Trial{Base: both(.44), Runs: [2]Run{{At: 10, Cost: both(.47)}, {At: 5, Cost: both(.49)}}}
	if !trial.slight() || !trial.tells(both(.44)) {
		t.Error("11 % more is said to be certain, or nothing at all")
	}
	again := both(.47)
	if trial.Again = &again; trial.tells(both(.44)) {
		t.Error("4 % more than another run as recorded is an effect")
	}
}

// Settings that were tried are not among those of which nothing is known; one that is a parameter now is not refused.
func TestWhatIsSaidOfSettingsFollowsTheTrials(t *testing.T) {
	t.Parallel()
	got := retold([]string{settings.NotShown + "-a, -b, -c", "-d" + settings.NotOffered + ": 2 settings could each make it 3", "else"}, map[string]string{"-a": "", "-b": "it took as long", "-d": ""})
	want := []string{settings.NotShown + "-c", "else", "-b" + settings.NotOffered + ": it took as long"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// Half of a number is tried and then a quarter; of small ones what is near.
func TestOtherValuesAreSmallerWhereTheyCanBe(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64][2]float64{1: {2, 4}, 2: {1, 4}, 3: {2, 1}, 10: {5, 3}, 400: {200, 100}} {
		if a, b := others(v, true); a != want[0] || b != want[1] {
			t.Errorf("in place of %g %g and %g are tried, want %v", v, a, b, want)
		}
	}
	if a, b := others(1e-3, false); a != 5e-4 || b != 2.5e-4 {
		t.Errorf("in place of 0.001 %g and %g are tried, want a half and a quarter", a, b)
	}
}

// A parameter that seemed to be the rounds of a loop, as both were 4, makes no difference in the model where the program took
// half as long with half of it: the trial's law takes its place. One that is what the runs took stays.
func TestRoundsThatTheProgramDoesNotGoAreNotOffered(t *testing.T) {
	t.Parallel()
	wrong := core.Parameter{Name: "n", How: "-n {value}", Unit: core.Rounds, Default: 1, Min: 1, Max: 100, Integer: true, Targets: []core.Target{{Path: "graphs/main/fragments/begin/scale"}}}
	right := core.Parameter{Name: "rounds", How: "-rounds {value}", Unit: core.Rounds, Default: 4, Min: 1, Max: 100, Integer: true, Targets: []core.Target{{Path: "graphs/main/fragments/rows/iterations"}}}
	m := rows(4, 4)
	m.Parameters = []core.Parameter{wrong, right}
	asked := Doubtful(&m)
	if len(asked) != 2 {
		t.Fatalf("%d parameters are doubtful, want both", len(asked))
	}
	for i := range asked {
		asked[i].Targets = nil
	}
	dir := t.TempDir()
	kept := trials{[]Trial{
		{Parameter: asked[0], Base: both(17), Runs: [2]Run{{At: 2, Cost: both(34), Pools: map[string]float64{"main": 2}}, {At: 4, Cost: both(68), Pools: map[string]float64{"main": 4}}}},
		{Parameter: asked[1], Base: both(17), Runs: [2]Run{{At: 2, Cost: both(9), Pools: map[string]float64{"main": 9.0 / 17}}, {At: 1, Cost: both(5), Pools: map[string]float64{"main": 5.0 / 17}}}},
	}}
	if err := project.Save(trialsFile(dir), TrialsFormat, kept); err != nil {
		t.Fatal(err)
	}
	var r trust.Report
	if tried, err := Offer(t.Context(), dir, &m, &r); err != nil || !tried {
		t.Fatalf("tried: %t, %v", tried, err)
	}
	n, _ := m.Parameter("n")
	if len(n.Targets) != 1 || n.Targets[0].Path != "graphs/main/scale" {
		t.Errorf("-n drives %+v, want all that main does", n.Targets)
	}
	if kept, ok := m.Parameter("rounds"); !ok || kept.Targets[0].Path != "graphs/main/fragments/rows/iterations" {
		t.Errorf("-rounds drives %+v, want the rounds", kept.Targets)
	}
	if len(r.Trust.Assumptions) != 2 || !strings.Contains(r.Trust.Assumptions[0], "does not turn") {
		t.Errorf("it says %q, want what -n does not turn and what it does", r.Trust.Assumptions)
	}
}

// With half the rounds a recorded loop went round half as often, while the run took nearly as long: it was disturbed, or warmed up
// for most of it. The setting turns the loop all the same; that its time is not known is said. A loop that went round as often as
// before is not turned by it.
func TestRoundsThatTheProgramWasSeenToGoAreOffered(t *testing.T) {
	t.Parallel()
	for went, offered := range map[float64]bool{2: true, 4: false} {
		m, other := rows(4, 4), rows(went, 4)
		m.Parameters = []core.Parameter{{Name: "rounds", How: "-rounds {value}", Unit: core.Rounds, Default: 4, Min: 1, Max: 100, Integer: true, Targets: []core.Target{{Path: "graphs/main/fragments/rows/iterations"}}}}
		trial := Trial{Parameter: Doubtful(&m)[0], Base: both(17), Runs: [2]Run{{At: 2, Cost: both(15), Factors: factors(&m, &other)}, {At: 1, Cost: both(15)}}}
		trial.Parameter.Targets = nil
		dir := t.TempDir()
		if err := project.Save(trialsFile(dir), TrialsFormat, trials{[]Trial{trial}}); err != nil {
			t.Fatal(err)
		}
		var r trust.Report
		if _, err := Offer(t.Context(), dir, &m, &r); err != nil {
			t.Fatal(err)
		}
		if _, ok := m.Parameter("rounds"); ok != offered {
			t.Errorf("the loop went round %v times with half of 4: offered is %t, want %t", went, ok, offered)
		}
		if len(r.Trust.Assumptions) == 0 || !strings.Contains(strings.Join(r.Trust.Assumptions, "|"), "took 0.88 times") {
			t.Errorf("%q does not say that the time is not known", r.Trust.Assumptions)
		}
	}
}

// Seeds of random numbers make one run take a sixth longer than another one. That a loop went round a little more often in both says
// nothing of it.
func TestWhatSaysNothingOfTheTimeIsNoLaw(t *testing.T) {
	t.Parallel()
	m := rows(4, 4)
	for said, offered := range map[float64]bool{1.01: false, 1.2: true} {
		trial := Trial{Parameter: core.Parameter{Name: "seed", How: "-seed {value}", Default: 1, Integer: true, Description: "-seed"}, Base: both(17),
			Runs: [2]Run{{At: 2, Cost: both(20), Pools: map[string]float64{"main": said}}, {At: 4, Cost: both(20.5), Pools: map[string]float64{"main": said}}}}
		p, why := trial.parameter(t.Context(), &m, both(17))
		if (why == "") != offered {
			t.Errorf("all took 1.2 times as long, what the threads do %v times: %+v is offered (%s)", said, p, why)
		}
	}
}

// Rows that cost half as much were twice as many in both runs, by chance or as a consequence that the model has by itself: with them it
// would take as long as before, and without them as long as the runs did.
func TestASettingMayChangeNothingButTimes(t *testing.T) {
	t.Parallel()
	m, other, quarter := rows(4, 4), rows(8, 2), rows(16, 1)
	trial := Trial{Parameter: core.Parameter{Name: "cost", How: "-cost {value}", Default: 4, Integer: true, Description: "-cost"}, Base: both(17),
		Runs: [2]Run{{At: 2, Cost: both(9), Factors: factors(&m, &other)}, {At: 1, Cost: both(5), Factors: factors(&m, &quarter)}}}
	p, why := trial.parameter(t.Context(), &m, both(17))
	if why != "" || len(p.Targets) != 1 || !strings.HasSuffix(p.Targets[0].Path, "/row/scale") {
		t.Fatalf("it drives %+v (%s), want the cost of a row alone", p.Targets, why)
	}
}
