package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/runtimes"
	"tierscope/analysis/settings"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// workers is a program whose main starts n workers at once and gives them a
// hundred tasks through a channel with n places.
func workers(n int) *script { return crew("worker", n) }

// crew is workers that start with another function.
func crew(start string, n int) *script {
	s := newScript()
	s.trace.Runtime = runtimes.Go()
	s.channel(1, int64(n))
	s.trace.Objects[0].Site = s.site("main.main", "make")
	s.trace.Calibration.Cores = 2
	main := s.thread("main", nil, 0)
	var ws []*actor
	for range n {
		ws = append(ws, s.thread(start, main, main.now))
	}
	for i := range 100 {
		main.compute(10_000).does(trace.OpSend, "send", 1, 1, 0)
		w := ws[i%n]
		w.now = max(w.now, main.now)
		w.does(trace.OpReceive, "receive", 1, 1, 0).compute(1_000_000)
	}
	for _, w := range ws {
		w.hit(trace.OpReceive, "receive", false, 1, 0, 0) // and waits
		main.now = max(main.now, w.now)
	}
	main.ends()
	return s
}

// A pool whose size the program computes from the number of cores follows the
// parameter "cores", and is told by affinity where it counts CPUs; what decides it
// in this run otherwise, or cannot have decided it, leads nothing.
func TestPoolsFollowTheMachineAsTheProgramDoes(t *testing.T) {
	t.Parallel()
	line := func(s *script, what string) trace.Frame {
		return trace.Frame{Function: "main.main", File: "main.go", Line: int(s.site("main.main", what)) + 1}
	}
	twice := core.Linear{Factor: 2}
	type wanted struct{ pool, places, how string }
	for name, c := range map[string]struct {
		n     int
		facts func(s *script) []trace.Setting
		work  trace.Workload
		want  wanted
	}{
		"for i := range 2 * runtime.NumCPU() { go worker() }": {4, func(s *script) []trace.Setting {
			return []trace.Setting{{Name: "NumCPU", Machine: trace.MachineCPUs, Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: line(s, "go worker"), Value: twice}}}}
		}, trace.Workload{}, wanted{"2·cores", "", "cpus={value}"}},
		"the same, where GOMAXPROCS was given": {4, func(s *script) []trace.Setting {
			return []trace.Setting{{Name: "NumCPU", Machine: trace.MachineCPUs, Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: line(s, "go worker"), Value: twice}}}}
		}, trace.Workload{Env: map[string]string{"GOMAXPROCS": "2"}}, wanted{"", "", "GOMAXPROCS={value}"}},
		"for range runtime.GOMAXPROCS(0) { go worker() }": {2, func(s *script) []trace.Setting {
			return []trace.Setting{{Name: "GOMAXPROCS", Machine: trace.MachineCores, Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: line(s, "go worker")}}}}
		}, trace.Workload{}, wanted{"cores", "", "GOMAXPROCS={value}"}},
		"one worker per CPU, but there were three": {3, func(s *script) []trace.Setting {
			return []trace.Setting{{Name: "NumCPU", Machine: trace.MachineCPUs, Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: line(s, "go worker")}}}}
		}, trace.Workload{}, wanted{"", "", "GOMAXPROCS={value}"}},
		"the default value of a flag that was not given, and a place for each": {2, func(s *script) []trace.Setting {
			return []trace.Setting{
				{Name: "-workers", Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: line(s, "go worker")}, {Kind: trace.UseCapacity, Frame: line(s, "make")}}},
				{Name: "NumCPU", Machine: trace.MachineCPUs, Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: line(s, "go worker"), Default: "-workers"}}}}
		}, trace.Workload{}, wanted{"cores", "workers", "cpus={value}"}},
		"the same, where the flag was given": {2, func(s *script) []trace.Setting {
			return []trace.Setting{
				{Name: "-workers", Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: line(s, "go worker")}, {Kind: trace.UseCapacity, Frame: line(s, "make")}}},
				{Name: "NumCPU", Machine: trace.MachineCPUs, Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: line(s, "go worker"), Default: "-workers"}}}}
		}, trace.Workload{Args: []string{"-workers", "2"}}, wanted{"", "workers", "GOMAXPROCS={value}"}},
		"the same, where the scan does not know whose default it is": {2, func(s *script) []trace.Setting {
			return []trace.Setting{
				{Name: "-workers", Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: line(s, "go worker")}}},
				{Name: "NumCPU", Machine: trace.MachineCPUs, Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: line(s, "go worker")}}}}
		}, trace.Workload{Args: []string{"-workers", "2"}}, wanted{"", "", "GOMAXPROCS={value}"}},
		"two workers for each that the flag says, one for each CPU": {4, func(s *script) []trace.Setting {
			return []trace.Setting{
				{Name: "-workers", Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: line(s, "go worker"), Value: twice}}},
				{Name: "NumCPU", Machine: trace.MachineCPUs, Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: line(s, "go worker"), Value: twice, Default: "-workers"}}}}
		}, trace.Workload{}, wanted{"cores", "", "cpus={value}"}},
		"one worker per CPU, of which the program used half": {4, func(s *script) []trace.Setting {
			return []trace.Setting{{Name: "NumCPU", Machine: trace.MachineCPUs, Uses: []trace.SettingUse{{Kind: trace.UseSpawn, Frame: line(s, "go worker")}}}}
		}, trace.Workload{Cores: 4}, wanted{"", "", "cpus={value}"}},
		"a flag that nothing but its number tells of, as in Java": {3, func(*script) []trace.Setting { return nil },
			trace.Workload{Args: []string{"-workers", "3"}}, wanted{"", "", "GOMAXPROCS={value}"}},
	} {
		s := workers(c.n)
		m, _, err := Build(trail.Input{Trace: s.trace, Facts: &trace.Facts{Inputs: c.facts(s)}, Workload: c.work}, trail.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		got := wanted{how: m.Parameters[0].How}
		for _, p := range m.Parameters {
			if p.Follows == nil {
				continue
			}
			switch p.Targets[0].Path {
			case "pools/worker/size":
				got.pool = p.Follows.String()
			case "queues/channel main:1/capacity":
				got.places = p.Follows.String()
			}
		}
		if got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v; parameters %+v", name, got, c.want, m.Parameters)
		}
		more, err := m.With(map[string]float64{"cores": 8})
		if err != nil {
			t.Fatal(err)
		}
		want := c.n
		if c.want.pool != "" {
			want = 4 * c.n
		}
		if i := slices.IndexFunc(more.Pools, func(p core.Pool) bool { return p.ID == "worker" }); more.Pools[i].Size != want {
			t.Errorf("%s: on 8 cores there are %d workers, want %d", name, more.Pools[i].Size, want)
		}
	}
}

// The processes that a program waits for run on the cores of the model too; GOMAXPROCS would leave them all
// of the machine's.
func TestCoresAreThoseOfChildrenToo(t *testing.T) {
	t.Parallel()
	for cpu, want := range map[int64]string{0: "GOMAXPROCS={value}", 5_000_000: settings.HowCPUs} {
		s := newScript()
		s.trace.Runtime = runtimes.Go()
		s.thread("main", nil, 0).compute(1_000_000).waitsFor(cpu, 10_000_000).compute(1_000_000).ends()
		m, _ := s.build(t, trail.Options{})
		if p, _ := m.Parameter("cores"); p.How != want {
			t.Errorf("a child that uses %d ns: cores are told by %q, want %q", cpu, p.How, want)
		}
	}
}
