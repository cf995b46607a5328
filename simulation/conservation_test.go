package simulation

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"tierscope/core"
	"tierscope/simulation/des"
)

// anyNetwork draws a network of up to three stations in which everything may
// happen to a task: it waits, is dropped, gives up, blocks its sender, starts a
// thread, has children, holds a lock, or comes back.
func anyNetwork(t *rapid.T) core.Model {
	m := core.Model{
		Name: "any", CPU: core.CPU{Cores: rapid.IntRange(1, 3).Draw(t, "cores"), Policy: rapid.SampledFrom(policies).Draw(t, "policy")},
		Classes: []core.Class{{ID: "a"}, {ID: "b", Priority: 2}}, Sinks: []core.Sink{{ID: "done"}},
		Locks: []core.Lock{{ID: "L", Kind: core.Mutex, Fairness: rapid.SampledFrom([]core.Fairness{core.Fair, core.Barging, core.GoMutex}).Draw(t, "fairness"),
			Scope: rapid.SampledFrom([]core.Scope{core.PerProgram, core.PerTask, core.PerThread}).Draw(t, "scope")}},
	}
	time := func(name string) core.Distribution {
		return rapid.SampledFrom([]core.Distribution{constant(0), constant(1), exponential(.5), exponential(2)}).Draw(t, name)
	}
	stations := rapid.IntRange(1, 3).Draw(t, "stations")
	for i := range stations {
		id := decimal(i)
		q := core.Queue{ID: "q" + id, Capacity: rapid.SampledFrom([]int{core.Unbounded, 0, 1, 3}).Draw(t, "capacity"),
			Discipline: rapid.SampledFrom([]core.Discipline{core.FIFO, core.LIFO, core.Priority}).Draw(t, "discipline")}
		if q.Capacity != core.Unbounded {
			q.WhenFull = rapid.SampledFrom([]core.FullPolicy{core.Block, core.Drop, core.Timeout}).Draw(t, "when full")
			if q.WhenFull == core.Timeout {
				q.FullTimeout = rapid.SampledFrom([]float64{.5, 3}).Draw(t, "full timeout")
			}
		}
		if rapid.Bool().Draw(t, "impatient") {
			q.Patience = exponential(2)
		}
		m.Queues = append(m.Queues, q)
		pool := core.Pool{ID: "p" + id, Graph: "g" + id, Size: rapid.IntRange(1, 3).Draw(t, "size")}
		work := []core.Fragment{{ID: "work", Class: core.CPUFragment, Demand: time("demand"), Next: to("pause")}, {ID: "pause", Class: core.DelayFragment, Delay: exponential(.2), Next: to("out")}}
		if rapid.Bool().Draw(t, "locked") {
			work[0].Next = to("exit")
			work = append(work, syncOp("enter", "L", core.Enter, "work"), syncOp("exit", "L", core.Exit, "pause"))
		}
		begin := work[0].ID
		if len(work) > 2 {
			begin = "enter"
		}
		if rapid.Bool().Draw(t, "child") {
			work = append(work, core.Fragment{ID: "child", Class: core.OutFragment, Out: &core.Out{To: "q" + decimal(rapid.IntRange(0, stations-1).Draw(t, "child of")), New: true, Class: "b"}, Next: to(begin)})
			begin = "sometimes"
			work = append(work, core.Fragment{ID: "sometimes", Class: core.DispatchFragment, Next: []core.Edge{{To: "child", Probability: .25}, {To: work[0].ID, Probability: .75}}})
			if work[len(work)-2].Next[0].To == "enter" {
				work[len(work)-1].Next[1].To = "enter"
			}
		}
		next := "done"
		if i+1 < stations {
			next = "q" + decimal(i+1)
		}
		out := core.Fragment{ID: "out", Class: core.OutFragment, Out: &core.Out{To: next}, Next: to("in")}
		if rapid.Bool().Draw(t, "not for ever") {
			out.Out.Timeout = rapid.SampledFrom([]core.Distribution{constant(0), constant(.5)}).Draw(t, "send timeout")
			if out.Out.OnTimeout = rapid.SampledFrom([]string{"", "own"}).Draw(t, "on timeout"); out.Out.OnTimeout != "" {
				work = append(work, cpu("own", .1, "finish"), core.Fragment{ID: "finish", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("in")})
			}
		}
		if rapid.Bool().Draw(t, "per task") {
			pool.Kind, pool.From, pool.Limit, pool.Size = core.TaskPool, q.ID, pool.Size, 0
			out.Next = nil
			if work[len(work)-1].ID == "finish" {
				work[len(work)-1].Next = nil
			}
		} else {
			in := core.Fragment{ID: "in", Class: core.InFragment, In: &core.In{Queue: q.ID}, Next: to("fetch")}
			work = append(work, in, core.Fragment{ID: "fetch", Class: core.FetchFragment, Next: to(begin)})
			begin = "in"
		}
		m.Pools = append(m.Pools, pool)
		m.Graphs = append(m.Graphs, core.Graph{ID: pool.Graph, Entry: begin, Fragments: append(work, out)})
	}
	for i := range rapid.IntRange(1, 2).Draw(t, "sources") {
		s := core.Source{ID: fmt.Sprint("s", i), Class: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "class"), To: "q" + decimal(rapid.IntRange(0, stations-1).Draw(t, "to"))}
		switch s.Kind = rapid.SampledFrom([]core.SourceKind{core.Poisson, core.Deterministic, core.Closed, core.Batch, core.Replay}).Draw(t, "kind"); s.Kind {
		case core.Poisson, core.Deterministic:
			s.Rate = rapid.SampledFrom([]float64{.5, 2}).Draw(t, "rate")
		case core.Closed:
			s.Population, s.Think = rapid.IntRange(1, 4).Draw(t, "users"), exponential(1)
		case core.Batch:
			s.Count = rapid.IntRange(1, 6).Draw(t, "count")
		case core.Replay:
			s.Times = []float64{0, .5, .5, 4}
		case core.Renewal:
		}
		if rapid.Bool().Draw(t, "away") {
			s.Away = 1
		}
		m.Sources = append(m.Sources, s)
	}
	return m
}

// "Conservation of tasks always": at any moment, whatever happens, a task that
// was created has been completed, is lost, or is in exactly one place: in a
// queue, with a thread, held back by its source, or on its way from there.
func TestTasksAreConserved(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		for range 3 { // 300 networks in all
			m := anyNetwork(t)
			if err := m.Validate(); err != nil {
				t.Fatal(err)
			}
			p, err := compile(&m, &m)
			if err != nil {
				t.Fatal(err)
			}
			r := p.replica(rapid.Uint64().Draw(t, "seed"), 0, 0, nil)
			for now := des.Second; now <= 64*des.Second; now *= 2 {
				r.advance(t.Context(), now)
				conserved(t, r)
			}
		}
	})
}

// conserved compares the accounts of a replication with the places of its tasks.
func conserved(t *rapid.T, r *replica) {
	places := map[int32][]string{} // of every task
	place := func(task int32, where string) {
		if task != none {
			places[task] = append(places[task], where)
		}
	}
	for i, th := range r.threads {
		place(th.task, fmt.Sprint("with thread ", i))
		place(th.sending, fmt.Sprint("sent by thread ", i))
	}
	for i, s := range r.sources {
		place(s.sending, fmt.Sprint("sent by source ", i))
		for k := s.held.head; k != none; k = r.tasks[k].next {
			place(k, fmt.Sprint("held back by source ", i))
		}
		for k := s.away.head; k != none; k = r.tasks[k].next {
			place(k, fmt.Sprint("on its way from source ", i))
		}
	}
	buffered := 0
	for _, c := range r.copies {
		if c.queue != nil && r.program.objects[c.object].isQueue {
			buffered += c.queue.Len()
		}
	}
	for task, where := range places {
		if len(where) > 1 {
			t.Fatalf("task %d is in several places: %v", task, where)
		}
	}
	var arrived, completed, lost int64
	for i, c := range r.classAccounts {
		arrived, completed, lost = arrived+c.arrived, completed+c.completed, lost+c.lost
		if present := c.arrived - c.completed - c.lost; present != int64(c.present.value) {
			t.Fatalf("class %q: %d arrived, %d completed, %d lost, but %d are said to be present", r.classList[i].id, c.arrived, c.completed, c.lost, c.present.value)
		}
	}
	if found := len(places) + buffered; found != r.inSystem || arrived-completed-lost != int64(found) {
		t.Fatalf("%d arrived, %d completed, %d lost, %d said to be present; %d found in buffers and %v (defect %q)", arrived, completed, lost, r.inSystem, buffered, places, r.defect)
	}
}
