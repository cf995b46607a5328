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
			if target.Multiplies { // what another one turns
				continue
			}
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

// Of the places of all channels together, which are so many for each reducer, only one
// of the two numbers can be turned.
func TestASettingOfWhatChangesWithAPoolIsReported(t *testing.T) {
	t.Parallel()
	s := mapreduce(3, 2)
	m, r := s.with(t, []trace.Setting{{Name: "-buffer", Uses: []trace.SettingUse{{Kind: trace.UseCapacity, Frame: s.at("main.main", "make")}}}}, "-buffer", "16")
	if by := drivers(t, m)["queues/channel main:1/capacity"]; by != "reducer-threads" || !says(r, "-buffer is not offered: the capacity of channel main:1 changes with the threads started at main") {
		t.Errorf("the channels are driven by %q, and the report says %q; want the reducers, and of -buffer", by, r.Trust.Assumptions)
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
		least float64
	}{
		"2*n workers":               {core.Linear{Factor: 2}, "2", map[float64]float64{1: 2, 2: 4, 3: 6}, 1},
		"n-1 workers, at least one": {core.Linear{Offset: -1, Min: 1}, "5", map[float64]float64{2: 1, 5: 4, 9: 8}, 2},
		"n workers, at least three": {core.Linear{Min: 3}, "4", map[float64]float64{3: 3, 4: 4, 9: 9}, 3},
		"n/2 workers":               {core.Linear{Factor: 0.5}, "8", map[float64]float64{4: 2, 8: 4, 12: 6}, 2},
		"n/2 workers, rounded down": {core.Linear{Factor: 0.5}, "9", map[float64]float64{5: 2, 9: 4, 13: 6}, 3},
	} {
		s := workers(4)
		m, _ := s.with(t, []trace.Setting{{Name: "-n", Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: s.at("main.main", "go worker"), Value: c.value}}}}, "-n", c.given)
		p, ok := m.Parameter("n")
		if !ok || p.How != "-n {value}" || p.Min != c.least {
			t.Fatalf("%s: parameters %+v, want n, at least %g", name, m.Parameters, c.least)
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

// What a setting decides together with other things does not follow it.
func TestWhatDependsOnOtherThingsTooFollowsNothing(t *testing.T) {
	t.Parallel()
	for _, loose := range []bool{false, true} {
		s := workers(3)
		m, _ := s.with(t, []trace.Setting{{Name: "-workers", Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: s.at("main.main", "go worker")},
			{Kind: trace.UseCapacity, Frame: s.at("main.main", "make"), Loose: loose}}}}, "-workers", "3")
		if p, _ := m.Parameter("main:1-capacity"); (p.Follows == nil) != loose {
			t.Errorf("other things count too: %v; the capacity follows %v", loose, p.Follows)
		}
	}
}

// A number that is not known is the one that makes most of what the setting leads to:
// two reducers and 8·2 places, but not three mappers.
func TestAnUnknownNumberIsTheOneThatExplainsMost(t *testing.T) {
	t.Parallel()
	s := mapreduce(3, 2)
	spawn := func(who string) trace.SettingUse {
		return trace.SettingUse{Kind: trace.UseSpawn, Frame: s.at("main.main", who)}
	}
	m, _ := s.with(t, []trace.Setting{{Name: "-n", Uses: []trace.SettingUse{spawn("go mapper"), spawn("go reducer"),
		{Kind: trace.UseCapacity, Frame: s.at("main.main", "make"), Value: core.Linear{Factor: 8}}}}})
	if by := drivers(t, m); by["pools/reducer/size"] != "n" || by["pools/mapper/size"] != "mapper-threads" {
		t.Errorf("driven by %v, want -n for the reducers alone", by)
	}
}

// turns is a program of two threads that take turns at twelve pieces of work each.
func turns() *script { return turnsOf(2) }

// turnsOf are those of so many threads.
func turnsOf(threads int) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	for range threads {
		a := s.thread("worker", main, 0)
		for range 12 {
			a.compute(100_000).does(trace.OpLock, "lock", 1, 0, 10).compute(50_000).does(trace.OpUnlock, "unlock", 1, 0, 10)
		}
		a.ends()
		main.now = max(main.now, a.now)
	}
	main.compute(1000).ends()
	return s
}

// What divides does not go with what adds: where n+1 threads share the work, the number
// of threads is turned, not n.
func TestAFormulaThatTargetsCannotExpressIsNotOffered(t *testing.T) {
	t.Parallel()
	s := turns()
	m, _ := s.with(t, []trace.Setting{{Name: "-n", Initial: 1, Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: s.at("main.main", "go worker"), Value: core.Linear{Offset: 1}}}}})
	if by := drivers(t, m)["pools/worker/size"]; by != "worker-threads" {
		t.Errorf("the threads are turned by %q, want worker-threads", by)
	}
}

// Five steps and, in each of them, n−2 messages: with n below two there would be fewer
// than none.
func TestRoundsAreInTheRangeOfAllTheirLoops(t *testing.T) {
	t.Parallel()
	s := relaxation()
	loop := func(offset float64) trace.SettingUse {
		return trace.SettingUse{Kind: trace.UseLoop, Frame: s.at("main.main", "send"), Value: core.Linear{Offset: offset}}
	}
	m, _ := s.with(t, []trace.Setting{{Name: "-n", Initial: 5, Uses: []trace.SettingUse{loop(0), loop(-2)}}})
	if p, _ := m.Parameter("n"); p.Min != 2 || len(p.Targets) != 3 {
		t.Errorf("parameters %+v, want n for all three loops, 2 at least", m.Parameters)
	}
}

// A loop that goes round as often as a setting says is not divided among the threads,
// and not gone through once for each of them, although there are as many.
func TestRoundsThatASettingSaysAreNotThoseOfAPool(t *testing.T) {
	t.Parallel()
	s := turns()
	said := []trace.Setting{{Name: "-steps", Initial: 12, Uses: []trace.SettingUse{{Kind: trace.UseLoop, Frame: s.at("main.worker", "lock")}}}}
	m, _ := s.with(t, said)
	turned, err := m.With(map[string]float64{"worker-threads": 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range turned.Graphs[1].Fragments {
		if f.Class == core.CPUFragment && f.Scale != 0.5 {
			t.Errorf("with four threads in place of two %s takes %g times as long, want half", f.ID, f.Scale)
		}
	}
	for id, n := range loopsOf(&turned, "worker") {
		if by := drivers(t, m)["graphs/worker/fragments/"+id+"/iterations"]; n != 12 || by != "steps" {
			t.Errorf("with four threads %s goes round %g times, driven by %q; want 12 and steps", id, n, by)
		}
	}
	s = relaxation()
	m, _ = s.with(t, []trace.Setting{{Name: "-parts", Initial: 3, Uses: []trace.SettingUse{{Kind: trace.UseLoop, Frame: s.at("main.main", "send")}}},
		{Name: "-workers", Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: s.at("main.main", "go worker")}}}})
	by := drivers(t, m)
	for id, n := range loopsOf(m, "main") {
		if driver := by["graphs/main/fragments/"+id+"/iterations"]; n == 3 && driver != "parts" {
			t.Errorf("%s, of 3 rounds, is driven by %q, want parts", id, driver)
		}
	}
}

// One thread alone goes round as often as -steps says, whether others would share the rounds or not. The program divides by the number
// of threads, so they do: what each of them goes round follows both settings, and what a round takes neither.
func TestRoundsOfAThreadAloneAreShared(t *testing.T) {
	t.Parallel()
	s := turnsOf(1)
	m, _ := s.with(t, []trace.Setting{{Name: "-steps", Initial: 12, Uses: []trace.SettingUse{{Kind: trace.UseLoop, Frame: s.at("main.worker", "lock")}}},
		{Name: "-workers", Initial: 1, Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: s.at("main.main", "go worker")}, {Kind: trace.UseDivisor, Frame: s.at("main.main", "go worker")}}}})
	turned, err := m.With(map[string]float64{"workers": 4, "steps": 24})
	if err != nil {
		t.Fatal(err)
	}
	rounds := loopsOf(&turned, "worker")
	for id, n := range rounds {
		if n != 6 {
			t.Errorf("24 steps of four threads: %s goes round %g times, want 6", id, n)
		}
	}
	if len(rounds) == 0 {
		t.Error("the worker has no loop")
	}
	for _, f := range turned.Graphs[1].Fragments {
		if f.Class == core.CPUFragment && f.Scale != 0 && f.Scale != 1 && f.Origin.Line == s.at("main.worker", "lock").Line {
			t.Errorf("with four threads %s takes %g times as long, want as long", f.ID, f.Scale)
		}
	}
}

// A flag sets the threads, and the cores where there are two at least; each thread has a
// CPU unless the flag is given. The cores follow the threads, which then do not follow
// the cores.
func TestParametersDoNotFollowEachOtherInACircle(t *testing.T) {
	t.Parallel()
	s := workers(2)
	spawn := s.at("main.main", "go worker")
	m, _ := s.with(t, []trace.Setting{{Name: "-n", Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: spawn}, {Kind: trace.UseCores, Value: core.Linear{Min: 2}}}},
		{Name: "NumCPU", Machine: trace.MachineCPUs, Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: spawn, Default: "-n"}}}})
	cores, _ := m.Parameter("cores")
	n, _ := m.Parameter("n")
	if cores.Follows == nil || cores.Follows.Parameter != "n" || n.Follows != nil {
		t.Errorf("cores follow %v, n follows %v; want n and nothing", cores.Follows, n.Follows)
	}
}

// Two threads of "-n 2.5" are no parameter of 2.5 threads.
func TestAPartOfAThreadIsNotOffered(t *testing.T) {
	t.Parallel()
	s := workers(2)
	m, _ := s.with(t, []trace.Setting{{Name: "-n", Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: s.at("main.main", "go worker")}}}}, "-n", "2.5")
	if by := drivers(t, m)["pools/worker/size"]; by != "worker-threads" {
		t.Errorf("the threads are turned by %q, want worker-threads", by)
	}
}

// Threads that are started one after the other, each when the one before is ready, are as many as their loop goes round.
func TestThreadsThatAreStartedOneByOneAreAsManyAsTheirLoopHasRounds(t *testing.T) {
	t.Parallel()
	const ready = 5
	s := newScript()
	s.channel(ready, 0)
	main := s.thread("main", nil, 0)
	var ws []*actor
	for range 3 {
		w := s.thread("worker", main, main.now)
		w.compute(100_000).does(trace.OpSend, "ready", ready, 0, 0)
		main.hit(trace.OpReceive, "started", false, ready, 0, 0)
		main.now = w.now + 1000
		main.hit(trace.OpReceive, "started", true, ready, 1, 0)
		main.compute(1000)
		ws = append(ws, w)
	}
	for _, w := range ws {
		w.compute(5_000_000).ends()
		main.hit(trace.OpJoin, "join", false, 0, 0, uint64(w.id+1))
		main.now = max(main.now, w.now) + 1000
		main.hit(trace.OpJoin, "join", true, 0, 0, uint64(w.id+1))
	}
	main.ends()
	m, _ := s.build(t, trail.Options{})
	p, ok := m.Parameter("worker-threads")
	if !ok || p.Default != 3 {
		t.Fatalf("parameters %v, want worker-threads 3", m.ParameterNames())
	}
	for _, end := range []string{"/size", "/iterations"} {
		if !slices.ContainsFunc(p.Targets, func(target core.Target) bool { return strings.HasSuffix(target.Path, end) }) {
			t.Errorf("it does not turn %s: %v", end, p.Targets)
		}
	}
}

// Each of three workers says once what it has, through a channel with room for three. That is room for all of them, so that nobody waits who
// is not heard; where each sends twice it is a buffer like others.
func TestAChannelWithRoomForEachThreadHasItForMore(t *testing.T) {
	t.Parallel()
	for _, times := range []int{1, 2} {
		const results = 1
		s := newScript()
		s.channel(results, 3)
		main := s.thread("main", nil, 0)
		for i := range int64(3) {
			w := s.thread("worker", main, 10+i)
			w.compute(1_000_000 * (i + 1))
			for range times {
				w.does(trace.OpSend, "send", results, 1, 100).compute(500_000)
			}
			w.ends()
		}
		main.compute(1_000_000)
		for range 3*times - 1 {
			main.does(trace.OpReceive, "receive", results, 1, 1_500_000)
		}
		main.ends()
		m, _ := s.build(t, trail.Options{})
		driven := ""
		for path, by := range drivers(t, m) {
			if strings.HasSuffix(path, "/capacity") {
				driven = by
			}
		}
		if want := map[int]string{1: "worker-threads", 2: "main:3-capacity"}[times]; driven != want {
			t.Errorf("sent to %d times by each: the capacity is driven by %q, want %q", times, driven, want)
		}
	}
}

// A number whose name says that it is a time is not guessed to be how many threads there are.
func TestANameOfATimeIsNoNumberOfThreads(t *testing.T) {
	t.Parallel()
	for name, guessed := range map[string]bool{"-think-ms": false, "-thinkMs": false, "-timeout": false, "--retry_delay": false, "-s": true, "-ms-threads": true, "-items": true, "-Dpool.size": true} {
		_, r := workers(3).with(t, []trace.Setting{{Name: name}}, name, "3")
		if says(r, "because both") != guessed {
			t.Errorf("%s 3: %q, want a guess: %v", name, r.Trust.Assumptions, guessed)
		}
	}
}

// Of two pools of three threads a setting with that number sets the first, unless it is said which of them it does.
func TestASettingThatMaySetSeveralNumbersOfThreadsSetsOneOfThem(t *testing.T) {
	t.Parallel()
	s := workers(3)
	main := &actor{s: s, id: 0, now: s.trace.End}
	for range 3 {
		s.thread("checker", main, s.trace.End).compute(9_000_000).does(trace.OpUnlock, "check", 9, 0, 0).ends()
	}
	for guess, want := range []string{"pools/worker/size", "pools/checker/size"} {
		in := trail.Input{Trace: s.trace, Facts: &trace.Facts{Inputs: []trace.Setting{{Name: "-n"}}}, Workload: trace.Workload{Args: []string{"-n", "3"}}}
		m, r, err := Build(in, trail.Options{Guesses: map[string]int{"-n": guess}})
		if err != nil {
			t.Fatal(err)
		}
		by := drivers(t, m)
		if by[want] != "n" || r.Guessed["-n"] != 2 {
			t.Errorf("guess %d of %d: driven by %v, want n for %s", guess, r.Guessed["-n"], by, want)
		}
	}
}

// Main fills a channel with as many connections as it has places, and two workers take one each time they ask a database: of a pool
// of another size it puts as many there.
func TestWhoFillsAChannelFillsOneOfAnotherCapacity(t *testing.T) {
	t.Parallel()
	const idle, connections, workers = 1, 3, 2
	s := newScript()
	s.trace.Objects = append(s.trace.Objects, trace.Object{ID: idle, Kind: "chan", Capacity: connections, Elem: 8, Site: s.site("main.newDatabase", "make")})
	main := s.thread("main", nil, 0)
	for range connections {
		main.compute(1000).does(trace.OpSend, "fill", idle, 1, 10)
	}
	var ws []*actor
	for range workers {
		ws = append(ws, s.thread("worker", main, main.now+10))
	}
	for range 10 {
		for _, w := range ws {
			w.does(trace.OpReceive, "take", idle, 1, 10).compute(100_000).does(trace.OpSend, "bring", idle, 1, 10)
		}
	}
	for _, w := range ws {
		w.ends()
		main.now = w.now
	}
	main.ends()
	m, _ := s.with(t, []trace.Setting{{Name: "-connections", Uses: []trace.SettingUse{{Kind: trace.UseCapacity, Frame: s.at("main.newDatabase", "make")}}}}, "-connections", "3")
	turned, err := m.With(map[string]float64{"connections": 5})
	if err != nil {
		t.Fatal(err)
	}
	if rounds := slices.Collect(maps.Values(loopsOf(&turned, "main"))); turned.Locks[0].Capacity != 5 || !slices.Equal(rounds, []float64{5}) {
		t.Errorf("of 5 connections there are %d places, filled by %v rounds", turned.Locks[0].Capacity, rounds)
	}
}

// Two threads compute six times each and then wait on a condition, five times each, until others are ready: with another number of threads the
// computations are divided, but not the waits.
func TestWaitsOnAConditionAreNotDivided(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.trace.Objects = append(s.trace.Objects, trace.Object{ID: 1, Kind: "mutex"}, trace.Object{ID: 2, Kind: "condition", Parent: 1})
	main := s.thread("main", nil, 0)
	var ws []*actor
	for range 2 {
		ws = append(ws, s.thread("worker", main, main.now+10))
	}
	for i, w := range ws {
		for range 6 {
			w.compute(100_000).does(trace.OpDone, "tell", 7, 0, 10)
		}
		w.now += int64(i) * 2_000_000 // one after the other
		w.does(trace.OpLock, "lock", 1, 0, 10)
		for range 5 {
			w.does(trace.OpCondWait, "wait", 2, 0, 300_000)
		}
		w.does(trace.OpUnlock, "unlock", 1, 0, 10).ends()
	}
	for k := range int64(10) {
		main.now = 850_000 + k/5*2_000_000 + k%5*300_000
		main.does(trace.OpLock, "ready", 1, 0, 10).does(trace.OpBroadcast, "wake", 2, 0, 10).does(trace.OpUnlock, "ready leaves", 1, 0, 10)
	}
	main.now = 5_000_000
	main.ends()
	m, _ := s.build(t, trail.Options{Threshold: -1})
	by, loops := drivers(t, m), loopsOf(m, "worker")
	if rounds := slices.Collect(maps.Values(loops)); !slices.Equal(rounds, []float64{5}) {
		t.Fatalf("loops of %v rounds, want one of 5, in which they wait", rounds)
	}
	divided := 0
	for path, driver := range by {
		if strings.HasPrefix(path, "graphs/worker/") && driver == "worker-threads" {
			divided++
		}
		if strings.HasSuffix(path, "/iterations") {
			t.Errorf("%s is driven by %q", path, driver)
		}
	}
	if divided == 0 {
		t.Errorf("nothing that the workers do is divided: %v", by)
	}
}
