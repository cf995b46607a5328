package simulation

import (
	"math"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// once is a source of one task after the given time.
func once(id, class, queue string, seconds float64) core.Source {
	return core.Source{ID: id, Kind: core.Replay, Class: class, To: queue, Times: []float64{seconds}, Count: 1}
}

// arrivals is one task of each class, a millisecond apart, for one server that
// takes 10 ms for each.
func arrivals(discipline core.Discipline, classes ...core.Class) core.Model {
	m := batch(1, core.Pool{ID: "server", Graph: "server", Size: 1})
	m.Queues = []core.Queue{{ID: "q", Capacity: core.Unbounded, Discipline: discipline}}
	m.Classes, m.Sources = nil, nil
	for i, c := range classes {
		m.Sources = append(m.Sources, once("of "+c.ID, c.ID, "q", float64(1+i)*1e-3))
		m.Classes = append(m.Classes, c)
	}
	return m
}

// replies is two pools of clients that send a request to a server of their own
// and wait for the reply on one channel. The request of y arrives at 1 ms and takes
// 30 ms, that of x arrives at 2 ms and takes 10 ms.
func replies(scope core.Scope) core.Model {
	m := core.Model{
		Name: "replies", CPU: core.CPU{Cores: 4}, Sinks: []core.Sink{{ID: "done"}},
		Locks: []core.Lock{{ID: "reply", Kind: core.Channel, Scope: scope}},
	}
	for _, c := range []struct {
		id             string
		start, seconds float64
	}{{"y", .001, .030}, {"x", .002, .010}} {
		m.Classes = append(m.Classes, core.Class{ID: c.id}, core.Class{ID: "request " + c.id})
		m.Sources = append(m.Sources, once("s"+c.id, c.id, "q"+c.id, c.start))
		m.Queues = append(m.Queues, core.Queue{ID: "q" + c.id, Capacity: core.Unbounded}, core.Queue{ID: "r" + c.id, Capacity: core.Unbounded})
		m.Pools = append(m.Pools, core.Pool{ID: "client " + c.id, Graph: "client " + c.id, Size: 1}, core.Pool{ID: "server " + c.id, Graph: "server " + c.id, Size: 1})
		in := func(queue string) []core.Fragment {
			return []core.Fragment{{ID: "in", Class: core.InFragment, In: &core.In{Queue: queue}, Next: to("fetch")}, {ID: "fetch", Class: core.FetchFragment, Next: to("work")}}
		}
		m.Graphs = append(m.Graphs,
			core.Graph{ID: "client " + c.id, Entry: "in", Fragments: append(in("q"+c.id),
				core.Fragment{ID: "work", Class: core.OutFragment, Out: &core.Out{To: "r" + c.id, New: true, Class: "request " + c.id}, Next: to("wait")},
				syncOp("wait", "reply", core.Receive, "out"),
				core.Fragment{ID: "out", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("in")})},
			core.Graph{ID: "server " + c.id, Entry: "in", Fragments: append(in("r"+c.id),
				cpu("work", c.seconds, "answer"), syncOp("answer", "reply", core.Send, "in"))})
	}
	return m
}

// The order in which a queue serves, and the copies of what every task has for
// itself, by hand.
func TestQueuesServeInTheirOrderAndTasksHaveTheirOwn(t *testing.T) {
	t.Parallel()
	class := func(id string, priority int) core.Class { return core.Class{ID: id, Priority: priority} }
	perTask := func(scope core.Scope) core.Model {
		return with(batch(3, core.Pool{ID: "server", Graph: "server", Size: 3}), func(m *core.Model) {
			m.Locks = []core.Lock{{ID: "L", Kind: core.Mutex, Scope: scope}}
			m.Graphs = []core.Graph{server("server", syncOp("", "L", core.Enter), cpu("", .010), syncOp("", "L", core.Exit))}
		})
	}
	choosing := func(tokens int) core.Model { // a select with default, beside a buffer that holds so many tokens
		m := threads(1, 1, loop("fill", float64(tokens), "token", "pick"), syncOp("token", "C", core.Send, "fill"),
			core.Fragment{ID: "pick", Class: core.SyncFragment, Sync: &core.Sync{Op: core.Select, Default: "none", Cases: []core.SelectCase{{Lock: "C", Op: core.Receive, To: "some"}, {Lock: "D", Op: core.Receive, To: "some"}}}},
			sleep("some", .010), sleep("none", .030))
		m.Locks = []core.Lock{{ID: "C", Kind: core.Channel, Capacity: 2}, {ID: "D", Kind: core.Channel}}
		return m
	}
	for _, s := range []story{
		{"first come, first served", arrivals(core.FIFO, class("a", 0), class("b", 0), class("c", 0)), "R class/c mean", .028, "arrives at 3 ms, after a and b"},
		{"last come, first served", arrivals(core.LIFO, class("a", 0), class("b", 0), class("c", 0)), "R class/b mean", .029, "arrives at 2 ms; a is being served, then c"},
		{"the urgent one first", arrivals(core.Priority, class("a", 0), class("b", 0), class("c", 0), class("d", 7)), "R class/d mean", .017, "arrives at 4 ms, after a, which is being served"},
		{"first come among equals", arrivals(core.Priority, class("a", 0), class("b", 1), class("c", 1), class("d", 7)), "R class/c mean", .038, "arrives at 3 ms: a, d, b, c"},
		{"one lock for all tasks", perTask(core.PerProgram), "T", .030, "one after the other"},
		{"a lock for every task", perTask(core.PerTask), "T", .010, "nobody waits"},
		{"the reply of another", replies(core.PerProgram), "R class/y mean", .011, "y has waited longest on the one channel and gets x's reply"},
		{"its own reply", replies(core.PerTask), "R class/y mean", .030, "every task has its reply channel, shared with the request that it sent"},
		{"its own reply, x", replies(core.PerTask), "R class/x mean", .010, "every task has its reply channel, shared with the request that it sent"},
		{"a select that finds something", choosing(1), "T", .010, "the case that is ready"},
		{"a select that finds nothing", choosing(0), "T", .030, "the default"},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			p := mustCompile(t, s.model)
			r := p.replica(1, 0, 0, nil)
			r.advance(t.Context(), 10*des.Second)
			o := r.observe()
			got := o.Makespan
			if s.key != "T" {
				got = ratioOf(t, p, o, s.key)
			}
			if math.Abs(got-s.want) > 5e-9 {
				t.Errorf("%s is %v, want %v: %s; warnings %q", s.key, got, s.want, s.why, o.Warnings)
			}
		})
	}
}
