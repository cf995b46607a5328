package main

import (
	"errors"
	"math"
	"os"
	"path/filepath"
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

// A run beside which others ran tells as far as it is known what they caused: less than a quiet one, more than none. Where the program
// waited for all of its time nobody knows, and it tells nothing.
func TestAdviceCountsDisturbedRunsAsFarAsTheyAreKnown(t *testing.T) {
	t.Parallel()
	cores := core.Parameter{Name: "cores", Default: 1, Min: 1, Max: 8, Integer: true, Targets: []core.Target{{Path: core.CoresPath}}}
	m := core.Model{Name: "batch", CPU: core.CPU{Cores: 1}, Pools: []core.Pool{{ID: "main", Graph: "g", Size: 1, Main: true}}, Parameters: []core.Parameter{cores},
		Graphs: []core.Graph{{ID: "g", Entry: "w", Fragments: []core.Fragment{{ID: "w", Class: core.CPUFragment, Demand: core.Const(1)}}}}}
	half := func(flags, waited string) (width float64, runs int) {
		a := advice{model: m, home: t.TempDir()}
		a.limit.Name = "T"
		csv := "run,scenario,cores,metric,of,stat,value,lo,hi,n,unit,flags\n"
		for _, run := range []string{"1", "2", "3"} {
			csv += run + ",,2,T,program,mean,1.02,,,1,s," + flags + "\n" + run + ",,2,waited,others,sum," + waited + ",,,1,s," + flags + "\n"
		}
		path := filepath.Join(a.home, "measured", "measured.csv")
		if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(csv), 0o666)); err != nil {
			t.Fatal(err)
		}
		if err := a.look(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		_, width = a.field.At(map[string]float64{core.CoresPath: 2})
		return width, a.checks
	}
	quiet, one := half("", "0")
	beside, other := half("disturbed by other programs", "0.1")
	unknown, none := half("disturbed by other programs", "1.02")
	if one != 1 || other != 1 || none != 0 || !(quiet < beside && beside < unknown) {
		t.Errorf("±%.3f quiet (%d), ±%.3f beside others (%d), ±%.3f beside what nobody knows (%d)", quiet, one, beside, other, unknown, none)
	}
}
