package analysis

import (
	"math"
	"strings"
	"testing"

	"tierscope/analysis/demand"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// One thread computes ten times 1 ms alone, then it and another compute ten
// times side by side, each of which takes 2 ms although it is the same work. On one
// core the work takes 10 + 10 + 10 = 30 ms, on two it took 10 + 20 + 20 = 50 ms. So
// company halves the speed, and the threads compute 20 and 10 ms on a core that
// nobody disturbs.
func TestComputingSideBySideIsSlowerAndTheDemandIsThatOfComputingAlone(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.trace.Interference = 50.0/30 - 1
	main := s.thread("main", nil, 0)
	for range 10 {
		main.compute(1_000_000).does(trace.OpFileRead, "alone", 0, 1, 100)
	}
	worker := s.thread("worker", main, main.now)
	for range 10 {
		main.compute(2_000_000).does(trace.OpFileRead, "together", 0, 1, 100)
		worker.compute(2_000_000).does(trace.OpFileRead, "beside", 0, 1, 100)
	}
	main.ends()
	worker.ends()
	m, _ := s.build(t, trail.Options{Threshold: -1})
	if f := m.CPU.BusyFactor; len(f) != 2 || f[0] != 1 || math.Abs(f[1]-0.5) > 0.01 {
		t.Errorf("the speed with one and two busy cores is %v, want 1 and 0.5", f)
	}
	alone := map[string]float64{"main": 20e-3, "worker": 10e-3}
	if len(m.Graphs) != len(alone) {
		t.Fatalf("%d graphs, want those of main and worker", len(m.Graphs))
	}
	for _, g := range m.Graphs {
		sum, want := 0.0, alone[g.ID]
		for _, f := range g.Fragments {
			if f.Class == core.CPUFragment {
				sum += f.Demand.Expectation() * float64(f.Demand.Samples)
			}
		}
		if math.Abs(sum/want-1) > 0.02 {
			t.Errorf("%s computes %.2f ms in all, want %.0f ms", g.ID, 1e3*sum, 1e3*want)
		}
	}
}

// One thread computes ten times 2 ms, and on one core 1.25 ms each. The process used as much
// CPU time again, which is no thread's: it can only have been on the other core, so all
// of the computing had company, which costs 60 %.
func TestCPUTimeThatIsNoThreadsIsCompany(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.trace.Interference = 0.6
	main := s.thread("main", nil, 0)
	for range 10 {
		main.compute(2_000_000).does(trace.OpFileRead, "alone", 0, 1, 100)
	}
	main.ends()
	s.trace.ProcessCPU = 2 * main.cpu
	m, _ := s.build(t, trail.Options{Threshold: -1})
	if f := m.CPU.BusyFactor; len(f) != 2 || math.Abs(f[1]-1/1.6) > 0.01 {
		t.Errorf("the speed with one and two busy cores is %v, want 1 and %.3f", f, 1/1.6)
	}
}

// Threads that never compute at the same time show nothing about what company
// costs, whatever two runs differ in.
func TestWithoutCompanyNoSlowdownIsModelled(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.trace.Interference = 0.5
	main := s.thread("main", nil, 0)
	for range 10 {
		main.compute(1_000_000).does(trace.OpFileRead, "alone", 0, 1, 100)
	}
	main.ends()
	m, r := s.build(t, trail.Options{})
	if m.CPU.BusyFactor != nil {
		t.Errorf("the model has the speeds %v", m.CPU.BusyFactor)
	}
	if reasons := strings.Join(r.Trust.Reasons, "\n"); !strings.Contains(reasons, "no slowdown is modelled") || r.Trust.Grade == "A" {
		t.Errorf("the model has grade %s, for the reasons %q", r.Trust.Grade, reasons)
	}
}

// What a program costs differs from run to run, so that few runs of each kind say little, and runs
// that overlap next to nothing. The logarithms of 1.06, 1.08 and 1.3 have the mean b = 0.133, which is 2.04 standard errors s, where chance
// alone has 2.13 in one of twenty programs: what is usual, τ = 0.08, leaves b·τ²/(τ² + s²) = 0.080 of it. 0.310 of the two kinds of four runs is
// 3.4, where chance has 1.94: more than usual, τ² = b² − s², and 0.283 is left.
// One run of each kind is as uncertain as the recordings have it, s = 0.044: of 0.010 there is 0.008 left, of 0.693 all but nothing.
func TestInterferenceIsAsLargeAsRunsTell(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		all, one []float64
		want     float64 // 0: none
	}{
		{[]float64{1.01}, []float64{1}, 1.008},
		{[]float64{1.2}, []float64{1}, 1.187},
		{[]float64{2}, []float64{1}, 1.994},
		{[]float64{1.06, 1.08, 1.3}, []float64{1, 1, 1}, 1.083},
		{[]float64{1.4, 1.45, 1.5, 1.6}, []float64{1, 1.41, 1, 1}, 1.328},
		{[]float64{1, 1, 1}, []float64{1.06, 1.08, 1.1}, 0}, // nothing becomes faster in company
		{nil, nil, 0},
	} {
		f := demand.FitTrace(&trace.Trace{Runs: trace.Runs{All: c.all, One: c.one}}, false, 1).Factor(demand.Company)
		if f.Kept != (c.want > 0) || f.Kept && math.Abs(f.Estimate/c.want-1) > 0.001 {
			t.Errorf("all cores %v, one %v: %+v, want %v", c.all, c.one, f, c.want)
		}
	}
}
