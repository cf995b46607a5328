package trust

import (
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Evidence is what runs without probes showed of a program, and a model made of one recorded run has
// to repeat. Whether it does, only a simulation can tell: package calibrate asks one.
type Evidence struct {
	CPU      []float64 `json:"cpu_s,omitempty"`       // of the program's own threads on all cores; nil: not measured
	Plain    []float64 `json:"-"`                     // the same of all threads, those of the run-time system too
	AloneCPU []float64 `json:"alone_cpu_s,omitempty"` // the same on one core, by a run-time system that is told of all
	// SingleCPU is that of the whole process on one core, by a run-time system that is not told of more.
	SingleCPU []float64          `json:"single_cpu_s,omitempty"`
	Company   float64            `json:"company,omitempty"`  // other cores that computed for the program where its code was slow (slowStart.company)
	Turns     float64            `json:"turns,omitempty"`    // CPU time on one core, at which threads take turns, over that on all; 0: not known to be more
	Response  trace.ResponseTime `json:"response,omitzero"`  // as clients of a server see it; zero: not measured
	Sampling  []core.Uncertain   `json:"sampling,omitempty"` // what the recorded tasks leave unknown of those to come
}

// EvidenceOf is what the trace has of it.
func EvidenceOf(tr *trail.Trail) Evidence {
	e := Evidence{Plain: tr.Trace.Plain, AloneCPU: tr.Trace.PlainAlone, SingleCPU: tr.Trace.Runs.Single, Company: tr.Others, Turns: tr.Turns, Response: tr.Trace.Response}
	if len(tr.Trace.Plain) == len(tr.Trace.PlainSystem) {
		e.CPU = slices.Clone(tr.Trace.Plain)
		for i, s := range tr.Trace.PlainSystem {
			e.CPU[i] -= s
		}
	}
	return e
}
