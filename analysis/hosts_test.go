package analysis

import (
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// crewed is a main thread that starts two others, works as they do, or not, and waits for them.
func crewed(work func(main, a, b *actor)) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	main.compute(10_000)
	a, b := s.thread("worker", main, main.now), s.thread("worker", main, main.now)
	a.hit(trace.OpThreadBegin, "begin", false, 0, 0, 0)
	b.hit(trace.OpThreadBegin, "begin", false, 0, 0, 0)
	work(main, a, b)
	for _, w := range []*actor{a, b} {
		w.hit(trace.OpThreadEnd, "end", false, 0, 0, 0)
		w.ends()
		main.hit(trace.OpJoin, "join", false, 0, 0, uint64(w.id+1))
		main.now = max(main.now, w.now)
		main.hit(trace.OpJoin, "join", true, 0, 0, uint64(w.id+1))
	}
	main.compute(20_000)
	main.ends()
	return s
}

// takes lets a thread take so many parts from a counter, until there are none.
func takes(w *actor, parts int) {
	for range parts {
		w.does(trace.OpLock, "take", 1, 0, 10).does(trace.OpUnlock, "got", 1, 0, 10).compute(100_000)
	}
	w.now = max(w.now, 2_000_000)
	w.does(trace.OpLock, "take", 1, 0, 10).does(trace.OpUnlock, "none", 1, 0, 10)
}

// oneMore is a setting that says how many threads there are in a script of crewed, and one more.
func oneMore(s *script) []trace.Setting {
	return []trace.Setting{{Name: "-n", Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: s.at("main.main", "go worker"), Value: core.Linear{Factor: 1, Offset: -1}}}}}
}

// sized returns the pool of the workers.
func sized(t *testing.T, m *core.Model) core.Pool {
	t.Helper()
	i := slices.IndexFunc(m.Pools, func(p core.Pool) bool { return !p.Main })
	if i < 0 || len(m.Pools) != 2 {
		t.Fatalf("pools %v, want main and the workers", m.Pools)
	}
	return m.Pools[i]
}

// Who starts threads and takes from a counter as they do, in a function that all call or in code that the compiler has put into
// both callers, is one of the pool: all parts are taken from a queue, and with one thread nobody else is there.
func TestWhoStartsThreadsAndTakesWorkIsOneOfThem(t *testing.T) {
	t.Parallel()
	for _, called := range []bool{true, false} {
		s := crewed(func(main, a, b *actor) {
			for i, w := range []*actor{main, a, b} {
				takes(w, 8+2*i)
			}
		})
		if called {
			for key, i := range s.sites {
				caller, name, _ := strings.Cut(key, " ")
				if line := slices.Index([]string{"take", "got", "none"}, name); line >= 0 {
					s.trace.Sites[i].Frames = []trace.Frame{{Function: "main.work", File: "main.go", Line: 100 + line}, {Function: caller, File: "main.go", Line: 50}}
				}
			}
		}
		m, r := s.with(t, oneMore(s), "-n", "3")
		if p := sized(t, m); p.Size != 3 || len(m.Queues) != 1 {
			t.Errorf("called %t: %d threads in the pool, queues %v, want 3 and one; %q", called, p.Size, m.Queues, r.Trust.Assumptions)
		}
		if p, ok := m.Parameter("n"); !ok || p.Default != 3 || p.Min != 1 {
			t.Errorf("called %t: parameter %+v, want 3, at least 1", called, p)
		}
		sent := 0.0
		for _, f := range fragments(m, core.LoopFragment) {
			sent = max(sent, f.Loop.Count.Value)
		}
		if sent != 30 {
			t.Errorf("called %t: %v parts are sent, want 30", called, sent)
		}
	}
}

// Equal parts that are all computed without an operation are divided by as many as the setting says, if that is one more than are
// started, or if samples show main where they show the threads; otherwise, or where main only waits, nobody knows.
func TestWhoStartsThreadsAndComputesIsOneOfThemIfSomethingSaysSo(t *testing.T) {
	t.Parallel()
	work, other, start := trace.Frame{Function: "main.work"}, trace.Frame{Function: "main.other"}, trace.Frame{Function: "main.worker"}
	main := trace.Frame{Function: "main.main"}
	for name, c := range map[string]struct {
		mains   int64 // ns
		counted bool
		sampled trace.Frame // where samples show main
		want    int
	}{
		"counted": {900_000, true, other, 3}, "sampled": {900_000, false, work, 3},
		"neither": {900_000, false, other, 2}, "it waits": {30_000, true, work, 2},
	} {
		s := crewed(func(main, a, b *actor) { main.compute(c.mains); a.compute(1_000_000); b.compute(1_100_000) })
		in := trail.Input{Trace: s.trace, Facts: &trace.Facts{}, Workload: trace.Workload{Args: []string{"-n", "3"}}, Samples: &trace.Samples{
			Threads: []trace.SampleThread{{ID: 1, Start: "main"}, {ID: 7, Start: "main.worker"}, {ID: 8, Start: "main.worker"}},
			Groups:  []trace.ThreadGroup{{Kind: trail.PoolMain, Threads: []int64{1}}},
		}}
		seen := trace.NewCallTrie(in.Samples)
		seen.Add(1, []trace.Frame{c.sampled, main}, 5)
		seen.Add(7, []trace.Frame{work, start}, 5)
		seen.Add(8, []trace.Frame{work, start}, 5)
		if c.counted {
			in.Facts.Inputs = oneMore(s)
		}
		m, _, err := Build(in, trail.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := sized(t, m).Size; got != c.want {
			t.Errorf("%s: %d threads in the pool, want %d", name, got, c.want)
		}
	}
}

// Who brings what threads take under a lock, and signals each, has a queue with them, though nobody ever had to wait; the code
// that ends them when there is no more is no counter's.
func TestWhatOthersBringIsNoCounter(t *testing.T) {
	t.Parallel()
	s := crewed(func(main, a, b *actor) {
		for range 18 {
			main.compute(1_000).hit(trace.OpLock, "add", false, 1, 0, 0)
			main.hit(trace.OpLock, "add", true, 1, 0, 0)
			main.hit(trace.OpSignal, "signal", false, 2, 0, 0)
			main.hit(trace.OpSignal, "signal", true, 2, 0, 0)
			main.does(trace.OpUnlock, "added", 1, 0, 10)
		}
		a.now, b.now = main.now, main.now
		takes(a, 8)
		takes(b, 10)
	})
	m, _ := s.build(t, trail.Options{})
	if len(m.Queues) != 1 {
		t.Errorf("queues %v, want the list", m.Queues)
	}
}
