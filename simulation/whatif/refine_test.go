package whatif

import (
	"context"
	"math"
	"testing"

	"tierscope/core"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// said is a result in which R has a mean and an interval of ±1 %, or of a system whose queues grow.
func said(r float64) *simulation.Result {
	out := &simulation.Result{Unstable: math.IsInf(r, 1)}
	m := simulation.Metric{Name: "R", Of: "class/task", Stat: "mean", Unit: "s"}
	m.Estimate.Mean, m.Estimate.Lo, m.Estimate.Hi, m.Estimate.N = r, .99*r, 1.01*r, 5
	out.Metrics = append(out.Metrics, m)
	return out
}

// Of M/M/1 with a service time of 10 ms six values tell that it is somewhere between 80/s and 160/s that queues grow. What follows halves that,
// as a ratio, and then again: after three more it is known to 10 %, and no more are asked for.
func TestWhereQueuesBeginToGrowIsLookedFor(t *testing.T) {
	t.Parallel()
	rate := core.Parameter{Name: "rate", Default: 40, Min: 1, Max: 1000}
	r := func(v float64) *simulation.Result {
		if v >= 100 {
			return said(math.Inf(1))
		}
		return said(mm1(v))
	}
	results := map[float64]*simulation.Result{}
	for _, v := range Values(rate, 40, Points) {
		results[v] = r(v)
	}
	below, above := 80.0, 160.0
	if results[below] == nil || results[above] == nil || len(results) != Points {
		t.Fatalf("simulated is %v", results)
	}
	for n := 0; above > 1.1*below; n++ {
		v, ok := Next(rate, results, "R class/task mean")
		if want := math.Sqrt(below * above); !ok || math.Abs(v-want) > 1e-9 || n == Refinements {
			t.Fatalf("next is %v (%t), want %v", v, ok, want)
		}
		if results[v] = r(v); v < 100 {
			below = v
		} else {
			above = v
		}
	}
}

// Where the curve bends between two points it is looked at there; of a line nothing more is asked, and of whole numbers nothing
// between neighbours. What simulations themselves leave unknown another value does not tell.
func TestTheCurveIsRefinedWhereItMayStray(t *testing.T) {
	t.Parallel()
	p := core.Parameter{Name: "threads", Default: 4, Min: 1, Max: 64}
	const key = "R class/task mean"
	of := func(r func(float64) float64, values ...float64) map[float64]*simulation.Result {
		out := map[float64]*simulation.Result{}
		for _, v := range values {
			out[v] = said(r(v))
		}
		return out
	}
	bends := func(v float64) float64 { return 1 / min(v, 8) } // a line, and from 8 on another
	if v, ok := Next(p, of(bends, 1, 2, 4, 16, 32, 64), key); !ok || v != 8 {
		t.Errorf("next is %v (%t), want 8", v, ok)
	}
	if v, ok := Next(p, of(func(v float64) float64 { return 1 / v }, 1, 2, 4, 16, 32, 64), key); ok {
		t.Errorf("of a line %v is asked for", v)
	}
	p.Integer = true
	if v, ok := Next(p, of(func(v float64) float64 { return 1 / min(v, 2) }, 1, 2, 3), key); ok {
		t.Errorf("between whole numbers %v is asked for", v)
	}
	noisy := of(bends, 1, 2, 4, 16, 32, 64)
	for _, r := range noisy {
		e := &r.Metrics[0].Estimate
		e.Lo, e.Hi = e.Mean/2, e.Mean*2
	}
	if v, ok := Next(p, noisy, key); ok {
		t.Errorf("within what is not known anyway %v is asked for", v)
	}
}

// A refinement goes on from what was simulated: of a server with 10 ms a request on one core it finds below which rate it is stable to
// a tenth.
func TestARefinementSimulatesWhatTellsMost(t *testing.T) {
	t.Parallel()
	m := core.Model{
		Name: "server", CPU: core.CPU{Cores: 1, Policy: core.ProcessorSharing}, Classes: []core.Class{{ID: "task"}}, Queues: []core.Queue{{ID: "q", Capacity: core.Unbounded}}, Sinks: []core.Sink{{ID: "done"}},
		Sources: []core.Source{{ID: "clients", Kind: core.Poisson, Rate: 40, Class: "task", To: "q"}},
		Pools:   []core.Pool{{ID: "w", Kind: core.TaskPool, From: "q", Graph: "g"}},
		Graphs: []core.Graph{{ID: "g", Entry: "w", Fragments: []core.Fragment{{ID: "w", Class: core.CPUFragment, Demand: core.Const(.01), Next: []core.Edge{{To: "out", Probability: 1}}},
			{ID: "out", Class: core.OutFragment, Out: &core.Out{To: "done"}}}}},
		Parameters: []core.Parameter{{Name: "rate", Default: 40, Min: 1, Max: 1000, SupportedMin: 20, SupportedMax: 80,
			Targets: []core.Target{{Path: "sources/clients/rate_per_s"}}}},
	}
	r := &experiment.Runner{Model: m, Pool: simulation.NewPool(0), Simulate: simulation.Run}
	q := Question{Knobs: m.Parameters[:1]}
	o := simulation.Options{Seed: 1, Duration: 20}
	var points []experiment.Point
	arrived := func(p []experiment.Point) { points = append(points, p...) }
	if err := Run(context.Background(), r, q, o, arrived); err != nil {
		t.Fatal(err)
	}
	first := len(points)
	if err := Refine(context.Background(), r, q, o, points, arrived); err != nil {
		t.Fatal(err)
	}
	below, above := 0.0, math.Inf(1)
	for _, p := range points {
		v := p.Settings["rate"]
		switch _, ok := AnchorOf(p.Result, v, Response(&m)); {
		case ok:
			below = max(below, v)
		case Grows(p.Result, Response(&m)):
			above = min(above, v)
		}
	}
	if first != Points || len(points) != Points+Refinements || above > 1.1*below || below > 110 || above < 90 {
		t.Errorf("%d points, then %d: stable up to %v, not from %v on", first, len(points), below, above)
	}
}
