package load

import (
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"
)

// Hit is one request. Times are seconds from the beginning of the load.
type Hit struct {
	Due   float64 `json:"due_s"`  // when it should have been sent
	Sent  float64 `json:"sent_s"` // when it was
	End   float64 `json:"end_s"`  // when the whole answer had come, to Linux's kernel; elsewhere when it had been read
	Bytes int64   `json:"bytes"`
	Error string  `json:"error,omitempty"`
}

// Report is what the generator saw.
type Report struct {
	Hits      []Hit   `json:"hits,omitempty"` // all, warm-up included, in the order in which they were due
	WorkStart int64   `json:"work_start_ns"`  // CLOCK_MONOTONIC (Linux), the clock of traces
	WorkEnd   int64   `json:"work_end_ns"`
	Requests  int     `json:"requests"` // due in the work phase
	Failures  int     `json:"failures"` // of those: no connection, timeout, or status 4xx or 5xx
	Offered   float64 `json:"offered_per_s"`
	X         float64 `json:"throughput_per_s"` // good answers that came in the work phase, per second
	R         Times   `json:"response_s"`       // of these answers, from when their requests were sent or kept back
	Lag       Times   `json:"lag_s"`            // sent − due of requests that the server did not keep back: how late the generator was
	// CPU is the time that this process used during the load, its own work
	// for the generator; divided by the number of Hits, the demand per arrival.
	CPU        time.Duration `json:"cpu_ns"`
	FirstError string        `json:"first_error,omitempty"`
}

// Times summarises a sample of durations in seconds. The zero value is of an
// empty sample.
type Times struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// Summarize returns mean and quantiles (nearest rank). It sorts the sample.
func Summarize(sample []float64) Times {
	if len(sample) == 0 {
		return Times{}
	}
	slices.Sort(sample)
	rank := func(q float64) float64 { return stat.Quantile(q, stat.Empirical, sample, nil) }
	return Times{
		Mean: stat.Mean(sample, nil),
		P50:  rank(0.50), P95: rank(0.95), P99: rank(0.99), Max: sample[len(sample)-1],
	}
}

func (g *generator) report(hits []Hit) *Report {
	slices.SortStableFunc(hits, func(a, b Hit) int {
		switch {
		case a.Due < b.Due:
			return -1
		case a.Due > b.Due:
			return 1
		}
		return 0
	})
	r := &Report{
		Hits:      hits,
		WorkStart: g.clock + int64(seconds(g.workStart())),
		WorkEnd:   g.clock + int64(seconds(g.workEnd())),
	}
	var responses, lags []float64
	since := begins(hits)
	for i, h := range hits {
		// As a simulation does: while queues grow, those that are answered have
		// waited less than those that come.
		if h.Error == "" && h.End >= g.workStart() && h.End < g.workEnd() {
			responses = append(responses, h.End-since[i])
		}
		if h.Due < g.workStart() || h.Due >= g.workEnd() {
			continue
		}
		r.Requests++
		if since[i] == h.Sent {
			lags = append(lags, h.Sent-h.Due)
		}
		if h.Error != "" {
			r.Failures++
			if r.FirstError == "" {
				r.FirstError = h.Error
			}
		}
	}
	r.Offered = float64(r.Requests) / g.load.Duration
	r.X = float64(len(responses)) / g.load.Duration
	r.R, r.Lag = Summarize(responses), Summarize(lags)
	return r
}

// begins returns from when the response times of hits count, which are in the order in
// which they were due. A request that a server keeps back, as too many others wait for it,
// counts from when it was due; one for which only the generator was late from when it was
// sent: that is in no server's power, and Lag.
func begins(hits []Hit) []float64 {
	ends := make([]float64, len(hits))
	for i, h := range hits {
		ends[i] = h.End
	}
	slices.Sort(ends)
	since := make([]float64, len(hits))
	answered := 0
	for i, h := range hits {
		for answered < len(ends) && ends[answered] <= h.Due {
			answered++
		}
		since[i] = h.Sent
		if i-answered >= mostInFlight {
			since[i] = h.Due
		}
	}
	return since
}
