package simulation

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"tierscope/core"
)

// anyCallingServer draws a server whose handlers give each request to workers and wait for the answer, at a reply
// channel of the request or until it is said to be done; the workers may do so with others in their turn.
func anyCallingServer(t *rapid.T) core.Model {
	time := func(what string) core.Distribution { return exponential(rapid.Float64Range(1e-4, 1e-2).Draw(t, what)) }
	m := core.Model{Name: "calls", CPU: core.CPU{Cores: rapid.IntRange(1, 8).Draw(t, "cores"), Policy: core.ProcessorSharing},
		Sources: []core.Source{{ID: "clients", Class: "request", Kind: core.Poisson, To: "requests", Rate: 1}}, Sinks: []core.Sink{{ID: "done"}},
		Classes: []core.Class{{ID: "request"}, {ID: "job"}},
		Queues:  []core.Queue{{ID: "requests", Capacity: core.Unbounded}}}
	work := func(id string) core.Fragment {
		return core.Fragment{ID: id, Class: core.CPUFragment, Demand: time(id)}
	}
	depth := rapid.IntRange(1, 2).Draw(t, "depth")
	var answer []core.Fragment // what the pool of the level above waits for
	for level := range depth + 1 {
		pool, queue := fmt.Sprint("p", level), "requests"
		own := []core.Fragment{work("before")}
		if level < depth {
			jobs, reply := fmt.Sprint("jobs", level), fmt.Sprint("reply", level)
			m.Queues = append(m.Queues, core.Queue{ID: jobs, Capacity: core.Unbounded})
			m.Locks = append(m.Locks, core.Lock{ID: reply, Kind: core.Channel, Capacity: 1, Scope: core.PerTask})
			own = append(own, core.Fragment{ID: "call", Class: core.OutFragment, Out: &core.Out{To: jobs, New: true, Class: "job"}})
			if rapid.Bool().Draw(t, "meanwhile") {
				own = append(own, work("meanwhile"))
			}
			own = append(own, syncOp("answer", reply, core.Receive), work("after"))
		}
		if level > 0 {
			queue = fmt.Sprint("jobs", level-1)
		}
		own = append(append(own, answer...), core.Fragment{ID: "out", Class: core.OutFragment, Out: &core.Out{To: "done"}})
		answer = []core.Fragment{syncOp("tell", fmt.Sprint("reply", level), rapid.SampledFrom([]core.SyncOp{core.Send, core.Close}).Draw(t, "tell"))}
		if level == 0 {
			m.Pools = append(m.Pools, core.Pool{ID: pool, Kind: core.TaskPool, From: queue, Graph: pool})
			m.Graphs = append(m.Graphs, core.Graph{ID: pool, Entry: "before", Fragments: chain(own)})
			continue
		}
		m.Pools = append(m.Pools, core.Pool{ID: pool, Graph: pool, Size: rapid.IntRange(1, 8).Draw(t, "threads")})
		own = append([]core.Fragment{{ID: "in", Class: core.InFragment, In: &core.In{Queue: queue}}, {ID: "fetch", Class: core.FetchFragment}}, own...)
		m.Graphs = append(m.Graphs, core.Graph{ID: pool, Entry: "in", Fragments: chain(own, core.Edge{To: "in", Probability: 1})})
	}
	d := m.Demands()
	m.Sources[0].Rate = d.Bounds().Saturation * rapid.Float64Range(.05, .7).Draw(t, "load")
	return m
}

// The time for which a handler waits for an answer is in the estimate of a server's response time, and in its
// bounds: over 40 random servers it is within 5 % of the simulation for half of them, and within 15 % for nine of ten.
func TestTheEstimateOfAServerHasTheWaitForAnswers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one goroutine computes")
	}
	models := drawn(t, 40, anyCallingServer)
	for i, m := range models {
		d := m.Demands()
		if r := find(t, run(t, m, nil, Options{Seed: 3, Replications: 3, ModelAsItIs: true}), "R class/request mean"); r.Mean < .97*d.Response && r.Hi < d.Response {
			t.Errorf("server %d: R = %g [%g, %g], and cannot be less than %g", i, r.Mean, r.Lo, r.Hi, d.Response)
		}
	}
	median, p90 := estimates(t, "calls", fmt.Sprintf("%d random servers whose handlers wait for answers", len(models)), models)
	if median > .05 || p90 > .15 {
		t.Errorf("|error|: median %.1f %%, p90 %.1f %%; want at most 5 and 15 %%", 100*median, 100*p90)
	}
}
