package judge

import (
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tierscope/analysis/trace"
	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/measure"
	"tierscope/measure/table"
)

func knob(name, path, how string, value float64) core.Parameter {
	return core.Parameter{Name: name, Default: value, Min: 1, Max: 64, Integer: true, How: how, Targets: []core.Target{{Path: path}}}
}

// What can be tried is every number of threads that the program can be given, and one core; what sets the cores as
// well, or follows another setting, is not a number of threads.
func TestThreadsAndCoresAreTried(t *testing.T) {
	t.Parallel()
	both := knob("procs", "pools/a/size", "-procs {value}", 4)
	both.Targets = append(both.Targets, core.Target{Path: "cpu/cores"})
	m := &core.Model{Parameters: []core.Parameter{
		knob("cores", "cpu/cores", "GOMAXPROCS={value}", 2), knob("workers", "pools/w/size", "-w {value}", 5),
		knob("hidden", "pools/h/size", "", 4), knob("loaders", "pools/l/size", "-l {value}", 1), both,
	}}
	got := sets(m)
	if len(got) != 2 || got[0].name != "workers" || got[1].name != "loaders" {
		t.Fatalf("tried are %v, want workers and loaders", got)
	}
	if v := got[0].axes[0].Values; len(v) != 1 || v[0] != 2 { // half of 5
		t.Errorf("in place of 5 workers %v are tried, want 2", v)
	}
	if v := got[1].axes[0].Values; len(v) != 1 || v[0] != 2 { // one cannot be halved
		t.Errorf("in place of 1 loader %v are tried, want 2", v)
	}
	if len(got[0].axes) != 2 || got[0].axes[1].Values[0] != 1 || got[0].axes[1].Values[1] != 2 {
		t.Errorf("the cores that are tried: %v, want 1 and 2", got[0].axes)
	}
}

// A grade speaks of the range of evidence: what is beyond it is not tried, such as one thread where the others need permits, of which there
// are none then.
func TestWhatIsBeyondTheEvidenceIsNotTried(t *testing.T) {
	t.Parallel()
	par := knob("par", "pools/sort/size", "-par {value}", 2)
	par.SupportedMin, par.SupportedMax = 2, 9
	m := &core.Model{Parameters: []core.Parameter{par}}
	got := sets(m)
	if len(got) != 1 || got[0].axes[0].Values[0] != 3 {
		t.Fatalf("tried are %v, want par 3", got)
	}
	for _, at := range neighbours(m, got[0].axes) {
		if at["par"] < 2 || at["par"] > 9 {
			t.Errorf("par %g is asked, beyond the evidence", at["par"])
		}
	}
}

// Where no setting is a number of threads, one that says how many are let in at once is tried in its place.
func TestWithoutThreadsTheirLimitIsTried(t *testing.T) {
	t.Parallel()
	cores, limit := knob("cores", "cpu/cores", "GOMAXPROCS={value}", 2), knob("limit", "locks/slots/capacity", "-limit {value}", 8)
	got := sets(&core.Model{Parameters: []core.Parameter{cores, knob("gc", "background/gc/interval", "GOGC={value}", 100), limit}})
	if len(got) != 1 || got[0].name != "limit" || got[0].axes[0].Values[0] != 4 || len(got[0].axes) != 2 {
		t.Errorf("tried are %v, want limit 4 on 1 and 2 cores", got)
	}
	got = sets(&core.Model{Parameters: []core.Parameter{cores, limit, knob("workers", "pools/w/size", "-w {value}", 4)}})
	if len(got) != 1 || got[0].name != "workers" {
		t.Errorf("tried are %v, want workers", got)
	}
}

// On cores that are slower by a part T of a program that computes is longer by that, and that of one that waits is not.
func TestTimeFollowsTheCPUAsFarAsTheProgramComputes(t *testing.T) {
	t.Parallel()
	m := core.Model{CPU: core.CPU{Cores: 3, Speed: []float64{1, 0.5}}}
	got := Slower(m).CPU.Speed
	for i, want := range []float64{1 / stretch, 0.5 / stretch, 1 / stretch} {
		if len(got) != 3 || math.Abs(got[i]-want) > 1e-12 {
			t.Fatalf("the cores are %v", got)
		}
	}
	if m.CPU.Speed[0] != 1 {
		t.Error("the model was changed")
	}
	if f := Elasticity(2, 2*stretch); math.Abs(f-1) > 1e-12 {
		t.Errorf("what is longer by as much follows it by %v", f)
	}
}

// A server that is loaded by something else cannot be run again.
func TestAServerWithoutALoadIsNotRunAgain(t *testing.T) {
	t.Parallel()
	m := &core.Model{Sources: []core.Source{{ID: "clients"}}}
	if err := Record(t.Context(), t.TempDir(), trace.Workload{Program: "no such program"}, m, func(string) { t.Error("it was run") }); err != nil {
		t.Error(err)
	}
}

// Each configuration is run three times if that is within the time; once, or as often as asked, in any case.
func TestConfigurationsAreRunAsOftenAsThereIsTime(t *testing.T) {
	t.Parallel()
	executable, err := exec.LookPath("true")
	if err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		first  int
		within time.Duration
		want   int
	}{{1, time.Hour, 3}, {1, 0, 1}, {2, 0, 2}} {
		campaign := measure.Campaign{Executable: executable, Workload: trace.Workload{Program: "true"},
			Axes: []measure.Axis{{Name: "GOMAXPROCS", How: "GOMAXPROCS={value}", Values: []float64{1, 2}}}}
		path := filepath.Join(t.TempDir(), "runs.csv")
		if err := rounds(t.Context(), campaign, c.first, c.within, path, func(string) {}); err != nil {
			t.Fatal(err)
		}
		measured, err := measure.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if runs := measured.Runs(); len(runs) != 2*c.want {
			t.Errorf("%v within %v: %d runs of two configurations, want %d", c.first, c.within, len(runs), 2*c.want)
		}
	}
}

// A server is run with half the recorded load and half as much more, and as recorded; then with half its threads under the
// recorded load. The number of cores stays.
func TestAnotherLoadIsTried(t *testing.T) {
	t.Parallel()
	m := &core.Model{Parameters: []core.Parameter{
		knob("cores", "cpu/cores", "GOMAXPROCS={value}", 2), knob("workers", "pools/w/size", "-w {value}", 5), knob("rate", "sources/clients/rate_per_s", "", 40),
	}}
	got := sets(m)
	if len(got) != 2 || got[0].name != "rate" || got[1].name != "workers" {
		t.Fatalf("tried are %v, want rate and workers", got)
	}
	if v := got[0].axes[0]; len(got[0].axes) != 1 || v.Values[0] != 20 || v.Values[1] != 60 || v.Base == nil || *v.Base != 40 {
		t.Errorf("the rates are %+v, want 20, 60 and the recorded 40", got[0].axes)
	}
	if v := got[1].axes[0]; len(got[1].axes) != 1 || v.Values[0] != 2 || v.Base != nil {
		t.Errorf("the workers are %+v, want 2", got[1].axes)
	}
}

// A main thread that computes for 1 s takes 1 s: measured runs of 0.8 s are 25 % below the prediction, and
// one of a model that stands still has none.
func TestAPredictionIsHeldAgainstRuns(t *testing.T) {
	t.Parallel()
	m := core.Model{
		Name:  "batch",
		Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}},
		Graphs: []core.Graph{{ID: "main", Entry: "work", Fragments: []core.Fragment{
			{ID: "work", Class: core.CPUFragment, Demand: core.Distribution{Kind: core.Constant, Value: 1}},
		}}},
		CPU:        core.CPU{Cores: 1},
		Parameters: []core.Parameter{knob("cores", "cpu/cores", "GOMAXPROCS={value}", 1)},
	}
	runs := &table.Table{Parameters: []string{"cores"}}
	for _, id := range []string{"b1c01", "b2c01", "b3c01"} {
		runs.Rows = append(runs.Rows, table.Row{Run: id, Settings: []float64{1}, Metric: "T", Of: "program", Stat: "mean", Value: 0.8, N: 1, Unit: "s"})
	}
	checks, err := compare(t.Context(), m, []*table.Table{runs})
	if err != nil {
		t.Fatal(err)
	}
	if len(checks) != 1 || checks[0].Runs != 3 || math.Abs(*checks[0].Error-0.25) > 1e-9 {
		t.Fatalf("the checks are %+v, want one of 3 runs with ε = 1/0.8 − 1 = 25 %%", checks)
	}
	runs.Rows = runs.Rows[:1]
	runs.Rows[0].N = 300 // tasks of the run
	if checks, err = compare(t.Context(), m, []*table.Table{runs}); err != nil || len(checks) != 1 || checks[0].Runs != 1 {
		t.Errorf("the checks are %+v, %v; want one of 1 run", checks, err)
	}
}

// After runs with half of 4 threads and as recorded, a run at an end, with one or twice as many, of which least is known, tells most. Where
// all runs agree, nobody needs one more; and a model that was not held against any has no question.
func TestTheNextCheckIsWhereLeastIsKnown(t *testing.T) {
	t.Parallel()
	m := core.Model{
		Name:  "batch",
		Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}, {ID: "w", Graph: "main", Size: 4}},
		Graphs: []core.Graph{{ID: "main", Entry: "work", Fragments: []core.Fragment{
			{ID: "work", Class: core.CPUFragment, Demand: core.Const(1)},
		}}},
		CPU:        core.CPU{Cores: 2},
		Parameters: []core.Parameter{knob("cores", "cpu/cores", "GOMAXPROCS={value}", 2), knob("workers", "pools/w/size", "-w {value}", 4)},
	}
	if axes, err := mostTelling(&m); axes != nil || err != nil {
		t.Errorf("without checks %v is run (%v)", axes, err)
	}
	checked := func(off float64) {
		m.Checked = nil
		for _, workers := range []float64{2, 4} {
			for _, cores := range []float64{1, 2} {
				m.Checked = append(m.Checked, core.Checked{At: map[string]float64{"pools/w/size": workers, "cpu/cores": cores}, Off: off, Runs: 3})
				off = -off
			}
		}
	}
	checked(.08)
	axes, err := mostTelling(&m)
	if err != nil || len(axes) != 2 || axes[0].Name != "workers" || axes[0].Values[0] != 1 && axes[0].Values[0] != 8 || len(axes[1].Values) != 1 || axes[1].Base != nil {
		t.Errorf("next is %+v (%v), want 1 or 8 workers on one number of cores", axes, err)
	}
	checked(.001)
	if axes, err := mostTelling(&m); axes != nil || err != nil {
		t.Errorf("four runs that agree ask for %v (%v)", axes, err)
	}
}

// M/M/1: R = S/(1 − λS). With half the server busy, 5 % more demand make R longer by ln(1.05 · 0.5/0.475)/ln 1.05 = 2.05 times as much, as
// a logarithm; with a tenth, by ln(1.05 · 0.9/0.895)/ln 1.05 = 1.11.
func TestResponseTimesFollowDemandsTheMoreTheBusierAServerIs(t *testing.T) {
	t.Parallel()
	m := core.Model{
		Name: "server", CPU: core.CPU{Cores: 1}, Classes: []core.Class{{ID: "task"}}, Sinks: []core.Sink{{ID: "done"}},
		Sources: []core.Source{{ID: "clients", Kind: core.Poisson, Rate: 50, Class: "task", To: "q"}},
		Queues:  []core.Queue{{ID: "q", Capacity: core.Unbounded}},
		Pools:   []core.Pool{{ID: "w", Graph: "g", Kind: core.FixedPool, Size: 1}},
		Graphs: []core.Graph{{ID: "g", Entry: "in", Fragments: []core.Fragment{
			{ID: "in", Class: core.InFragment, In: &core.In{Queue: "q"}, Next: []core.Edge{{To: "fetch", Probability: 1}}},
			{ID: "fetch", Class: core.FetchFragment, Next: []core.Edge{{To: "work", Probability: 1}}},
			{ID: "work", Class: core.CPUFragment, Demand: core.Distribution{Kind: core.Exponential, Mean: .01}, Next: []core.Edge{{To: "out", Probability: 1}}},
			{ID: "out", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: []core.Edge{{To: "in", Probability: 1}}},
		}}},
		Parameters: []core.Parameter{knob("rate", "sources/clients/rate_per_s", "", 50)},
	}
	runs := &table.Table{Parameters: []string{"rate"}}
	for i, rate := range []float64{10, 50} {
		row := table.Row{Run: []string{"b1c01", "b1c02"}[i], Settings: []float64{rate}, Metric: "R", Stat: "mean", Value: .02, N: 1, Unit: "s"}
		runs.Rows = append(runs.Rows, row)
	}
	checks, err := compare(t.Context(), m, []*table.Table{runs})
	if err != nil || len(checks) != 2 {
		t.Fatalf("the checks are %+v (%v), want two", checks, err)
	}
	for i, want := range []float64{1.11, 2.05} {
		if got := checks[i].Follows; got == nil || math.Abs(*got-want) > .1 {
			t.Errorf("%s: R follows demands with %v, want %.2f", checks[i].Name, got, want)
		}
	}
}

// Of 100 ms a program computes 20 and sleeps 80: its T follows the CPU time by a fifth. Only where CPU times are far from those of the
// model, or the time itself cannot be relied on, it is asked how much that counts.
func TestATimeOfSleepFollowsTheCPUTimeLittle(t *testing.T) {
	t.Parallel()
	m := core.Model{
		Name: "sleeper", CPU: core.CPU{Cores: 1}, Pools: []core.Pool{{ID: "main", Graph: "g", Size: 1, Main: true}},
		Graphs: []core.Graph{{ID: "g", Entry: "work", Fragments: []core.Fragment{
			{ID: "work", Class: core.CPUFragment, Demand: core.Const(.02), Next: []core.Edge{{To: "sleep", Probability: 1}}},
			{ID: "sleep", Class: core.DelayFragment, Delay: core.Const(.08)},
		}}},
		Parameters: []core.Parameter{knob("cores", "cpu/cores", "GOMAXPROCS={value}", 1)},
	}
	runs := &table.Table{Parameters: []string{"cores"}}
	for i, cores := range []float64{1, 2} {
		runs.Rows = append(runs.Rows, table.Row{Run: []string{"b1c01", "b1c02"}[i], Settings: []float64{cores}, Metric: "T", Of: "program", Stat: "mean", Value: .1, Lo: math.NaN(), Hi: math.NaN(), N: 1, Unit: "s"})
	}
	checks, err := compare(t.Context(), m, []*table.Table{runs})
	if err != nil || len(checks) != 2 {
		t.Fatalf("the checks are %+v (%v), want two", checks, err)
	}
	for _, c := range []struct {
		work      [2]float64
		disturbed string
		asked     bool
	}{{[2]float64{1, 1.05}, "", false}, {[2]float64{1, 1.5}, "", true}, {[2]float64{1, 1.05}, "others ran", true}} {
		for i := range checks {
			checks[i].Work, checks[i].FollowsCPU, checks[i].Disturbed = &c.work[i], nil, c.disturbed
		}
		if err := followCPU(t.Context(), m, []*table.Table{runs}, checks); err != nil {
			t.Fatal(err)
		}
		for _, k := range checks {
			if (k.FollowsCPU != nil) != c.asked || c.asked && math.Abs(*k.FollowsCPU-.2) > .01 {
				t.Errorf("%+v: %s follows by %v, want 0.2", c, k.Name, k.FollowsCPU)
			}
		}
	}
}

// The sentence of a check that others disturbed says its error and how well that is known; where nobody knows, only why.
func TestTheSentenceOfADisturbedCheckSaysHowWellItIsKnown(t *testing.T) {
	t.Parallel()
	c := trust.Check{Name: "rate 100", Metric: "R", Unit: "s", Measured: .012, Runs: 3, Predicted: new(.01), Error: new(-1. / 6)}
	for _, want := range []struct {
		disturbed string
		noise     float64
		end       string
	}{{"", .01, ": ε -17 %"}, {"others ran", math.Log(1.5) / core.Normal95, ": ε -17 %, known to ±50 % (others ran)"}, {"others ran", 0, ": others ran"}} {
		c.Disturbed, c.Noise = want.disturbed, want.noise
		if s := Sentence(c); !strings.HasSuffix(s, "predicted 10.0 ms"+want.end) {
			t.Errorf("%q, want %q at its end", s, want.end)
		}
	}
}

// Of simulations of which one alone came to its end nobody knows how much work the program has: it is no evidence against a rule of scaling.
func TestOneSimulationThatEndsTellsNothingOfTheWork(t *testing.T) {
	t.Parallel()
	model := func(ends float64) core.Model {
		return core.Model{
			Name: "often stuck", CPU: core.CPU{Cores: 1}, Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}},
			Locks: []core.Lock{{ID: "never", Kind: core.Latch, Permits: 1}},
			Graphs: []core.Graph{{ID: "main", Entry: "work", Fragments: []core.Fragment{
				{ID: "work", Class: core.CPUFragment, Demand: core.Const(1), Next: []core.Edge{{To: "end", Probability: ends}, {To: "wait", Probability: 1 - ends}}},
				{ID: "end", Class: core.DispatchFragment},
				{ID: "wait", Class: core.SyncFragment, Sync: &core.Sync{Lock: "never", Op: core.Await}, Next: []core.Edge{{To: "late", Probability: 1}}},
				{ID: "late", Class: core.SyncFragment, Sync: &core.Sync{Lock: "never", Op: core.CountDown}},
			}}},
			Parameters: []core.Parameter{knob("cores", "cpu/cores", "GOMAXPROCS={value}", 1)},
		}
	}
	runs := &table.Table{Parameters: []string{"cores"}}
	for _, id := range []string{"b1c01", "b2c01", "b3c01"} {
		runs.Rows = append(runs.Rows,
			table.Row{Run: id, Settings: []float64{1}, Metric: "T", Of: "program", Stat: "mean", Value: 0.8, Lo: math.NaN(), Hi: math.NaN(), N: 1, Unit: "s"},
			table.Row{Run: id, Settings: []float64{1}, Metric: "CPU", Of: "program", Stat: "sum", Value: 0.8, Lo: math.NaN(), Hi: math.NaN(), N: 1, Unit: "s"})
	}
	alone := 0
	for ends := 0.05; ends < 1; ends += 0.01 {
		checks, err := compare(t.Context(), model(ends), []*table.Table{runs})
		if err != nil || len(checks) != 1 {
			t.Fatalf("the checks are %+v (%v), want one", checks, err)
		}
		k := checks[0]
		if k.Predicted == nil {
			continue
		}
		one := strings.Contains(k.Disturbed, "∞")
		if one {
			alone++
		}
		if (k.Work == nil) != one {
			t.Errorf("the check is %+v, its work is known: %v", k, k.Work != nil)
		}
	}
	if alone == 0 {
		t.Error("no case in which one simulation ended")
	}
}
