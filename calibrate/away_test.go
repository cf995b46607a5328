package calibrate

import (
	"math"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trust"
)

// A median of 3 ms that the program explains to 1 ms has 2 ms outside if the mean says so too,
// and no more than that tells. One that it more than explains has none. 40 ms are those of a delayed acknowledgement.
func TestWhatTheProgramDoesNotExplainIsOutside(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		measured, simulated trace.ResponseTime
		away                float64
		ack                 bool
	}{
		{trace.ResponseTime{Median: 0.003, Mean: 0.003}, trace.ResponseTime{Median: 0.001, Mean: 0.001}, 0.002, false},
		{trace.ResponseTime{Median: 0.003, Mean: 0.003}, trace.ResponseTime{Median: 0.001, Mean: 0.003}, 0, false},
		{trace.ResponseTime{Median: 0.003, Mean: 0.004}, trace.ResponseTime{Median: 0.001, Mean: 0.001}, 0.002, false},
		{trace.ResponseTime{Median: 0.001, Mean: 0.001}, trace.ResponseTime{Median: 0.003, Mean: 0.001}, 0, false},
		{trace.ResponseTime{Median: 0.0413, Mean: 0.0413}, trace.ResponseTime{Median: 0.0005, Mean: 0.0005}, 0.0408, true},
		{trace.ResponseTime{Median: 0.120, Mean: 0.120}, trace.ResponseTime{Median: 0.080, Mean: 0.080}, 0.040, true},
		{trace.ResponseTime{Median: 0.130, Mean: 0.130}, trace.ResponseTime{Median: 0.080, Mean: 0.080}, 0.050, false},
	} {
		got, says := outside("clients", c.measured, c.simulated)
		if math.Abs(got-c.away) > 1e-12 {
			t.Errorf("%v s measured, %v simulated: away for %g s, want %g", c.measured, c.simulated, got, c.away)
		}
		if strings.Contains(says, "sources/clients/away_s") != (c.away > 0) || strings.Contains(says, "TCP_NODELAY") != c.ack {
			t.Errorf("%v s measured, %v simulated: %q", c.measured, c.simulated, says)
		}
	}
}

// What was not measured or cannot be simulated, and what has no clients, has no time outside.
func TestOnlyTasksThatAreAnsweredAreAway(t *testing.T) {
	t.Parallel()
	slow := trust.Evidence{Response: trace.ResponseTime{Median: 1, Mean: 1}}
	if m, says := Away(t.Context(), server(.010), trust.Evidence{}); says != "" || m.Sources[0].Away != 0 {
		t.Errorf("without plain runs tasks are away for %g s: %q", m.Sources[0].Away, says)
	}
	if _, says := Away(t.Context(), recordedBatch(.010, .011, true), slow); says != "" {
		t.Errorf("a batch program has tasks outside: %q", says)
	}
	broken := server(.010)
	broken.Graphs = nil
	if m, says := Away(t.Context(), broken, slow); says != "" || m.Sources[0].Away != 0 {
		t.Errorf("of a model that cannot be simulated, tasks are away for %g s: %q", m.Sources[0].Away, says)
	}
}
