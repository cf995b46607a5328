package analysis

import "errors"

// Scaling says what happens to the work of a pool that shares it statically
// when the number of its threads changes.
type Scaling string

// Rules of scaling.
const (
	ScalingAuto   Scaling = ""       // as the evidence says, strong without any
	ScalingStrong Scaling = "strong" // a fixed amount of work is divided among the threads
	ScalingWeak   Scaling = "weak"   // every thread brings its own work
)

// Options of Build. The zero value is the default.
type Options struct {
	Threshold float64 // t of §4.3.1 as a fraction; 0: DefaultThreshold; negative: keep everything
	Scaling   Scaling
	Library   Library // splits nodes; nil: the whole calling context
}

// Input is what the stages before found out. Only Trace is needed.
type Input struct {
	Workload Workload
	Samples  *Samples
	Facts    *Facts
	Trace    *Trace
}

// Report says what Build did and how far the model can be trusted.
type Report struct {
	Groups    []GroupReport `json:"groups"`
	Unmatched unmatched     `json:"unmatched"`
	Trust     Trust         `json:"trust"`
	Evidence  Evidence      `json:"evidence"` // what calibrating the model needs
}

// GroupReport says what became of a thread group.
type GroupReport struct {
	Name       string `json:"name"`
	Kind       string `json:"kind"`
	Threads    int    `json:"threads"`
	MaxAlive   int    `json:"max_alive"`
	Modelled   bool   `json:"modelled"`
	NaiveNodes int    `json:"naive_nodes"` // code fragments seen
	NaiveEdges int    `json:"naive_edges"`
	Nodes      int    `json:"nodes"` // of the reduced graph
	Edges      int    `json:"edges"`
	CPU        int64  `json:"cpu_ns"`
}

// ErrNoWork says that a trace has nothing to make a model of.
var ErrNoWork = errors.New("the trace has no work of the program in it")

// ErrNoModel says that what a trace tells of the program contradicts itself, so that
// there is no valid model of it: records were lost or confused.
var ErrNoModel = errors.New("the trace gives no valid model")
