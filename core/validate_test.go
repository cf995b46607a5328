package core_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"tierscope/core"
)

// Every malformed or contradictory model gives an error that names the element
// and the remedy.
func TestEveryDefectNamesTheElementAndTheRemedy(t *testing.T) {
	t.Parallel()
	worker := func(m *core.Model, id string) *core.Fragment { return m.Graphs[1].Fragment(id) }
	to := func(id string) []core.Edge { return []core.Edge{{To: id, Probability: 1}} }
	nan := math.NaN()
	for _, c := range []struct {
		name   string
		spoil  func(*core.Model)
		where  string // names the element
		remedy string
	}{
		{"unknown lock", func(m *core.Model) { worker(m, "enter").Sync.Lock = "L33" },
			`graph "worker": fragment "enter"`, `did you mean "L3"?`},
		{"probabilities that sum to .9", func(m *core.Model) { worker(m, "exit").Next[0].Probability = .15 },
			`graph "worker": fragment "exit"`, "make them sum to 1"},
		{"a lock that is no call's, made by one", func(m *core.Model) { worker(m, "enter").Sync.Op = core.Make },
			`graph "worker": fragment "enter"`, `set its scope or remove the fragment`},
		{"since without timeout", func(m *core.Model) { worker(m, "enter").Since = &core.Since{From: "send"} }, `fragment "enter"`, "give a timeout"},
		{"since a fragment that takes time", func(m *core.Model) {
			worker(m, "enter").Sync.Timeout, worker(m, "enter").Since = core.Const(1), &core.Since{From: "send"}
		}, `since: from is "send", a fragment of class "cpu"`, `name one of class "dispatch"`},
		{"since nothing that there is", func(m *core.Model) {
			worker(m, "enter").Sync.Timeout, worker(m, "enter").Since = core.Const(1), &core.Since{From: "nowhere"}
		}, `since: from`, "nowhere"},
		{"permits of a mutex", func(m *core.Model) { worker(m, "enter").Sync.Permits = core.Const(2) },
			`graph "worker": fragment "enter"`, `remove them or use a "semaphore"`},
		{"a negative probability", func(m *core.Model) {
			worker(m, "exit").Next[0].Probability, worker(m, "exit").Next[1].Probability = -.5, 1.5
		}, `fragment "exit": edge to "read"`, "give a probability in 0…1"},
		{"the same successor twice", func(m *core.Model) { worker(m, "exit").Next[1].To = "read" },
			`fragment "exit": edge to "read"`, "add the two probabilities"},
		{"negative capacity", func(m *core.Model) { m.Queues[1].Capacity = -7 }, `queue "tasks"`, "give a number ≥ 0, or -1 for no limit"},
		{"drop from an unlimited queue", func(m *core.Model) { m.Queues[0].WhenFull = core.Drop }, `queue "connections"`, "give a capacity"},
		{"a source and a queue of each task", func(m *core.Model) { m.Queues[0].Scope = core.PerTask }, `source "clients"`, "give the queue another scope"},
		{"a source and queues of threads that may be full", func(m *core.Model) { m.Queues[0].Scope, m.Queues[0].Capacity = core.PerThread, 4 }, `source "clients"`, "make it -1, without limit"},
		{"a source and queues of threads that come and go", func(m *core.Model) { m.Queues[0].Scope, m.Pools[0].Kind = core.PerThread, core.SpawnPool }, `source "clients"`, `make the pool "fixed"`},
		{"a source and queues of which no thread takes", func(m *core.Model) {
			m.Sources[0].To, m.Queues = "new", append(m.Queues, core.Queue{ID: "new", Capacity: -1, Scope: core.PerThread})
		},
			`source "clients"`, "add an in fragment"},
		{"full timeout without the policy", func(m *core.Model) { m.Queues[1].FullTimeout = 1 }, `queue "tasks"`, `set when_full to "timeout"`},
		{"unknown discipline", func(m *core.Model) { m.Queues[1].Discipline = "random" }, `queue "tasks"`, `use one of "", "fifo"`},
		{"cycle without time", func(m *core.Model) {
			worker(m, "got").Next = to("a")
			m.Graphs[1].Fragments = append(m.Graphs[1].Fragments,
				core.Fragment{ID: "a", Class: core.DispatchFragment, Next: to("b")}, core.Fragment{ID: "b", Class: core.DispatchFragment, Next: to("a")})
		}, `graph "worker"`, "give one a cpu demand or a delay"},
		{"polling an empty queue without a pause", func(m *core.Model) {
			worker(m, "s6").In.Timeout = core.Const(0)
			worker(m, "s6").Next = append(worker(m, "s6").Next, core.Edge{To: "none", Probability: 1})
			m.Graphs[1].Fragments = append(m.Graphs[1].Fragments, core.Fragment{ID: "none", Class: core.NoFetchFragment, Next: to("s6")})
		}, `graph "worker"`, "give one a cpu demand or a delay"},
		{"a law made to fill the memory", func(m *core.Model) {
			worker(m, "send").Demand = core.Distribution{Kind: core.Empirical, Values: make([]float64, 1_000_001)}
		}, `fragment "send"`, "keep at most 1000000, such as every tenth quantile"},
		{"more parameters than anybody varies", func(m *core.Model) {
			m.Parameters = append(m.Parameters, make([]core.Parameter, 10_001)...)
		}, "parameters", "keep those that you vary, at most 10000"},
		{"NaN demand", func(m *core.Model) { worker(m, "send").Demand.Mean = nan }, `graph "worker": fragment "send"`, "give a finite number > 0"},
		{"infinite demand", func(m *core.Model) { worker(m, "lookup").Demand.Value = math.Inf(1) }, `fragment "lookup"`, "give a finite number ≥ 0"},
		{"missing demand", func(m *core.Model) { worker(m, "send").Demand = core.Distribution{} }, `fragment "send"`, `needs it`},
		{"demand and delay", func(m *core.Model) { worker(m, "send").Delay = core.Const(1) }, `fragment "send"`, "remove it"},
		{"unknown distribution", func(m *core.Model) { worker(m, "send").Demand.Kind = "normal" }, `fragment "send"`, `use one of "constant"`},
		{"Pareto without a mean", func(m *core.Model) {
			worker(m, "send").Demand = core.Distribution{Kind: core.Pareto, Min: 1, Shape: .9}
		}, `fragment "send"`, "give a finite number > 1"},
		{"sketch that does not ascend", func(m *core.Model) {
			worker(m, "send").Demand = core.Distribution{Kind: core.Empirical, Values: []float64{2, 1}, Probabilities: []float64{0, 1}}
		}, `fragment "send"`, "sort them"},
		{"mixture weights that sum to 2", func(m *core.Model) {
			worker(m, "send").Demand = core.Distribution{Kind: core.Mixture, Weights: []float64{1, 1}, Components: []core.Distribution{core.Const(1), core.Exp(1)}}
		}, `fragment "send"`, "make them sum to 1"},
		{"two fragments of one id", func(m *core.Model) { worker(m, "lookup").ID = "enter" }, `graph "worker": fragment "enter"`, "rename one"},
		{"two pools of one id", func(m *core.Model) { m.Pools[1].ID = "acceptor" }, `pool "acceptor"`, "rename one"},
		{"queue and lock of one id", func(m *core.Model) { m.Locks[0].ID = "tasks" }, `queue "tasks"`, "rename one"},
		{"element without id", func(m *core.Model) { m.Sinks[0].ID = "" }, "sink 1 of 1", "give it one"},
		{"unknown class of fragment", func(m *core.Model) { worker(m, "send").Class = "gpu" }, `fragment "send"`, `use one of "cpu"`},
		{"unknown successor", func(m *core.Model) { worker(m, "read").Next = to("sned") }, `fragment "read"`, `did you mean "send"`},
		{"unknown entry", func(m *core.Model) { m.Graphs[1].Entry = "main" }, `graph "worker"`, `there is`},
		{"pool without a graph", func(m *core.Model) { m.Pools[1].Graph = "" }, `pool "worker"`, "name a graph"},
		{"empty pool", func(m *core.Model) { m.Pools[1].Size = 0 }, `pool "worker"`, "at least 1 thread"},
		{"spawn of a fixed pool", func(m *core.Model) {
			*worker(m, "send") = core.Fragment{ID: "send", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "acceptor"}, Next: to("leave")}
		}, `fragment "send"`, `only threads of a pool of kind "spawned"`},
		{"in without fetch", func(m *core.Model) { worker(m, "s6").Next = to("lookup") }, `fragment "s6"`, "give exactly one"},
		{"in with chance", func(m *core.Model) { worker(m, "s6").Next[0].Probability = .5 }, `fragment "s6"`, "the queue decides"},
		{"timeout without nofetch", func(m *core.Model) { worker(m, "s6").In.Timeout = core.Const(1) }, `fragment "s6"`, "when it fetched nothing"},
		{"fetch without in", func(m *core.Model) { worker(m, "read").Next = to("got") }, `fragment "read"`, "lead to its successor"},
		{"operation that the lock does not have", func(m *core.Model) { worker(m, "enter").Sync.Op = core.Notify },
			`fragment "enter"`, `use one of "enter", "exit"`},
		{"lock that is never released", func(m *core.Model) {
			*worker(m, "exit") = core.Fragment{ID: "exit", Class: core.DispatchFragment, Next: worker(m, "exit").Next}
		}, `lock "L3"`, `add a fragment with "exit"`},
		{"timeout of an operation that never waits", func(m *core.Model) { worker(m, "exit").Sync.Timeout = core.Const(1) }, `fragment "exit"`, "remove it"},
		{"on_timeout without timeout", func(m *core.Model) { worker(m, "enter").Sync.OnTimeout = "send" }, `fragment "enter"`, "give a timeout"},
		{"since without timeout", func(m *core.Model) { worker(m, "enter").Since = &core.Since{From: "send"} }, `fragment "enter"`, "give a timeout"},
		{"since a fragment that takes time", func(m *core.Model) {
			worker(m, "enter").Sync.Timeout, worker(m, "enter").Since = core.Const(1), &core.Since{From: "send"}
		}, `since: from is "send", a fragment of class "cpu"`, `name one of class "dispatch"`},
		{"since nothing that there is", func(m *core.Model) {
			worker(m, "enter").Sync.Timeout, worker(m, "enter").Since = core.Const(1), &core.Since{From: "nowhere"}
		}, `since: from`, "nowhere"},
		{"permits of a mutex", func(m *core.Model) { m.Locks[0].Permits = 3 }, `lock "L3"`, "remove it"},
		{"barrier for nobody", func(m *core.Model) { m.Locks = append(m.Locks, core.Lock{ID: "B", Kind: core.Barrier}) }, `lock "B"`, "at least 1"},
		{"stripes without weights for all", func(m *core.Model) {
			m.Locks[0].Instances, m.Locks[0].Weights = 4, []float64{.5, .5}
		}, `lock "L3"`, "one weight for each"},
		{"loop whose body never returns", func(m *core.Model) {
			*worker(m, "read") = core.Fragment{ID: "read", Class: core.LoopFragment, Loop: &core.Loop{Count: core.Const(3), Body: "die"}, Next: to("send")}
			m.Graphs[1].Fragments = append(m.Graphs[1].Fragments, core.Fragment{ID: "die", Class: core.CPUFragment, Demand: core.Const(1)})
		}, `fragment "read"`, `lead the last fragment of the body back to "read"`},
		{"unknown disk", func(m *core.Model) { worker(m, "read").IO.Disk = "sdb" }, `fragment "read"`, `"sda"`},
		{"request without service law", func(m *core.Model) {
			m.Disks[0].Service[0].Type = "write"
		}, `fragment "read"`, "add one"},
		{"disk with an unknown delivery", func(m *core.Model) { m.Disks[0].Delivery = "batch" }, `disk "sda": delivery`, `"idle"`},
		{"disk with a negative setup", func(m *core.Model) { m.Disks[0].Setup = -1 }, `disk "sda"`, "setup_s"},
		{"disk that wakes up for ever", func(m *core.Model) { m.Disks[0].Sleep.Wake = math.Inf(1) }, `disk "sda"`, "sleep.wake_s"},
		{"disk without law", func(m *core.Model) { m.Disks[0].Service = nil }, `disk "sda"`, "at least one request type"},
		{"rows out of order", func(m *core.Model) {
			m.Disks[0].Service[0].Rows = []core.ServiceRow{{X: 1, Time: core.Exp(1)}, {X: 0, Time: core.Exp(1)}}
		}, `disk "sda"`, "sort them"},
		{"a send that notices that its channel is closed", func(m *core.Model) {
			*worker(m, "send") = core.Fragment{ID: "send", Class: core.SyncFragment, Sync: &core.Sync{Op: core.Select,
				Cases: []core.SelectCase{{Lock: m.Queues[0].ID, Op: core.Send, To: "send", Closed: "send"}}}}
		}, `fragment "send"`, "only a \"receive\" notices"},
		{"select without cases", func(m *core.Model) {
			*worker(m, "send") = core.Fragment{ID: "send", Class: core.SyncFragment, Sync: &core.Sync{Op: core.Select}}
		}, `fragment "send"`, "give at least one case"},
		{"cores by typing error", func(m *core.Model) { m.CPU.Cores, m.Parameters = 1<<40, nil }, "cpu", "give at most 16384"},
		{"no cores", func(m *core.Model) { m.CPU.Cores, m.Parameters = 0, nil }, "cpu", "give at least 1"},
		{"negative core speed", func(m *core.Model) { m.CPU.Speed = []float64{-1} }, "cpu", "give a finite number > 0"},
		{"Poisson source without rate", func(m *core.Model) { m.Sources[0].Rate, m.Parameters = 0, nil }, `source "clients"`, "give a finite number > 0"},
		{"Poisson source with think time", func(m *core.Model) { m.Sources[0].Think = core.Exp(1) }, `source "clients"`, "remove it"},
		{"source to nowhere", func(m *core.Model) { m.Sources[0].To = "conections" }, `source "clients"`, `did you mean "connections"`},
		{"task of an unknown class", func(m *core.Model) { m.Sources[0].Class = "gold" }, `source "clients"`, "none is defined"},
		{"default outside its range", func(m *core.Model) { m.Parameters[0].Max = 2 }, `parameter "workers"`, "widen the range"},
		{"target that does not exist", func(m *core.Model) { m.Parameters[0].Targets[0].Path = "pools/workers/size" },
			`parameter "workers"`, `did you mean "pools/worker/size"`},
		{"two parameters for one path", func(m *core.Model) { m.Parameters[1].Targets[0].Path = "pools/worker/size" }, `parameter "cores"`, "remove one of them"},
		{"range that makes the model invalid", func(m *core.Model) { m.Parameters[0].Min = 0 }, `parameter "workers"`, "at least 1"},
		{"background that never lets time pass", func(m *core.Model) {
			m.Background = []core.Background{{ID: "gc", Trigger: core.EveryCPU, Interval: core.Const(0), Demand: core.Const(1)}}
		}, `background "gc"`, "give a positive mean"},
		{"compiler with nothing to compile", func(m *core.Model) {
			m.Background = []core.Background{{ID: "jit", Trigger: core.WarmingUp}}
		}, `background "jit"`, "give at least one"},
		{"code that becomes slower when it is compiled", func(m *core.Model) {
			m.Background = []core.Background{{ID: "jit", Trigger: core.WarmingUp, Stages: []core.Stage{{Demand: 1, Slowdown: 1}, {Demand: 1, Slowdown: 2}}}}
		}, `background "jit": stages[1]`, "does not become slower"},
		{"compiler whose work comes in no order", func(m *core.Model) {
			m.Background = []core.Background{{ID: "jit", Trigger: core.WarmingUp, Stages: []core.Stage{{Demand: 1, After: 2}, {Demand: 1, After: 1}}}}
		}, `background "jit": stages[1]`, "order the stages by it"},
		{"compiler with work before its program starts", func(m *core.Model) {
			m.Background = []core.Background{{ID: "jit", Trigger: core.WarmingUp, Start: 2, Stages: []core.Stage{{Demand: 1, After: 1}}}}
		}, `background "jit": stages[0]`, "or start_s"},
		{"collector with stages", func(m *core.Model) {
			m.Background = []core.Background{{ID: "gc", Trigger: core.EveryCPU, Interval: core.Const(1), Demand: core.Const(1), Stages: []core.Stage{{Demand: 1}}}}
		}, `background "gc"`, "remove it"},
		{"nothing ever starts", func(m *core.Model) {
			m.Parameters = nil
			for i := range m.Pools {
				m.Pools[i].Kind = core.SpawnPool
			}
		}, "model", `make one "fixed"`},
	} {
		m := webServer()
		c.spoil(&m)
		err := m.Validate()
		if err == nil {
			t.Errorf("%s: is called valid", c.name)
			continue
		}
		found := false
		for _, d := range core.Defects(err) {
			text := d.Error()
			found = found || (strings.Contains(text, c.where) && strings.Contains(text, c.remedy))
			if d.Where == "" || d.Remedy == "" {
				t.Errorf("%s: %q does not name the element and the remedy", c.name, text)
			}
		}
		if !found {
			t.Errorf("%s: no defect names %s and says %q:\n%v", c.name, c.where, c.remedy, err)
		}
	}
}

func TestValidateReportsAllDefectsAtOnce(t *testing.T) {
	t.Parallel()
	m := webServer()
	m.CPU.Cores = 0
	m.Queues[1].Capacity = -2
	m.Graphs[1].Fragment("enter").Sync.Lock = "nope"
	if err := m.Validate(); len(core.Defects(err)) < 3 {
		t.Errorf("three defects were made, %d are reported:\n%v", len(core.Defects(err)), err)
	}
}

func TestOddPartsOfAValidModelAreWarnings(t *testing.T) {
	t.Parallel()
	m := webServer()
	if w := m.Warnings(); len(w) != 0 {
		t.Errorf("a sound model has warnings: %v", w)
	}
	m.Pools[1].Size = 5
	m.Locks = append(m.Locks, core.Lock{ID: "L9", Kind: core.Mutex})
	m.Queues = append(m.Queues, core.Queue{ID: "unread", Capacity: 1})
	m.Graphs[1].Fragments = append(m.Graphs[1].Fragments, core.Fragment{ID: "island", Class: core.CPUFragment, Demand: core.Const(1)})
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(m.Warnings(), "\n")
	for _, want := range []string{"makes pools/worker/size 4 but the model says 5", `lock "L9"`, `queue "unread"`, `fragment "island": cannot be reached`} {
		if !strings.Contains(all, want) {
			t.Errorf("the warnings do not say %q:\n%s", want, all)
		}
	}
}

// A loop that turns a whole number of times without taking time ends; so does
// a cycle that is left with some probability.
func TestACycleThatEndsNeedsNoTime(t *testing.T) {
	t.Parallel()
	m := webServer()
	g := &m.Graphs[1]
	g.Fragment("got").Next = []core.Edge{{To: "loop", Probability: 1}}
	g.Fragments = append(g.Fragments,
		core.Fragment{ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: core.Const(3), Body: "turn"}, Next: []core.Edge{{To: "again", Probability: 1}}},
		core.Fragment{ID: "turn", Class: core.DispatchFragment, Next: []core.Edge{{To: "loop", Probability: 1}}},
		core.Fragment{ID: "again", Class: core.DispatchFragment, Next: []core.Edge{{To: "again", Probability: .5}, {To: "enter", Probability: .5}}})
	if err := m.Validate(); err != nil {
		t.Error(err)
	}
}

// What is wrong with a file is said with its place in the file.
func TestAMalformedFileSaysWhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, want string }{
		{"not JSON", "{\n  \"format\": nonsense}", "line 2, column"},
		{"cut off", `{"format": "tierscope-model", "version": 1, "pools": [`, "line 1"},
		{"empty", ``, "not JSON"},
		{"another format", `{"format": "tierscope-scenario", "version": 1}`, `"tierscope-scenario"; expected "tierscope-model"`},
		{"no format", `{"version": 1}`, `missing; expected "tierscope-model"`},
		{"no version", `{"format": "tierscope-model"}`, "expected a number from 1"},
		{"version that is no number", `{"format": "tierscope-model", "version": 1.5}`, "version"},
		{"newer version", `{"format": "tierscope-model", "version": 99}`, "version 99 is newer than version 2"},
		{"unknown key", `{"format": "tierscope-model", "version": 1, "cpu": {"coers": 2}}`, `cpu.coers: unknown key; did you mean "cores"?`},
		{"unknown key deep down", `{"format": "tierscope-model", "version": 1, "graphs": [{"id": "g", "fragments": [{"id": "f", "demand_s": {"kind": "constant", "vlaue": 1}}]}]}`,
			`graphs[0].fragments[0].demand_s.vlaue: unknown key; did you mean "value"?`},
		{"key in capitals", `{"format": "tierscope-model", "version": 1, "CPU": {"cores": 2}}`, `CPU: unknown key; did you mean "cpu"?`},
		{"key given twice", `{"format": "tierscope-model", "version": 1, "cpu": {"cores": 1, "cores": 2}}`, "cpu.cores: key is given twice"},
		{"text for a number", `{"format": "tierscope-model", "version": 1, "cpu": {"cores": "two"}}`, `key "cpu.cores" holds a string; expected a whole number`},
		{"fraction for a count", `{"format": "tierscope-model", "version": 1, "cpu": {"cores": 1.5}}`, "cpu.cores"},
		{"more after the end", `{"format": "tierscope-model", "version": 1} {}`, "after"},
	} {
		_, err := core.Decode(strings.NewReader(c.file))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %q does not say %q", c.name, err, c.want)
		}
	}
	_, err := core.Decode(strings.NewReader(`{"format": "tierscope-model", "version": 99}`))
	var newer *core.NewerVersionError
	if !errors.As(err, &newer) || newer.Found != 99 || newer.Greatest != core.ModelFormat.Version {
		t.Errorf("a newer version gives %#v, want a NewerVersionError with both numbers", err)
	}
}

// Migrations run in order, from the version of the file to the present one.
func TestOlderVersionsAreMigrated(t *testing.T) {
	t.Parallel()
	format := core.Format{Name: "test", Version: 3, Migrations: []func(map[string]any) error{
		func(d map[string]any) error { d["size"] = d["length"]; delete(d, "length"); return nil },
		func(d map[string]any) error { d["sizes"] = []any{d["size"]}; delete(d, "size"); return nil },
	}}
	for _, file := range []string{
		`{"format": "test", "version": 1, "length": 7}`,
		`{"format": "test", "version": 2, "size": 7}`,
		`{"format": "test", "version": 3, "sizes": [7]}`,
	} {
		var v struct {
			Sizes []int `json:"sizes"`
		}
		if err := format.Unmarshal([]byte(file), &v); err != nil || len(v.Sizes) != 1 || v.Sizes[0] != 7 {
			t.Errorf("%s was read as %v (%v), want sizes [7]", file, v.Sizes, err)
		}
	}
}

// Whatever is read without error is valid, and writing and reading it again
// changes nothing.
func FuzzDecode(f *testing.F) {
	var b bytes.Buffer
	if err := core.Encode(&b, webServer()); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"format": "tierscope-model", "version": 1, "pools": [{"id": "p", "graph": "g", "size": 1}], "cpu": {"cores": 1},
		"graphs": [{"id": "g", "entry": "a", "fragments": [{"id": "a", "class": "cpu", "demand_s": {"kind": "empirical", "values": [0, 1], "probabilities": [0, 1]}, "next": [{"to": "a", "p": 1}]}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := core.Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		if err := core.Encode(&first, m); err != nil {
			t.Fatalf("a valid model cannot be written: %v", err)
		}
		again, err := core.Decode(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, first.Bytes())
		}
		if err := core.Encode(&second, again); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("writing twice gives different bytes (%v)", err)
		}
		for _, k := range m.Knobs() {
			if _, err := m.Lookup(k.Path); err != nil {
				t.Fatalf("knob %s is listed but not found: %v", k.Path, err)
			}
		}
		if len(m.Graphs) < 8 {
			d := m.Demands()
			d.Bounds()
			if m.CPU.Cores < 1<<20 && d.Users < 200 {
				d.Estimate()
			}
		}
	})
}
