package simulation

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tierscope/core"
)

// unsure is a program of one thread that computes for 1 s, on a machine whose speed is
// known to 5 %.
func unsure(key string) core.Model {
	m := threads(1, 2, cpu("w", 1))
	m.Uncertain = []core.Uncertain{{Name: "machine", Key: key, Deviation: .05, Runs: 3, Rest: .02, Targets: []core.Loading{{Path: "cpu/speed", Power: -1}}}}
	return m
}

// T = 1 s × exp(0.05 z): 95 % of it lie within 1.96 × 5 %, and however many replications
// there are they do not make that less. Without the inputs it is exact.
func TestWhatIsNotKnownOfTheModelIsInTheInterval(t *testing.T) {
	t.Parallel()
	for _, replications := range []int{4, 10, 40} {
		r := run(t, unsure(""), nil, Options{Replications: replications})
		e := find(t, r, "T program mean")
		if math.Abs(e.Mean-1) > 1e-9 || math.Abs(e.HalfWidth()-.098) > .004 {
			t.Errorf("%d replications: T = %g ± %g, want 1 ± 0.098", replications, e.Mean, e.HalfWidth())
		}
		own, inputs := e.Shares()
		if own > 1e-6 || math.Abs(inputs-.098) > .004 {
			t.Errorf("shares %g and %g, want all of it of the inputs", own, inputs)
		}
		// 5² = 2² + own², own² × 3/5 is left: √(4 + 21·3/5) = 4.07 %
		if got := r.Doubt; !strings.HasPrefix(got, "T is known to ±9.") || !strings.Contains(got, "2 more runs of the program would make it ±8.0 %") {
			t.Errorf("said %q, want what two more runs would do", got)
		}
	}
	r := run(t, unsure(""), nil, Options{ModelAsItIs: true})
	if e := find(t, r, "T program mean"); e.HalfWidth() > 1e-9 || len(e.Inputs) > 0 {
		t.Errorf("T = %g ± %g without the inputs, want 1 exactly", e.Mean, e.HalfWidth())
	}
}

// A run that ends before what is not known was drawn is not complete: its intervals lack it, and whoever asks again has it made.
func TestARunWithoutItsInputsIsInterrupted(t *testing.T) {
	t.Parallel()
	asked := counting{t.Context(), new(atomic.Int64), math.MaxInt64}
	whole, err := Run(asked, unsure(""), nil, Options{Replications: 4, ModelAsItIs: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(counting{t.Context(), new(atomic.Int64), asked.n.Load()}, unsure(""), nil, Options{Replications: 4})
	if err != nil {
		t.Fatal(err)
	}
	if r.Replications != whole.Replications || !r.Interrupted || len(find(t, r, "T program mean").Inputs) > 0 {
		t.Errorf("%d replications, interrupted %t, inputs %v; want all %d without inputs, interrupted", r.Replications, r.Interrupted, find(t, r, "T program mean").Inputs, whole.Replications)
	}
}

// counting is a context that ends when somebody has asked so often whether it has.
type counting struct {
	context.Context
	n     *atomic.Int64
	until int64
}

func (c counting) Err() error {
	if c.n.Add(1) > c.until {
		return context.Canceled
	}
	return nil
}

// Twice the work takes twice as long on whatever machine: the speed that is not known
// cancels in the relative difference of two configurations of one model, and of two models
// that err alike. Of two analyses of their own it does not: √2 × 5 %.
func TestWhatIsNotKnownCancelsWhereItIsTheSame(t *testing.T) {
	t.Parallel()
	double := map[string]float64{"graphs/g/fragments/w/scale": 2}
	one := run(t, unsure(""), nil, Options{})
	for _, d := range Compare(one, run(t, unsure(""), double, Options{}), nil) {
		if e := d.Relative; d.Key() == "T program mean" && (math.Abs(e.Mean-1) > 1e-6 || e.HalfWidth() > 1e-6) {
			t.Errorf("twice the work: changed by %g ± %g, want 1 exactly", e.Mean, e.HalfWidth())
		}
	}
	// While replications are missing the inputs have not been drawn for one of them.
	asItIs := run(t, unsure(""), double, Options{ModelAsItIs: true})
	for _, d := range Compare(one, asItIs, func(m Metric) bool { return m.Key() == "T program mean" }) {
		if e := d.Relative; math.Abs(e.Mean-1) > 1e-6 || e.HalfWidth() > 1e-6 || !d.Clear() {
			t.Errorf("twice the work, not drawn: changed by %g ± %g, want 1 exactly", e.Mean, e.HalfWidth())
		}
	}
	// Five replications draw from five slices, ten from ten, twenty twice.
	for _, n := range []int{5, 10, 20} {
		other := run(t, unsure(""), double, Options{Replications: n})
		if d := Compare(one, other, nil)[0]; math.Abs(d.Relative.Mean-1) > 1e-6 || d.Relative.HalfWidth() > 1e-6 || !d.Clear() {
			t.Errorf("twice the work, %d replications: changed by %g ± %g, want 1 exactly", n, d.Relative.Mean, d.Relative.HalfWidth())
		}
	}
	common, mine, yours := run(t, unsure("a"), nil, Options{}), run(t, unsure("b"), nil, Options{}), run(t, unsure("c"), nil, Options{})
	if d := Compare(common, run(t, unsure("a"), nil, Options{}), nil)[0]; d.Relative.HalfWidth() > 1e-6 {
		t.Errorf("models that err alike differ by ± %g", d.Relative.HalfWidth())
	}
	if d := Compare(mine, yours, nil)[0]; d.Clear() || d.Relative.HalfWidth() < .08 || d.Relative.HalfWidth() > .2 {
		t.Errorf("models of their own differ by %g ± %g, want ± 0.14, give or take what 10 draws do", d.Relative.Mean, d.Relative.HalfWidth())
	}
}

// While replications are missing the interval of T is that of their scatter, which is none at all: whoever is told of it is
// told that 5 % are not in it, and so is who stops there.
func TestAnIntervalWithoutWhatIsNotKnownSaysSo(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	says := func(r *Result) bool {
		return slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "what is not known of the model") })
	}
	partial := 0
	tell := func(p Progress) {
		if p.Partial == nil {
			return
		}
		if partial++; !p.WithoutInputs || !says(p.Partial) {
			t.Errorf("after %d replications T is known to ±%g and the warnings are %q, want that inputs are missing", p.Replications, p.Precision, p.Partial.Warnings)
		}
		stop()
	}
	r, err := Run(ctx, unsure(""), nil, Options{Workers: 1, Replications: 1000, Progress: tell})
	if err != nil || !r.Interrupted || partial == 0 || !says(r) {
		t.Errorf("stopped after %d reports: %+v (%v), want a result that says so", partial, r.Warnings, err)
	}
	if r := run(t, unsure(""), nil, Options{Replications: 4}); says(r) {
		t.Errorf("a complete result says %q", r.Warnings)
	}
}
