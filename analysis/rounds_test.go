package analysis

import (
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// A program that makes as many tasks as a flag says has a parameter for it. Flags
// that had another number in the run, or no known one, have none.
func TestAFlagThatSaysHowMuchThereIsToDoIsAParameter(t *testing.T) {
	t.Parallel()
	loop := func(initial float64, value core.Linear) []trace.Setting {
		return []trace.Setting{{Name: "-n", Initial: initial, Uses: []trace.SettingUse{{Kind: trace.UseLoop, Frame: trace.Frame{Function: "main.main", File: "main.go", Line: 3}, Value: value}}}}
	}
	elsewhere := loop(37, core.Linear{})
	elsewhere[0].Uses[0].Frame.Function = "main.prepare"
	for name, c := range map[string]struct {
		facts []trace.Setting
		args  []string
		at, n float64 // of the parameter, and of tasks then; 0: no parameter
	}{
		"for range n { tasks <- t }":         {loop(5, core.Linear{}), []string{"-n", "37"}, 50, 50},
		"the default value of the flag":      {loop(37, core.Linear{}), nil, 50, 50},
		"for i := 1; i < n; i++":             {loop(0, core.Linear{Offset: -1}), []string{"-n=38"}, 50, 49},
		"for range 2 * n, one task too many": {loop(0, core.Linear{Factor: 2}), []string{"-n", "18"}, 0, 0},
		"not given, and its default unknown": {loop(0, core.Linear{}), nil, 0, 0},
		"another number in the run":          {loop(37, core.Linear{}), []string{"-n", "40"}, 0, 0},
		"a loop of another function":         {elsewhere, nil, 0, 0},
	} {
		m, _, err := Build(trail.Input{Trace: producer(37).trace, Facts: &trace.Facts{Inputs: c.facts}, Workload: trace.Workload{Args: c.args}}, trail.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := m.Validate(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		has := slices.ContainsFunc(m.Parameters, func(p core.Parameter) bool { return p.Name == "n" })
		if has != (c.at > 0) {
			t.Errorf("%s: parameter n: %v", name, has)
			continue
		}
		if !has {
			continue
		}
		turned, err := m.With(map[string]float64{"n": c.at})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for id, n := range loopsOf(&turned, "main") {
			if n != c.n {
				t.Errorf("%s: loop %s makes %g rounds for n = %g, want %g", name, id, n, c.at, c.n)
			}
		}
	}
}

// Somebody who waits for as many tasks as there are waits for as many as the flag of the loop that hands them out says. Where
// another flag has the same number, nobody knows which: then the number of tasks is no parameter, and that is said.
func TestRoundsThatSomebodyAwaitsAreTurnedWithWhatIsAwaited(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ waited, alike bool }{{}, {waited: true}, {waited: true, alike: true}} {
		s := newScript()
		s.channel(1, 20)
		s.trace.Objects[0].Site = s.site("main.main", "make")
		main := s.thread("main", nil, 0)
		if c.waited {
			main.hit(trace.OpAdd, "add", false, 5, 20, 0)
			main.hit(trace.OpAdd, "add", true, 5, 0, 0)
		}
		worker := s.thread("worker", main, 10)
		for range 20 {
			main.compute(500).does(trace.OpSend, "send", 1, 1, 0)
			worker.now = max(worker.now, main.now)
			worker.does(trace.OpReceive, "receive", 1, 1, 0).compute(9000)
			if c.waited {
				worker.does(trace.OpDone, "done", 5, 0, 0)
			}
		}
		main.does(trace.OpClose, "close", 1, 0, 0)
		worker.does(trace.OpReceive, "receive", 1, 0, 0).ends()
		if c.waited {
			main.does(trace.OpWaitGroup, "wait", 5, 0, max(worker.now-main.now, 0))
		}
		main.ends()
		settings := []trace.Setting{{Name: "-n", Initial: 20, Uses: []trace.SettingUse{{Kind: trace.UseLoop, Frame: s.at("main.main", "send")}}}}
		if c.alike {
			settings = append(settings, trace.Setting{Name: "-room", Initial: 20, Uses: []trace.SettingUse{{Kind: trace.UseCapacity, Frame: s.at("main.main", "make")}}})
		}
		m, r := s.with(t, settings)
		if _, offered := m.Parameter("n"); offered == c.alike || says(r, "-n is not offered: somebody waits for 20 things") != c.alike {
			t.Errorf("%+v: -n is offered: %v; %q", c, offered, r.Trust.Assumptions)
		}
		if !c.waited || c.alike {
			continue
		}
		turned, err := m.With(map[string]float64{"n": 50})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(turned.Graphs[0].Fragments, func(f core.Fragment) bool { return f.Sync != nil && f.Sync.Op == core.Add })
		if n := turned.Graphs[0].Fragments[i].Sync.N; n != 50 {
			t.Errorf("50 rounds, and %d things to be done are awaited", n)
		}
	}
}

// Who collects the results goes round as often as who hands out the tasks: the
// flag turns both, and the trust report says that one of them is a guess.
func TestWhoCollectsResultsGoesRoundAsOftenAsThereAreTasks(t *testing.T) {
	t.Parallel()
	s := producer(20)
	s.channel(2, 20)
	collector := s.thread("collector", &actor{s: s, now: 1}, 1)
	for range 20 {
		collector.compute(100).does(trace.OpSleep, "sleep", 0, 0, 9_000)
	}
	collector.ends()
	facts := &trace.Facts{Inputs: []trace.Setting{{Name: "-n", Initial: 20, Uses: []trace.SettingUse{{Kind: trace.UseLoop, Frame: trace.Frame{Function: "main.main", File: "main.go", Line: 3}}}}}}
	m, report, err := Build(trail.Input{Trace: s.trace, Facts: facts}, trail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range m.Parameters {
		if p.Name == "n" && len(p.Targets) != 2 {
			t.Errorf("n turns %v, want the loops of both", p.Targets)
		}
	}
	if !slices.ContainsFunc(report.Trust.Assumptions, func(w string) bool { return strings.Contains(w, "because both are 20") }) {
		t.Errorf("nothing is said of the guess: %q", report.Trust.Assumptions)
	}
}

// A program may be given its numbers without flags, "program input.txt 3 40", or by
// names, "program in=input.txt threads=3": the argument that is the size of the pool, and no other one, is taken to set it. The
// value of a flag is none.
func TestAnArgumentWithoutAFlagMaySetAPool(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"program input.txt 3 40":  {[]string{"input.txt", "3", "40"}, "argument 2 {value}"},
		"program threads=3 k=21":  {[]string{"threads=3", "k=21"}, "argument 1 threads={value}"},
		"program a=3 b=3":         {[]string{"a=3", "b=3"}, ""},
		"program 3 3":             {[]string{"3", "3"}, ""},
		"a flag is likelier":      {[]string{"-seed=3", "3"}, "-seed {value}"},
		"program -workers 3":      {[]string{"-workers", "3"}, "-workers {value}"},
		"program with no numbers": {[]string{"input.txt"}, ""},
	} {
		m, _, err := Build(trail.Input{Trace: workers(3).trace, Workload: trace.Workload{Args: c.args}}, trail.Options{})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(m.Parameters, func(p core.Parameter) bool {
			return slices.ContainsFunc(p.Targets, func(t core.Target) bool { return t.Path == "pools/worker/size" })
		})
		if got := m.Parameters[i].How; got != c.want {
			t.Errorf("%s: the size of the pool is given by %q, want %q", name, got, c.want)
		}
	}
}

// A number that nobody followed, and that no other setting has, is taken to be that of the
// loops that went round as often; a small one, which would be chance, is not.
func TestANumberThatNobodyFollowedMayBeThatOfRounds(t *testing.T) {
	t.Parallel()
	free := trace.Setting{Name: "-n", Initial: 37, Unfollowed: true}
	followed, other := free, trace.Setting{Name: "-m", Initial: 37, Unfollowed: true}
	followed.Unfollowed = false
	few := free
	few.Initial = 5
	for name, c := range map[string]struct {
		rounds int
		facts  []trace.Setting
		want   bool
	}{
		"the only one":           {37, []trace.Setting{free}, true},
		"two settings":           {37, []trace.Setting{free, other}, false},
		"followed elsewhere":     {37, []trace.Setting{followed}, false},
		"another number of runs": {36, []trace.Setting{free}, false},
		"a small number":         {5, []trace.Setting{few}, false},
	} {
		m, r := producer(c.rounds).with(t, c.facts)
		if err := m.Validate(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, offered := m.Parameter("n"); offered != c.want || says(r, "-n is taken to be the rounds") != c.want {
			t.Errorf("%s: -n is offered: %v, want %v; %q", name, offered, c.want, r.Trust.Assumptions)
		}
	}
}
