package main

import (
	"math"
	"testing"

	"tierscope/core"
	"tierscope/simulation"
)

// Of a response time that is 1.05² times as long with demands that are 1.05 times as long, 21 % are 10 % of demands: what runs say of
// demands counts twice for it. What hardly follows demands is known no better than they are.
func TestResponseTimesAreKnownAsTheyFollowDemands(t *testing.T) {
	t.Parallel()
	if f := follows(1, 1.05*1.05); math.Abs(f-2) > 1e-12 {
		t.Errorf("it follows with %v, want 2", f)
	}
	if f := follows(1, 1.0001); f != 1 {
		t.Errorf("what does not follow has %v, want 1", f)
	}
	at := map[string]float64{"rate": 10}
	off := []core.Checked{{At: at, Off: math.Log(1.1), Runs: 100}, {At: map[string]float64{"rate": 20}, Off: math.Log(1.1), Runs: 100}}
	once := advice{width: .21, field: core.ErrorsOfModels().Field(off), asked: []place{{at: at, says: 1, follows: 1}}}
	twice := once
	twice.asked = []place{{at: at, says: 1, follows: 2}}
	if n := twice.narrow(); math.Abs(n-.1) > 1e-12 {
		t.Errorf("demands have to be known to %.3f, want 10 %%", n)
	}
	m, lo, hi := once.answer(once.asked[0])
	m2, lo2, hi2 := twice.answer(twice.asked[0])
	for _, x := range [][2]float64{{m, m2}, {lo, lo2}, {hi, hi2}, {1 + once.known(once.field), 1 + twice.known(twice.field)}} {
		if math.Abs(x[0]*x[0]/x[1]-1) > 1e-9 {
			t.Errorf("%v becomes %v, want its square", x[0], x[1])
		}
	}
}

// A server whose pools have tasks of their own is asked about the tasks that clients send, in whatever order results have them.
func TestAdviceIsAboutWhatClientsSend(t *testing.T) {
	t.Parallel()
	a := advice{model: core.Model{Sources: []core.Source{{ID: "clients", Class: "task"}}}}
	a.limit.Name = "R"
	inner, sent := simulation.Metric{Name: "R", Of: "class/in jobs", Stat: "mean"}, simulation.Metric{Name: "R", Of: "class/task", Stat: "mean"}
	for _, metrics := range [][]simulation.Metric{{inner, sent}, {sent, inner}} {
		if m, ok := a.metric(&simulation.Result{Metrics: metrics}); !ok || m.Of != sent.Of {
			t.Errorf("it is about %q", m.Of)
		}
	}
}
