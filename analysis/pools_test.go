package analysis

import (
	"testing"

	"tierscope/analysis/pools"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// Threads are grouped by the place of their creation and their start function,
// and a group's kind by how its threads live.
func TestGroupsOfThreads(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	for range 3 { // all live together
		w := s.thread("worker", main, 10)
		w.now = 5000
		defer w.ends()
	}
	for i := range 20 { // two at a time
		w := s.thread("job", main, int64(100+100*i))
		w.now += 150
		w.ends()
	}
	for i := range 4 { // one after each connection
		main.now = int64(3000 + 100*i)
		main.does(trace.OpAccept, "accept", 9, 0, 10)
		w := s.thread("connection", main, main.now)
		w.now += 10
		w.ends()
	}
	main.now = 6000
	main.ends()
	s.trace.Threads = append(s.trace.Threads, trace.Thread{ID: 99, Start: "runtime.collector", System: true, Creator: -1})
	want := map[string]struct {
		kind     string
		threads  int
		maxAlive int
	}{
		"main": {trail.PoolMain, 1, 1}, "worker": {trail.PoolFixed, 3, 3}, "job": {trail.PoolPerTask, 20, 2},
		"connection": {trail.PoolPerConnection, 4, 1}, "runtime.collector": {trail.PoolRuntime, 1, 1},
	}
	s.trace.End = 7000
	for _, g := range pools.GroupThreads(s.trace, nil) {
		w, ok := want[trace.ShortFunction(g.Start)]
		if !ok {
			t.Errorf("group %q was not expected", g.Name)
			continue
		}
		delete(want, trace.ShortFunction(g.Start))
		if g.Kind != w.kind || len(g.Threads) != w.threads || w.kind != trail.PoolFixed && w.kind != trail.PoolRuntime && g.MaxAlive != w.maxAlive {
			t.Errorf("group %q is %s with %d threads, %d at a time; want %s, %d, %d", g.Name, g.Kind, len(g.Threads), g.MaxAlive, w.kind, w.threads, w.maxAlive)
		}
	}
	for name := range want {
		t.Errorf("group %q was not found", name)
	}
}

// A pool that is started and joined again in every step of an algorithm is a
// pool of its size, not threads per task.
func TestAPoolThatIsRenewedAsAWholeIsAPool(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	for step := range int64(5) {
		for range 4 {
			w := s.thread("worker", main, 1000*step)
			w.now += 500
			w.ends()
		}
	}
	main.now = 6000
	main.ends()
	for _, g := range pools.GroupThreads(s.trace, nil) {
		if g.Start == "main.worker" && (g.Kind != trail.PoolFixed || g.MaxAlive != 4) {
			t.Errorf("5 generations of 4 threads are %s, %d at a time; want %s, 4", g.Kind, g.MaxAlive, trail.PoolFixed)
		}
	}
}

// Threads that only compute hit no probe: that the program started them, by a
// function of the library that starts threads for its callers, tells them from those
// that the library starts for itself.
func TestThreadsThatOnlyComputeAreThePrograms(t *testing.T) {
	t.Parallel()
	program, starter := trace.Frame{Function: "main.main", Line: 7}, trace.Frame{Function: "library.Go", Std: true}
	for kind, frames := range map[string][]trace.Frame{
		trail.PoolFixed:  {starter, program},
		trail.PoolHelper: {{Function: "library.Watch", Std: true}, program},
	} {
		tr := &trace.Trace{Runtime: trace.Runtime{Starters: []string{starter.Function}}, Sites: []trace.Site{{Frames: frames}}, End: 10, Threads: []trace.Thread{
			{ID: 1, Start: "main.main", Creator: -1, Ended: 10, Records: []trace.Record{{Op: trace.OpSpawn, Value: 2}}}, {ID: 2, Start: "library.Go.func1", Parent: 1, Creator: 0, Ended: 9}}}
		g := pools.GroupThreads(tr, nil)[1]
		if g.Kind != kind {
			t.Errorf("a thread started by %s is %q, want %q", frames[0].Function, g.Kind, kind)
		}
		if kind == trail.PoolFixed && g.Function != program.Function {
			t.Errorf("a thread that only computes is named after %q, want the function that started it", g.Function)
		}
	}
}
