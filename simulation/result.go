package simulation

import (
	"time"

	"tierscope/simulation/output"
)

// Options say how a configuration is simulated. The zero value is a sensible
// default: 10 replications of automatic length, 95 % intervals.
type Options struct {
	Seed            uint64
	Replications    int            // independent replications at least; 0: 10
	Precision       float64        // stop when the relative half-width of PrecisionOf is at most this; 0: Replications only
	PrecisionOf     []string       // metric keys, as Metric.Key returns; empty: R mean and X of every class, or T
	MaxReplications int            // 0: 10× Replications when Precision is set
	Confidence      float64        // of all intervals; 0: 0.95
	Duration        float64        // simulated seconds per replication; 0: automatic
	Warmup          float64        // simulated seconds cut off; 0: MSER-5 on the averaged series; negative: none
	BatchMeans      bool           // one long run cut into batches instead of replications
	Budget          time.Duration  // wall-clock limit; 0: none
	Workers         int            // parallel replications; 0: GOMAXPROCS
	Timeline        int            // spans to record of replication 0; 0: none
	Progress        func(Progress) // called from one goroutine at a time, at most 30 times a second; may be nil
}

// Progress is how far a run is. Partial is a complete Result of the
// replications so far; it is not changed afterwards.
type Progress struct {
	Replications int     // finished
	Planned      int     // expected
	Precision    float64 // relative half-width reached by the worst of PrecisionOf; +Inf below two replications
	Elapsed      time.Duration
	Remaining    time.Duration // estimate
	Partial      *Result
}

// Result is what a simulated configuration shows. All times are seconds.
type Result struct {
	Model         string             `json:"model"`         // name
	ModelHash     string             `json:"model_hash"`    // core.Hash of the model without the configuration
	Configuration map[string]float64 `json:"configuration"` // parameter settings and paths that differ from the model
	Seed          uint64             `json:"seed"`
	Version       string             `json:"version"`     // of the simulator: equal versions give equal results
	Fingerprint   string             `json:"fingerprint"` // of all executed events of all replications
	Replications  int                `json:"replications"`
	Terminating   bool               `json:"terminating"` // batch program: statistics over whole runs
	Duration      float64            `json:"duration_s"`  // simulated, per replication, after the warm-up
	Warmup        float64            `json:"warmup_s"`
	Completions   int64              `json:"completions"` // tasks that reached a sink, all replications
	Elapsed       time.Duration      `json:"elapsed_ns"`
	Metrics       []Metric           `json:"metrics"`
	Warnings      []string           `json:"warnings,omitempty"`
	Interrupted   bool               `json:"interrupted,omitempty"` // cancelled or out of budget: intervals are of what there was
}

// Metric is one estimated number. Name, Of and Stat identify it:
//
//	Name  meaning                              Of                            Stat
//	R     response time                        class/ID                      mean, p50, p90, p95, p99
//	X     throughput, per second               class/ID, fragment/G/F, …     mean
//	U     utilization, 0…1 of capacity         cpu, core/N, disk/ID, lock/ID, pool/ID    mean
//	Q     mean number waiting                  cpu, disk/ID, lock/ID, queue/ID           mean
//	W     wait per visit                       disk/ID, lock/ID, queue/ID                mean
//	S     hold or service time per visit       disk/ID, lock/ID                          mean
//	N     mean number in the system / busy     class/ID, pool/ID             mean
//	T     makespan of a batch program          program                       mean, p50, p90, p95, p99
//	D     share of tasks lost                  class/ID, queue/ID            mean
//	E     time per execution                   fragment/G/F, group/G/NAME    mean
//	V     executions per completed task        fragment/G/F                  mean
//	B     where a task's response time went    class/ID                      queue, ready, cpu, lock, disk_wait, disk_service, delay, other
type Metric struct {
	Name     string          `json:"name"`
	Of       string          `json:"of"`
	Stat     string          `json:"stat"`
	Unit     string          `json:"unit"`
	Estimate output.Estimate `json:"estimate"`
}

// Key is "Name Of Stat", for example "R class/task p95".
func (m Metric) Key() string { return m.Name + " " + m.Of + " " + m.Stat }

// Find returns the metric with the given key.
func (r *Result) Find(key string) (Metric, bool) {
	for _, m := range r.Metrics {
		if m.Key() == key {
			return m, true
		}
	}
	return Metric{}, false
}
