package simulation

import (
	"math"
	"strings"
	"testing"

	"tierscope/core"
)

// Users of a program each thread of which has a queue, and a core: of a balanced network of so many exponential stations X is known.
func TestUsersSendToQueuesOfThreads(t *testing.T) {
	t.Parallel()
	const users, threads, service = 6, 3, .01
	m := queueing(station(1, threads, core.Unbounded, exponential(service)), ofThreads)
	m.Sources = []core.Source{{ID: "users", Kind: core.Closed, Population: users, To: "q"}}
	r := run(t, m, nil, Options{Replications: 10, Duration: 100, Warmup: 1})
	x, _ := r.Find("X class/task mean")
	if want := users / (users + threads - 1.) * threads / service; math.Abs(x.Estimate.Mean/want-1) > .01 {
		t.Errorf("X = %v/s, want %v/s", x.Estimate.Mean, want)
	}
}

// Each of two threads ends after its first task, so that the third has nowhere to go.
func TestWhoseThreadsHaveEndedGetsNoTasks(t *testing.T) {
	t.Parallel()
	m := queueing(station(10, 2, core.Unbounded, constant(.001)), ofThreads)
	g := &m.Graphs[0]
	g.Fragments = append([]core.Fragment(nil), g.Fragments...)
	for i := range g.Fragments {
		if f := &g.Fragments[i]; f.Class == core.CPUFragment {
			f.Next = nil
		}
	}
	r := run(t, m, nil, Options{Replications: 1, Duration: 100})
	if !strings.Contains(strings.Join(r.Warnings, " "), "have ended") {
		t.Errorf("it says %q", r.Warnings)
	}
}
