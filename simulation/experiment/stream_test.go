package experiment

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"weak"

	"tierscope/simulation"
)

// large is an experiment of more than two blocks.
func large() Experiment {
	return Experiment{Name: "large", Seed: 1, Only: []string{"R"}, Axes: []Axis{
		{Parameter: "workers", From: 1, To: 50, Step: 1}, {Parameter: "rate", From: 1, To: 100, Step: 1},
	}}
}

// Five thousand runs of eight writers, one of them lost, gathered in the memory of one block: the rows are those of one
// process that has all in memory, and of what is passed on nothing is kept.
func TestGatheringNeedsTheMemoryOfABlock(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one goroutine computes")
	}
	e := large()
	one := &Runner{Model: webServer(), Simulate: (&stand{}).run}
	p, err := one.Run(t.Context(), planned(t, one, e))
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	if err := WriteCSV(&want, e.Name, p.Parameters(), p.Points); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const shards, lost = 8, 5
	for i := 1; i <= shards; i++ {
		if i == lost {
			continue
		}
		stream(t, &Runner{Model: webServer(), Ledger: ledgerIn(t, dir), Simulate: (&stand{}).run}, e, Shard{i, shards}, func(Point) error { return nil })
	}
	var got strings.Builder
	rows, err := NewCSV(&got, e.Name, e.Parameters())
	if err != nil {
		t.Fatal(err)
	}
	var passed []weak.Pointer[simulation.Result]
	rest, last := &stand{}, Progress{}
	r := &Runner{Model: webServer(), Ledger: ledgerIn(t, dir), Simulate: rest.run, Progress: func(p Progress) { last = p }}
	s := stream(t, r, e, Shard{}, func(p Point) error {
		if passed = append(passed, weak.Make(p.Result)); len(passed) == 2*block+1 {
			runtime.GC()
			for i, w := range passed[:block] {
				if w.Value() != nil {
					t.Fatalf("result %d of those that were passed on is in memory when the third block is", i)
				}
			}
		}
		return rows.Write(p)
	})
	if err := rows.Flush(); err != nil {
		t.Fatal(err)
	}
	if got.String() != want.String() {
		t.Errorf("%d bytes were gathered, and one process writes %d others", got.Len(), want.Len())
	}
	if s.Points != 5000 || s.Known != 5000-len(rest.calls) || s.Known < 4000 {
		t.Errorf("%d points, %d of them known, %d simulated; want 5000, seven eighths of them known", s.Points, s.Known, len(rest.calls))
	}
	if last.Done != 5000 || last.Points != 5000 || last.Remaining != 0 {
		t.Errorf("the last report says %d of %d, %s to go", last.Done, last.Points, last.Remaining)
	}
}

func stream(t *testing.T, r *Runner, e Experiment, part Shard, pass func(Point) error) *Survey {
	t.Helper()
	s, err := r.Survey(t.Context(), e, part)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Stream(t.Context(), s, pass); err != nil {
		t.Fatal(err)
	}
	return s
}

// When its context ends a stream passes on what there is, and begins with nothing more.
func TestAStreamEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := &stand{after: func(calls int) {
		if calls == 7 {
			cancel()
		}
	}}
	r := &Runner{Model: webServer(), Ledger: ledgerIn(t, t.TempDir()), Pool: simulation.NewPool(1), Simulate: s.run}
	survey, err := r.Survey(ctx, grid(), Shard{})
	if err != nil {
		t.Fatal(err)
	}
	passed, with := 0, 0
	err = r.Stream(ctx, survey, func(p Point) error {
		if passed++; p.Result != nil {
			with++
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || passed != 20 || with < 7 || with > 9 || len(s.calls) > 9 {
		t.Errorf("%v; %d points passed on, %d of them with results, %d simulated; want 20, 7 to 9 and no more", err, passed, with, len(s.calls))
	}
}
