package simulation

import (
	"strings"
	"testing"

	"tierscope/core"
)

// waitsForever is a program that took 10 ms when it was recorded and whose main
// thread now waits for a token that nobody sends.
func waitsForever(others ...core.Fragment) core.Model {
	m := threads(1, 1, core.Fragment{ID: "first", Class: core.CPUFragment, Demand: constant(.01),
		Observed: core.Observed{Count: 1, MeanWall: .01}, Next: []core.Edge{{To: "wait", Probability: 1}}}, syncOp("wait", "token", core.Receive))
	m.Locks = []core.Lock{{ID: "token", Kind: core.Channel, Capacity: 1}}
	if len(others) > 0 {
		m.Pools = append(m.Pools, core.Pool{ID: "ticker", Graph: "h", Size: 1})
		m.Graphs = append(m.Graphs, core.Graph{ID: "h", Entry: others[0].ID, Fragments: others})
	}
	return m
}

// Another thread goes round for ever, so that something always happens: after a
// thousand times the recorded 10 ms the run says that there will be no end.
func TestAProgramThatDoesNotEndIsReported(t *testing.T) {
	t.Parallel()
	r := run(t, waitsForever(sleep("tick", .001, "work"), cpu("work", .0001, "tick")), nil, Options{Replications: 2})
	text := strings.Join(r.Warnings, "\n")
	if want := `thread 0 of pool "p" waits at "wait" for lock "token"`; !strings.Contains(text, "endless") || !strings.Contains(text, want) {
		t.Errorf("warnings %q, want that it is endless and %s", text, want)
	}
	if e := find(t, r, "T program mean"); e.N != 0 {
		t.Errorf("T = %g of %d runs, want none: no run came to its end", e.Mean, e.N)
	}
}

// Work in the background by the clock is no progress: when only it is left, the
// program has stopped, and the moment is no makespan.
func TestAProgramThatStopsWithWorkInTheBackgroundIsADeadlock(t *testing.T) {
	t.Parallel()
	for _, trigger := range []core.Trigger{core.EveryPeriod, core.EveryCPU} {
		m := waitsForever()
		m.Background = []core.Background{{ID: "collector", Trigger: trigger, Interval: constant(.002), Demand: constant(.0001)}}
		r := run(t, m, nil, Options{Replications: 2})
		if text := strings.Join(r.Warnings, "\n"); !strings.Contains(text, "deadlock") {
			t.Errorf("%s: warnings %q, want a deadlock", trigger, text)
		}
		if e := find(t, r, "T program mean"); e.N != 0 {
			t.Errorf("%s: T = %g of %d runs, want none", trigger, e.Mean, e.N)
		}
	}
}
