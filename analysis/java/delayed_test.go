package java

import (
	"path/filepath"
	"slices"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// A task with a delay is submitted by a thread of its own, which sleeps until its time has come; one that was cancelled
// never is. Who takes the tasks receives as many as were submitted, and was started by who made the executor.
func TestATaskWithADelayIsSubmittedWhenItsTimeHasCome(t *testing.T) {
	t.Parallel()
	tr, _ := traced(t, "-cp", compiled(t, filepath.Join("testdata", "delayed", "Delayed.java")), "Delayed")
	started := map[uint64]bool{}
	sent, received, delays := map[uint64]int{}, map[uint64]int{}, 0
	for _, th := range tr.Threads {
		for _, r := range th.Records {
			switch {
			case r.Op == trace.OpSpawn:
				started[r.Value] = true
			case r.Op == trace.OpSend && r.End:
				sent[r.Object]++
			case r.Op == trace.OpReceive && r.End && r.Arg == 1:
				received[r.Object]++
			}
		}
	}
	for _, th := range tr.Threads {
		if th.ID < threadOfDelay {
			continue
		}
		delays++
		if !started[uint64(th.ID)] {
			t.Errorf("nobody starts the thread of delay %d", th.ID-threadOfDelay)
		}
		sleep, awake := th.Records[0], th.Records[1]
		if sleep.Op != trace.OpSleep || !awake.End || awake.Time-sleep.Time > 20e6 || awake.Time == sleep.Time || sleep.Arg != 20e6 {
			t.Errorf("the thread of a delay of 20 ms does %v to %v ns, argument %d", sleep.Op, awake.Time-sleep.Time, sleep.Arg)
		}
	}
	if delays != 5 {
		t.Errorf("%d tasks have a delay and were not cancelled, want 5", delays)
	}
	if len(received) != 1 {
		t.Fatalf("tasks are received from %d executors, want 1", len(received))
	}
	for executor, n := range received {
		if n != 6 || sent[executor] != 6 {
			t.Errorf("%d tasks were sent and %d received, want 6", sent[executor], n)
		}
	}
	for _, th := range tr.Threads {
		for _, r := range th.Records {
			if r.Op == trace.OpReceive && th.Parent != 1 {
				t.Errorf("thread %d, which takes tasks, was started by thread %d, want main", th.ID, th.Parent)
				break
			}
		}
	}
}

// What a pool gets through an executor with a delay is sent by the threads of the delays, which have a part in the work although
// nothing of the program runs in them.
func TestThreadsOfDelaysHaveAPartInTheWork(t *testing.T) {
	t.Parallel()
	tr, _ := traced(t, "-cp", compiled(t, filepath.Join("testdata", "delayed", "Later.java")), "Later")
	m, _, err := analysis.Build(trail.Input{Trace: tr}, trail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	waits := 0
	for _, p := range m.Pools {
		g := m.Graphs[slices.IndexFunc(m.Graphs, func(g core.Graph) bool { return g.ID == p.Graph })]
		if slices.ContainsFunc(g.Fragments, func(f core.Fragment) bool {
			return f.Class == core.DelayFragment && f.Delay.Expectation() > 4e-3
		}) && slices.ContainsFunc(g.Fragments, func(f core.Fragment) bool {
			return f.Class == core.OutFragment || f.Sync != nil && f.Sync.Op == core.Send
		}) {
			waits++
		}
	}
	if waits != 1 {
		t.Errorf("%d pools wait for 5 ms and send what is to be done, want 1: %+v", waits, m.Pools)
	}
}
