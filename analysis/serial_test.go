package analysis

import (
	"strings"
	"testing"

	"tierscope/analysis/trace"
)

// Three threads share the work between two barriers. Before the first the leader does what nobody else does, or each does as much: what the
// leader does alone takes as long whatever the number of threads, and all else takes a third of it for thrice as many.
func TestWhatOneThreadDoesForAllIsNotDivided(t *testing.T) {
	t.Parallel()
	for alone, divided := range map[bool]int{true: 1, false: 2} {
		s := newScript()
		s.trace.Objects = []trace.Object{{ID: 1, Kind: "barrier", Capacity: 3, Site: -1}}
		main := s.thread("main", nil, 0)
		ws := []*actor{s.thread("worker", main, 0), s.thread("worker", main, 0), s.thread("worker", main, 0)}
		meet := func(site string) {
			last := max(ws[0].now, ws[1].now, ws[2].now)
			for _, w := range ws {
				w.does(trace.OpBarrier, site, 1, 0, last-w.now+10)
			}
		}
		for range 20 {
			for i, w := range ws {
				if w.compute(200); i == 0 || !alone {
					w.compute(100_000)
				}
			}
			meet("begin")
			for _, w := range ws {
				w.compute(300_000)
			}
			meet("end")
		}
		for _, w := range ws {
			w.ends()
			main.now = max(main.now, w.now)
		}
		main.ends()
		m, _ := s.with(t, nil)
		got := 0
		for _, p := range m.Parameters {
			for _, target := range p.Targets {
				if strings.HasSuffix(target.Path, "/scale") && target.Apply(9) == 1.0/3 {
					got++
				}
			}
		}
		if got != divided {
			t.Errorf("alone %t: %d computations are divided among the threads, want %d", alone, got, divided)
		}
	}
}

// Threads wait at a gate before they share rounds of work, and some wait again, as they are woken in vain: how often that is has nothing
// to do with how many they are.
func TestHowOftenThreadsWaitInVainIsNotDivided(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	ws := []*actor{s.thread("worker", main, 0), s.thread("worker", main, 0), s.thread("worker", main, 0)}
	for i, w := range ws {
		for range 2 + i {
			w.does(trace.OpPark, "gate", 7, 0, 50_000)
			main.now = max(main.now, w.now)
			main.does(trace.OpUnpark, "open", 7, 1, 10)
		}
		for range 30 {
			w.compute(100_000).does(trace.OpSleep, "remote", 0, 0, 200_000)
		}
		w.ends()
		main.now = max(main.now, w.now)
	}
	main.ends()
	m, _ := s.with(t, nil)
	var loops []string
	for _, p := range m.Parameters {
		for _, target := range p.Targets {
			if strings.HasSuffix(target.Path, "/iterations") {
				loops = append(loops, target.Path)
			}
		}
	}
	if len(loops) != 1 {
		t.Errorf("the rounds of %q are divided among the threads, want those of the work", loops)
	}
}
