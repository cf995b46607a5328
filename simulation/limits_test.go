package simulation

import (
	"strings"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// small are limits that a test reaches in milliseconds.
var small = limits{threads: 1000, tasks: 1000, objects: 1000, items: 1000, requests: 1000, pending: 1000, standstill: 20_000}

// A model must not eat the machine, or hang. Each of these would: it ends with a message that
// says what it does too much of.
func TestHostileModelsEndWithAMessage(t *testing.T) {
	t.Parallel()
	spawner := func(next string) core.Model { // starts threads that never end
		m := threads(1, 1, core.Fragment{ID: "start", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "child", Count: constant(50)}, Next: to("rest")},
			sleep("rest", .001, next))
		m.Pools = append(m.Pools, core.Pool{ID: "child", Kind: core.SpawnPool, Graph: "c"})
		m.Graphs = append(m.Graphs, core.Graph{ID: "c", Entry: "sleep", Fragments: []core.Fragment{sleep("sleep", 1e9)}})
		return m
	}
	bomb := spawner("start") // and each of them does the same
	bomb.Graphs[1].Fragments = []core.Fragment{{ID: "sleep", Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: "child", Count: constant(2)}, Next: to("end")}, sleep("end", 1e9)}

	eager := station(1, 1, core.Unbounded, constant(0)) // a user who neither thinks nor is served for any time
	eager.Sources = []core.Source{{ID: "user", Kind: core.Closed, To: "q", Population: 1}}

	crowd := eager
	crowd.Sources = []core.Source{{ID: "users", Kind: core.Closed, To: "q", Population: 5000, Think: exponential(1)}}

	group := station(1, 1, core.Unbounded, exponential(.1))
	group.Sources[0].GroupSize = constant(1e9)

	requests := threads(1, 1, core.Fragment{ID: "read", Class: core.IOFragment, IO: &core.IO{Disk: "d", Requests: []core.RequestType{{Type: "read", Count: constant(1e8)}}}})
	requests.Disks = []core.Disk{{ID: "d", Service: []core.ServiceLaw{{Rows: []core.ServiceRow{{Time: constant(.001)}}}}}}

	channel := threads(1, 1, syncOp("send", "c", core.Send, "pause"), sleep("pause", 1e-6, "send"))
	channel.Locks = []core.Lock{{ID: "c", Kind: core.Channel, Capacity: core.Unbounded}}

	pingPong := threads(1, 2, syncOp("ping", "a", core.Exit, "wait"), syncOp("wait", "b", core.Enter, "pause"), cpu("pause", 1e-15, "ping"))
	pingPong.Pools = append(pingPong.Pools, core.Pool{ID: "other", Graph: "h", Size: 1})
	pingPong.Graphs = append(pingPong.Graphs, core.Graph{ID: "h", Entry: "wait", Fragments: []core.Fragment{syncOp("wait", "a", core.Enter, "pong"), syncOp("pong", "b", core.Exit, "pause"), cpu("pause", 1e-15, "wait")}})
	pingPong.Locks = []core.Lock{{ID: "a", Kind: core.Semaphore}, {ID: "b", Kind: core.Semaphore}}

	for name, c := range map[string]struct {
		model core.Model
		says  string
	}{
		"threads that start others for ever":    {spawner("start"), "more than 1001 threads are alive"},
		"threads that multiply":                 {bomb, "more than 1001 threads are alive"},
		"a user without any time":               {eager, "the clock stands still: more than 20000 events"},
		"users beyond number":                   {crowd, "events are pending"},
		"groups beyond number":                  {group, "more than 1000 tasks"},
		"requests beyond number":                {requests, "makes 100000000 requests at once"},
		"a channel that nobody reads":           {channel, "items are in queues and channels"},
		"two threads that only wake each other": {pingPong, "the clock stands still"},
	} {
		p := mustCompile(t, c.model)
		r := p.within(small, 1, 0, 0, nil)
		r.advance(t.Context(), 1000*des.Second)
		o := r.observe()
		if text := strings.Join(o.Warnings, "\n"); !o.Halted || !strings.Contains(text, c.says) {
			t.Errorf("%s: at %s halted %t with %q, want %q", name, r.Now(), o.Halted, text, c.says)
		}
	}
}

// Each number is possible, all of them together are not.
func TestAModelBeyondAnyMachineIsRefused(t *testing.T) {
	t.Parallel()
	m := threads(1, 1, cpu("work", 1))
	for range 3 {
		m.Pools = append(m.Pools, core.Pool{ID: strings.Repeat("p", len(m.Pools)+1), Graph: m.Pools[0].Graph, Size: core.MostThreads / 2})
	}
	m.Pools = m.Pools[1:]
	if _, err := Run(t.Context(), m, nil, Options{}); err == nil || !strings.Contains(err.Error(), "threads of all pools are beyond any machine") {
		t.Errorf("1.5 million threads: error %v", err)
	}
	flood := batch(1e9, core.Pool{ID: "server", Graph: "server", Size: 1})
	if _, err := Run(t.Context(), flood, nil, Options{}); err == nil || !strings.Contains(err.Error(), "batch sources are beyond any machine") {
		t.Errorf("a batch of 10⁹ tasks: error %v", err)
	}
}
