package simulation

import (
	"slices"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// A queue from which the recorded run took all that was sent is one of which nothing may be left.
func TestWhatNobodyTookInTheRecordingMayBeLeft(t *testing.T) {
	t.Parallel()
	m, w := farm(t)
	c, err := newCompiler(&m, &m)
	if err != nil {
		t.Fatal(err)
	}
	jobs := c.object("jobs")
	if d := c.drainedQueues(w); d[jobs] == 0 {
		t.Error("all four jobs were taken")
	}
	for i := range w.Threads {
		w.Threads[i].Moves = slices.DeleteFunc(w.Threads[i].Moves, func(x core.Move) bool { return w.Threads[i].Pool == "worker" && x.Token == 3 })
	}
	if d := c.drainedQueues(w); d[jobs] > 0 {
		t.Error("nobody took the third job")
	}
}

// Of a channel is untaken what is left in it, compared with what was sent in the recording.
func TestWhatIsLeftInAChannelIsUntaken(t *testing.T) {
	t.Parallel()
	m := threads(1, 1, core.Fragment{ID: "two", Class: core.LoopFragment, Loop: &core.Loop{Count: constant(2), Body: "send"}, Next: to("take")},
		core.Fragment{ID: "send", Class: core.SyncFragment, Sync: &core.Sync{Lock: "c", Op: core.Send}, Next: to("two")},
		core.Fragment{ID: "take", Class: core.SyncFragment, Sync: &core.Sync{Lock: "c", Op: core.Receive}})
	m.Locks = []core.Lock{{ID: "c", Kind: core.Channel, Capacity: core.Unbounded}}
	for recorded, want := range map[int64]float64{0: 0, 4: .25} {
		p := mustCompile(t, m)
		p.drained = make([]int64, len(p.objects))
		p.drained[0] = recorded
		r := p.replica(1, 0, 0, nil)
		r.advance(t.Context(), des.Second)
		if got := r.untakenShare(); !r.finished || got != want {
			t.Errorf("of %d messages %.2f are untaken, want %.2f", recorded, got, want)
		}
	}
}
