package simulation

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/output"
)

// singleServer is an M/M/1 queue as a simulator, written without the engine:
// the conductor is tested against a process whose truth is known.
type singleServer struct {
	lambda, mu float64
	tasks      int           // ends after so many; 0: never
	pause      chan struct{} // a step waits for it, if not nil
}

func (s singleServer) quantities() []quantity {
	return []quantity{
		{"R", "class/task", "mean", "s"},
		{"X", "class/task", "mean", "1/s"},
		{"U", "server", "mean", "1"},
		{"W", "lock/never", "mean", "s"},
	}
}

func (s singleServer) classes() []string { return []string{"task"} }

func (s singleServer) start(seed, replication uint64, _ int) replication {
	r := &singleServerRun{
		model:    s,
		arrivals: rand.New(rand.NewPCG(seed, 2*replication)),
		services: rand.New(rand.NewPCG(seed, 2*replication+1)),
		course:   output.NewSeries(courseBins, 1e6),
		system:   output.NewSeries(courseBins, 1e6),
	}
	r.arrival = r.arrivals.ExpFloat64() / s.lambda
	return r
}

type singleServerRun struct {
	model              singleServer
	arrivals, services *rand.Rand
	clock, arrival     float64 // now, and the next arrival
	departures         []float64
	free               float64 // when the server is done with all that have arrived
	times              []float64
	n, events, since   int64
	arrived            int64
	start, busy        float64
	response           output.Sketch
	sum                float64
	course, system     *output.Series
	hash               uint64
}

func (r *singleServerRun) now() des.Time    { return des.Seconds(r.clock) }
func (r *singleServerRun) completed() int64 { return r.n }
func (r *singleServerRun) executed() int64  { return r.events }
func (r *singleServerRun) whoWaits() string { return "" }
func (r *singleServerRun) ended() bool {
	return r.model.tasks > 0 && r.n == int64(r.model.tasks)
}

func (r *singleServerRun) advance(ctx context.Context, until des.Time) {
	end := until.Seconds()
	if until == des.Never {
		end = math.Inf(1)
	}
	for !r.ended() {
		if r.events%1024 == 0 {
			if r.model.pause != nil {
				select {
				case <-r.model.pause:
				case <-ctx.Done():
				}
			}
			if ctx.Err() != nil {
				return
			}
		}
		next := r.arrival
		departs := len(r.departures) > 0 && r.departures[0] <= next
		if departs {
			next = r.departures[0]
		}
		if next > end {
			r.clock = end
			return
		}
		r.clock = next
		r.events++
		r.hash = des.Mix(r.hash ^ math.Float64bits(next))
		at := int64(next * 1e9)
		if departs {
			response := next - r.times[0]
			r.departures, r.times = r.departures[1:], r.times[1:]
			r.response.Add(response)
			r.sum += response
			r.n++
			r.since++
			r.course.Add(at, response)
		} else {
			demand := r.services.ExpFloat64() / r.model.mu
			r.free = max(r.free, next) + demand
			r.busy += demand
			r.departures = append(r.departures, r.free)
			r.times = append(r.times, next)
			r.arrived++
			r.arrival = next + r.arrivals.ExpFloat64()/r.model.lambda
			if r.model.tasks > 0 && r.arrived == int64(r.model.tasks) {
				r.arrival = math.Inf(1)
			}
		}
		r.system.Add(at, float64(len(r.times)))
	}
}

func (r *singleServerRun) restart() {
	r.start, r.since, r.sum, r.busy = r.clock, 0, 0, 0
	r.response.Reset()
}

func (r *singleServerRun) observe() outcome {
	t := r.clock - r.start
	var response output.Sketch
	response.Merge(&r.response)
	return outcome{
		Observed: t, Until: r.clock, Ended: r.ended(), Makespan: r.clock,
		Completions: r.since, Arrivals: int64(r.model.lambda * t), Events: r.events, Fingerprint: r.hash,
		Ratios: []ratio{
			{r.sum, float64(r.since)}, {float64(r.since), t}, {r.busy, t}, {0, 0},
		},
		Responses:      []output.Sketch{response},
		ResponseCourse: []*output.Series{r.course.Clone()},
		SystemCourse:   r.system.Clone(),
	}
}

func conducted(ctx context.Context, s singleServer, o Options) *Result {
	c := conductor{simulator: s, dilation: 1, options: o.withDefaults(), tasks: true, terminating: s.tasks > 0}
	return c.conduct(ctx)
}

func find(t *testing.T, r *Result, key string) output.Estimate {
	t.Helper()
	m, ok := r.Find(key)
	if !ok {
		t.Fatalf("no metric %q among %d", key, len(r.Metrics))
	}
	return m.Estimate
}

// M/M/1 with λ = 8, μ = 10: R = 1/(μ−λ) = 0.5 s, exponential, so its p-quantile
// is R·ln(1/(1−p)); X = λ, U = λ/μ. 99.9 % intervals of five numbers: a
// correct program would fail with fresh seeds about once in 200 runs.
func TestARunOfASingleServerQueueCoversTheory(t *testing.T) {
	t.Parallel()
	for _, mode := range []struct {
		name string
		o    Options
	}{
		{"replications", Options{Seed: 1, Confidence: 0.999}},
		{"batch means", Options{Seed: 1, Confidence: 0.999, BatchMeans: true}},
	} {
		t.Run(mode.name, func(t *testing.T) {
			t.Parallel()
			r := conducted(t.Context(), singleServer{lambda: 8, mu: 10}, mode.o)
			for _, c := range []struct {
				key  string
				want float64
			}{
				{"R class/task mean", 0.5},
				{"R class/task p50", 0.5 * math.Ln2},
				{"R class/task p95", 0.5 * math.Log(20)},
				{"X class/task mean", 8},
				{"U server mean", 0.8},
			} {
				if e := find(t, r, c.key); e.Lo > c.want || e.Hi < c.want || e.Precision() > 0.2 {
					t.Errorf("%s = %.4g [%.4g, %.4g], want %.4g inside and at most ±20 %%", c.key, e.Mean, e.Lo, e.Hi, c.want)
				}
			}
			if len(r.Warnings) > 0 || r.Unstable || r.Interrupted {
				t.Errorf("warnings %q, unstable %t, interrupted %t; want none", r.Warnings, r.Unstable, r.Interrupted)
			}
			if r.Warmup <= 0 || r.Duration < 9*r.Warmup || r.Completions < 150_000 {
				t.Errorf("warm-up %g s, duration %g s, %d completions; want a warm-up and 10 × 20,000 tasks", r.Warmup, r.Duration, r.Completions)
			}
			if _, ok := r.Find("W lock/never mean"); ok {
				t.Error("a lock that nobody visits has a mean wait")
			}
		})
	}
}

// "The answer is bit-identical for any number of workers."
func TestTheAnswerDoesNotDependOnTheNumberOfWorkers(t *testing.T) {
	t.Parallel()
	var want []byte
	for _, workers := range []int{1, 2, 7} {
		r := conducted(t.Context(), singleServer{lambda: 7, mu: 10}, Options{Seed: 3, Workers: workers, Precision: 0.02, MaxReplications: 30})
		r.Elapsed, r.Busy = 0, 0
		got, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if string(got) != string(want) {
			t.Errorf("with %d workers the result differs from one with 1:\n%s\n%s", workers, got, want)
		}
	}
}

func TestReplicationsGoOnUntilThePrecisionIsReached(t *testing.T) {
	t.Parallel()
	o := Options{Seed: 4, Duration: 200, Warmup: 10, Precision: 0.05, MaxReplications: 400}
	r := conducted(t.Context(), singleServer{lambda: 8, mu: 10}, o)
	if p := find(t, r, "R class/task mean").Precision(); p > 0.05 || r.Replications <= 10 || len(r.Warnings) > 0 {
		t.Errorf("±%.1f %% after %d replications with warnings %q, want at most ±5 %% after more than 10", 100*p, r.Replications, r.Warnings)
	}
	o.MaxReplications = 12
	r = conducted(t.Context(), singleServer{lambda: 8, mu: 10}, o)
	if r.Replications != 12 || !strings.Contains(strings.Join(r.Warnings, "\n"), "precision not reached: ±") {
		t.Errorf("%d replications with warnings %q, want 12 and a warning about the precision", r.Replications, r.Warnings)
	}
}

// λ = 12 and μ = 10: the queue grows by 2 tasks per second.
func TestArrivalsBeyondCapacityAreCalledUnstable(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{Seed: 5}, {Seed: 5, BatchMeans: true}} {
		r := conducted(t.Context(), singleServer{lambda: 12, mu: 10}, o)
		text := strings.Join(r.Warnings, "\n")
		if !r.Unstable || !strings.Contains(text, "unstable: 12.0 /s arrive but only 10") || !strings.Contains(text, "grows by 2.0") &&
			!strings.Contains(text, "grows by 1.9") {
			t.Errorf("batch means %t: unstable %t, warnings %q; want growth of 2 /s", o.BatchMeans, r.Unstable, r.Warnings)
		}
	}
}

// A load of 0.9 makes long queues, but the number in the system does not grow.
// Four seeds at a 0.1 % level: a correct program fails with fresh seeds less
// than once in 250 runs.
func TestAHighLoadIsNotCalledUnstable(t *testing.T) {
	t.Parallel()
	seeds := uint64(10)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		r := conducted(t.Context(), singleServer{lambda: 9, mu: 10}, Options{Seed: seed, Replications: 5})
		if r.Unstable {
			t.Errorf("seed %d: %q", seed, r.Warnings)
		}
	}
}

// A program that serves 500 tasks and ends: T is at least 500 service times,
// and the whole run is observed.
func TestABatchProgramIsObservedFromStartToEnd(t *testing.T) {
	t.Parallel()
	r := conducted(t.Context(), singleServer{lambda: 100, mu: 10, tasks: 500}, Options{Seed: 6})
	e := find(t, r, "T program mean")
	if !r.Terminating || r.Warmup != 0 || e.Lo > 50 || e.Hi < 50 || e.N != 10 {
		t.Errorf("terminating %t, warm-up %g, T = %g [%g, %g] of %d runs; want 500 services of 0.1 s in 10 whole runs",
			r.Terminating, r.Warmup, e.Mean, e.Lo, e.Hi, e.N)
	}
	if r.Completions != 5000 {
		t.Errorf("%d completions, want 10 × 500", r.Completions)
	}
}

// At λ = 9.8 and μ = 10 the number in the system remembers some 20,000 service
// times; replications of 20,000 tasks differ too much and are made longer, with
// a longer warm-up. R = 1/(μ−λ) = 5 s inside its 99.9 % interval.
func TestALoadCloseToSaturationIsSimulatedLonger(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("millions of events")
	}
	near := conducted(t.Context(), singleServer{lambda: 9.8, mu: 10}, Options{Seed: 9, Confidence: 0.999})
	far := conducted(t.Context(), singleServer{lambda: 5, mu: 10}, Options{Seed: 9, Confidence: 0.999})
	if near.Duration*9.8 < 4*far.Duration*5 || near.Warmup < near.Duration/20 {
		t.Errorf("%g s after a warm-up of %g s close to saturation, %g s at half the load; want several times as many tasks", near.Duration, near.Warmup, far.Duration)
	}
	if e := find(t, near, "R class/task mean"); e.Lo > 5 || e.Hi < 5 {
		t.Errorf("R = %.3g s [%.3g, %.3g], want 5 s inside", e.Mean, e.Lo, e.Hi)
	}
	if near.Unstable {
		t.Errorf("called unstable: %q", near.Warnings)
	}
}

// Cancelled while it is made longer, a run has the shorter replications.
func TestARunCancelledWhileItIsMadeLongerKeepsTheShorterOne(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := conducted(ctx, singleServer{lambda: 9.8, mu: 10}, Options{Seed: 9, Workers: 1, Replications: 5, Progress: func(p Progress) {
		if p.Done < 0.05 && p.Partial != nil && p.Replications == 0 { // begun again
			cancel()
		}
	}})
	if r.Interrupted && r.Replications < output.FewObservations {
		t.Errorf("interrupted with %d replications, want the 5 short ones", r.Replications)
	}
	if _, ok := r.Find("R class/task mean"); !ok {
		t.Error("no response time")
	}
}

// Cancelled at the first report, a run returns what there is at once.
func TestACancelledRunReturnsWhatThereIs(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var reports []Progress
	s := singleServer{lambda: 8, mu: 10}
	r := conducted(ctx, s, Options{Seed: 7, Workers: 2, Duration: 2000, Warmup: 50, Replications: 1000, Progress: func(p Progress) {
		reports = append(reports, p)
		if p.Replications >= 2 {
			cancel()
		}
	}})
	if !r.Interrupted || r.Replications < 2 || r.Replications >= 1000 || len(reports) == 0 {
		t.Fatalf("interrupted %t after %d replications and %d reports, want some of 1000", r.Interrupted, r.Replications, len(reports))
	}
	last := reports[len(reports)-1]
	if last.Partial == nil || last.Planned != 1000 || last.Done <= 0 || last.Done > 0.5 {
		t.Errorf("last report %+v, want a partial result of a small part of 1000 replications", last)
	}
	if e := find(t, r, "R class/task mean"); math.IsNaN(e.Mean) || !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, "interrupted after") }) {
		t.Errorf("R = %g with warnings %q, want a number and a word about the interruption", e.Mean, r.Warnings)
	}
}

// A run that is cancelled during its first replications shows them as far as
// they came; one that is cancelled before its warm-up says that there is nothing.
func TestAnInterruptedFirstReplicationCounts(t *testing.T) {
	t.Parallel()
	pause := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for range 40 { // 1024 events each
			pause <- struct{}{}
		}
		cancel()
	}()
	s := singleServer{lambda: 8, mu: 10, pause: pause}
	r := conducted(ctx, s, Options{Seed: 8, Workers: 1, Warmup: 10, Duration: 1e6})
	if !r.Interrupted || r.Completions < 10_000 || math.Abs(find(t, r, "X class/task mean").Mean-8) > 1 {
		t.Errorf("interrupted %t with %d completions: %q", r.Interrupted, r.Completions, r.Warnings)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	r = conducted(cancelled, singleServer{lambda: 8, mu: 10}, Options{})
	if !r.Interrupted || r.Replications != 0 || !strings.Contains(strings.Join(r.Warnings, ""), "there are no results") {
		t.Errorf("cancelled beforehand: %+v", r)
	}
}

func TestTheBudgetInterruptsARun(t *testing.T) {
	t.Parallel()
	m := station(50, 1, 0, core.Distribution{Kind: core.Exponential, Mean: 0.01})
	r, err := Run(t.Context(), m, nil, Options{Budget: time.Millisecond, Duration: 1e9})
	if err != nil || !r.Interrupted {
		t.Errorf("a run of 30 years: %v, interrupted %t; want what there is after a millisecond", err, r.Interrupted)
	}
}

func TestAResultSurvivesJSON(t *testing.T) {
	t.Parallel()
	r := conducted(t.Context(), singleServer{lambda: 2, mu: 10}, Options{Replications: 5})
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got Result
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(&got)
	if err != nil || string(again) != string(data) || len(got.Distributions) != 1 || len(got.Courses) != 2 {
		t.Errorf("read back with error %v as\n%s\nwant\n%s", err, again, data)
	}
	if !reflect.DeepEqual(got.Metrics, r.Metrics) {
		t.Error("the metrics read back differ")
	}
}

func TestDurationsAreRoundedUpInSteps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ x, want float64 }{{0, 0}, {1, 1}, {1.1, 1.2}, {0.0031, 0.004}, {8.5, 10}, {61, 80}, {1e-6, 1e-6}} {
		if got := roundUp(c.x); math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%g is rounded up to %g, want %g", c.x, got, c.want)
		}
	}
}
