package execution

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"tierscope/analysis/trace"
)

// A server that needs 300 µs for a request after a pause and 150 µs after another
// one is at 30 % of its core under 1000 requests per second. 70 % are 2 1/3 times as
// many; users without pauses show half the cost, if the core is busy all the time.
func TestAServerIsComparedUnderHigherLoads(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ busy, saturated float64 }{
		"who asks keeps up": {1, 0.5}, "who asks is too slow": {0.8, 0},
	} {
		b, err := Busier(t.Context(), trace.Load{Rate: 1000, Duration: 4}, 1, func(l trace.Load) (Outcome, error) {
			if want := max(2, 4*1000/max(l.Rate, 1)); l.Rate > 0 && math.Abs(l.Duration-want) > 1e-9 {
				t.Errorf("%s: %g s under %g requests/s, want as many requests in %g s", name, l.Duration, l.Rate, want)
			}
			o := Outcome{Work: [2]int64{0, 1e9}, Answers: Answers{Tasks: 1000, Response: trace.ResponseTime{Median: 0.001}}, WorkCPU: 300 * time.Millisecond}
			switch {
			case l.Rate == 0 && l.Connections > 0:
				o.WorkCPU = time.Duration(c.busy * 1e9)
				o.Tasks = int64(c.busy / 150e-6)
			case l.Rate > 1000:
				o.Tasks, o.Response = int64(l.Rate), trace.ResponseTime{Median: 0.002}
				o.WorkCPU = time.Duration(l.Rate * 200e3)
			}
			return o, nil
		})
		if err != nil || b == nil {
			t.Fatalf("%s: %v, %v", name, b, err)
		}
		if math.Abs(b.Factor-7.0/3) > 1e-9 || math.Abs(b.Cost-2.0/3) > 1e-3 || math.Abs(b.Between-2.0/3) > 1e-3 || math.Abs(b.Saturated-c.saturated) > 1e-3 {
			t.Errorf("%s: %+v, want 7/3 times the rate, a cost of 2/3 there and between, saturated %g", name, *b, c.saturated)
		}
		if !slices.Equal(b.Usual, []float64{300e-6, 300e-6}) {
			t.Errorf("%s: costs %v, want those under the usual load", name, b.Usual)
		}
		if !slices.Equal(b.Responses, []trace.ResponseTime{{Median: 0.001}, {Median: 0.001}}) {
			t.Errorf("%s: response times %v, want those under the usual load", name, b.Responses)
		}
	}
}

// A server that is at 60 % of its core has no higher load that tells more, but users
// without pauses do.
func TestABusyServerIsComparedWithASaturatedOne(t *testing.T) {
	t.Parallel()
	b, err := Busier(t.Context(), trace.Load{Rate: 80, Duration: 1}, 1, func(l trace.Load) (Outcome, error) {
		if l.Rate > 0 {
			return Outcome{Work: [2]int64{0, 1e9}, Answers: Answers{Tasks: 80}, WorkCPU: 600 * time.Millisecond}, nil
		}
		return Outcome{Work: [2]int64{0, 1e9}, Answers: Answers{Tasks: 160}, WorkCPU: time.Second}, nil
	})
	if want := (trace.Busier{Factor: 1, Cost: 1, Saturated: 160.0 / 192}); err != nil || b == nil || b.Factor != 1 || b.Cost != 1 || math.Abs(b.Saturated-want.Saturated) > 1e-9 {
		t.Errorf("got %+v, %v, want %+v", b, err, want)
	}
}

// Without a rate there is none to raise.
func TestUsersWhoThinkAreNotMadeToHurry(t *testing.T) {
	t.Parallel()
	b, err := Busier(t.Context(), trace.Load{Connections: 4, Duration: 1}, 1, func(trace.Load) (Outcome, error) {
		t.Error("a run for nothing")
		return Outcome{}, context.Canceled
	})
	if b != nil || err != nil {
		t.Errorf("got %v, %v", b, err)
	}
}
