package simulation

import (
	"slices"
	"testing"

	"tierscope/core"
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
	if d := c.drainedQueues(w); !d[jobs] {
		t.Error("all four jobs were taken")
	}
	for i := range w.Threads {
		w.Threads[i].Moves = slices.DeleteFunc(w.Threads[i].Moves, func(x core.Move) bool { return w.Threads[i].Pool == "worker" && x.Token == 3 })
	}
	if d := c.drainedQueues(w); d[jobs] {
		t.Error("nobody took the third job")
	}
}
