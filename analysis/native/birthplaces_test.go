package native

import (
	"testing"

	"tierscope/analysis/trace"
)

// Main starts five threads of one function, at one place those for which its vector has to grow. They all take from one list
// (object 1), or those of the second place take from another one.
func TestThreadsOfOneStatementHaveOneBirthplace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file  string
		lists [2]uint64
		want  int // places
	}{
		"one list":                  {"", [2]uint64{1, 1}, 1},
		"each place has its own":    {"", [2]uint64{1, 2}, 2},
		"the source tells them":     {"main.cc", [2]uint64{1, 1}, 2},
		"threads that only compute": {"", [2]uint64{0, 0}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := func(address int) trace.Site {
				return trace.Site{Frames: []trace.Frame{{Function: "std::thread::_M_start_thread", Std: true}, {Function: "main", File: c.file, Line: address, At: address}}}
			}
			tr := &trace.Trace{Sites: []trace.Site{at(100), at(140)}, Threads: []trace.Thread{{ID: 1, Start: "main", Creator: -1}}}
			for i, place := range []int32{0, 0, 1, 0, 1} {
				id := int64(i + 2)
				tr.Threads[0].Records = append(tr.Threads[0].Records, trace.Record{Op: trace.OpSpawn, Site: place, Value: uint64(id)})
				tr.Threads = append(tr.Threads, trace.Thread{ID: id, Start: "work", Creator: place, Records: []trace.Record{{Op: trace.OpLock, Object: c.lists[place]}}})
			}
			birthplaces(tr)
			places, spawns := map[int32]bool{}, map[int32]bool{}
			for _, th := range tr.Threads[1:] {
				places[th.Creator] = true
			}
			for _, r := range tr.Threads[0].Records {
				spawns[r.Site] = true
			}
			if len(places) != c.want || len(spawns) != c.want {
				t.Errorf("threads are started at %v, and their starts are recorded at %v; want %d places", places, spawns, c.want)
			}
		})
	}
}

// A wrapper starts threads of two kinds at one place: they stay what they are.
func TestThreadsOfTwoKindsMayHaveOneBirthplace(t *testing.T) {
	t.Parallel()
	tr := &trace.Trace{Sites: []trace.Site{{Frames: []trace.Frame{{Function: "start", Line: 100, At: 100}}}}, Threads: []trace.Thread{
		{ID: 1, Start: "main", Creator: -1}, {ID: 2, Start: "reader", Creator: 0}, {ID: 3, Start: "writer", Creator: 0}, {ID: 4, Start: "reader", Creator: 0}}}
	birthplaces(tr)
	for _, th := range tr.Threads[1:] {
		if th.Creator != 0 {
			t.Errorf("%s is started at %d", th.Start, th.Creator)
		}
	}
}
