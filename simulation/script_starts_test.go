package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// Two clients connect, the second before the first. Whoever accepts starts a thread for each: of 5 ms for the second, of 3 ms for the first.
// If only the first client is there, the thread that is started is its own: 3 ms.
func TestWhoIsAcceptedIsServedByItsOwnThread(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "accepts", CPU: core.CPU{Cores: 2, Policy: core.RoundRobin},
		Locks:      []core.Lock{{ID: "listen", Kind: core.Channel, Capacity: 8}},
		Parameters: []core.Parameter{{Name: "clients", Default: 2, Min: 1, Max: 64, Integer: true, Targets: []core.Target{{Path: "pools/client/size"}}}},
	}}
	const spawnAcceptor, spawnClients, joinClients, closing, joinAcceptor, joinAll = 0, 1, 2, 3, 4, 5
	s.pool("main", []core.Fragment{
		spawnFragment("acceptor", "acceptor", to("clients")...), spawnFragment("clients", "client", to("join clients")...),
		{ID: "join clients", Class: core.JoinFragment, Join: &core.Join{Pool: "client"}, Next: to("close")},
		syncFragment("close", "listen", core.Close, to("join acceptor")...),
		{ID: "join acceptor", Class: core.JoinFragment, Join: &core.Join{Pool: "acceptor"}, Next: to("join all")},
		{ID: "join all", Class: core.JoinFragment, Join: &core.Join{Pool: "serve", All: true}},
	}, begin(spawnAcceptor), core.Move{Fragment: spawnClients, Object: -1, Amount: 2}, visit(joinClients), use(closing, 0, 0), visit(joinAcceptor), visit(joinAll))
	const accept, start, none = 0, 1, 2
	s.pool("acceptor", []core.Fragment{
		syncFragment("accept", "listen", core.Receive, core.Edge{To: "start", Probability: 2. / 3, Count: 2}, core.Edge{To: "none", Probability: 1. / 3, Count: 1}),
		spawnFragment("start", "serve", to("accept")...), cpuFragment("none", 0),
	}, use(accept, 0, 1), begin(start), use(accept, 0, 2), begin(start), use(accept, 0, 0), visit(none))
	s.team("client", []core.Fragment{syncFragment("connect", "listen", core.Send)}, []core.Move{use(0, 0, 2)}, []core.Move{use(0, 0, 1)})
	s.team("serve", []core.Fragment{cpuFragment("work", 4)}, []core.Move{compute(0, 5*ms)}, []core.Move{compute(0, 3*ms)})
	s.model.Pools[3].Size = 1 // at a time
	s.walks.Threads[4].Parent, s.walks.Threads[5].Parent = 1, 1
	s.walks.Objects = []core.WalkObject{{Of: "listen", Monitor: -1}}
	for clients, want := range map[float64]float64{1: 3, 2: 5} {
		if got := s.takes(t, map[string]float64{"clients": clients}); math.Abs(got-want) > 1e-6 {
			t.Errorf("for %v clients it takes %v ms, want %v", clients, got, want)
		}
	}
}

// Of two threads the first does 9 ms of work and the second 1 ms: one thread alone does what the first did, and all of it is due.
func TestWhatIsDueIsTheWorkOfTheThreadsThatThereAre(t *testing.T) {
	t.Parallel()
	s := &scripted{model: core.Model{
		Name: "leader", CPU: core.CPU{Cores: 2, Policy: core.RoundRobin},
		Parameters: []core.Parameter{{Name: "threads", Default: 2, Min: 1, Max: 64, Integer: true, Targets: []core.Target{{Path: "pools/worker/size"}}}},
	}}
	s.pool("main", []core.Fragment{spawnFragment("spawn", "worker", to("join")...), {ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "worker"}}},
		core.Move{Fragment: 0, Object: -1, Amount: 2}, visit(1))
	s.team("worker", []core.Fragment{cpuFragment("work", 5)}, []core.Move{compute(0, 9*ms)}, []core.Move{compute(0, ms)})
	for threads, want := range map[float64]float64{1: 9, 2: 9} {
		if got := s.takes(t, map[string]float64{"threads": threads}); math.Abs(got-want) > 1e-6 {
			t.Errorf("%v threads take %v ms, want %v", threads, got, want)
		}
	}
}
