package core_test

import (
	"math"
	"testing"

	"tierscope/core"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*math.Max(1, math.Abs(want)) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// The worker of Figure 1 per task: .5 ms + 2 ms of CPU, .25·2 reads of 10 ms,
// and the acceptor's .1 ms.
func TestServiceDemandsAreVisitsTimesServiceTimes(t *testing.T) {
	t.Parallel()
	m := webServer()
	d := m.Demands()
	want := map[string]float64{
		"cpu":           .0026,
		"disk/sda":      .005,
		"lock/L3":       .0005,
		"pool/worker":   .0075,
		"pool/acceptor": .0001,
	}
	for of, demand := range want {
		s, ok := d.Station(of)
		if !ok {
			t.Errorf("there is no station %s", of)
		}
		near(t, "demand of "+of, s.Demand, demand, 1e-12)
	}
	near(t, "response time without contention", d.Response, .0076, 1e-12)
	// min(2/.0026, 1/.005, 1/.0005, 4/.0075) = 200 per second: the disk.
	b := d.Bounds()
	if b.Bottleneck.Of != "disk/sda" {
		t.Errorf("the bottleneck is %s, want the disk", b.Bottleneck.Of)
	}
	near(t, "saturation", b.Saturation, 200, 1e-9)
	near(t, "throughput at 60 per second", b.Throughput, 60, 1e-9)
	near(t, "utilization of the disk by U = X·D", b.Utilization["disk/sda"], .3, 1e-9)
}

// A lock that every task has for itself limits none of the others, however long it is held.
func TestALockOfEveryTaskLimitsNoThroughput(t *testing.T) {
	t.Parallel()
	for scope, limits := range map[core.Scope]bool{"": true, core.PerTask: false, core.PerCall: false, core.PerThread: false} {
		m := webServer()
		m.Locks[0].Scope = scope
		d := m.Demands()
		s, ok := d.Station("lock/L3")
		if !ok || math.IsInf(s.Capacity, 1) == limits {
			t.Errorf("scope %q: capacity %v", scope, s.Capacity)
		}
	}
}

// U = X·D ≤ 1 for one worker: 1/.0075 s = 133 tasks per second.
func TestAPoolOfOneThreadSaturatesAtTheInverseOfItsServiceTime(t *testing.T) {
	t.Parallel()
	knees, err := webServer().Knee("workers", []float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "knee of 1 worker", knees[0], 1/.0075, 1e-9)
	near(t, "knee of 2 workers (the disk's)", knees[1], 200, 1e-9)
}

func TestArrivalsBeyondCapacityHaveNoFiniteResponseTime(t *testing.T) {
	t.Parallel()
	m, err := webServer().With(map[string]float64{"rate": 250})
	if err != nil {
		t.Fatal(err)
	}
	d := m.Demands()
	b := d.Bounds()
	if b.Stable || !math.IsInf(b.Response, 1) || b.Throughput != 200 {
		t.Errorf("250 tasks per second at a disk that serves 200: %+v", b)
	}
}

func graphOf(fragments ...core.Fragment) *core.Graph {
	return &core.Graph{ID: "g", Entry: fragments[0].ID, Fragments: fragments}
}

func cpu(id string, next ...core.Edge) core.Fragment {
	return core.Fragment{ID: id, Class: core.CPUFragment, Demand: core.Const(1), Next: next}
}

// A path taken back with probability p is executed 1/(1−p) times.
func TestVisitsOfARetryAreGeometric(t *testing.T) {
	t.Parallel()
	v := graphOf(cpu("a", core.Edge{To: "b", Probability: 1}),
		cpu("b", core.Edge{To: "a", Probability: .75}, core.Edge{To: "c", Probability: .25}), cpu("c")).Visits()
	if v.Unit != core.RunUnit {
		t.Errorf("visits are counted per %s, want per run", v.Unit)
	}
	for i, want := range []float64{4, 4, 1} {
		near(t, "visit count", v.Count[i], want, 1e-12)
	}
}

// A loop of exactly n iterations executes its body n times, nested loops n·m;
// a million iterations lose no digits.
func TestVisitsOfNestedLoopsMultiply(t *testing.T) {
	t.Parallel()
	v := graphOf(
		core.Fragment{ID: "outer", Class: core.LoopFragment, Loop: &core.Loop{Count: core.Const(1000), Body: "inner"}, Next: []core.Edge{{To: "end", Probability: 1}}},
		core.Fragment{ID: "inner", Class: core.LoopFragment, Loop: &core.Loop{Count: core.Const(1e6), Body: "body"}, Next: []core.Edge{{To: "outer", Probability: 1}}},
		cpu("body", core.Edge{To: "inner", Probability: 1}), cpu("end")).Visits()
	near(t, "visits of the inner body", v.Count[2]/1e9, 1, 1e-9)
	near(t, "visits of the end", v.Count[3], 1, 1e-9)
}

// A worker that first serves a task of one queue and then one of another
// serves half of each per task.
func TestAThreadThatAlternatesBetweenTwoQueuesVisitsEachEverySecondTask(t *testing.T) {
	t.Parallel()
	in := func(id, queue, fetch string) core.Fragment {
		return core.Fragment{ID: id, Class: core.InFragment, In: &core.In{Queue: queue}, Next: []core.Edge{{To: fetch, Probability: 1}}}
	}
	fetch := func(id, next string) core.Fragment {
		return core.Fragment{ID: id, Class: core.FetchFragment, Next: []core.Edge{{To: next, Probability: 1}}}
	}
	v := graphOf(cpu("start", core.Edge{To: "in1", Probability: 1}),
		in("in1", "q1", "f1"), fetch("f1", "a"), cpu("a", core.Edge{To: "in2", Probability: 1}),
		in("in2", "q2", "f2"), fetch("f2", "b"), cpu("b", core.Edge{To: "in1", Probability: 1})).Visits()
	if v.Unit != core.TaskUnit {
		t.Errorf("visits are counted per %s, want per task", v.Unit)
	}
	for i, want := range []float64{0, .5, .5, .5, .5, .5, .5} {
		near(t, "visits of fragment "+string(rune('0'+i)), v.Count[i], want, 1e-9)
	}
}

// closedSystem is N users with think time Z, a thread for each, a CPU and a disk.
func closedSystem(users int) core.Model {
	return core.Model{
		Sources: []core.Source{{ID: "users", Kind: core.Closed, To: "q", Population: users, Think: core.Exp(1)}},
		Queues:  []core.Queue{{ID: "q", Capacity: core.Unbounded}},
		Pools:   []core.Pool{{ID: "p", Graph: "g", Size: 100}},
		Sinks:   []core.Sink{{ID: "done"}},
		Graphs: []core.Graph{{ID: "g", Entry: "in", Fragments: []core.Fragment{
			{ID: "in", Class: core.InFragment, In: &core.In{Queue: "q"}, Next: []core.Edge{{To: "fetch", Probability: 1}}},
			{ID: "fetch", Class: core.FetchFragment, Next: []core.Edge{{To: "work", Probability: 1}}},
			{ID: "work", Class: core.CPUFragment, Demand: core.Exp(.2), Next: []core.Edge{{To: "read", Probability: 1}}},
			{ID: "read", Class: core.IOFragment, IO: &core.IO{Disk: "d", Requests: []core.RequestType{{Type: "read", Count: core.Const(1)}}}, Next: []core.Edge{{To: "out", Probability: 1}}},
			{ID: "out", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: []core.Edge{{To: "in", Probability: 1}}},
		}}},
		CPU:   core.CPU{Cores: 1, Policy: core.ProcessorSharing},
		Disks: []core.Disk{{ID: "d", Service: []core.ServiceLaw{{Rows: []core.ServiceRow{{Time: core.Exp(.5)}}}}}},
	}
}

// X ≤ min(1/D_max, N/(D+Z)) and R ≥ max(D, N·D_max − Z): Lazowska et al. 1984,
// §5.2.
func TestAsymptoticBoundsOfAClosedSystem(t *testing.T) {
	t.Parallel()
	for users, want := range map[int][2]float64{1: {1 / 1.7, .7}, 3: {3 / 1.7, .7}, 10: {2, 4}} {
		m := closedSystem(users)
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		d := m.Demands()
		b := d.Bounds()
		near(t, "throughput bound", b.Throughput, want[0], 1e-9)
		near(t, "response time bound", b.Response, want[1], 1e-9)
		near(t, "saturation population N* = (D+Z)/D_max", b.Saturation, 3.4, 1e-9)
	}
}
