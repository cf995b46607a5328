package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tierscope/core"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

// stand simulates nothing: its result is a function of settings and seed. It
// counts its calls.
type stand struct {
	mu    sync.Mutex
	calls []map[string]float64
	after func(calls int) // called after every call; may be nil
}

func (s *stand) run(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error) {
	r := rand.New(rand.NewPCG(o.Seed, uint64(1000*settings["workers"]+settings["rate"])))
	values := []float64{r.Float64(), r.Float64(), r.Float64()}
	s.mu.Lock()
	s.calls = append(s.calls, settings)
	n := len(s.calls)
	s.mu.Unlock()
	if s.after != nil {
		s.after(n)
	}
	return &simulation.Result{
		Model: m.Name, ModelHash: core.Hash(m), Configuration: settings, Seed: o.Seed, Replications: 3, Busy: time.Second,
		Interrupted: ctx.Err() != nil,
		Metrics: []simulation.Metric{
			{Name: "R", Of: "class/task", Stat: "mean", Unit: "s", Estimate: output.Replications(values, 0.95)},
			{Name: "X", Of: "class/task", Stat: "mean", Unit: "1/s", Estimate: output.Exactly(settings["rate"], 0.95)},
			{Name: "U", Of: "cpu", Stat: "mean", Unit: "1", Estimate: output.Exactly(0.5, 0.95)},
		},
	}, nil
}

func grid() Experiment {
	return Experiment{
		Name: "grid", Seed: 42,
		Axes: []Axis{{Parameter: "workers", Values: []float64{1, 2, 4, 8}}, {Parameter: "rate", From: 10, To: 50, Step: 10}},
	}
}

func ledgerIn(t *testing.T, dir string) *Ledger {
	t.Helper()
	l, err := OpenLedger(filepath.Join(dir, "runs", "ledger.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func planned(t *testing.T, r *Runner, e Experiment) *Plan {
	t.Helper()
	p, err := r.Plan(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// results is the content of a plan as bytes, without what depends on the clock.
func results(t *testing.T, p *Plan) string {
	t.Helper()
	for i := range p.Points {
		p.Points[i].Known = false
	}
	data, err := json.Marshal(p.Points)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestASweepGivesTheSameAnswerForAnyNumberOfWorkers(t *testing.T) {
	t.Parallel()
	var want string
	for _, workers := range []int{1, 3, 8} {
		s := &stand{}
		r := &Runner{Model: webServer(), Pool: simulation.NewPool(workers), Simulate: s.run}
		p, err := r.Run(t.Context(), planned(t, r, grid()))
		if err != nil || len(s.calls) != 20 {
			t.Fatalf("%d simulations, error %v; want 20", len(s.calls), err)
		}
		if got := results(t, p); want == "" {
			want = got
		} else if got != want {
			t.Errorf("%d workers:\n%s\nwant as with 1:\n%s", workers, got, want)
		}
	}
}

// A sweep that is cancelled after 7 points, and then started again, simulates
// the others only and ends with the answer of an undisturbed one.
func TestAnInterruptedSweepResumes(t *testing.T) {
	t.Parallel()
	undisturbed := &Runner{Model: webServer(), Simulate: (&stand{}).run}
	p, err := undisturbed.Run(t.Context(), planned(t, undisturbed, grid()))
	if err != nil {
		t.Fatal(err)
	}
	want := results(t, p)

	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	s := &stand{after: func(calls int) {
		if calls == 7 {
			cancel()
		}
	}}
	r := &Runner{Model: webServer(), Ledger: ledgerIn(t, dir), Pool: simulation.NewPool(1), Simulate: s.run}
	if _, err := r.Run(ctx, planned(t, r, grid())); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want that of the context", err)
	}
	if n := len(s.calls); n < 7 || n > 9 {
		t.Fatalf("%d simulations before the cancel took effect, want 7 to 9", n)
	}

	s2 := &stand{}
	r = &Runner{Model: webServer(), Ledger: ledgerIn(t, dir), Simulate: s2.run}
	plan := planned(t, r, grid())
	if plan.Known < 5 || plan.Remaining <= 0 {
		t.Errorf("the ledger has %d of the points and expects %v for the rest; want at least 5 and a forecast", plan.Known, plan.Remaining)
	}
	p, err = r.Run(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	if len(s2.calls) != 20-plan.Known {
		t.Errorf("%d simulations after the restart with %d of 20 points in the ledger", len(s2.calls), plan.Known)
	}
	if got := results(t, p); got != want {
		t.Errorf("resumed:\n%s\nundisturbed:\n%s", got, want)
	}
}

// Equal inputs are never simulated twice: neither again, nor under the name of
// the path that a parameter drives, nor with the default spelled out.
func TestEqualInputsAreSimulatedOnce(t *testing.T) {
	t.Parallel()
	s := &stand{}
	r := &Runner{Model: webServer(), Ledger: ledgerIn(t, t.TempDir()), Simulate: s.run}
	for _, axis := range []string{"workers=2,4", "pools/worker/size=2,4", "rate=60"} {
		a, err := ParseAxis(axis)
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.Run(t.Context(), planned(t, r, Experiment{Axes: []Axis{a}}))
		if err != nil {
			t.Fatal(err)
		}
		for _, point := range p.Points {
			if point.Result == nil || point.Result.Configuration[a.Parameter] != point.Settings[a.Parameter] {
				t.Errorf("%s: point %v has result %v", axis, point.Settings, point.Result)
			}
		}
	}
	if len(s.calls) != 2 {
		t.Errorf("%d simulations of 2 different configurations: %v", len(s.calls), s.calls)
	}
	if _, err := r.Run(t.Context(), planned(t, r, Experiment{Seed: 1, Axes: []Axis{{Parameter: "workers", Values: []float64{2}}}})); err != nil || len(s.calls) != 3 {
		t.Errorf("another seed made %d simulations (%v), want 3", len(s.calls), err)
	}
}

func TestAPlanReportsConfigurationsThatTheModelDoesNotAllow(t *testing.T) {
	t.Parallel()
	r := &Runner{Model: webServer(), Simulate: (&stand{}).run}
	for _, c := range []struct{ axis, want string }{
		{"workers=1,100", "workers"},
		{"workres=1,2", "workres"},
		{"workers=1.5", "whole number"},
	} {
		a, err := ParseAxis(c.axis)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Plan(t.Context(), Experiment{Axes: []Axis{a}}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one about %s", c.axis, err, c.want)
		}
	}
}

func TestAFailedPointEndsTheSweepWithItsConfiguration(t *testing.T) {
	t.Parallel()
	r := &Runner{Model: webServer(), Simulate: func(_ context.Context, _ core.Model, settings map[string]float64, _ simulation.Options) (*simulation.Result, error) {
		if settings["workers"] == 4 {
			return nil, errors.New("no room")
		}
		return &simulation.Result{Replications: 1}, nil
	}}
	_, err := r.Run(t.Context(), planned(t, r, grid()))
	if err == nil || !strings.Contains(err.Error(), "workers:4") || !strings.Contains(err.Error(), "no room") {
		t.Errorf("error %v, want the configuration and the reason", err)
	}
}

func TestAPausedPoolStartsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := simulation.NewPool(2)
		pool.Pause()
		done := make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		s := &stand{}
		r := &Runner{Model: webServer(), Pool: pool, Simulate: func(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error) {
			o.Pool.Wait(ctx)
			return s.run(ctx, m, settings, o)
		}}
		go func() {
			defer close(done)
			if _, err := r.Run(ctx, planned(t, r, grid())); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		if len(s.calls) != 0 {
			t.Errorf("%d simulations during the pause", len(s.calls))
		}
		pool.Resume()
		<-done
		cancel()
		if len(s.calls) != 20 {
			t.Errorf("%d simulations after the pause, want 20", len(s.calls))
		}
	})
}

// Reports come at most 30 times a second and a window may miss some: each tells of all points.
func TestProgressEndsWithAllPoints(t *testing.T) {
	t.Parallel()
	var last Progress
	r := &Runner{Model: webServer(), Simulate: (&stand{}).run, Progress: func(p Progress) { last = p }}
	if _, err := r.Run(t.Context(), planned(t, r, grid())); err != nil {
		t.Fatal(err)
	}
	if last.Done != 20 || last.Points != 20 || last.Running != 0 || len(last.Finished) != 20 {
		t.Errorf("last report %+v, want 20 of 20 done and told of", last)
	}
}

func TestCSVHasOneRowPerRunAndMetric(t *testing.T) {
	t.Parallel()
	r := &Runner{Model: webServer(), Simulate: (&stand{}).run}
	e := Experiment{Name: "small", Axes: []Axis{{Parameter: "workers", Values: []float64{2}}, {Parameter: "rate", Values: []float64{0.5e2, 60}}}}
	p, err := r.Run(t.Context(), planned(t, r, e))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := WriteCSV(&b, "small", p.Parameters(), p.Points); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if lines[0] != "run,scenario,workers,rate,metric,of,stat,value,lo,hi,n,unit" || len(lines) != 1+2*3 {
		t.Fatalf("%d lines with header %q, want 7", len(lines), lines[0])
	}
	if want := p.Points[0].ID + ",small,2,50,X,class/task,mean,50,50,50,1,1/s"; lines[2] != want {
		t.Errorf("row %q, want %q", lines[2], want)
	}
	if got := p.Metrics(); !slices.Equal(got, []string{"R class/task mean", "X class/task mean"}) {
		t.Errorf("the table shows %q", got)
	}
}
