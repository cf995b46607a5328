package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// scripted is a model with a main thread that starts one thread of each other pool, walks along.
type scripted struct {
	model core.Model
	walks core.Walks
}

// pool adds a pool of one thread, whose graph has fragments one after the other where they do not say otherwise, and its walk.
func (s *scripted) pool(id string, fragments []core.Fragment, moves ...core.Move) {
	kind, parent := core.SpawnPool, int32(0)
	if len(s.model.Pools) == 0 {
		kind, parent = core.FixedPool, -1
	}
	s.model.Pools = append(s.model.Pools, core.Pool{ID: id, Graph: id, Kind: kind, Size: 1, Main: parent < 0})
	s.model.Graphs = append(s.model.Graphs, core.Graph{ID: id, Entry: fragments[0].ID, Fragments: fragments})
	g := core.WalkGraph{ID: id}
	for _, f := range fragments {
		g.Fragments = append(g.Fragments, f.ID)
	}
	s.walks.Graphs = append(s.walks.Graphs, g)
	s.walks.Threads = append(s.walks.Threads, core.Walk{Pool: id, Graph: int32(len(s.walks.Graphs) - 1), Parent: parent, Ended: true, Moves: moves})
}

// team adds a pool of several threads, each with a walk of its own.
func (s *scripted) team(id string, fragments []core.Fragment, walks ...[]core.Move) {
	s.pool(id, fragments, walks[0]...)
	s.model.Pools[len(s.model.Pools)-1].Size = len(walks)
	next := s.walks.Threads[len(s.walks.Threads)-1]
	for _, next.Moves = range walks[1:] {
		s.walks.Threads = append(s.walks.Threads, next)
	}
}

// takes runs the model and returns T in ms, which must be as recorded.
func (s *scripted) takes(t *testing.T, settings map[string]float64) float64 {
	t.Helper()
	packed, err := s.walks.Pack()
	if err != nil {
		t.Fatal(err)
	}
	s.model.Walks = packed
	r, err := Run(t.Context(), s.model, settings, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Director != AsRecorded {
		t.Errorf("%v: the answer is by %q: %v", settings, r.Director, r.Warnings)
	}
	took, _ := r.Find("T program mean")
	return 1e3 * took.Estimate.Mean
}

const ms = int64(1e6)

func visit(fragment int32) core.Move { return core.Move{Fragment: fragment, Object: -1} }

func compute(fragment int32, d int64) core.Move {
	return core.Move{Fragment: fragment, Object: -1, Amount: d}
}

func begin(fragment int32) core.Move { return compute(fragment, 1) } // starts one thread

func use(fragment, object int32, token int64) core.Move {
	return core.Move{Fragment: fragment, Object: object, Token: token}
}

func cpuFragment(id string, ms float64, next ...core.Edge) core.Fragment {
	return core.Fragment{ID: id, Class: core.CPUFragment, Demand: constant(ms * 1e-3), Next: next}
}

func spawnFragment(id, pool string, next ...core.Edge) core.Fragment {
	return core.Fragment{ID: id, Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: pool}, Next: next}
}

func syncFragment(id, lock string, op core.SyncOp, next ...core.Edge) core.Fragment {
	return core.Fragment{ID: id, Class: core.SyncFragment, Sync: &core.Sync{Lock: lock, Op: op}, Next: next}
}

func joinFragment(id, pool string, next ...core.Edge) core.Fragment {
	return core.Fragment{ID: id, Class: core.JoinFragment, Join: &core.Join{Pool: pool}, Next: next}
}

// takesOf runs the model with several settings and compares T in ms.
func (s *scripted) takesOf(t *testing.T, setting string, wants map[float64]float64) {
	t.Helper()
	for v, want := range wants {
		s.takesAt(t, map[string]float64{setting: v}, want)
	}
}

// takesAt runs the model with some settings and compares T in ms.
func (s *scripted) takesAt(t *testing.T, settings map[string]float64, want float64) {
	t.Helper()
	if got := s.takes(t, settings); math.Abs(got-want) > 1e-6 {
		t.Errorf("with %v it takes %v ms, want %v", settings, got, want)
	}
}

// poller is a thread that works 1 ms after every 2 ms, three times until the main thread, after 9 ms, told it to stop.
func poller() *scripted {
	s := &scripted{model: core.Model{
		Name: "poller", CPU: core.CPU{Cores: 2},
		Locks: []core.Lock{{ID: "stop", Kind: core.Channel}},
	}}
	const spawn, work, tell, join = 0, 1, 2, 3
	s.pool("main", []core.Fragment{
		spawnFragment("spawn", "poller", to("work")...), cpuFragment("work", 9, to("tell")...), syncFragment("tell", "stop", core.Close, to("join")...),
		{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "poller"}},
	}, begin(spawn), compute(work, 9*ms), use(tell, 0, 0), visit(join))
	const look, rest, round = 0, 1, 2
	see := syncFragment("look", "stop", core.Receive)
	see.Sync.Timeout, see.Sync.OnTimeout = constant(0), "rest"
	s.pool("poller", []core.Fragment{
		see, {ID: "rest", Class: core.DelayFragment, Delay: constant(2e-3), Next: to("round")}, cpuFragment("round", 1, to("look")...),
	}, use(look, 0, 0), compute(rest, 2*ms), compute(round, ms), use(look, 0, 0), compute(rest, 2*ms), compute(round, ms),
		use(look, 0, 0), compute(rest, 2*ms), compute(round, ms), use(look, 0, 0))
	s.walks.Objects = []core.WalkObject{{Of: "stop", Monitor: -1}}
	return s
}

// A thread that looks whether it should end has a look every 3 ms. The main thread closes after 9 ms times a factor: the
// first look after that is the last.
func TestRoundsAreAsManyAsThereIsTimeFor(t *testing.T) {
	t.Parallel()
	poller().takesOf(t, "graphs/main/fragments/work/scale", map[float64]float64{0.5: 6, 8.9 / 9: 9, 17.5 / 9: 18, 3.9: 36})
}

// The main thread closes a channel when it has computed 10 ms, by which another one had sent to it after 5 ms. If it
// computes less, the channel is closed as soon as all has been sent.
func TestACloseComesAfterAllThatIsSent(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "results", CPU: core.CPU{Cores: 2},
		Locks: []core.Lock{{ID: "results", Kind: core.Channel, Capacity: 1}},
	}}
	const spawn, work, closing, join = 0, 1, 2, 3
	s.pool("main", []core.Fragment{
		spawnFragment("spawn", "sender", to("work")...), cpuFragment("work", 10, to("close")...), syncFragment("close", "results", core.Close, to("join")...),
		{ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "sender"}},
	}, begin(spawn), compute(work, 10*ms), use(closing, 0, 0), visit(join))
	const compute5, send = 0, 1
	s.pool("sender", []core.Fragment{cpuFragment("compute", 5, to("send")...), syncFragment("send", "results", core.Send)},
		compute(compute5, 5*ms), use(send, 0, 0))
	s.walks.Objects = []core.WalkObject{{Of: "results", Monitor: -1}}
	s.takesOf(t, "graphs/main/fragments/work/scale", map[float64]float64{1: 10, 0.7: 7, 0.1: 5})
}

// The first of two workers closes what the second sends to; of four two do what it did, and one of them closes it, when all have worked
// for 10 ms.
func TestWhatOneOfSeveralClosesIsClosedOnceByTwiceAsMany(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{Name: "closer", CPU: core.CPU{Cores: 4}, Locks: []core.Lock{{ID: "out", Kind: core.Channel, Capacity: 8}}}}
	s.walks.Objects = []core.WalkObject{{Of: "out", Monitor: -1}}
	const work, closing, send = 0, 1, 2
	s.pool("main", []core.Fragment{spawnFragment("start", "workers", to("join")...), joinFragment("join", "workers")}, begin(0), visit(1))
	ways := []core.Edge{{To: "close", Probability: 0.5}, {To: "send", Probability: 0.5}}
	s.team("workers", []core.Fragment{cpuFragment("work", 10, ways...), syncFragment("close", "out", core.Close), syncFragment("send", "out", core.Send)},
		[]core.Move{compute(work, 10*ms), use(closing, 0, 0)}, []core.Move{compute(work, 10*ms), use(send, 0, 1)})
	s.takesOf(t, "pools/workers/size", map[float64]float64{2: 10, 4: 10})
}
