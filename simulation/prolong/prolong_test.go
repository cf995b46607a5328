package prolong

import (
	"context"
	"math"
	"slices"
	"testing"

	"tierscope/core"
)

// wait is a fragment of a function, waiting for something outside.
func waitIn(id, function string, seconds float64, context []string, next ...string) core.Fragment {
	f := core.Fragment{ID: id, Class: core.DelayFragment, Delay: core.Distribution{Kind: core.Uniform, Min: 0.8 * seconds, Max: 1.2 * seconds},
		Context: context, Origin: core.Origin{Function: function, Line: 9}}
	return to(f, next)
}

func to(f core.Fragment, next []string) core.Fragment {
	for _, n := range next {
		f.Next = append(f.Next, core.Edge{To: n, Probability: 1})
	}
	return f
}

func syncIn(id, function string, op core.SyncOp, line int, next ...string) core.Fragment {
	return to(core.Fragment{ID: id, Class: core.SyncFragment, Sync: &core.Sync{Lock: "registry", Op: op}, Origin: core.Origin{Function: function, Line: line}}, next)
}

// twoWriters is a program of two threads: one repeats main.Read (under the
// lock) and main.Think (free), the other main.Write (under the same lock) and
// main.Rest.
func twoWriters() core.Model {
	loop := func(body string) core.Fragment {
		return to(core.Fragment{ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: core.Const(400), Body: body}}, nil)
	}
	thread := func(id, locked, free string, hold, rest float64) core.Graph {
		return core.Graph{ID: id, Entry: "loop", Fragments: []core.Fragment{
			loop("lock"),
			syncIn("lock", locked, core.Enter, 5, "hold"),
			waitIn("hold", locked, hold, nil, "unlock"),
			syncIn("unlock", locked, core.Exit, 6, "free"),
			waitIn("free", free, rest, nil, "loop"),
		}}
	}
	return core.Model{Name: "two", CPU: core.CPU{Cores: 2},
		Pools:  []core.Pool{{ID: "reader", Graph: "reader", Size: 1, Main: true}, {ID: "writer", Graph: "writer", Size: 1}},
		Graphs: []core.Graph{thread("reader", "main.Read", "main.Think", 1e-3, 4e-3), thread("writer", "main.Write", "main.Rest", 2e-3, 3e-3)},
		Locks:  []core.Lock{{ID: "registry", Kind: core.Mutex}},
	}
}

// A delay under a lock slows whoever else takes the lock, and nobody else. A
// module takes its own delay once per execution.
func TestADelayUnderALockReachesTheOthersThatTakeIt(t *testing.T) {
	t.Parallel()
	m := twoWriters()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	r, err := Run(context.Background(), m, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	index := map[string]int{}
	for i, module := range r.Modules {
		index[module.Name] = i
	}
	if len(index) != 4 {
		t.Fatalf("modules %v, want Read, Think, Write, Rest", index)
	}
	if locks := r.Modules[index["main.Read"]].Locks; !slices.Equal(locks, []string{"registry"}) {
		t.Errorf("main.Read takes the locks %v", locks)
	}
	// Mean over the two repetitions of the largest delay, less the same without.
	effect := func(from, on string) float64 {
		var with, without, delay, n, n0 float64
		for _, o := range r.Observations {
			switch {
			case o.Module == index[from] && o.Delay > delay*1.01:
				delay, with, n = o.Delay, o.Times[index[on]], 1
			case o.Module == index[from] && o.Delay > delay*0.99:
				with, n = with+o.Times[index[on]], n+1
			case o.Module == -1:
				without, n0 = without+o.Times[index[on]], n0+1
			}
		}
		return (with/n - without/n0) / delay
	}
	if e := effect("main.Think", "main.Think"); math.Abs(e-1) > 0.05 {
		t.Errorf("main.Think takes %.2f s longer per second of its own delay, want 1", e)
	}
	if e := effect("main.Write", "main.Read"); e < 0.2 {
		t.Errorf("main.Read takes %.2f s longer per second that main.Write holds the lock longer, want much", e)
	}
	for _, pair := range [][2]string{{"main.Think", "main.Rest"}, {"main.Read", "main.Think"}, {"main.Rest", "main.Think"}} {
		if e := effect(pair[0], pair[1]); math.Abs(e) > 0.05 {
			t.Errorf("%s depends on %s by %.2f: they share nothing", pair[1], pair[0], e)
		}
	}
}

// The lock of main.take is taken in its callers' name, and a channel to which a
// module sends before it receives is a lock: delays go behind both, in equal parts.
func TestDelaysFollowLocksOfCalleesAndChannels(t *testing.T) {
	t.Parallel()
	channel := func(id string, op core.SyncOp, line int, next string) core.Fragment {
		return to(core.Fragment{ID: id, Class: core.SyncFragment, Sync: &core.Sync{Lock: "permit", Op: op}, Origin: core.Origin{Function: "main.Read", Line: line}}, []string{next})
	}
	m := twoWriters()
	m.Locks = append(m.Locks, core.Lock{ID: "permit", Kind: core.Channel, Capacity: 1})
	g := &m.Graphs[0] // Read: permit, take (registry), back
	g.Fragments = append(g.Fragments, channel("acquire", core.Send, 3, "lock"), channel("release", core.Receive, 7, "free"))
	for i := range g.Fragments {
		f := &g.Fragments[i]
		switch f.ID {
		case "loop":
			f.Loop.Body = "acquire"
		case "lock", "hold", "unlock":
			f.Origin.Function, f.Context = "main.take", []string{"main.Read:4"}
		}
		if f.ID == "unlock" {
			f.Next[0].To = "release"
		}
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	r, err := Run(context.Background(), m, nil, Options{Only: []string{"main.Read", "main.Write"}, Levels: []float64{1}, Repeats: 1, Baselines: 1})
	if err != nil {
		t.Fatal(err)
	}
	read := r.Modules[0]
	if !slices.Equal(read.Locks, []string{"permit", "registry"}) {
		t.Errorf("%s acquires %v, want permit and registry", read.Name, read.Locks)
	}
	delayed := read.Prolonged(m, 1, false)
	for id, want := range map[string]float64{"prolong main.Read behind acquire": 0.5, "prolong main.Read behind lock": 0.5} {
		f := delayed.Graphs[0].Fragment(id)
		if f == nil || f.Delay.Expectation() != want {
			t.Errorf("%q is not delayed by %g s of 1", id, want)
		}
	}
	for _, run := range r.Observations {
		if run.Module == 0 {
			// Half of the delay is under the lock that Write needs too.
			if own := run.Times[0] - r.Observations[0].Times[0]; math.Abs(own/run.Delay-1) > 0.35 {
				t.Errorf("main.Read takes %.4g s longer for a delay of %.4g s", own, run.Delay)
			}
		}
	}
}

// A caller's own delay is no time of what it calls; what it calls is its time.
func TestADelayInACallerIsNotTimeOfTheCalled(t *testing.T) {
	t.Parallel()
	outer := []string{"main.Outer:3"}
	m := core.Model{Name: "nested", CPU: core.CPU{Cores: 1}, Pools: []core.Pool{{ID: "p", Graph: "g", Size: 1, Main: true}},
		Graphs: []core.Graph{{ID: "g", Entry: "loop", Fragments: []core.Fragment{
			to(core.Fragment{ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: core.Const(50), Body: "inner"}}, nil),
			waitIn("inner", "main.Inner", 1e-3, outer, "own"),
			waitIn("own", "main.Outer", 1e-3, nil, "loop"),
		}}}}
	modules := Modules(&m, Function)
	if len(modules) != 2 || !Calls(modules)[1][0] || Calls(modules)[0][1] {
		t.Fatalf("modules %v: want main.Inner, called by main.Outer", modules)
	}
	r, err := Run(context.Background(), m, nil, Options{Levels: []float64{1}, Repeats: 1, Baselines: 1})
	if err != nil {
		t.Fatal(err)
	}
	var base Observation
	for _, run := range r.Observations {
		if run.Module == -1 {
			base = run
		}
	}
	for _, run := range r.Observations {
		if run.Module < 0 {
			continue
		}
		for j, want := range [2][2]float64{{1, 1}, {0, 1}}[run.Module] {
			if got := (run.Times[j] - base.Times[j]) / run.Delay; math.Abs(got-want) > 0.06 {
				t.Errorf("a delay in %s lengthens %s by %.2f of it, want %g", r.Modules[run.Module].Name, r.Modules[j].Name, got, want)
			}
		}
	}
}

func TestFunctionsAreNamedWithoutThePartsThatTheCompilerMakes(t *testing.T) {
	t.Parallel()
	for function, want := range map[string]string{
		"main.Store.deferwrap1": "main.Store", "main.handle.func1.2": "main.handle", "example.org/shop.(*Cart).Add": "example.org/shop.(*Cart).Add",
		"sync.(*WaitGroup).Go.func1": "", "net/http.(*conn).serve": "", "main.each-range1": "main.each",
	} {
		if got := moduleOf(function, Function, nil); got != want {
			t.Errorf("%s belongs to %q, want %q", function, got, want)
		}
	}
	if got := moduleOf("example.org/shop.(*Cart).Add", Package, nil); got != "example.org/shop" {
		t.Errorf("package %q", got)
	}
}

// A model that an analyst wrote names no function of any source: what is under a lock,
// with the wait for it, is a module, and so is every other computation. The dependency
// through the lock is there as in the model with functions.
func TestAModelThatNamesNoFunctionsHasModules(t *testing.T) {
	t.Parallel()
	m := twoWriters()
	for i := range m.Graphs {
		for k := range m.Graphs[i].Fragments {
			m.Graphs[i].Fragments[k].Origin = core.Origin{}
		}
	}
	r, err := Run(context.Background(), m, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, module := range r.Modules {
		names = append(names, module.Name)
	}
	if want := []string{"reader: free", "reader: lock", "writer: free", "writer: lock"}; !slices.Equal(names, want) {
		t.Fatalf("modules %q, want %q", names, want)
	}
	// The mean over the runs in which writer: lock is delayed, less that without.
	effect := func(on int) float64 {
		var with, without, n, n0, delay float64
		for _, o := range r.Observations {
			switch o.Module {
			case 3:
				with, n, delay = with+o.Times[on], n+1, delay+o.Delay
			case -1:
				without, n0 = without+o.Times[on], n0+1
			}
		}
		return (with/n - without/n0) / (delay / n)
	}
	if e := effect(1); e < 0.2 {
		t.Errorf("a delay of the writer under the lock lengthens the reader's wait and hold by %.2f of it", e)
	}
	if e := effect(0); e > 0.1 || e < -0.1 {
		t.Errorf("a delay of the writer under the lock lengthens what the reader does without it by %.2f of it", e)
	}
	if !slices.Equal(r.Modules[1].Locks, []string{"registry"}) {
		t.Errorf("%s takes the locks %q", r.Modules[1].Name, r.Modules[1].Locks)
	}
}
