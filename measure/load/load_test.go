package load

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tierscope/analysis/trace"
)

// A Poisson process has exponential interarrival times: their coefficient of
// variation is 1. With 20 000 arrivals the mean has a standard error of 0.7 %
// and the CV one of about 1 %, so a correct schedule fails at 5 % in far less
// than one of 1e6 seeds.
func TestPoissonArrivalsHaveTheRateAndACoefficientOfVariationOfOne(t *testing.T) {
	t.Parallel()
	due := schedule(trace.Load{Rate: 200, Duration: 100, Seed: 7})
	gaps := make([]float64, len(due)-1)
	sum, squares := 0.0, 0.0
	for i := range gaps {
		gaps[i] = due[i+1] - due[i]
		sum += gaps[i]
		squares += gaps[i] * gaps[i]
	}
	mean := sum / float64(len(gaps))
	cv := math.Sqrt(squares/float64(len(gaps))-mean*mean) / mean
	if math.Abs(mean*200-1) > 0.05 || math.Abs(cv-1) > 0.05 {
		t.Errorf("interarrival times: mean %.5f s, CV %.3f; want 0.005 s and 1", mean, cv)
	}
}

func TestConstantArrivalsAreEquallySpaced(t *testing.T) {
	t.Parallel()
	got := schedule(trace.Load{Rate: 4, Constant: true, Warmup: 0.5, Duration: 1})
	if want := []float64{0.25, 0.5, 0.75, 1, 1.25}; !slices.Equal(got, want) {
		t.Errorf("constant schedule at 4/s for 1.5 s = %v, want %v", got, want)
	}
}

func TestEqualSeedsOfferEqualLoads(t *testing.T) {
	t.Parallel()
	l := trace.Load{URL: "http://h", Targets: []string{"/a", "/b", "/c"}, Rate: 100, Duration: 1, Seed: 3}
	if a, b := schedule(l), schedule(l); !slices.Equal(a, b) {
		t.Errorf("two schedules of one seed differ: %v, %v", a, b)
	}
	one, two := newTargets(l), newTargets(l)
	for i := range 100 {
		if a, b := one.next(), two.next(); a != b {
			t.Fatalf("target %d of one seed: %s and %s", i, a, b)
		}
	}
}

// A server that stalls makes all those wait that are due meanwhile, those included that are
// kept back since so many others wait already. A closed tool that starts its clock on
// sending would not report that for these. Where the generator alone was late, the
// server has not made anybody wait.
func TestResponseTimesCountFromWhenAServerKeepsARequestBack(t *testing.T) {
	t.Parallel()
	const more = 10
	g := &generator{load: trace.Load{Rate: 1000, Duration: 3}}
	var hits []Hit
	for i := range mostInFlight + more { // all due in the first second, and answered at 2
		due := float64(i) / (mostInFlight + more)
		sent := due + 0.0625 // the generator
		if i >= mostInFlight {
			sent = 2
		}
		hits = append(hits, Hit{Due: due, Sent: sent, End: 2})
	}
	r := g.report(hits)
	want := 0.0
	for i, h := range hits {
		from := h.Due
		if i < mostInFlight {
			from = h.Sent
		}
		want += (2 - from) / float64(len(hits))
	}
	if math.Abs(r.R.Mean-want) > 1e-9 {
		t.Errorf("mean response = %g s, want %g", r.R.Mean, want)
	}
	if math.Abs(r.Lag.Max-0.0625) > 1e-9 {
		t.Errorf("greatest lag = %g s, want 0.0625", r.Lag.Max)
	}
}

// Response times are of the answers that X counts, as in a simulation of that time
// (and in Little's law): those of 11 and 5 here, of 2 and 7 s.
func TestOnlyTheWorkPhaseCounts(t *testing.T) {
	t.Parallel()
	g := &generator{load: trace.Load{Rate: 1, Warmup: 10, Duration: 10}}
	r := g.report([]Hit{
		{Due: 5, Sent: 5, End: 12},      // due in the warm-up, answered in the work phase: X and R
		{Due: 11, Sent: 11, End: 13},    // the same
		{Due: 19, Sent: 19, End: 25},    // answered after the end
		{Due: 12, End: 12, Error: "no"}, // failed
	})
	if r.Requests != 3 || r.Failures != 1 || r.FirstError != "no" {
		t.Errorf("requests %d, failures %d (%q); want 3, 1 (no)", r.Requests, r.Failures, r.FirstError)
	}
	if math.Abs(r.X-0.2) > 1e-12 || math.Abs(r.R.Mean-4.5) > 1e-12 {
		t.Errorf("X = %g/s, R = %g s; want 0.2 and 4.5", r.X, r.R.Mean)
	}
}

func TestQuantilesAreNearestRanks(t *testing.T) {
	t.Parallel()
	sample := make([]float64, 100)
	for i := range sample {
		sample[i] = float64(100 - i)
	}
	if got, want := Summarize(sample), (Times{Mean: 50.5, P50: 50, P95: 95, P99: 99, Max: 100}); got != want {
		t.Errorf("Summarize(1…100) = %+v, want %+v", got, want)
	}
}

func TestAnOpenLoopSendsEveryScheduledRequest(t *testing.T) {
	t.Parallel()
	var served, started, ended atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served.Add(1)
		if r.URL.Path == "/bad" {
			http.Error(w, "no", http.StatusTeapot)
			return
		}
		w.Write([]byte("hello"))
	}))
	defer server.Close()
	l := trace.Load{URL: server.URL, Targets: []string{"/good?x=1", "/bad"}, Rate: 400, Warmup: 0.05, Duration: 0.2, Seed: 1}
	want := len(schedule(l))
	r, err := Drive(t.Context(), l, Hooks{
		WorkStart: func() { started.Add(1) }, WorkEnd: func() { ended.Add(1) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Hits) != want || served.Load() != int64(want) {
		t.Errorf("%d requests sent, %d served; %d were due", len(r.Hits), served.Load(), want)
	}
	if started.Load() != 1 || ended.Load() != 1 {
		t.Errorf("hooks were called %d and %d times, want once each", started.Load(), ended.Load())
	}
	if r.Failures == 0 || r.Failures == r.Requests || !strings.Contains(r.FirstError, "418") {
		t.Errorf("%d of %d failed with %q; want some, with status 418", r.Failures, r.Requests, r.FirstError)
	}
	for _, h := range r.Hits {
		if h.Sent < h.Due || h.End < h.Sent {
			t.Fatalf("request due at %g was sent at %g and answered at %g", h.Due, h.Sent, h.End)
		}
	}
}

// With N users and no think time exactly N requests are in the system.
func TestAClosedLoopNeverHasMoreRequestsThanUsers(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	now, most := 0, 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		mu.Lock()
		now--
		mu.Unlock()
	}))
	defer server.Close()
	r, err := Drive(t.Context(), trace.Load{URL: server.URL, Connections: 3, Duration: 0.1}, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if most > 3 || r.Requests < 3 {
		t.Errorf("%d users: %d requests, at most %d at once", 3, r.Requests, most)
	}
}

func TestEveryDefectOfALoadIsReported(t *testing.T) {
	t.Parallel()
	err := Check(trace.Load{URL: "localhost:80", Warmup: -1})
	for _, want := range []string{"http://127.0.0.1:8080", "neither a rate", "duration 0s", "warm-up"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check does not say %q: %v", want, err)
		}
	}
}

func TestAServerThatIsNotThereIsAnError(t *testing.T) {
	t.Parallel()
	const address = "http://127.0.0.1:1" // another test may be given the port of a server that was closed, but not this one
	_, err := Drive(t.Context(), trace.Load{URL: address, Rate: 100, Duration: 0.1, Seed: 1}, Hooks{})
	if err == nil || !strings.Contains(err.Error(), "requests failed") {
		t.Errorf("Drive to a closed port: %v; want that all requests failed", err)
	}
}

func TestWaitingEndsWhenTheServerHasEnded(t *testing.T) {
	t.Parallel()
	exited := make(chan struct{})
	close(exited)
	server := httptest.NewServer(http.NotFoundHandler())
	address := server.Listener.Addr().String()
	if err := Await(t.Context(), address, nil); err != nil {
		t.Errorf("Await of a listening port: %v", err)
	}
	server.Close()
	if err := Await(t.Context(), address, exited); err == nil || !strings.Contains(err.Error(), "ended before") {
		t.Errorf("Await of a program that ended: %v", err)
	}
}

func TestCancellingEndsTheLoad(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { cancel() }))
	defer server.Close()
	_, err := Drive(ctx, trace.Load{URL: server.URL, Rate: 100, Duration: 3600}, Hooks{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Drive after cancel: %v, want context.Canceled", err)
	}
}

// Who waits for a moment an hour away goes on when the load is over.
func TestAWaitEndsWithTheLoad(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	clock := newSleeper()
	defer clock.close()
	cancel()
	clock.until(ctx, time.Now().Add(time.Hour))
}
