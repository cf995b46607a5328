package analysis

import (
	"math"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// A program that takes a lock for 100 ns a hundred thousand times, and computes
// for 900 ns in between, makes four records each time. In the run they cost more
// than the calibration says, 200 instead of 50 ns; the run without probes says how
// much. What the model computes under the lock, and outside, is what the program
// does without them.
func TestManyRecordsCostWhatTheRunCostMore(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one goroutine computes")
	}
	const rounds, record = 10_000, 200
	s := newScript()
	s.trace.Calibration.ProbeCost = 50e-9
	main := s.thread("main", nil, 0)
	var ws []*actor
	for range 2 {
		ws = append(ws, s.thread("worker", main, 0))
	}
	now := int64(0)
	op := func(w *actor, op trace.Op, site string, wait int64) {
		w.compute(record).hit(op, site, false, 1, 0, 0)
		w.now += wait
		w.compute(record).hit(op, site, true, 1, 1, 0)
	}
	for range rounds {
		for _, w := range ws {
			w.compute(900)
			wait := max(0, now-w.now-record)
			op(w, trace.OpLock, "lock", wait)
			w.compute(100)
			op(w, trace.OpUnlock, "unlock", 0)
			now = w.now
		}
	}
	for _, w := range ws {
		w.ends()
		main.now = max(main.now, w.now)
	}
	main.ends()
	plain := 2 * rounds * 1000e-9
	s.trace.Recorded = plain + 2*rounds*4*record*1e-9
	s.trace.ProcessCPU = int64(s.trace.Recorded * 1e9)
	s.trace.Plain = []float64{plain, plain, plain}
	m, r := s.build(t, trail.Options{})
	for _, g := range m.Graphs {
		if g.ID != "worker" {
			continue
		}
		sum, under := 0.0, math.Inf(1)
		for _, f := range g.Fragments {
			if f.Class == core.CPUFragment {
				sum += float64(f.Observed.Count) * f.Demand.Expectation()
				if f.Observed.Count > rounds {
					under = min(under, f.Demand.Expectation())
				}
			}
		}
		if math.Abs(under/100e-9-1) > 0.1 {
			t.Errorf("under the lock they compute for %.3g s at a time, want 100 ns", under)
		}
		if math.Abs(sum/plain-1) > 0.01 {
			t.Errorf("the workers compute for %.4g s, want %.4g", sum, plain)
		}
	}
	if r.Trust.Explained < 0.98 {
		t.Errorf("%.2f of the CPU time is explained, want all", r.Trust.Explained)
	}
}

// A program takes twice the CPU time in the recording. If it does so in the build with probes where they are switched off as well, its code lies
// otherwise there, and the model has the time of the plain runs; else the recorded run has done something else.
func TestCodeThatLiesOtherwiseIsSlowerAsAWhole(t *testing.T) {
	t.Parallel()
	for off, want := range map[float64]float64{0.95: 0.5, 0: 1} {
		s := newScript()
		main := s.thread("main", nil, 0)
		s.channel(1, 1)
		worker := s.thread("worker", main, 0)
		const pieces = 100
		for range pieces {
			worker.compute(1_000_000_000/pieces).does(trace.OpSend, "send", 1, 1, 10)
			main.now = max(main.now, worker.now)
			main.does(trace.OpReceive, "receive", 1, 1, 10)
		}
		worker.ends()
		main.ends()
		s.trace.Recorded, s.trace.ProcessCPU, s.trace.OverheadOff = 1, 1_000_000_000, off
		s.trace.Plain = []float64{0.5, 0.5, 0.5}
		m, _ := s.build(t, trail.Options{})
		sum := 0.0
		for _, g := range m.Graphs {
			for _, f := range g.Fragments {
				if f.Class == core.CPUFragment {
					sum += float64(f.Observed.Count) * f.Demand.Expectation()
				}
			}
		}
		if math.Abs(sum/want-1) > 0.05 {
			t.Errorf("probes switched off cost %v: the model computes for %.3g s, want %v", off, sum, want)
		}
	}
}
