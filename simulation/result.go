package simulation

import (
	"strings"
	"time"

	"tierscope/simulation/output"
	"tierscope/simulation/timeline"
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
	Duration        float64        // simulated seconds per replication after the warm-up; 0: automatic
	Warmup          float64        // simulated seconds cut off; 0: MSER-5 on the averaged series of pilot replications; negative: none
	Only            []string       // how the keys of metrics begin that are asked for: those of fragments that are not, courses and distributions are left out; empty: nothing is
	BatchMeans      bool           // one long run cut into batches instead of replications
	ModelAsItIs     bool           // intervals without what is not known of the model
	Budget          time.Duration  // wall-clock limit; 0: none
	Workers         int            // parallel replications; 0: GOMAXPROCS; not used with Pool
	Pool            *Pool          // shared with other runs; nil: an own one of Workers
	ModelHash       string         // core.Hash of the model, from who simulates it many times; "": it is made
	Director        Director       // what the threads do next; "": the walks of the model where they can answer
	Timeline        int            // spans to record of replication 0, after its warm-up; 0: none
	Progress        func(Progress) // called from one goroutine at a time, at most 30 times a second; may be nil
}

// Progress is how far a run is. Partial is a complete Result of the
// replications so far, nil before the first has finished; it is not changed
// afterwards.
type Progress struct {
	Replications int     // finished
	Planned      int     // expected
	Done         float64 // share of the planned simulated time, 0…1
	Precision    float64 // relative half-width reached by the worst of PrecisionOf; +Inf below two replications
	Elapsed      time.Duration
	Remaining    time.Duration // estimate
	Partial      *Result
	// WithoutInputs says that the intervals of Partial, and Precision, do not hold what is not known of the model: it is
	// simulated after the last replication.
	WithoutInputs bool
}

// Result is what a simulated configuration shows. All times are seconds.
type Result struct {
	Model         string              `json:"model"`         // name
	ModelHash     string              `json:"model_hash"`    // core.Hash of the model without the configuration
	Configuration map[string]float64  `json:"configuration"` // parameter settings and paths that differ from the model
	Seed          uint64              `json:"seed"`
	Version       string              `json:"version"`     // of the simulator: equal versions give equal results
	Fingerprint   string              `json:"fingerprint"` // of all executed events of all replications
	Replications  int                 `json:"replications"`
	Director      Director            `json:"director,omitempty"` // who said what threads do next
	Terminating   bool                `json:"terminating"`        // batch program: statistics over whole runs
	BatchMeans    bool                `json:"batch_means,omitempty"`
	Duration      float64             `json:"duration_s"` // simulated, per replication, after the warm-up
	Warmup        float64             `json:"warmup_s"`
	Completions   int64               `json:"completions"` // tasks that reached a sink, all replications
	Events        int64               `json:"events"`      // executed, all replications
	Elapsed       time.Duration       `json:"elapsed_ns"`
	Busy          time.Duration       `json:"busy_ns"` // of all workers together: what the run cost
	Metrics       []Metric            `json:"metrics"`
	Distributions []Distribution      `json:"distributions,omitempty"`
	Courses       []Course            `json:"courses,omitempty"`
	Correction    float64             `json:"correction,omitempty"` // part by which all times are longer than the model says, by its checks (core.Model.AsChecked)
	Doubt         string              `json:"doubt,omitempty"`      // how well the answer is known, and which part of that is of the inputs
	Warnings      []string            `json:"warnings,omitempty"`
	Timeline      *timeline.Recording `json:"-"`                     // of replication 0, if Options.Timeline; nil in partial results
	Unstable      bool                `json:"unstable,omitempty"`    // arrivals exceed capacity: R depends on Duration
	Short         bool                `json:"short,omitempty"`       // queues remember for longer than Duration: what is open above is at least that
	Halted        string              `json:"halted,omitempty"`      // why a replication ended in a deadlock or at a defect of the model; "": none did
	Interrupted   bool                `json:"interrupted,omitempty"` // cancelled or out of budget: intervals are of what there was
}

// Metric is one estimated number. Name, Of and Stat identify it:
//
//	Name  meaning                              Of                            Stat
//	R     response time                        class/ID                      mean, p50, p90, p95, p99
//	X     throughput, per second               class/ID, fragment/G/F, …     mean
//	U     utilization, 0…1 of capacity         cpu, core/N, disk/ID, lock/ID that threads hold, pool/ID    mean
//	Q     mean number waiting                  cpu, disk/ID, lock/ID, queue/ID           mean
//	W     wait per operation that may wait     disk/ID, lock/ID, queue/ID                mean
//	S     time for which it is held, or serves disk/ID, lock/ID                          mean
//	N     mean number in the system / busy     class/ID, pool/ID, disk/ID, background/ID (cores), lock/ID that items lie in    mean
//	T     makespan of a batch program          program                       mean, p50, p90, p95, p99
//	D     share of tasks lost                  class/ID, queue/ID            mean
//	H     share of lookups that hit            cache/ID                      mean
//	E     time per execution                   fragment/G/F, group/G/NAME    mean
//	V     executions per completed task        fragment/G/F                  mean
//	B     where a task's response time went    class/ID                      queue, ready, cpu, lock, disk_wait, disk_service, delay, other
//
// U of a disk is the share of time in which its device has a request, as the kernel
// counts it, and N is how many it has.
//
// What was never visited in any replication has no W, S, E, V or B.
type Metric struct {
	Name     string          `json:"name"`
	Of       string          `json:"of"`
	Stat     string          `json:"stat"`
	Unit     string          `json:"unit"`
	Estimate output.Estimate `json:"estimate"`
}

// Distribution is the cumulative distribution of an observed quantity over
// all replications: R of a class, or T of a batch program.
type Distribution struct {
	Name  string         `json:"name"`
	Of    string         `json:"of"`
	Unit  string         `json:"unit"`
	Count int64          `json:"count"`
	CDF   []output.Point `json:"cdf"`
}

// Course is how a quantity moved over the simulated time, averaged over the
// replications, the warm-up included: R of the tasks of a class that
// completed then, or N, the tasks in the system.
type Course struct {
	Name   string         `json:"name"`
	Of     string         `json:"of"`
	Unit   string         `json:"unit"`
	Step   float64        `json:"step_s"` // values[i] is of the time from i·Step to (i+1)·Step
	Values output.Numbers `json:"values"` // NaN: nothing observed
}

// Key is "Name Of Stat", for example "R class/task p95".
func (m Metric) Key() string { return m.Name + " " + m.Of + " " + m.Stat }

// has reports whether key is that of the metric, without making it: there are tens of thousands of metrics.
func (m *Metric) has(key string) bool {
	of := len(m.Name) + 1
	stat := of + len(m.Of) + 1
	return len(key) == stat+len(m.Stat) && key[:of-1] == m.Name && key[of-1] == ' ' && key[of:stat-1] == m.Of && key[stat-1] == ' ' && key[stat:] == m.Stat
}

// ParseKey divides a key of Metric.Key; false if it has no such parts. What a metric is of may
// have spaces in its name, and measurements leave it out.
func ParseKey(key string) (name, of, stat string, ok bool) {
	first, last := strings.Index(key, " "), strings.LastIndex(key, " ")
	if first < 0 || first == last {
		return "", "", "", false
	}
	return key[:first], key[first+1 : last], key[last+1:], true
}

// Find returns the metric with the given key.
func (r *Result) Find(key string) (Metric, bool) {
	for i := range r.Metrics {
		if m := &r.Metrics[i]; m.has(key) {
			return *m, true
		}
	}
	return Metric{}, false
}
