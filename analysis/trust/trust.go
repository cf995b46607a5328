package trust

import (
	"fmt"
	"math"
	"slices"

	"tierscope/analysis/demand"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
	"tierscope/core/quantity"
)

// Trust says how far predictions of a model can be relied on, and why.
type Trust struct {
	Grade       string   `json:"grade"` // A to D
	Reasons     []string `json:"reasons,omitempty"`
	Overhead    *float64 `json:"overhead,omitempty"`      // of the instrumented run in CPU time; nil: not measured
	Explained   float64  `json:"explained"`               // share of the process's CPU time that the model has
	Dropped     int64    `json:"dropped"`                 // records
	Unmatched   float64  `json:"unmatched"`               // share of probe hits without a partner
	Delays      float64  `json:"delays_s"`                // waits that the model takes as given
	Recorder    string   `json:"disk_recorder,omitempty"` // of the requests to disks
	WallClock   []string `json:"wall_clock,omitempty"`    // where wall-clock time stands in for CPU time
	Suspects    []string `json:"suspects,omitempty"`
	NotModelled []string `json:"not_modelled,omitempty"`
	Assumptions []string `json:"assumptions,omitempty"`
	Warnings    []string `json:"warnings,omitempty"` // what has to travel with every result
	Supported   []Range  `json:"supported,omitempty"`
	// Factors are those of what runs cost, kept in the model or not, for intervals of predictions.
	Factors []demand.Factor `json:"factors,omitempty"`
	// Checks are further runs of the program beside what the model says of them.
	Checks []Check `json:"checks,omitempty"`
}

// Range is what one run supports for a parameter.
type Range struct {
	Parameter string  `json:"parameter"`
	Min       float64 `json:"min"`
	Max       float64 `json:"max"`
	Why       string  `json:"why"`
}

// Limits of the grades: what still counts as good, and as usable. A grade changes no number of a
// model, but its warnings.
const (
	goodOverhead   = 0.076 // the largest of Tarvo & Reiss 2014
	usableOverhead = 0.25  // Convention, sensitivity none

	goodExplained   = 0.90 // Convention, sensitivity slight
	usableExplained = 0.70 // Convention, sensitivity none

	goodUnmatched, usableUnmatched = 0.001, 0.02 // Convention, sensitivity none
)

// ReportTrust returns the trust report of a model.
func ReportTrust(tr *trail.Trail, m *core.Model) Trust {
	t := &Trust{}
	if o := tr.Trace.Overhead; !math.IsNaN(o) {
		t.Overhead = &o
	}
	t.Dropped = tr.Trace.Dropped
	t.Delays = float64(tr.Delays) * 1e-9
	records := 0
	for i := range tr.Trace.Threads {
		records += len(tr.Trace.Threads[i].Records)
	}
	if records > 0 {
		t.Unmatched = float64(tr.Unmatched.Starts+tr.Unmatched.Ends) / float64(records)
	}
	t.Explained = explained(tr)
	reportDisk(tr, m, t)
	for _, g := range tr.Pools {
		if g.Kind == trail.PoolTimer {
			t.NotModelled = append(t.NotModelled, fmt.Sprintf("%d threads started by timers in %s", len(g.Threads), g.Start))
		}
	}
	if tr.HiddenWaits > 0 {
		t.NotModelled = append(t.NotModelled, quantity.Format(1e-9*float64(tr.HiddenWaits), "s")+" of waits at locks whose operations were not recorded")
	}
	t.Warnings = append(t.Warnings, tr.Trace.Warnings...)
	if tr.Halves > 0 {
		t.NotModelled = append(t.NotModelled, fmt.Sprintf("%d times a lock was taken or freed without the other half being recorded in the same thread", tr.Halves))
	}
	if tr.Input.Facts != nil {
		for _, s := range tr.Input.Facts.Suspects {
			if recognised(tr, s.Frame.Function) {
				continue
			}
			t.Suspects = append(t.Suspects, fmt.Sprintf("%s at %s: %s", s.Kind, trace.Place(s.Frame), s.Reason))
		}
	}
	if t.Delays > 0 {
		operations := "file and network operations"
		if len(m.Disks) > 0 {
			operations += " without requests to a disk"
		}
		t.WallClock = append(t.WallClock, operations+": their waits are delays of measured length, the same in every configuration")
	}
	t.Assumptions = tr.Assumed
	if status := tr.Input.Workload.ExitStatus; status != 0 {
		t.Assumptions = append(t.Assumptions, fmt.Sprintf("every run ended with exit status %d, which is taken for what the program found, not for a failure", status))
	}
	for _, p := range m.Parameters {
		t.Supported = append(t.Supported, Range{p.Name, p.SupportedMin, p.SupportedMax, p.Description})
	}
	t.Factors = demand.FitTrace(tr.Trace, tr.Warms, tr.Company).Factors
	t.grade(tr.Contradicted)
	return *t
}

// recognised reports whether a function is part of a home-made primitive that
// the model has as what it is.
func recognised(tr *trail.Trail, function string) bool {
	return slices.ContainsFunc(tr.Resources, func(r *trail.Resource) bool { return slices.Contains(r.MadeIn, function) }) ||
		waits(tr.Input.Trace, function) && !waits(tr.Trace, function)
}

// waits reports whether threads wait for a condition in a function.
func waits(t *trace.Trace, function string) bool {
	for i := range t.Threads {
		for _, r := range t.Threads[i].Records {
			if r.Op == trace.OpCondWait && trace.UserFrame(trace.FramesAt(t.Sites, r.Site)).Function == function {
				return true
			}
		}
	}
	return false
}

// explained is the share of the process's CPU time, without the collector's,
// that is in the graphs of the model.
func explained(tr *trail.Trail) float64 {
	have := int64(0)
	for _, g := range tr.Modelled {
		have += tr.Graphs[g].CpuTime()
	}
	have = int64(float64(have)/tr.Pace) + tr.Interfered + int64(tr.Uncompiled)
	if tr.Server || tr.Trace.ProcessCPU == 0 {
		if tr.PhaseCPU == 0 {
			return 0
		}
		return min(1, float64(have)/(float64(tr.PhaseCPU)/tr.Pace+float64(tr.Interfered)))
	}
	for _, c := range tr.Trace.GC {
		have += c.CPU + c.Assist
	}
	have += demand.CompileWork(tr)
	return min(1, float64(have)/(float64(tr.Trace.ProcessCPU)*(1-demand.ProbeShare(tr.Trace))))
}

// Doubt adds what a simulation of the model as it was recorded has shown to be wrong with it:
// no result should be relied on.
func (t *Trust) Doubt(doubts []string) {
	if len(doubts) == 0 {
		return
	}
	t.Reasons = append(doubts, t.Reasons...)
	t.Warnings = append(doubts, t.Warnings...)
	t.Grade = "D"
}

// grade sums the report up: A if all is good, B with one flaw, C with more or
// a serious one, D where a result should not be relied on. What runs of the program show and
// the recording cannot explain is a flaw each.
func (t *Trust) grade(contradicted []string) {
	flaws, serious := len(contradicted), 0
	t.Reasons, t.Warnings = append(t.Reasons, contradicted...), append(t.Warnings, contradicted...)
	judge := func(value, good, usable float64, what string) {
		switch {
		case value > usable:
			serious++
		case value > good:
			flaws++
		default:
			return
		}
		t.Reasons = append(t.Reasons, what)
		t.Warnings = append(t.Warnings, what)
	}
	if t.Overhead != nil {
		judge(*t.Overhead, goodOverhead, usableOverhead, fmt.Sprintf("instrumentation added %.0f %% CPU time", 100**t.Overhead))
	} else {
		flaws++
		t.Reasons = append(t.Reasons, "the overhead of the instrumentation was not measured")
	}
	judge(1-t.Explained, 1-goodExplained, 1-usableExplained, fmt.Sprintf("the model has only %.0f %% of the CPU time that the process used", 100*t.Explained))
	judge(t.Unmatched, goodUnmatched, usableUnmatched, fmt.Sprintf("%.1f %% of the probe hits found no partner", 100*t.Unmatched))
	judge(float64(t.Dropped), 0, 1000, fmt.Sprintf("%d records were lost", t.Dropped))
	if len(t.Suspects) > 0 {
		flaws++
		t.Reasons = append(t.Reasons, fmt.Sprintf("%d suspected home-made primitives are taken as computation", len(t.Suspects)))
	}
	switch {
	case serious > 1:
		t.Grade = "D"
	case serious == 1 || flaws > 2:
		t.Grade = "C"
	case flaws > 0:
		t.Grade = "B"
	default:
		t.Grade = "A"
	}
}
