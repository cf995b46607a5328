// Package report prints what a subject program measured about itself: one
// line of JSON on standard output, which `tierctl measure` reads.
package report

import (
	"encoding/json"
	"io"
	"runtime"
	"slices"
	"time"
)

// Summary is a program's own account of a run. All times are seconds.
type Summary struct {
	Program    string  `json:"program"`
	Workers    int     `json:"workers"`
	Procs      int     `json:"gomaxprocs"`
	Tasks      int     `json:"tasks"`
	Makespan   float64 `json:"makespan_s"`
	Throughput float64 `json:"throughput_per_s"` // Tasks / Makespan
	Mean       float64 `json:"response_mean_s"`
	P50        float64 `json:"response_p50_s"`
	P95        float64 `json:"response_p95_s"`
	P99        float64 `json:"response_p99_s"`
	Check      string  `json:"check"` // of the computed result: the same for every configuration
	// Operations are the mean times of operations that the program timed itself.
	Operations map[string]float64 `json:"operations_mean_s,omitempty"`
}

// New summarises the work that began at started and ends now; responses are
// the times that its tasks took, in parts as the workers recorded them.
func New(program string, workers int, started time.Time, check string, responses ...[]time.Duration) Summary {
	makespan := time.Since(started).Seconds()
	all := slices.Concat(responses...)
	slices.Sort(all)
	s := Summary{
		Program: program, Workers: workers, Procs: runtime.GOMAXPROCS(0), Check: check,
		Tasks: len(all), Makespan: makespan, Throughput: float64(len(all)) / makespan,
	}
	if len(all) == 0 {
		return s
	}
	var sum time.Duration
	for _, d := range all {
		sum += d
	}
	quantile := func(q float64) float64 { return all[int(q*float64(len(all)-1)+0.5)].Seconds() }
	s.Mean = sum.Seconds() / float64(len(all))
	s.P50, s.P95, s.P99 = quantile(0.50), quantile(0.95), quantile(0.99)
	return s
}

// Print writes the summary as one line.
func (s Summary) Print(w io.Writer) error { return json.NewEncoder(w).Encode(s) }
