package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
)

// Any number of shards, in any order, some of them twice, one of them killed half-way and started again: together they
// are the experiment, and the ledger gives the bytes of one process.
func TestShardsTogetherAreTheExperiment(t *testing.T) {
	t.Parallel()
	whole := &Runner{Model: webServer(), Simulate: (&stand{}).run}
	p, err := whole.Run(t.Context(), planned(t, whole, grid()))
	if err != nil {
		t.Fatal(err)
	}
	want := bytesOf(t, p)
	for _, n := range []int{1, 3, 8} {
		dir := t.TempDir()
		simulated := 0
		run := func(i int, ctx context.Context, s *stand) {
			r := &Runner{Model: webServer(), Ledger: ledgerIn(t, dir), Simulate: s.run}
			part, err := r.Survey(t.Context(), grid(), Shard{i, n})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Stream(ctx, part, func(Point) error { return nil }); err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if err := r.Ledger.Close(); err != nil {
				t.Fatal(err)
			}
			simulated += len(s.calls)
		}
		ctx, kill := context.WithCancel(t.Context())
		run(1, ctx, &stand{after: func(calls int) { kill() }})
		simulated = 0
		for i := n; i >= 1; i-- {
			run(i, t.Context(), &stand{})
		}
		before := simulated
		run(n, t.Context(), &stand{})
		if simulated != before {
			t.Errorf("%d shards: a repeated shard simulated %d runs again", n, simulated-before)
		}
		gather := &Runner{Model: webServer(), Ledger: ledgerIn(t, dir), Simulate: (&stand{}).run}
		all := planned(t, gather, grid())
		if all.Known != len(all.Points) {
			t.Errorf("%d shards: %d of %d runs are in the ledger", n, all.Known, len(all.Points))
		}
		done, err := gather.Run(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		if got := bytesOf(t, done); got != want {
			t.Errorf("%d shards gave\n%s\none process\n%s", n, got, want)
		}
	}
}

// bytesOf are the results of a plan.
func bytesOf(t *testing.T, p *Plan) string {
	t.Helper()
	points := append([]Point(nil), p.Points...)
	for i := range points {
		points[i].Known = false
	}
	data, err := json.Marshal(points)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestShardsAreReadAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	if s, err := ParseShard("3/8"); err != nil || s != (Shard{3, 8}) {
		t.Errorf("3/8 is %v (%v)", s, err)
	}
	for _, text := range []string{"", "3", "0/8", "9/8", "a/b", "1/0", "-1/3", "1/1000000"} {
		if _, err := ParseShard(text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}
