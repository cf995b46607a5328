package demand

import (
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// company estimates for every step the share of the other cores that was
// busy while it computed: with other threads, with the collector, with compilers, and
// with CPU time of the process that is nobody's (a scheduler that looks for work, page
// faults of threads that the run-time system hides). That can only have been on cores
// that nobody else had. A pipeline whose threads hand over to each other spends a
// fifth of its CPU time so; were it left out, the rest of the company would have
// to explain all the slowness.
func company(tr *trail.Trail) [][]float64 {
	const (
		bins        = 1 << 16 // at most. Convention, sensitivity none
		narrowest   = 20_000  // ns. Convention, sensitivity slight
		mostStarved = 0.99    // of a time: some of it was computed in. Convention, sensitivity slight
	)
	width := max(narrowest, (tr.Trace.End-tr.Trace.Begin)/bins)
	busy := occupancy{begin: tr.Trace.Begin, width: width}
	for i := range tr.Trace.Threads {
		busy.addThread(&tr.Trace.Threads[i], func(before, r *trace.Record) int64 { return r.CPU - before.CPU })
	}
	for _, c := range tr.Trace.GC {
		busy.add(c.Start, c.End, c.CPU)
	}
	for _, c := range tr.Trace.Compiler {
		busy.add(c.Start, c.End, c.CPU)
	}
	n := float64(tr.Trace.Cores)
	busy.fill(n, nobodys(tr.Trace), float64(tr.Trace.End-tr.Trace.Begin))
	out := make([][]float64, 0, len(tr.Trace.Threads))
	for _, q := range tr.AllSequences() {
		own := occupancy{begin: q.Thread.Born, width: width}
		own.addThread(q.Thread, func(before, r *trace.Record) int64 { return r.CPU - before.CPU })
		ready := occupancy{begin: q.Thread.Born, width: width}
		ready.addThread(q.Thread, func(before, r *trace.Record) int64 { return r.Ready - before.Ready })
		share := make([]float64, len(q.Steps))
		for j := range q.Steps {
			s := &q.Steps[j]
			from := s.Start - s.GapWall
			others := busy.mean(from, s.End) - own.mean(from, s.End)
			// While it was ready without a core, others had them all.
			starved := min(ready.mean(from, s.End), mostStarved)
			share[j] = max(0, min(1, (others-n*starved)/((n-1)*(1-starved))))
		}
		out = append(out, share)
	}
	return out
}

// nobodys is the CPU time of the process, in ns, that neither threads nor the run-time system's own
// threads account for.
func nobodys(t *trace.Trace) float64 {
	if t.RecordedSystem > 0 { // known in all, without the system's start
		return max(0, 1e9*(t.Recorded-t.RecordedSystem-t.ThreadTime()))
	}
	rest := float64(t.ProcessCPU) - 1e9*t.ThreadTime()
	for _, c := range t.GC {
		rest -= float64(c.CPU + c.Idle)
	}
	for _, c := range t.Compiler {
		rest -= float64(c.CPU)
	}
	return max(rest, 0)
}
