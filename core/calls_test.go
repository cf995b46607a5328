package core_test

import (
	"fmt"
	"testing"

	"tierscope/core"
)

// calling puts handlers in front of the pool of a station: each makes a task for it, does something itself, and waits
// for the answer.
func calling(m core.Model, own float64, op core.SyncOp) core.Model {
	m.Sources[0].To = "requests"
	m.Queues = append(m.Queues, core.Queue{ID: "requests", Capacity: core.Unbounded})
	m.Locks = append(m.Locks, core.Lock{ID: "reply", Kind: core.Channel, Capacity: 1, Scope: core.PerTask})
	m.Pools = append(m.Pools, core.Pool{ID: "handlers", Kind: core.TaskPool, From: "requests", Graph: "handle"})
	next := func(id string) []core.Edge { return []core.Edge{{To: id, Probability: 1}} }
	m.Graphs = append(m.Graphs, core.Graph{ID: "handle", Entry: "call", Fragments: []core.Fragment{
		{ID: "call", Class: core.OutFragment, Out: &core.Out{To: "q", New: true}, Next: next("own")},
		{ID: "own", Class: core.DelayFragment, Delay: core.Const(own), Next: next("wait")},
		{ID: "wait", Class: core.SyncFragment, Sync: &core.Sync{Lock: "reply", Op: core.Receive}, Next: next("answer")},
		{ID: "answer", Class: core.OutFragment, Out: &core.Out{To: "done"}},
	}})
	f := m.Graphs[0].Fragments
	out := len(f) - 1
	tell := core.Fragment{ID: "tell", Class: core.SyncFragment, Sync: &core.Sync{Lock: "reply", Op: op}, Next: next(f[out].ID)}
	f[out-1].Next = next("tell")
	m.Graphs[0].Fragments = append(f[:out:out], tell, f[out])
	return m
}

// Who only calls and waits has the response time of the station that answers, which is that of Erlang's formula.
func TestAHandlerThatWaitsForAnAnswerTakesAsLongAsTheAnswer(t *testing.T) {
	t.Parallel()
	for _, op := range []core.SyncOp{core.Send, core.Close} {
		for _, rho := range []float64{.1, .5, .9} {
			m := calling(station(rho*4/.02, .02, 4, 100), 0, op)
			if err := m.Validate(); err != nil {
				t.Fatal(err)
			}
			d := m.Demands()
			near(t, fmt.Sprintf("R at utilization %v, told by %s", rho, op), d.Estimate().Response/erlangC(rho*4/.02, .02, 4), 1, 1e-3)
			near(t, "R of idle workers", d.Response, .02, 1e-12)
		}
	}
}

// While the answer is made the caller is not idle: only the rest is waited for.
func TestWhatACallerDoesMeanwhileIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	m := calling(station(1, .02, 4, 100), .015, core.Send)
	d := m.Demands()
	near(t, "bound of R", d.Response, .02, 1e-12)
	m = calling(station(1, .02, 4, 100), .05, core.Send)
	d = m.Demands()
	near(t, "bound of R of who is busy for longer", d.Response, .05, 1e-12)
}

// Who goes on with the first of three answers does not wait for the last task: there is no bound in that.
func TestTheFirstOfSeveralAnswersIsNoBound(t *testing.T) {
	t.Parallel()
	m := calling(station(1, .02, 4, 100), 0, core.Send)
	m.Graphs[1].Fragments[0].Out.Count = core.Const(3)
	d := m.Demands()
	near(t, "bound of R", d.Response, 0, 1e-12)
}
