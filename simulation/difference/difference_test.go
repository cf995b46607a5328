package difference_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tierscope/core"
	"tierscope/simulation"
	"tierscope/simulation/difference"
)

// batch is a program of n threads that share 12 tasks: each parses one for 2 ms
// and writes it for 1 ms.
func batch(n int) core.Model {
	return core.Model{
		Name: "batch", CPU: core.CPU{Cores: 4, Policy: core.ProcessorSharing},
		Sources: []core.Source{{ID: "tasks", Kind: core.Batch, To: "work", Count: 12}},
		Queues:  []core.Queue{{ID: "work", Capacity: core.Unbounded}},
		Sinks:   []core.Sink{{ID: "done"}},
		Pools:   []core.Pool{{ID: "main.func1", Graph: "main.func1", Size: n}},
		Graphs: []core.Graph{{ID: "main.func1", Entry: "receive main:10", Fragments: []core.Fragment{
			{ID: "receive main:10", Class: core.InFragment, In: &core.In{Queue: "work"}, Next: []core.Edge{{To: "fetch", Probability: 1}}},
			{ID: "fetch", Class: core.FetchFragment, Next: []core.Edge{{To: "parse main:11", Probability: 1}}},
			{ID: "parse main:11", Class: core.CPUFragment, Demand: core.Const(0.002), Next: []core.Edge{{To: "write main:12", Probability: 1}}},
			{ID: "write main:12", Class: core.CPUFragment, Demand: core.Const(0.001), Next: []core.Edge{{To: "done main:13", Probability: 1}}},
			{ID: "done main:13", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: []core.Edge{{To: "receive main:10", Probability: 1}}},
		}}},
	}
}

func compare(t *testing.T, before, after core.Model) *difference.Report {
	t.Helper()
	r, err := difference.Run(t.Context(), before, after, difference.Options{
		Attribute: true, Simulate: simulation.Run, Simulation: simulation.Options{Replications: 3},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func share(t *testing.T, r *difference.Report, part string) float64 {
	t.Helper()
	i := slices.IndexFunc(r.Shares, func(s difference.Share) bool { return s.Part == part })
	if i < 0 {
		t.Fatalf("no share of %q among %+v", part, r.Shares)
	}
	return r.Shares[i].Effect.Mean
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// Editing source moves lines and renumbers function literals. That is no change.
func TestTheSameCodeFurtherDownIsTheSame(t *testing.T) {
	t.Parallel()
	before, after := batch(1), batch(1)
	moved := strings.NewReplacer("func1", "func2", ":1", ":7")
	after.Pools[0].ID, after.Pools[0].Graph = "main.func2", "main.func2"
	g := &after.Graphs[0]
	g.ID, g.Entry = "main.func2", moved.Replace(g.Entry)
	for i := range g.Fragments {
		g.Fragments[i].ID = moved.Replace(g.Fragments[i].ID)
		g.Fragments[i].Retarget(moved.Replace)
	}
	r := compare(t, before, after)
	if len(r.Changes)+len(r.Renamed)+len(r.Shares) > 0 {
		t.Errorf("changes %+v, renamed %+v, shares %+v; want none", r.Changes, r.Renamed, r.Shares)
	}
	if c, _ := r.Of(r.Metric); c.Absolute.Mean != 0 {
		t.Errorf("the run time differs by %g s", c.Absolute.Mean)
	}
}

// On one thread times add up: 12 tasks, of which each parses 1 ms longer and
// writes 0.5 ms shorter, take 12 ms more and 6 ms less.
func TestSharesOfChangesThatDoNotInteractAddUp(t *testing.T) {
	t.Parallel()
	after := batch(1)
	after.Graphs[0].Fragments[2].Demand = core.Const(0.003)
	after.Graphs[0].Fragments[3].Demand = core.Const(0.0005)
	r := compare(t, batch(1), after)
	if parse, write := share(t, r, "code of parse main:11"), share(t, r, "code of write main:12"); !near(parse, 0.012) || !near(write, -0.006) {
		t.Errorf("shares %g and %g s, want 0.012 and −0.006", parse, write)
	}
	if !near(r.Interaction.Mean, 0) {
		t.Errorf("interaction %g s, want 0", r.Interaction.Mean)
	}
	if !strings.Contains(r.Verdict, "17 % more") || !strings.Contains(r.Verdict, "code of parse") {
		t.Errorf("verdict %q; want 36 → 42 ms, 17 %% more, because of parse", r.Verdict)
	}
}

// Twice the threads and twice the work cancel out: 12 tasks of 3 ms take 36 ms
// on one thread, and 12 of 6 ms on two. Threads alone save 18 ms before the work
// has doubled and 36 after it, the work costs 36 ms before and 18 after.
func TestTheShareOfAChangeIsAveragedOverFirstAndLast(t *testing.T) {
	t.Parallel()
	after := batch(2)
	after.Graphs[0].Fragments[2].Demand = core.Const(0.005)
	r := compare(t, batch(1), after)
	if pool, parse := share(t, r, "pools/main.func1"), share(t, r, "code of parse main:11"); !near(pool, -0.027) || !near(parse, 0.027) {
		t.Errorf("shares %g and %g s, want ∓0.027", pool, parse)
	}
	if !strings.Contains(r.Verdict, "the same") {
		t.Errorf("verdict %q; the run time did not change", r.Verdict)
	}
}

// A lock around the write makes four threads queue: 12 writes of 1 ms follow
// each other, and the first waits for its parse.
func TestANewLockIsAChangeOfThePaths(t *testing.T) {
	t.Parallel()
	after := batch(4)
	after.Locks = []core.Lock{{ID: "mutex main", Kind: core.Mutex}}
	g := &after.Graphs[0]
	g.Fragments[2].Next[0].To = "lock"
	g.Fragments[3].Next[0].To = "unlock"
	g.Fragments[3].Demand = core.Const(0.004)
	g.Fragments = append(g.Fragments,
		core.Fragment{ID: "lock", Class: core.SyncFragment, Sync: &core.Sync{Lock: "mutex main", Op: core.Enter}, Next: []core.Edge{{To: "write main:12", Probability: 1}}},
		core.Fragment{ID: "unlock", Class: core.SyncFragment, Sync: &core.Sync{Lock: "mutex main", Op: core.Exit}, Next: []core.Edge{{To: "done main:13", Probability: 1}}})
	r := compare(t, batch(4), after)
	for _, want := range []string{"locks/mutex main", "graphs/main.func1/fragments/lock", "graphs/main.func1/fragments/unlock"} {
		if !slices.ContainsFunc(r.Changes, func(c difference.Change) bool { return c.Kind == difference.Added && c.Of == want }) {
			t.Errorf("%s is not among what is new: %+v", want, r.Changes)
		}
	}
	// Old 9 ms; the lock alone (2 + 12·1) 14 ms, longer writes alone 3·(2+4) = 18, both 2 + 12·4 = 50.
	if lock, write := share(t, r, "paths of main.func1"), share(t, r, "code of write main:12"); !near(lock, (0.005+0.032)/2) || !near(write, (0.009+0.036)/2) {
		t.Errorf("shares %g and %g s, want 0.0185 and 0.0225", lock, write)
	}
}

// Two hundred observations each of exponential times of 1 and 1.01 s say
// nothing; of 1 and 2 s they do.
func TestADifferenceThatCanBeChanceIsInsignificant(t *testing.T) {
	t.Parallel()
	for mean, want := range map[float64]difference.Significance{1.01: difference.Insignificant, 2: difference.Significant} {
		before, after := batch(1), batch(1)
		d := core.Exp(1)
		d.Samples = 200
		before.Graphs[0].Fragments[2].Demand = d
		d = core.Exp(mean)
		d.Samples = 200
		after.Graphs[0].Fragments[2].Demand = d
		r := compare(t, before, after)
		if len(r.Changes) != 1 || r.Changes[0].Significant != want {
			t.Errorf("mean %g: changes %+v; want one, significant: %s", mean, r.Changes, want)
		}
	}
}

// A comparison that is cancelled says so.
func TestACancelledComparisonIsAnError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := difference.Run(ctx, batch(1), batch(2), difference.Options{Simulate: simulation.Run}); err == nil {
		t.Error("no error without any result")
	}
}

// What must not be can be judged only where the interval is beyond the limit or
// on its safe side.
func TestConditionsAreJudgedByTheWholeInterval(t *testing.T) {
	t.Parallel()
	after := batch(1)
	after.Graphs[0].Fragments[2].Demand = core.Const(0.003) // 36 → 48 ms
	r := compare(t, batch(1), after)
	for text, want := range map[string]difference.Outcome{
		"T > +30%": difference.Violated, "T > 33.5%": difference.Met, "T < -5%": difference.Met, "T < 50 %": difference.Violated,
		"T.p95 > 5%": difference.Undecided, "R disk/sda > 1%": difference.Undecided,
	} {
		c, err := difference.ParseCondition(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, why := c.Judge(r); got != want {
			t.Errorf("%s: outcome %d, want %d", why, got, want)
		}
	}
	for _, text := range []string{"R", "R > 5", "R.p42 > 5%", "> 5%", "R >> 5%"} {
		if _, err := difference.ParseCondition(text); err == nil {
			t.Errorf("%q is read as a condition", text)
		}
	}
}

// One source, analysed twice: the second time the machine was 12 % slower. Each analysis knows
// its program's cost to 6.7 %, so that a limit of 2 % is neither kept nor broken; a
// difference of 12 % against √2 · 1.96 · 6.7 % = 18.6 % is none that can be seen. On models
// that share the day it is, and breaks the limit.
func TestASecondAnalysisOfOneSourceIsNoRegression(t *testing.T) {
	t.Parallel()
	analysed := func(created, key string, seconds float64) core.Model {
		return core.Model{Name: "shop", Provenance: core.Provenance{Created: created}, CPU: core.CPU{Cores: 1},
			Pools:     []core.Pool{{ID: "p", Graph: "g", Size: 1, Main: true}},
			Graphs:    []core.Graph{{ID: "g", Entry: "w", Fragments: []core.Fragment{{ID: "w", Class: core.CPUFragment, Demand: core.Const(seconds)}}}},
			Uncertain: []core.Uncertain{{Name: "day", Key: key, Deviation: .067, Rest: .067, Runs: 3, Targets: []core.Loading{{Path: "cpu/speed", Power: -1}}}}}
	}
	limit, err := difference.ParseCondition("T > +2%")
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]difference.Outcome{"": difference.Undecided, "one day": difference.Violated} {
		r, err := difference.Run(t.Context(), analysed("Monday", key, .5), analysed("Tuesday", key, .56), difference.Options{Simulate: simulation.Run})
		if err != nil {
			t.Fatal(err)
		}
		got, why := limit.Judge(r)
		if got != want {
			t.Errorf("key %q: outcome %d (%s; %s), want %d", key, got, why, r.Verdict, want)
		}
		if same := strings.Contains(r.Verdict, "the same as far as can be seen"); same != (want == difference.Undecided) {
			t.Errorf("key %q: %q", key, r.Verdict)
		}
	}
}

// By turns the new program took 3 to 5 % longer, 4 %: that breaks a limit of 2 % and leaves one of 4.5 % undecided, whatever
// simulations say; a width of less than ½ % in place of 1 % takes more than 4 · (1/½)² = 16 rounds. With other
// settings nobody ran them.
func TestTurnsTellByHowMuchRunTimesDiffer(t *testing.T) {
	t.Parallel()
	before, after := batch(1), batch(1)
	o := difference.Options{Simulate: simulation.Run, Simulation: simulation.Options{Replications: 3}, Turns: &difference.Turns{Rounds: 4, More: .04, Lo: .03, Hi: .05}}
	for text, want := range map[string]difference.Outcome{"T > +2%": difference.Violated, "T > +4.5%": difference.Undecided, "T > +5.5%": difference.Met} {
		c, err := difference.ParseCondition(text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := difference.Run(t.Context(), before, after, o)
		if err != nil {
			t.Fatal(err)
		}
		got, why := c.Judge(r)
		if got != want || got == difference.Undecided && !strings.Contains(why, "--rounds 17") {
			t.Errorf("outcome %d (%s), want %d", got, why, want)
		}
		if !strings.Contains(r.Verdict, "4.0 % more") {
			t.Errorf("the verdict is %q, want 4 %% more", r.Verdict)
		}
	}
	o.Settings = map[string]float64{"cpu/speed": 2}
	r, err := difference.Run(t.Context(), before, after, o)
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := r.Of("T program mean"); c.Relative.Mean != 0 || r.Rounds != 0 {
		t.Errorf("with settings that nobody ran the difference is %+v", c.Relative)
	}
}

// Of 40 pairs of analyses of one source, on days that differ by as much as they are said
// to, "T > +2%" is a false alarm for 2 at most: 2.5 % of all should be (the other 2.5 % err the other
// way), and more than two of 40 are with a probability of 8 % then; the seed is fixed.
func TestAnalysesOfOneSourceRaiseFewFalseAlarms(t *testing.T) {
	t.Parallel()
	limit, err := difference.ParseCondition("T > +2%")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(4, 2))
	alarms := 0
	for i := range 40 {
		analysed := func(created string) core.Model {
			return core.Model{Name: "shop", Provenance: core.Provenance{Created: created}, CPU: core.CPU{Cores: 1},
				Pools:     []core.Pool{{ID: "p", Graph: "g", Size: 1, Main: true}},
				Graphs:    []core.Graph{{ID: "g", Entry: "w", Fragments: []core.Fragment{{ID: "w", Class: core.CPUFragment, Demand: core.Const(.5 * math.Exp(.067*random.NormFloat64()))}}}},
				Uncertain: []core.Uncertain{{Name: "day", Deviation: .067, Rest: .067, Runs: 3, Targets: []core.Loading{{Path: "cpu/speed", Power: -1}}}}}
		}
		r, err := difference.Run(t.Context(), analysed(fmt.Sprint(2*i)), analysed(fmt.Sprint(2*i+1)), difference.Options{Simulate: simulation.Run})
		if err != nil {
			t.Fatal(err)
		}
		if outcome, _ := limit.Judge(r); outcome == difference.Violated {
			alarms++
		}
	}
	if alarms > 2 {
		t.Errorf("%d false alarms of 40, want at most 2", alarms)
	}
}

// lex, which parse calls, was edited; that write takes longer as well is chance, and goes with the rest of the code. So
// the edited function is named, and only its caller's times are swapped by themselves.
func TestTheEditedFunctionIsNamed(t *testing.T) {
	t.Parallel()
	after := batch(1)
	after.Graphs[0].Fragments[2].Demand = core.Const(0.003)
	after.Graphs[0].Fragments[3].Demand = core.Const(0.0011)
	r, err := difference.Run(t.Context(), batch(1), after, difference.Options{
		Attribute: true, Simulate: simulation.Run, Simulation: simulation.Options{Replications: 3},
		Edited: func(function string) []string {
			if function == "parse main:11" {
				return []string{"main.lex"}
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if first := r.Shares[0]; first.Part != "code of parse main:11" || !slices.Equal(first.Edited, []string{"main.lex"}) || !near(first.Effect.Mean, 0.012) {
		t.Errorf("the first share is %+v, want 12 ms of parse, in which main.lex was edited", first)
	}
	if rest := share(t, r, "the rest of the code"); !near(rest, 0.0012) {
		t.Errorf("the rest takes %g s more, want 12 × 0.1 ms", rest)
	}
	if !strings.Contains(r.Verdict, "code of parse main:11, in which main.lex was edited") {
		t.Errorf("verdict %q does not name the edited function", r.Verdict)
	}
}
