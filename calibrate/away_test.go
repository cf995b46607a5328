package calibrate

import (
	"math"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trust"
	"tierscope/core"
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

// What checks say that a server computes longer is not outside of it as well: the response time stays that of the
// plain runs, and only the last sentence about it stays.
func TestWhatChecksCorrectIsNotOutside(t *testing.T) {
	t.Parallel()
	const seen = .050
	r := &trust.Report{Evidence: trust.Evidence{Response: trace.ResponseTime{Median: seen, Mean: seen}}}
	m, says := Away(t.Context(), server(.020), r.Evidence)
	r.Trust.Assumptions = []string{"first", says, "last"}
	m.Checked = []core.Checked{{At: map[string]float64{"sources/clients/rate_per_s": 2}, Off: .2, Runs: 3}}
	computes := .020 * (1 + m.Correction())
	AwayAsChecked(t.Context(), &m, r)
	if computes < .021 || math.Abs(m.Sources[0].Away+computes-seen) > 1e-4 {
		t.Errorf("computing takes %g s, and tasks are away for %g; want %g in all", computes, m.Sources[0].Away, seen)
	}
	if got := r.Trust.Assumptions; len(got) != 3 || got[0] != "first" || got[1] != "last" || got[2] == says {
		t.Errorf("assumed: %q, want the new sentence in place of %q", got, says)
	}
	before := m.Sources[0].Away
	r.Evidence.Response = trace.ResponseTime{}
	if AwayAsChecked(t.Context(), &m, r); m.Sources[0].Away != before || len(r.Trust.Assumptions) != 3 {
		t.Errorf("without plain runs tasks are away for %g s, want %g as before", m.Sources[0].Away, before)
	}
}
