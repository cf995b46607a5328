package cmd_test

import (
	"math"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/simulation"
)

// "We propose using computer simulation to predict performance of the program" from a
// model whose data come from one run "in a certain configuration" (Tarvo, Using computer
// simulation…): two workers of four cores took 40 tasks of 10 ms each from a queue. With w
// workers on c cores it takes 40·10 ms / min(w, c).
func TestOneRunPredictsOtherConfigurations(t *testing.T) {
	t.Parallel()
	const tasks, demand, queue = 40, 10_000_000, 1
	site := func(function string, line int) trace.Site {
		return trace.Site{Frames: []trace.Frame{{Function: function, File: "main.go", Line: line}}}
	}
	recording := &trace.Trace{Program: "pool", Runtime: runtimes.Go(), Cores: 4,
		Objects: []trace.Object{{ID: queue, Kind: "chan", Capacity: tasks, Elem: 8, Site: -1}},
		Sites:   []trace.Site{site("main.main", 1), site("main.main", 2), site("main.main", 3), site("main.worker", 4), site("main.main", 5)}}
	main := trace.Thread{ID: 1, Start: "main.main", Creator: -1}
	hit := func(th *trace.Thread, at, cpu int64, where int32, op trace.Op, end bool, object uint64, result int64, value uint64) {
		th.Records = append(th.Records, trace.Record{Time: at, CPU: cpu, Site: where, Op: op, End: end, Object: object, Arg: result, Value: value})
	}
	for w := range int64(2) {
		hit(&main, 0, 0, 0, trace.OpSpawn, false, 0, 0, uint64(2+w))
	}
	for range tasks {
		hit(&main, 0, 0, 1, trace.OpSend, false, queue, 0, 0)
		hit(&main, 0, 0, 1, trace.OpSend, true, queue, 1, 0)
	}
	hit(&main, 0, 0, 2, trace.OpClose, false, queue, 0, 0)
	hit(&main, 0, 0, 2, trace.OpClose, true, queue, 0, 0)
	recording.Threads = make([]trace.Thread, 1)
	for w := range int64(2) {
		worker := trace.Thread{ID: 2 + w, Start: "main.worker", Parent: 1}
		now := int64(0)
		for i := range tasks/2 + 1 {
			got := int64(1)
			if i == tasks/2 {
				got = 0 // closed
			}
			hit(&worker, now, now, 3, trace.OpReceive, false, queue, 0, 0)
			hit(&worker, now, now, 3, trace.OpReceive, true, queue, got, 0)
			now += got * demand
		}
		worker.Ended, recording.End = now+1, now+2
		recording.Threads = append(recording.Threads, worker)
	}
	for w := range int64(2) { // main waits for both
		at := w * recording.End
		hit(&main, at, 0, 4, trace.OpJoin, false, 0, 0, uint64(2+w))
		hit(&main, recording.End, 0, 4, trace.OpJoin, true, 0, 0, uint64(2+w))
	}
	main.Ended = recording.End
	recording.Threads[0] = main
	m, _, err := analysis.Build(trail.Input{Trace: recording}, trail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ workers, cores float64 }{{1, 4}, {2, 4}, {4, 4}, {8, 4}, {8, 1}, {3, 2}} {
		result, err := simulation.Run(t.Context(), *m, map[string]float64{"pools/worker/size": c.workers, "cpu/cores": c.cores}, simulation.Options{Replications: 3, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		got, _ := result.Find("T program mean")
		want := tasks * demand * 1e-9 / math.Min(c.workers, c.cores)
		if math.Abs(got.Estimate.Mean/want-1) > .04 { // the last tasks do not divide by 3, and slices are as long as 20 ms
			t.Errorf("%g workers on %g cores: T = %.1f ms, want %.1f", c.workers, c.cores, 1000*got.Estimate.Mean, 1000*want)
		}
	}
}
