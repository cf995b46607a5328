package inputs

import (
	"math"
	"testing"

	"tierscope/core"
	"tierscope/project"
)

// shared is a program whose threads compute so long each, s, on one core, after 1 s of the main thread.
func shared(threads int, part float64) core.Model {
	return core.Model{
		Name: "shared", CPU: core.CPU{Cores: 1},
		Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}, {ID: "work", Graph: "work", Kind: core.SpawnPool, Size: threads}},
		Graphs: []core.Graph{
			{ID: "main", Entry: "begin", Fragments: []core.Fragment{
				{ID: "begin", Class: core.CPUFragment, Demand: core.Const(1), Next: []core.Edge{{To: "spawn", Probability: 1}}},
				{ID: "spawn", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "work"}, Next: []core.Edge{{To: "join", Probability: 1}}},
				{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "work"}},
			}},
			{ID: "work", Entry: "part", Fragments: []core.Fragment{{ID: "part", Class: core.CPUFragment, Demand: core.Const(part)}}},
		},
		Parameters: []core.Parameter{{Name: "threads", How: "-threads {value}", Unit: "threads", Default: 3, Min: 1, Max: 100, Integer: true, Targets: []core.Target{{Path: "pools/work/size"}}}},
	}
}

// sizesTried are trials of 2 threads and 1 in place of 3, of which each computes a part and the program takes so long.
func sizesTried(t *testing.T, parts [2]float64, took [2]float64) string {
	t.Helper()
	m := shared(3, 2)
	p := m.Parameters[0]
	trial := Trial{Parameter: p, Sizes: true, Base: both(7)}
	trial.Parameter.Targets = nil
	for i, n := range []int{2, 1} {
		set, err := m.With(map[string]float64{"threads": float64(n)})
		if err != nil {
			t.Fatal(err)
		}
		set = scaled(set)
		other := shared(n, parts[i])
		trial.Runs[i] = Run{At: float64(n), Cost: both(took[i]), Factors: factors(&set, &other)}
	}
	dir := t.TempDir()
	if err := project.Save(trialsFile(dir), TrialsFormat, trials{[]Trial{trial}}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A model whose threads each bring 2 s, of a program that shares 6 s out: two runs with other numbers of threads show it, and
// with 6 threads each has 1 s. The size of the pool goes on following the parameter alone.
func TestRunsShowWhatANumberOfThreadsChangesBesides(t *testing.T) {
	t.Parallel()
	dir := sizesTried(t, [2]float64{3, 6}, [2]float64{7, 7})
	m, says, err := Sized(t.Context(), dir, shared(3, 2))
	if err != nil || len(says) != 1 {
		t.Fatalf("it says %q (%v), want one sentence", says, err)
	}
	if ts := m.Parameters[0].Targets; len(ts) != 2 || ts[1].Path != "graphs/work/fragments/part/scale" {
		t.Fatalf("the parameter drives %+v, want the size and the part", ts)
	}
	for _, n := range []float64{1, 2, 3, 6} {
		if took, err := predicted(t.Context(), m, map[string]float64{"threads": n}); err != nil || math.Abs(took.Time-7) > 1e-6 {
			t.Errorf("with %v threads it takes %v s (%v), want 7", n, took.Time, err)
		}
	}
	var r trials
	if err := project.Load(trialsFile(dir), TrialsFormat, &r); err != nil || !r.Trials[0].Sizes {
		t.Errorf("the trial is not kept as one of sizes: %v", err)
	}
	if tried, err := Offer(t.Context(), dir, &m, nil); tried || err != nil {
		t.Errorf("a trial of sizes is taken for one of a setting: %v", err)
	}
}

// Threads that bring as much as the model says, or that runs show to differ by chance, now more and now less, change nothing; nor
// do runs that took what the model says already.
func TestWhatRunsDoNotShowOfThreadsStays(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct{ parts, took [2]float64 }{
		"as the model says": {[2]float64{2, 2}, [2]float64{5, 3}},
		"by chance":         {[2]float64{3, 1.5}, [2]float64{7, 2.5}},
		"contradicted":      {[2]float64{3, 6}, [2]float64{5, 3}},
	} {
		if _, says, err := Sized(t.Context(), sizesTried(t, x.parts, x.took), shared(3, 2)); len(says) > 0 || err != nil {
			t.Errorf("%s: it says %q (%v), want nothing", name, says, err)
		}
	}
}

// All laws go one way. With the other value nearer, the first point is the farther one; on both sides neither is.
func TestANumberFollowsASettingOneWay(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		a, b point
		want bool
	}{
		{point{.5, .5}, point{.25, .25}, true},
		{point{.5, 1.2}, point{.25, 1.2}, true},
		{point{.5, 1.3}, point{.25, .8}, false},
		{point{.5, .5}, point{.25, .9}, false},
		{point{.25, .9}, point{.5, .5}, false},
		{point{.5, .5}, point{2, 1.3}, true},
		{point{.5, .5}, point{2, .6}, false},
	} {
		if got := oneWay([]point{x.a, x.b}); got != x.want {
			t.Errorf("%v times as large at %v, %v at %v: one way is %t", x.a.factor, x.a.at, x.b.factor, x.b.at, got)
		}
	}
}

// What is the number of threads comes before what is no number of the model's; otherwise all stay in their order.
func TestSettingsThatAreNumbersOfThreadsAreTriedFirst(t *testing.T) {
	t.Parallel()
	m := shared(3, 2)
	var names string
	for _, p := range likeliest([]core.Parameter{{Name: "a", Default: 10}, {Name: "b", Default: 3}, {Name: "c", Default: 2}, {Name: "d", Default: 3}}, &m) {
		names += p.Name
	}
	if names != "bdac" {
		t.Errorf("they are tried as %q, want b and d first", names)
	}
}

// A branch that is taken 60 times of 100 is, by chance, taken 55 times; not 20 times. If it is taken 30 times of 50, there was half as
// much to do before it. Mean rounds of a loop that vary are not the same each time; times and numbers that do not vary are what they are.
func TestWhatDiffersByChanceHasNotChanged(t *testing.T) {
	t.Parallel()
	branch := func(taken, of float64) number {
		return number{value: taken, share: taken / of, whole: true, counted: true}
	}
	rounds := func(mean, err float64) number { return number{value: mean, err: err, whole: true} }
	for _, x := range []struct {
		n, o number
		want bool
	}{
		{branch(60, 100), branch(55, 100), true},
		{branch(60, 100), branch(20, 100), false},
		{branch(60, 100), branch(30, 50), true},
		{rounds(10, .02), rounds(10.5, .02), true},
		{rounds(10, .02), rounds(11.5, .02), false},
		{rounds(10, .4), rounds(12, .4), false},
		{rounds(10, 0), rounds(10.5, 0), false},
		{number{value: 1, err: .5}, number{value: 1.2, err: .5}, false},
	} {
		if got := byChance(x.n, x.o); got != x.want {
			t.Errorf("%+v and %+v: by chance is %t", x.n, x.o, got)
		}
	}
}

// Half and twice as many are tried, never one.
func TestOtherNumbersOfThreadsAreOnBothSides(t *testing.T) {
	t.Parallel()
	for n, want := range map[float64][2]float64{1: {2, 4}, 2: {4, 8}, 3: {2, 6}, 4: {2, 8}, 9: {4, 18}} {
		if one, other := otherSizes(n); one != want[0] || other != want[1] {
			t.Errorf("in place of %v %v and %v are tried, want %v", n, one, other, want)
		}
	}
}
