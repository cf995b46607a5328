package trail

import (
	"errors"

	"tierscope/analysis/trace"
)

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
	// Guesses says which of the numbers of threads that a setting may decide, as nothing but the same number tells, it does; the first otherwise.
	Guesses map[string]int
	// NoWarmUp: code is as fast at first as later, whatever the compilers do.
	NoWarmUp bool
	// CheckPasses checks the representation after every pass, and that the pass changed only what it makes.
	CheckPasses bool
}

// Input is what the stages before found out. Only Trace is needed.
type Input struct {
	Workload trace.Workload
	Samples  *trace.Samples
	Facts    *trace.Facts
	Trace    *trace.Trace
}

// ErrNoWork says that a trace has nothing to make a model of.
var ErrNoWork = errors.New("the trace has no work of the program in it")

// ErrNoModel says that what a trace tells of the program contradicts itself, so that
// there is no valid model of it: records were lost or confused.
var ErrNoModel = errors.New("the trace gives no valid model")

// RangeFactor is how far from the measured value a parameter may be turned
// before a prediction counts as an extrapolation. Convention, sensitivity slight.
const RangeFactor = 8
