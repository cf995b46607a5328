package java

import (
	"path/filepath"
	"slices"
	"testing"

	"tierscope/analysis/trace"
)

// The thread of a Timer receives as many tasks as it ran. Those with a delay, or for a date, are sent by
// threads of their own, which sleep first, one without at once; nobody sends those that are repeated.
func TestTheThreadOfATimerIsAWorker(t *testing.T) {
	t.Parallel()
	tr, _ := traced(t, "-cp", compiled(t, filepath.Join("testdata", "timers", "Timers.java")), "Timers")
	if tr.Unmatched != 0 {
		t.Errorf("%d operations never ended", tr.Unmatched)
	}
	sent, received := map[uint64][]int64{}, map[uint64]int{}
	var slept []int64
	for _, th := range tr.Threads {
		worker := false
		for _, r := range th.Records {
			switch {
			case r.Op == trace.OpSend && r.End:
				sent[r.Object] = append(sent[r.Object], th.ID)
			case r.Op == trace.OpReceive && r.End && r.Arg == 1:
				received[r.Object]++
				worker = true
			case r.Op == trace.OpSleep && !r.End && th.ID >= threadOfDelay:
				slept = append(slept, r.Arg)
			case r.Op == trace.OpCondWait:
				t.Errorf("thread %d waits at a condition, of the library's", th.ID)
			}
		}
		if worker && th.Parent != 1 {
			t.Errorf("the timer's thread was started by thread %d, want main", th.Parent)
		}
	}
	if len(sent) != 1 || len(received) != 1 {
		t.Fatalf("tasks are sent to %d and received from %d objects, want one", len(sent), len(received))
	}
	for o, from := range sent {
		if len(from) != 5 || received[o] != 8 {
			t.Errorf("%d tasks were sent and %d received, want 5 and 8", len(from), received[o])
		}
		ofMain := 0
		for _, id := range from {
			if id < threadOfDelay {
				ofMain++
			}
		}
		if ofMain != 1 {
			t.Errorf("%d tasks have no delay, want 1", ofMain)
		}
	}
	if len(slept) != 4 {
		t.Fatalf("%d tasks have a delay, want 4: %v", len(slept), slept)
	}
	dates := 0
	for _, ns := range slept {
		if ns != 20e6 {
			dates++
		}
	}
	if dates != 1 {
		t.Errorf("the delays are %v ns, want three of 20 ms", slept)
	}
}

// However often the thread looks for what is next, it receives once a task, when that begins; none, if it ends before.
func TestATimerReceivesWhenATaskBegins(t *testing.T) {
	t.Parallel()
	probes := []probe{{},
		{op: trace.OpReceive, kind: "executor", meaning: meaning{owner: taskQueue, name: "getMin"}},
		{op: trace.OpNone, kind: "task", entry: true},
		{op: trace.OpThreadEnd, kind: "thread"},
	}
	d := &decoder{in: &instrumented{probes: probes}}
	at := func(ms int64, probe uint16, end bool, arg int32) hit24 {
		return hit24{time: ms, cpu: ms, probe: probe, end: end, object: 7, arg: arg}
	}
	look := func(ms int64, found int32) []hit24 { return []hit24{at(ms, 1, false, 0), at(ms, 1, true, found)} }
	task := func(ms int64) []hit24 { return []hit24{at(ms, 2, false, 0), at(ms+1, 2, true, 0)} }
	got := d.takeTimers(slices.Concat(look(1, 5), look(3, 5), look(6, 4), task(9), look(10, 5), task(20), look(21, 5), []hit24{at(30, 3, false, 0)}))
	want := slices.Concat(
		[]hit24{at(1, 1, false, 0), at(9, 1, true, 4)}, task(9),
		[]hit24{at(10, 1, false, 0), at(20, 1, true, 5)}, task(20),
		[]hit24{at(21, 1, false, 0), at(30, 1, true, 0), at(30, 3, false, 0)})
	if !slices.Equal(got, want) {
		t.Errorf("got\n%v, want\n%v", got, want)
	}
	if other := slices.Concat(task(1), []hit24{at(3, 3, false, 0)}); !slices.Equal(d.takeTimers(slices.Clone(other)), other) {
		t.Error("a thread of no timer is another one")
	}
}
