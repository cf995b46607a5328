package analysis

import (
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/pools"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// A library starts threads for others:
//
//	for range parsers { g.Go(parse) }    // line 10
//	for range packers { g.Go(pack) }     // line 20
//
// where g.Go is go func() { f() }(). The pools have the names of what they
// execute, and each size is the flag that decides it, though both were 2.
func TestPoolsThatALibraryStartsAreThoseOfItsCallers(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.channel(1, 4)
	frame := func(function, file string, line int) trace.Frame {
		return trace.Frame{Function: function, File: file, Line: line}
	}
	wrapper := frame("lib.(*Group).Go", "lib.go", 78)
	main := s.thread("main", nil, 0)
	var all []*actor
	for _, pool := range []struct {
		does string
		line int
	}{{"parse", 10}, {"pack", 20}} {
		creator := int32(len(s.trace.Sites))
		s.trace.Sites = append(s.trace.Sites, trace.Site{Frames: []trace.Frame{wrapper, frame("main.main", "main.go", pool.line)}})
		receive := int32(len(s.trace.Sites))
		s.trace.Sites = append(s.trace.Sites, trace.Site{Frames: []trace.Frame{frame("main."+pool.does, "main.go", pool.line+5), frame("lib.(*Group).Go.func1", "lib.go", 80)}})
		s.sites["lib.(*Group).Go.func1 "+pool.does] = receive
		for range 2 {
			w := s.thread("worker", main, main.now)
			th := &s.trace.Threads[w.id]
			th.Start, th.Creator = "lib.(*Group).Go.func1", creator
			spawn := &s.trace.Threads[0].Records[len(s.trace.Threads[0].Records)-1]
			spawn.Site = creator
			all = append(all, w)
		}
	}
	for i := range 100 {
		main.compute(10_000).does(trace.OpSend, "send", 1, 1, 0)
		w := all[i%len(all)]
		w.now = max(w.now, main.now)
		w.does(trace.OpReceive, []string{"parse", "pack"}[i%len(all)/2], 1, 1, 0).compute(1_000_000)
	}
	for i, w := range all {
		w.hit(trace.OpReceive, []string{"parse", "pack"}[i/2], false, 1, 0, 0) // and waits
		main.now = max(main.now, w.now)
	}
	main.ends()
	spawn := func(f trace.Frame) trace.FactSite { return trace.FactSite{Frame: f, Op: trace.OpSpawn.String()} }
	facts := &trace.Facts{
		Sites: []trace.FactSite{spawn(wrapper), spawn(frame("main.main", "main.go", 10)), spawn(frame("main.main", "main.go", 20))},
		Inputs: []trace.Setting{
			{Name: "-parsers", Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: frame("main.main", "main.go", 10)}}},
			{Name: "-packers", Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: frame("main.main", "main.go", 20)}}},
		},
	}
	m, _, err := Build(trail.Input{Trace: s.trace, Facts: facts}, trail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"parsers": "pools/parse/size", "packers": "pools/pack/size"} {
		p, ok := m.Parameter(name)
		if !ok || !slices.ContainsFunc(p.Targets, func(t core.Target) bool { return t.Path == target }) || len(p.Targets) != 1 {
			t.Errorf("%s drives %v, want %s alone; parameters %s", name, p.Targets, target, strings.Join(m.ParameterNames(), ", "))
		}
	}
}

// Where the threads execute nothing that was recorded but the library's own
// functions, the pool has the name of who started it.
func TestAPoolOfALibraryHasTheNameOfItsCaller(t *testing.T) {
	t.Parallel()
	library := trace.Frame{Function: "x/lib.(*Group).Go", File: "lib.go", Line: 78}
	caller := trace.Frame{Function: "main.serve", File: "main.go", Line: 10}
	tr := &trace.Trace{
		Sites: []trace.Site{{Frames: []trace.Frame{library, caller}}, {Frames: []trace.Frame{{Function: "x/lib.(*Group).done"}, {Function: "x/lib.(*Group).Go.func1"}}}},
		Threads: []trace.Thread{{ID: 1, Start: "main.main", Creator: -1},
			{ID: 2, Start: "x/lib.(*Group).Go.func1", Creator: 0, Parent: 1, Records: []trace.Record{{Site: 1, Op: trace.OpReceive}}}},
	}
	facts := &trace.Facts{Sites: []trace.FactSite{{Frame: library, Op: trace.OpSpawn.String()}, {Frame: caller, Op: trace.OpSpawn.String()}}}
	gs := pools.GroupThreads(tr, facts)
	pools.UnwrapStarts(gs, tr, facts)
	if g := gs[1]; g.Name != "serve" || g.Place != caller {
		t.Errorf("the pool is %q, started at %v; want \"serve\", %v", g.Name, g.Place, caller)
	}
}

// A program has a group of its own, whose threads execute a function beside it: the wrapper's package is theirs too.
func TestAPoolOfAGroupOfTheProgramIsCalledByWhatItDoes(t *testing.T) {
	t.Parallel()
	wrapper := trace.Frame{Function: "main.(*group).Go", File: "main.go", Line: 78}
	caller := trace.Frame{Function: "main.main", File: "main.go", Line: 10}
	run := trace.Frame{Function: "main.(*group).Go.func1", File: "main.go", Line: 80}
	tr := &trace.Trace{
		Sites: []trace.Site{{Frames: []trace.Frame{wrapper, caller}}, {Frames: []trace.Frame{{Function: "main.parse", File: "main.go", Line: 20}, run}}},
		Threads: []trace.Thread{{ID: 1, Start: "main.main", Creator: -1},
			{ID: 2, Start: run.Function, Creator: 0, Parent: 1, Records: []trace.Record{{Site: 1, Op: trace.OpReceive}}}},
	}
	facts := &trace.Facts{Sites: []trace.FactSite{{Frame: wrapper, Op: trace.OpSpawn.String()}, {Frame: caller, Op: trace.OpSpawn.String()}}}
	gs := pools.GroupThreads(tr, facts)
	pools.UnwrapStarts(gs, tr, facts)
	if g := gs[1]; g.Name != "parse" || g.Place != caller {
		t.Errorf("the pool is %q, started at %v; want \"parse\", %v", g.Name, g.Place, caller)
	}
}

// A program that listens and runs to its end: its clients, wherever they are, are
// no queue of the model, and waiting for them is a wait for the world outside.
func TestWaitingForAConnectionIsADelay(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	accepts := s.thread("accepts", main, 0)
	for range 10 {
		accepts.does(trace.OpAccept, "accept", 1, 1, 20_000_000).compute(1_000_000)
	}
	accepts.ends()
	main.does(trace.OpWaitGroup, "wait", 2, 0, accepts.now).compute(1_000_000).ends()
	m, _ := s.build(t, trail.Options{})
	delays := 0
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Class == core.DelayFragment && f.Origin.Line == s.trace.Sites[s.site("main.accepts", "accept")].Frames[0].Line {
				delays++
				if mean := f.Delay.Expectation(); mean < 0.019 || mean > 0.021 {
					t.Errorf("a wait for a connection takes %.3g s, want 0.02", mean)
				}
			}
		}
	}
	if delays != 1 {
		t.Errorf("%d fragments wait for a connection, want one", delays)
	}
}

// wg.Go(lintPackage), and there eg.Go(lintFile): the library starts both, but the threads of
// files are no packages that packages start.
func TestThreadsThatOneWrapperStartsInTwoPlacesAreNoTree(t *testing.T) {
	t.Parallel()
	library := trace.Frame{Function: "x/lib.(*Group).Go", File: "lib.go", Line: 78}
	packages := trace.Frame{Function: "main.lint", File: "main.go", Line: 10}
	files := trace.Frame{Function: "main.lintPackage", File: "main.go", Line: 20}
	run := trace.Frame{Function: "x/lib.(*Group).Go.func1", File: "lib.go", Line: 80}
	tr := &trace.Trace{Sites: []trace.Site{{Frames: []trace.Frame{library, packages}}, {Frames: []trace.Frame{library, files, run}}}}
	for id, parent := range []int64{0, 1, 1, 2, 2, 3} {
		th := trace.Thread{ID: int64(id + 1), Start: run.Function, Creator: 0, Parent: parent, Ended: 100}
		switch parent {
		case 0:
			th.Start, th.Creator = "main.main", -1
		case 2, 3:
			th.Creator = 1
		}
		tr.Threads = append(tr.Threads, th)
	}
	spawn := func(f trace.Frame) trace.FactSite { return trace.FactSite{Frame: f, Op: trace.OpSpawn.String()} }
	gs := pools.GroupThreads(tr, &trace.Facts{Sites: []trace.FactSite{spawn(library), spawn(packages), spawn(files)}})
	if len(gs) != 3 || gs[1].Tree || gs[2].Tree || len(gs[1].Threads) != 2 || len(gs[2].Threads) != 3 {
		t.Errorf("%d groups, want main, 2 threads of packages and 3 of files, none of them a tree", len(gs))
	}
}
