package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// promises are commits whose clients wait for a latch that belongs to what they have sent, as a future does, and whose main thread sends the
// committer a last task that tells it to end.
func promises() *scripted {
	s := commits("more", gatheredBoth()...)
	s.model.Locks[0] = core.Lock{ID: "reply", Kind: core.Latch, Permits: 1}
	main, committer := s.model.Graphs[0].Fragments, s.model.Graphs[3].Fragments
	main[5] = core.Fragment{ID: "close", Class: core.OutFragment, Out: &core.Out{To: "log", New: true}, Next: to("join c")}
	for g := 1; g <= 2; g++ {
		s.model.Graphs[g].Fragments[2].Sync.Op = core.Await
	}
	committer[answer].Sync.Op = core.CountDown
	committer[got].Next = []core.Edge{{To: "more", Probability: 0.75, Count: 3}, {To: "stop", Probability: 0.25, Count: 1}}
	s.model.Graphs[3].Fragments = append(committer, cpuFragment("stop", 0))
	s.walks.Graphs[3].Fragments = append(s.walks.Graphs[3].Fragments, "stop")
	for i := range s.walks.Threads {
		for k := range s.walks.Threads[i].Moves {
			if m := &s.walks.Threads[i].Moves[k]; m.Object >= 0 && m.Object < 4 {
				m.Token = 0 // a latch hands nothing over
			}
		}
	}
	const last = 5 // task
	s.walks.Threads[0].Moves[5] = core.Move{Fragment: 5, Object: 4, Amount: 1, Token: last}
	end := s.walks.Threads[3].Moves
	s.walks.Threads[3].Moves = append(end[:len(end)-2], use(take, 4, last), visit(got), visit(int32(len(committer))))
	return s
}

// As TestWhoGathersTasksAnswersThoseOfTheGroup: it does not matter how the clients are told, and how the committer.
func TestWhoGathersTasksKeepsPromises(t *testing.T) {
	t.Parallel()
	s := promises()
	s.takesOf(t, "cpu/cores", map[float64]float64{1: 5, 2: 5})
	if got := s.takes(t, map[string]float64{"cpu/cores": 3, "pools/a/size": 2}); math.Abs(got-5) > 1e-6 {
		t.Errorf("with three clients it takes %v ms, want 5", got)
	}
}
