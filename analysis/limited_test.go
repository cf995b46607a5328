package analysis

import (
	"math"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// filling is a program whose writer fills batches of 4 from what main sends, and writes them when they are full or when it is 2 ms since, by
// since: 0 the writer began the batch, 1 it got the first of it. Main sends by turns four at once, and two with a pause behind them.
func filling(since int) *script {
	const items, timer, limit = 1, 2, int64(2_000_000)
	s := newScript()
	s.channel(items, 0)
	s.trace.Objects = append(s.trace.Objects, trace.Object{ID: timer, Kind: "chan", Capacity: 1, Elem: 24, Site: -1})
	main := s.thread("main", nil, 0)
	writer := s.thread("writer", main, 10)
	s.trace.Offers = []trace.Offer{{Cases: []trace.Case{{Object: items}, {Object: timer}}}}
	takes := func(after int64) {
		main.compute(after).does(trace.OpSend, "send", items, 1, 0)
		writer.hit(trace.OpSelect, "select", false, 0, 0, 0)
		writer.now = max(writer.now, main.now)
		writer.hit(trace.OpSelect, "select", true, items, 0, 1)
		writer.compute(1000)
	}
	for k := range 24 {
		began, n := writer.now, 4
		if k%2 == 1 {
			n = 2
		}
		for i := range n {
			takes(100_000 * int64(1+k%5))
			if i == 0 && since == 1 {
				began = writer.now
			}
		}
		if n == 2 {
			writer.hit(trace.OpSelect, "select", false, 0, 0, 0)
			writer.now = began + limit
			writer.hit(trace.OpSelect, "select", true, timer, 1, 1)
		}
		writer.compute(50_000).does(trace.OpSleep, "write", 0, 0, 300_000)
		main.now = max(main.now, writer.now)
	}
	main.compute(1000).does(trace.OpClose, "close", items, 0, 0)
	writer.hit(trace.OpSelect, "select", false, 0, 0, 0)
	writer.now = max(writer.now, main.now)
	writer.hit(trace.OpSelect, "select", true, items, 0, 0)
	writer.ends()
	main.now = writer.now + 10
	main.ends()
	return s
}

// A batch is full when there are so many in it, however long it takes to fill it, or written before that when its time is up, which runs on from
// one wait to the next: from where the writer begins to fill it, or from the first that it gets.
func TestABatchIsFullOrOldEnough(t *testing.T) {
	t.Parallel()
	for since, name := range []string{"begun", "first"} {
		m, _ := filling(since).build(t, trail.Options{CheckPasses: true})
		var loop *core.Loop
		var wait *core.Fragment
		classes := map[string]core.FragmentClass{}
		for _, g := range m.Graphs {
			for _, f := range g.Fragments {
				classes[f.ID] = f.Class
				if f.Loop != nil && f.Loop.Limited {
					loop = f.Loop
				}
				if f.Sync != nil && f.Sync.Op == core.Select {
					wait = &f
				}
			}
		}
		if loop == nil || wait == nil || wait.Since == nil {
			t.Fatalf("%s: loop %+v, select %+v", name, loop, wait)
		}
		if loop.Count.Kind != core.Constant || loop.Count.Value != 4 {
			t.Errorf("%s: the loop goes round %+v times, want 4", name, loop.Count)
		}
		if d := wait.Sync.Timeout.Expectation(); math.Abs(d-2e-3) > 10e-6 {
			t.Errorf("%s: the batch is old after %g s, want 2 ms", name, d)
		}
		if classes[wait.Since.From] != core.DispatchFragment || (wait.Since.First != "") != (since == 1) {
			t.Errorf("%s: its time counts from %+v", name, wait.Since)
		}
	}
}

// Loops that are broken off when nothing was got, or after as many as any, have no limit: what ended them is drawn.
func TestALoopWithoutALongestRunHasNoLimit(t *testing.T) {
	t.Parallel()
	s := filling(0)
	for i := range s.trace.Threads {
		th := &s.trace.Threads[i]
		for k := range th.Records { // the batches of two are not ended by the timer but by their number
			if r := &th.Records[k]; r.End && r.Op == trace.OpSelect && r.Object == 2 {
				r.Object, r.Arg = 1, 0
			}
		}
	}
	m, _, err := Build(trail.Input{Trace: s.trace}, trail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Loop != nil && f.Loop.Limited {
				t.Errorf("%q has a limit of %g", f.ID, f.Loop.Count.Expectation())
			}
		}
	}
}
