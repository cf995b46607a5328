package analysis

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/analysis/trust"
	"tierscope/core"
)

// mapreduce is a program whose mappers hand a part of every document to each
// reducer, through a channel of its own:
//
//	shuffled := make([]chan part, reducers) // 16 places each
//	for range mappers { go func() { for d := range input { for r, p := range parts(d) { shuffled[r] <- p } } }() }
//	for r := range reducers { go func() { for range shuffled[r] { … } }() }
//	for range 12 { input <- document }
func mapreduce(mappers, reducers int) *script {
	s := newScript()
	const input = 99
	s.channel(input, 0)
	for r := range reducers {
		s.trace.Objects = append(s.trace.Objects, trace.Object{ID: uint64(r + 1), Kind: "chan", Capacity: 16, Elem: 8, Site: s.site("main.main", "make")})
	}
	main := s.thread("main", nil, 0)
	start := func(what string, n int) (as []*actor) {
		for range n {
			as = append(as, s.thread(what, main, main.now+10))
		}
		return as
	}
	ms, rs := start("mapper", mappers), start("reducer", reducers)
	for i := range 12 {
		m := ms[i%mappers]
		main.compute(1000).does(trace.OpSend, "send", input, 1, max(m.now-main.now, 10))
		m.does(trace.OpReceive, "receive", input, 1, max(main.now-m.now, 10)).compute(100_000)
		for r, a := range rs {
			m.does(trace.OpSend, "shuffle", uint64(r+1), 1, 10)
			a.does(trace.OpReceive, "reduce", uint64(r+1), 1, max(m.now-a.now, 10)).compute(50_000)
		}
	}
	main.does(trace.OpClose, "close", input, 0, 10)
	for _, m := range ms {
		m.does(trace.OpReceive, "receive", input, 0, max(main.now-m.now, 10)).ends()
		main.now = max(main.now, m.now)
	}
	for r, a := range rs {
		main.does(trace.OpClose, "close part", uint64(r+1), 0, 10)
		a.does(trace.OpReceive, "reduce", uint64(r+1), 0, max(main.now-a.now, 10)).ends()
		main.now = max(main.now, a.now)
	}
	main.ends()
	return s
}

// at is the place of a site of the script.
func (s *script) at(function, name string) trace.Frame {
	return s.trace.Sites[s.site(function, name)].Frames[0]
}

// with builds the model of a script with what the scan found and what the run was given.
func (s *script) with(t *testing.T, inputs []trace.Setting, args ...string) (*core.Model, *trust.Report) {
	t.Helper()
	m, r, err := Build(trail.Input{Trace: s.trace, Facts: &trace.Facts{Inputs: inputs}, Workload: trace.Workload{Args: args}}, trail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m, r
}

// drivers maps the paths that the parameters of a model turn to their names.
func drivers(t interface{ Errorf(string, ...any) }, m *core.Model) map[string]string {
	by := map[string]string{}
	for _, p := range m.Parameters {
		for _, target := range p.Targets {
			if other, has := by[target.Path]; has {
				t.Errorf("%s is driven by %s and by %s", target.Path, other, p.Name)
			}
			by[target.Path] = p.Name
		}
	}
	return by
}

// "A MapReduce with -mappers and -reducers made an invalid model": as many mappers
// as reducers both use as many channels as there are of them. The program counts to
// the reducers where it makes the channels and where it sends to them.
func TestChannelsBelongToThePoolThatTheProgramCountsToThere(t *testing.T) {
	t.Parallel()
	for _, mappers := range []int{2, 3} {
		s := mapreduce(mappers, 2)
		m, _ := s.with(t, []trace.Setting{
			{Name: "-mappers", Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: s.at("main.main", "go mapper")}}},
			{Name: "-reducers", Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: s.at("main.main", "go reducer")},
				{Kind: trace.UseLoop, Frame: s.at("main.main", "make")}, {Kind: trace.UseLoop, Frame: s.at("main.mapper", "shuffle")}}},
		}, "-mappers", map[int]string{2: "2", 3: "3"}[mappers], "-reducers", "2")
		by := drivers(t, m)
		want := map[string]string{"pools/mapper/size": "mappers", "pools/reducer/size": "reducers", "queues/channel main:1/capacity": "reducers"}
		for path, name := range want {
			if by[path] != name {
				t.Errorf("%d mappers: %s is driven by %q, want %q; all: %v", mappers, path, by[path], name, by)
			}
		}
		more, err := m.With(map[string]float64{"reducers": 4})
		if err != nil {
			t.Fatal(err)
		}
		if room, _ := more.Lookup("queues/channel main:1/capacity"); room.Value != 4*16 {
			t.Errorf("%d mappers: the channels of four reducers have %g places together, want 4 × 16", mappers, room.Value)
		}
	}
}

// Nothing tells the mappers from the reducers but their number: the channels stay as
// they are, and the trust report says so.
func TestAPathThatTwoPoolsMayDecideIsTurnedByNeither(t *testing.T) {
	t.Parallel()
	s := mapreduce(2, 2)
	m, r := s.with(t, nil)
	if by := drivers(t, m); by["pools/mapper/size"] == by["pools/reducer/size"] || strings.HasSuffix(by["queues/channel main:1/capacity"], "threads") {
		t.Errorf("the pools and the channels are driven by %v, want three different parameters", by)
	}
	if !says(r, "queues/channel main:1/capacity: more than one pool had as many threads") {
		t.Errorf("nothing is said of it: %q", r.Trust.Assumptions)
	}
}

// says reports whether an assumption of the trust report contains the words.
func says(r *trust.Report, words string) bool {
	return slices.ContainsFunc(r.Trust.Assumptions, func(a string) bool { return strings.Contains(a, words) })
}

// "A size flag was found as a channel's capacity with another default than the
// flag's, and turning it changed nothing": it is no knob, and is reported; the
// capacity is one in its own name. So are settings that lead nowhere in the model.
func TestASettingThatDoesNotMakeTheNumberOfTheRunIsReported(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		initial float64
		value   core.Linear
		loose   bool
		args    []string
		driver  string // of the capacity
		says    string // "": nothing
	}{
		"the default is that of the run":      {4, core.Linear{}, false, nil, "size", ""},
		"another default":                     {1024, core.Linear{}, false, nil, "main:1-capacity", "-size is not offered: 1024 would not make the capacity of channel main:1 4, as in the run"},
		"given another number":                {4, core.Linear{}, false, []string{"-size", "8"}, "main:1-capacity", "-size is not offered: "},
		"given the number, the default isn't": {1024, core.Linear{}, false, []string{"-size", "4"}, "size", ""},
		"half of it, by another formula":      {8, core.Linear{Factor: 2}, false, nil, "main:1-capacity", "-size is not offered: "},
		"it depends on other things too":      {1024, core.Linear{}, true, nil, "main:1-capacity", "does not show what these settings change, and they are not offered: -seed, -size"},
		"nothing is known of its number":      {0, core.Linear{}, false, nil, "size", ""},
	} {
		s := workers(4)
		m, r := s.with(t, []trace.Setting{{Name: "-seed", Initial: 1}, {Name: "-size", Initial: c.initial,
			Uses: []trace.SettingUse{{Kind: trace.UseCapacity, Frame: s.at("main.main", "make"), Value: c.value, Loose: c.loose}}}}, c.args...)
		if by := drivers(t, m)["queues/channel main:1/capacity"]; by != c.driver {
			t.Errorf("%s: the capacity is turned by %q, want %q", name, by, c.driver)
		}
		if c.says == "" && says(r, "-size") || !says(r, c.says) || !says(r, "not offered: -seed") {
			t.Errorf("%s: the report says %q, want %q, and of -seed", name, r.Trust.Assumptions, c.says)
		}
	}
}

// Two flags that both lead to a pool and were both its size: neither is taken for it.
func TestOfTwoSettingsWithTheSameEvidenceNeitherIsTaken(t *testing.T) {
	t.Parallel()
	s := workers(3)
	uses := []trace.SettingUse{{Kind: trace.UseSpawn, Frame: s.at("main.main", "go worker")}}
	for want, second := range map[string]string{"worker-threads": "3", "groups": "1"} { // three groups of three, or of one
		m, r := s.with(t, []trace.Setting{{Name: "-groups", Uses: uses}, {Name: "-members", Uses: uses}}, "-groups", "3", "-members", second)
		if by := drivers(t, m)["pools/worker/size"]; by != want {
			t.Errorf("-groups 3 -members %s: three threads are turned by %q, want %q", second, by, want)
		}
		if said := says(r, "-groups is not offered: 2 settings could each make the threads"); said != (second == "3") {
			t.Errorf("-groups 3 -members %s: the report says %q", second, r.Trust.Assumptions)
		}
	}
}

// A setting that the program computes with is turned in its own units: what is typed
// is what is meant.
func TestAParameterIsInTheUnitsOfItsSetting(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		value core.Linear
		given string
		turns map[float64]float64 // the setting to the number of workers
	}{
		"2*n workers":               {core.Linear{Factor: 2}, "2", map[float64]float64{1: 2, 2: 4, 3: 6}},
		"n-1 workers, at least one": {core.Linear{Offset: -1, Min: 1}, "5", map[float64]float64{2: 1, 5: 4, 9: 8}},
		"n/2 workers":               {core.Linear{Factor: 0.5}, "8", map[float64]float64{4: 2, 8: 4, 12: 6}},
	} {
		s := workers(4)
		m, _ := s.with(t, []trace.Setting{{Name: "-n", Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: s.at("main.main", "go worker"), Value: c.value}}}}, "-n", c.given)
		p, ok := m.Parameter("n")
		if !ok || p.How != "-n {value}" {
			t.Fatalf("%s: parameters %+v, want n", name, m.Parameters)
		}
		got := map[float64]float64{}
		for n := range c.turns {
			turned, err := m.With(map[string]float64{"n": n})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			k, _ := turned.Lookup("pools/worker/size")
			got[n] = k.Value
		}
		if !maps.Equal(got, c.turns) {
			t.Errorf("%s: n turns the number of workers to %v, want %v", name, got, c.turns)
		}
	}
}

// A number that a setting has already been found for is no evidence for anything else
// that happens to have it.
func TestASettingThatIsKnownToDecideOneThingIsNotGuessedForAnother(t *testing.T) {
	t.Parallel()
	s := workers(3)
	s.trace.Objects[0].Capacity = 3
	m, r := s.with(t, []trace.Setting{{Name: "-workers", Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: s.at("main.main", "go worker")}}}}, "-workers", "3")
	by := drivers(t, m)
	if by["pools/worker/size"] != "workers" || by["queues/channel main:1/capacity"] != "main:1-capacity" || says(r, "because both") {
		t.Errorf("driven by %v, %q; want -workers for the pool alone", by, r.Trust.Assumptions)
	}
}
