package main

import (
	"fmt"
	"strings"

	"tierscope/core"
	"tierscope/core/quantity"
)

// load is what is measured, and what it came to. Times are in seconds.
type load struct {
	Tool string `json:"tool"` // threads or goroutines
	CPUs int    `json:"cpus"`

	// Bursts: so many threads compute always, and others compute and sleep by turns, for times with exponential laws.
	Hogs   int     `json:"hogs,omitempty"`
	Others int     `json:"others,omitempty"`
	Burst  float64 `json:"burst_s,omitempty"`
	Sleep  float64 `json:"sleep_s,omitempty"`

	// A lock: so many threads hold a mutex and compute without it by turns, likewise.
	Threads int     `json:"threads,omitempty"`
	Held    float64 `json:"held_s,omitempty"`
	Apart   float64 `json:"apart_s,omitempty"`

	Measured map[string]spread `json:"measured,omitempty"` // by words such as "R p99"
}

// spread is the median of what some repeats measured, and the least and most of them.
type spread struct {
	Median float64 `json:"median"`
	Least  float64 `json:"least"`
	Most   float64 `json:"most"`
}

// loads are all that are measured.
func loads() (all []load) {
	for _, x := range []struct {
		cpus, hogs, others int
		burst, sleep       float64
	}{
		{1, 1, 1, .5e-3, 10e-3}, {1, 3, 1, .5e-3, 10e-3}, {1, 3, 1, 3e-3, 30e-3}, {1, 3, 1, 10e-3, 60e-3}, {1, 0, 6, 2e-3, 12e-3},
		{2, 2, 2, .5e-3, 10e-3}, {2, 4, 2, 3e-3, 30e-3}, {2, 3, 2, 10e-3, 60e-3}, {2, 0, 12, 2e-3, 12e-3},
	} {
		all = append(all, load{Tool: "threads", CPUs: x.cpus, Hogs: x.hogs, Others: x.others, Burst: x.burst, Sleep: x.sleep})
		if x.burst == 3e-3 || x.hogs == 0 {
			all = append(all, load{Tool: "goroutines", CPUs: x.cpus, Hogs: x.hogs, Others: x.others, Burst: x.burst, Sleep: x.sleep})
		}
	}
	for _, x := range []struct {
		threads     int
		held, apart float64
	}{{2, 10e-6, 10e-6}, {4, 10e-6, 10e-6}, {4, 10e-6, 90e-6}, {4, 100e-6, 100e-6}, {4, 100e-6, 900e-6}, {4, 1e-3, 1e-3}, {4, 1e-3, 9e-3}} {
		all = append(all, load{Tool: "threads", CPUs: 2, Threads: x.threads, Held: x.held, Apart: x.apart})
	}
	return all
}

// arguments are those of the tool: what is measured, and for how many seconds.
func (l load) arguments() []string {
	words := fmt.Sprintf("bursts %d %d %d %g %g 12", l.CPUs, l.Hogs, l.Others, l.Burst, l.Sleep)
	if l.Threads > 0 {
		words = fmt.Sprintf("lock %d %d %g %g 3", l.CPUs, l.Threads, l.Held, l.Apart)
	}
	return strings.Fields(words)
}

// String names the configuration.
func (l load) String() string {
	short := func(s float64) string { return quantity.Format(s, "s") }
	if l.Threads > 0 {
		return fmt.Sprintf("%d threads, %s of %s", l.Threads, short(l.Held), short(l.Held+l.Apart))
	}
	beside := fmt.Sprintf("%d equal", l.Others)
	if l.Hogs > 0 {
		beside = fmt.Sprintf("%d beside %d", l.Others, l.Hogs)
	}
	return fmt.Sprintf("%d CPU, %s, %s every %s", l.CPUs, beside, short(l.Burst), short(l.Sleep))
}

// model makes the model of a load under a policy of the CPU, or with a fairness of the lock.
func (l load) model(policy core.CPUPolicy, fairness core.Fairness, waking costs) core.Model {
	to := func(id string) []core.Edge { return []core.Edge{{To: id, Probability: 1}} }
	m := core.Model{Name: l.String(), Sinks: []core.Sink{{ID: "done"}}, CPU: core.CPU{Cores: l.CPUs, Policy: policy}}
	if policy == core.EEVDF {
		m.CPU.WakeSameCore, m.CPU.WakeIdleCore, m.CPU.WakerCost = core.Const(waking.Same), core.Const(waking.Idle), core.Const(waking.Waker)
	}
	if l.Threads > 0 {
		m.Locks = []core.Lock{{ID: "mutex", Kind: core.Mutex, Fairness: fairness}}
		m.Graphs = []core.Graph{{ID: "loop", Entry: "apart", Fragments: []core.Fragment{
			{ID: "apart", Class: core.CPUFragment, Demand: core.Exp(l.Apart), Next: to("enter")},
			{ID: "enter", Class: core.SyncFragment, Sync: &core.Sync{Lock: "mutex", Op: core.Enter}, Next: to("held")},
			{ID: "held", Class: core.CPUFragment, Demand: core.Exp(l.Held), Next: to("exit")},
			{ID: "exit", Class: core.SyncFragment, Sync: &core.Sync{Lock: "mutex", Op: core.Exit}, Next: to("apart")},
		}}}
		m.Pools = []core.Pool{{ID: "threads", Graph: "loop", Size: l.Threads}}
		return m
	}
	if l.Hogs > 0 {
		m.Graphs = []core.Graph{{ID: "hog", Entry: "loop", Fragments: []core.Fragment{
			{ID: "loop", Class: core.CPUFragment, Demand: core.Const(1), Next: to("loop")}}}}
		m.Pools = []core.Pool{{ID: "hogs", Graph: "hog", Size: l.Hogs}}
	}
	m.Pools = append(m.Pools, core.Pool{ID: "others", Graph: "other", Size: l.Others})
	if l.Tool == "goroutines" { // whose timers are those of the scheduler
		m.Graphs = append(m.Graphs, core.Graph{ID: "other", Entry: "sleep", Fragments: []core.Fragment{
			{ID: "sleep", Class: core.DelayFragment, Delay: core.Exp(l.Sleep), Timer: true, Next: to("burst")},
			{ID: "burst", Class: core.CPUFragment, Demand: core.Exp(l.Burst), Next: to("sleep")},
		}})
		return m
	}
	m.Classes = []core.Class{{ID: "burst"}}
	m.Queues = []core.Queue{{ID: "awake", Capacity: core.Unbounded}}
	m.Sources = []core.Source{{ID: "asleep", Kind: core.Closed, To: "awake", Population: l.Others, Think: core.Exp(l.Sleep)}}
	m.Graphs = append(m.Graphs, core.Graph{ID: "other", Entry: "sleep", Fragments: []core.Fragment{
		{ID: "sleep", Class: core.InFragment, In: &core.In{Queue: "awake"}, Next: to("wake")},
		{ID: "wake", Class: core.FetchFragment, Next: to("burst")},
		{ID: "burst", Class: core.CPUFragment, Demand: core.Exp(l.Burst), Next: to("end")},
		{ID: "end", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("sleep")},
	}})
	return m
}
