package analysis

import "slices"

// Evidence is what runs without probes showed of a program, and a model made of one recorded run has
// to repeat. Whether it does, only a simulation can tell: package calibrate asks one.
type Evidence struct {
	CPU      []float64    `json:"cpu_s,omitempty"`       // of the program's own threads on all cores; nil: not measured
	AloneCPU []float64    `json:"alone_cpu_s,omitempty"` // the same on one core, by a run-time system that is told of all
	Company  float64      `json:"company,omitempty"`     // other cores that computed for the program where its code was slow (slowStart.company)
	Response ResponseTime `json:"response,omitzero"`     // as clients of a server see it; zero: not measured
}

// evidence is what the trace has of it.
func (b *build) evidence() Evidence {
	e := Evidence{AloneCPU: b.t.PlainAlone, Company: b.others, Response: b.t.Response}
	if len(b.t.Plain) == len(b.t.PlainSystem) {
		e.CPU = slices.Clone(b.t.Plain)
		for i, s := range b.t.PlainSystem {
			e.CPU[i] -= s
		}
	}
	return e
}
