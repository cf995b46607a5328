package cmd_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tierscope/core"
	"tierscope/simulation"
)

// randomTasks is the number of tasks of a random program: a multiple of every
// number of workers, so that all of them meet at barriers as often.
const randomTasks = 600

// randomProgram is a program under construction: a worker does one stage after
// the other with each task.
type randomProgram struct {
	*rapid.T
	workers int
	body    []core.Fragment
	locks   []core.Lock
	each    []core.Fragment // what main does before it sends a task
	last    []core.Fragment // what main does after the last task
}

// stage adds a stage that begins with fragment first and leads to next.
type stage func(p *randomProgram, i int, first, next string)

func name(what string, i int) string { return fmt.Sprintf("%s %d", what, i) }

func (p *randomProgram) mean(what string) float64 {
	return float64(rapid.IntRange(50, 2000).Draw(p.T, what)) * 1e-6
}

// lock adds a lock of its own.
func (p *randomProgram) lock(l core.Lock, i int) string {
	l.ID += fmt.Sprintf("L%d", i)
	p.locks = append(p.locks, l)
	return l.ID
}

// region is a stay under a lock, between fragments enter and next.
func (p *randomProgram) region(i int, next string) {
	l := rapid.SampledFrom([]core.Lock{{Kind: core.Mutex}, {Kind: core.Semaphore, Permits: 2}, {Kind: core.RWLock},
		{Kind: core.Mutex, Instances: 3}, {Kind: core.Channel, Capacity: 2}}).Draw(p.T, "lock")
	enter, exit := core.Enter, core.Exit
	switch {
	case l.Kind == core.Channel: // of tokens
		enter, exit = core.Send, core.Receive
	case l.Kind == core.RWLock && rapid.Bool().Draw(p.T, "reads"):
		enter, exit = core.EnterRead, core.ExitRead
	}
	id := p.lock(l, i)
	p.body = append(p.body, locked(name("enter", i), id, enter, edge(name("inside", i))),
		cpu(name("inside", i), p.mean("inside"), edge(name("exit", i))),
		locked(name("exit", i), id, exit, edge(next)))
}

func (p *randomProgram) sleeps(i int, next string) {
	p.body = append(p.body, core.Fragment{ID: name("sleep", i), Class: core.DelayFragment,
		Delay: constant(p.mean("sleep")), Next: []core.Edge{edge(next)}})
}

// rare is a computation that there may be too few of for the mean of a law: the
// lock decides how many.
func (p *randomProgram) rare(what string, i int, next string) core.Fragment {
	f := cpu(name(what, i), 0, edge(next))
	f.Demand = constant(p.mean(what))
	return f
}

var stages = map[string]stage{
	"region": func(p *randomProgram, i int, first, next string) {
		p.body = append(p.body, cpu(first, p.mean("before"), edge(name("enter", i))))
		p.region(i, next)
	},
	"region that is skipped sometimes": func(p *randomProgram, i int, first, next string) {
		q := float64(rapid.IntRange(1, 3).Draw(p.T, "quarters")) / 4
		p.body = append(p.body, core.Fragment{ID: first, Class: core.DispatchFragment,
			Next: []core.Edge{{To: name("enter", i), Probability: q}, {To: name("sleep", i), Probability: 1 - q}}})
		p.region(i, next)
		p.sleeps(i, next)
	},
	"delay": func(p *randomProgram, i int, first, next string) {
		p.body = append(p.body, cpu(first, p.mean("before"), edge(name("sleep", i))))
		p.sleeps(i, next)
	},
	// A worker that does not get the lock does something else.
	"try": func(p *randomProgram, i int, first, next string) {
		l, enter, exit := core.Lock{Kind: core.Mutex}, core.Enter, core.Exit
		if rapid.Bool().Draw(p.T, "tokens") {
			l, enter, exit = core.Lock{Kind: core.Channel, Capacity: 1}, core.Send, core.Receive
		}
		id := p.lock(l, i)
		try := locked(name("try", i), id, enter, edge(name("inside", i)))
		try.Sync.Timeout, try.Sync.OnTimeout = constant(0), name("instead", i)
		p.body = append(p.body, cpu(first, p.mean("before"), edge(try.ID)), try,
			p.rare("inside", i, name("exit", i)), locked(name("exit", i), id, exit, edge(name("sleep", i))),
			p.rare("instead", i, name("sleep", i)))
		p.sleeps(i, next)
	},
	// A worker takes a permit from whichever of two channels has one.
	"select": func(p *randomProgram, i int, first, next string) {
		f := core.Fragment{ID: name("choose", i), Class: core.SyncFragment, Sync: &core.Sync{Op: core.Select}}
		p.body = append(p.body, cpu(first, p.mean("before"), edge(f.ID)))
		for _, which := range []string{"a", "b"} {
			id := p.lock(core.Lock{ID: which, Kind: core.Channel, Capacity: 1}, i)
			f.Sync.Cases = append(f.Sync.Cases, core.SelectCase{Lock: id, Op: core.Send, To: name("with "+which, i)})
			p.body = append(p.body, p.rare("with "+which, i, name("return "+which, i)),
				locked(name("return "+which, i), id, core.Receive, edge(name("sleep", i))))
		}
		p.body = append(p.body, f)
		p.sleeps(i, next)
	},
	// The first worker prepares what all need, the others wait for it.
	"once": func(p *randomProgram, i int, first, next string) {
		id := p.lock(core.Lock{Kind: core.Once}, i)
		do := locked(name("do", i), id, core.Do, edge(name("prepare", i)))
		do.Sync.OnTimeout = name("after", i)
		p.body = append(p.body, cpu(first, p.mean("before"), edge(do.ID)), do, p.rare("prepare", i, name("prepared", i)),
			locked(name("prepared", i), id, core.Done, edge(do.Sync.OnTimeout)), p.rare("after", i, name("sleep", i)))
		p.sleeps(i, next)
	},
	// All workers meet in each round.
	"barrier": func(p *randomProgram, i int, first, next string) {
		id := p.lock(core.Lock{Kind: core.Barrier, Parties: p.workers}, i)
		p.body = append(p.body, cpu(first, p.mean("before"), edge(name("meet", i))), locked(name("meet", i), id, core.Await, edge(next)))
	},
	// Main counts every task up, a worker counts it down, main waits for zero.
	"latch": func(p *randomProgram, i int, first, next string) {
		id := p.lock(core.Lock{Kind: core.Latch}, i)
		p.body = append(p.body, cpu(first, p.mean("before"), edge(name("count down", i))), locked(name("count down", i), id, core.CountDown, edge(next)))
		add := locked(name("add", i), id, core.Add)
		add.Sync.N = 1
		p.each = append(p.each, add)
		p.last = append(p.last, locked(name("await", i), id, core.Await))
	},
}

// model puts a program together.
func (p *randomProgram) model() core.Model {
	m := pooled(p.workers, rapid.IntRange(1, 4).Draw(p.T, "cores"), randomTasks, p.locks, p.body)
	if len(p.each) > 0 {
		before(&m, "make", "send", chained(p.each)...)
		before(&m, "close", "join", chained(p.last)...)
	}
	return m
}

// drawn is a random program of one pool as a model.
func drawn(rt *rapid.T) core.Model {
	p := &randomProgram{T: rt, workers: rapid.IntRange(1, 6).Draw(rt, "workers")}
	shapes := slices.Sorted(maps.Keys(stages))
	n := rapid.IntRange(1, 4).Draw(rt, "stages")
	for i := range n {
		next := name("stage", i+1)
		if i+1 == n {
			next = "done"
		}
		stages[rapid.SampledFrom(shapes).Draw(rt, "shape")](p, i, name("stage", i), next)
	}
	return p.model()
}

// chained lets every fragment lead to the next one.
func chained(fs []core.Fragment) []core.Fragment {
	for i := range fs[1:] {
		fs[i].Next = []core.Edge{edge(fs[i+1].ID)}
	}
	return fs
}

// A random program of one pool comes back, whatever its branches and locks.
// 2 % of demand and 4.5 standard errors: a correct program fails in less than
// one of 10 000 transitions.
func TestRandomModelsSurviveTheRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m := drawn(rt)
		tape := observed(rt, &m, rapid.Uint64().Draw(rt, "seed"))
		got := modelOf(rt, tape)
		tape.forgetUntried(&m)
		compare(rt, &m, got, randomTasks)
		walksFold(rt, got)
	})
}

// A model is its file: read back, a random one is simulated event by event as the one in memory, in any configuration.
func TestAModelThatWasReadIsSimulatedAsTheOneThatWasWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m := drawn(rt)
		var file bytes.Buffer
		if err := core.Encode(&file, m); err != nil {
			rt.Fatal(err)
		}
		again, err := core.Decode(bytes.NewReader(file.Bytes()))
		if err != nil {
			rt.Fatalf("what was written cannot be read: %v\n%s", err, file.Bytes())
		}
		at := map[string]float64{"cpu/cores": float64(rapid.IntRange(1, 4).Draw(rt, "cores then"))}
		one, other := trajectory(t, rt, m, at), trajectory(t, rt, again, at)
		if one != other {
			rt.Fatalf("the model has fingerprint %s, what was read of its file %s:\n%s", one, other, file.Bytes())
		}
	})
}

// trajectory identifies all that happens when a model is simulated in a configuration.
func trajectory(t *testing.T, rt *rapid.T, m core.Model, at map[string]float64) string {
	r, err := simulation.Run(t.Context(), m, at, simulation.Options{Seed: 3, Replications: 1})
	if err != nil {
		rt.Fatal(err)
	}
	return r.Fingerprint
}

// walksFold asks whether the walks of a model that was just built are its graphs: visits, transitions, probabilities and
// times.
func walksFold(t failer, m *core.Model) {
	t.Helper()
	w, err := core.UnpackWalks(m.Walks)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range m.Departures(w) {
		t.Errorf("the walks are not the model's: %s", d)
	}
	folded := w.Fold()
	for i := range m.Graphs {
		g := &m.Graphs[i]
		for j := range g.Fragments {
			x := &g.Fragments[j]
			if n := folded[g.ID].Visits[x.ID]; n != x.Observed.Count {
				t.Errorf("%s: %s is visited %d times by walks, %d times in the graph", g.ID, x.ID, n, x.Observed.Count)
			}
			for _, e := range x.Next {
				if n := folded[g.ID].Next[x.ID][e.To]; n != e.Count {
					t.Errorf("%s: %s → %s is taken %d times by walks, %d times in the graph", g.ID, x.ID, e.To, n, e.Count)
				}
			}
		}
	}
}
