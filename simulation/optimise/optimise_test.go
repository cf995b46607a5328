package optimise

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"tierscope/core"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// station is a pool of threads on four cores that serve Poisson arrivals with
// exponential service times of 10 ms: M/M/c for up to four threads.
func station() core.Model {
	to := func(id string) []core.Edge { return []core.Edge{{To: id, Probability: 1}} }
	return core.Model{
		Name: "station",
		Parameters: []core.Parameter{
			{Name: "workers", Default: 1, Min: 1, Max: 4, Integer: true, Targets: []core.Target{{Path: "pools/worker/size"}}},
			{Name: "rate", Default: 60, Min: 1, Max: 1000, Targets: []core.Target{{Path: "sources/clients/rate_per_s"}}},
		},
		Sources: []core.Source{{ID: "clients", Kind: core.Poisson, To: "q", Rate: 60}},
		Queues:  []core.Queue{{ID: "q", Capacity: core.Unbounded}},
		Pools:   []core.Pool{{ID: "worker", Graph: "worker", Size: 1}},
		Sinks:   []core.Sink{{ID: "done"}},
		Graphs: []core.Graph{{ID: "worker", Entry: "in", Fragments: []core.Fragment{
			{ID: "in", Class: core.InFragment, In: &core.In{Queue: "q"}, Next: to("fetch")},
			{ID: "fetch", Class: core.FetchFragment, Next: to("parse")},
			{ID: "parse", Class: core.CPUFragment, Demand: core.Distribution{Kind: core.Exponential, Mean: 0.01}, Next: to("out")},
			{ID: "out", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("in")},
		}}},
		CPU: core.CPU{Cores: 4},
	}
}

func limits(t *testing.T, texts ...string) []Limit {
	t.Helper()
	var all []Limit
	for _, text := range texts {
		l, err := ParseLimit(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

func answer(t *testing.T, q Question, axes ...string) *Answer {
	t.Helper()
	for _, text := range axes {
		a, err := experiment.ParseAxis(text)
		if err != nil {
			t.Fatal(err)
		}
		q.Grid.Axes = append(q.Grid.Axes, a)
	}
	a, err := Run(t.Context(), &experiment.Runner{Model: station(), Simulate: simulation.Run}, q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestLimitsAreReadAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want Limit
	}{
		{"R.p95 <= 200ms", Limit{Name: "R", Stat: "p95", Value: 0.2}},
		{"R class/login mean <= 0.1", Limit{Name: "R", Of: "class/login", Value: 0.1}},
		{"U disk/sda <= 90%", Limit{Name: "U", Of: "disk/sda", Value: 0.9}},
		{"X >= 100/s", Limit{Name: "X", AtLeast: true, Value: 100}},
		{"T.p99 <= 2m", Limit{Name: "T", Stat: "p99", Value: 120}},
	} {
		if got, err := ParseLimit(c.text); err != nil || got != c.want {
			t.Errorf("%q is %+v (%v), want %+v", c.text, got, err, c.want)
		}
		if again, err := ParseLimit(c.want.String()); err != nil || math.Abs(again.Value-c.want.Value) > 1e-9 || again.Stat != c.want.Stat {
			t.Errorf("%q is read back as %+v (%v)", c.want, again, err)
		}
	}
	for _, text := range []string{"", "R.p95", "R.p95 < 3", "<= 3", "R <= fast", "a b c d <= 1"} {
		if _, err := ParseLimit(text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}

// λ = 60 and μ = 100 per thread. The 95 % quantile of M/M/1 is
// ln 20/(μ−λ) = 75 ms; of M/M/2 it is above that of the service alone,
// 30 ms, and P(wait) = 2ρ²/(1+ρ) = 0.138 keeps it below 36 ms. So two threads
// are the cheapest that keep 40 ms, and one that cannot.
func TestTheCheapestConfigurationThatKeepsTheLimitWins(t *testing.T) {
	t.Parallel()
	a := answer(t, Question{Limits: limits(t, "R.p95 <= 40ms"), Cost: "workers", Grid: experiment.Experiment{Seed: 1, Duration: 100, Warmup: 3}}, "workers=1,2,3,4")
	best := a.Candidates[0]
	if a.State != Meets || !best.Best || best.Settings["workers"] != 2 || best.Probability < 0.975 {
		t.Errorf("%s: best %v with probability %g", a.Sentence, best.Settings, best.Probability)
	}
	last := a.Candidates[len(a.Candidates)-1]
	if last.State != Fails || last.Settings["workers"] != 1 || !strings.Contains(last.Why, "R p95 <= 40.0 ms: it is 7") {
		t.Errorf("last %v: %s, %s", last.Settings, last.State, last.Why)
	}
	if !strings.HasPrefix(a.Sentence, "workers 2. P(limits met) >0.99.") {
		t.Errorf("sentence %q", a.Sentence)
	}
	if _, err := json.Marshal(a); err != nil {
		t.Error(err)
	}
}

// One thread keeps a mean of 1/(100−λ) ≤ 50 ms up to λ = 80: a third more
// than 60.
func TestTheHeadroomIsTheLoadAtWhichTheLimitBreaks(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it simulates until the answer is sure")
	}
	a := answer(t, Question{Limits: limits(t, "R <= 50ms"), Maximise: "X", Load: "rate", Grid: experiment.Experiment{Seed: 2, Duration: 200, Warmup: 5}}, "workers=1")
	h := a.Headroom
	if h == nil || h.Sure < 76 || h.Sure > 80.5 || h.Break < h.Sure || h.Break > 83 || !strings.HasPrefix(h.Limit, "R <= 50") {
		t.Errorf("headroom %+v, want up to 80/s", h)
	}
	if !strings.Contains(a.Sentence, "more rate before R <= 50.0 ms breaks.") {
		t.Errorf("sentence %q", a.Sentence)
	}
}

// 150/s are more than one thread serves: no simulation is needed to know.
func TestAPointBeyondCapacityFailsWithoutSimulation(t *testing.T) {
	t.Parallel()
	a := answer(t, Question{Limits: limits(t, "R.p95 <= 10s"), Grid: experiment.Experiment{Settings: map[string]float64{"rate": 150}}}, "workers=1")
	c := a.Candidates[0]
	if a.State != Fails || c.Result != nil || !strings.Contains(c.Why, "150 /s arrive, but pool/worker serves 100 /s at most") {
		t.Errorf("%s: %+v", a.Sentence, c)
	}
}

// The limit is the truth, 25 ms: no finite simulation can tell.
func TestAValueAtItsLimitStaysUndecided(t *testing.T) {
	t.Parallel()
	a := answer(t, Question{Limits: limits(t, "R <= 25ms"), Grid: experiment.Experiment{Seed: 4, Duration: 30, Warmup: 2}}, "workers=1")
	c := a.Candidates[0]
	if a.State != Undecided || c.Result.Replications != 160 || !strings.HasPrefix(a.Sentence, "Undecided: ") {
		t.Errorf("%s after %d replications with probability %g", a.Sentence, c.Result.Replications, c.Probability)
	}
}

// With 60/s the throughput is 60/s however many threads there are: all that
// meet the limit are rivals.
func TestEqualConfigurationsAreRivals(t *testing.T) {
	t.Parallel()
	a := answer(t, Question{Limits: limits(t, "R.p95 <= 200ms"), Maximise: "X", Cost: "workers", Grid: experiment.Experiment{Seed: 5, Replications: 5, Duration: 50, Warmup: 3}}, "workers=1,2,3")
	rivals := 0
	for _, c := range a.Candidates {
		if c.Rival {
			rivals++
		}
	}
	if rivals != 2 || !strings.Contains(a.Sentence, "2 rivals cannot be told apart.") {
		t.Errorf("%d rivals: %s", rivals, a.Sentence)
	}
}

func TestAQuestionWithoutAGoalIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := Run(t.Context(), &experiment.Runner{Model: station(), Simulate: simulation.Run}, Question{}); err == nil {
		t.Error("a question without limits, objective and cost was accepted")
	}
}
