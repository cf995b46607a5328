package simulation

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tierscope/core"
)

// stageOf is a main thread that counts, after 2 ms, what another one counts down after 3 ms, waits for that, and goes on for 1 ms.
func stageOf() *scripted {
	s := &scripted{model: core.Model{
		Name: "future", CPU: core.CPU{Cores: 2},
		Locks: []core.Lock{{ID: "result", Kind: core.Latch}},
	}}
	const spawn, work, count, wait, after, join = 0, 1, 2, 3, 4, 5
	s.pool("main", []core.Fragment{
		spawnFragment("spawn", "stage", to("work")...), cpuFragment("work", 2, to("count")...), syncFragment("count", "result", core.Add, to("wait")...),
		syncFragment("wait", "result", core.Await, to("after")...), cpuFragment("after", 1, to("join")...), {ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "stage"}},
	}, begin(spawn), compute(work, 2*ms), use(count, 0, 0), use(wait, 0, 0), compute(after, ms), visit(join))
	const stage, done = 0, 1
	s.pool("stage", []core.Fragment{cpuFragment("stage", 3, to("done")...), syncFragment("done", "result", core.CountDown)},
		compute(stage, 3*ms), use(done, 0, 0))
	s.walks.Objects = []core.WalkObject{{Of: "result", Monitor: -1}}
	return s
}

// If the main thread comes to counting later than the other one to counting down, it is done.
func TestWhatIsDoneEarlierIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	stageOf().takesOf(t, "graphs/main/fragments/work/scale", map[float64]float64{1: 4, 0.5: 4, 2: 5, 10: 21})
}

// So it is by the graphs alone, where chance may decide who comes first; that it was is said.
func TestWhatIsCountedDownFirstIsSaid(t *testing.T) {
	t.Parallel()
	m := stageOf().model
	for scale, want := range map[float64]float64{1: 4, 2: 5, 10: 21} {
		r, err := Run(t.Context(), m, map[string]float64{"graphs/main/fragments/work/scale": scale}, Options{Replications: 2})
		if err != nil {
			t.Fatal(err)
		}
		took := math.NaN()
		for _, x := range r.Metrics {
			if x.Name == "T" && x.Stat == "mean" {
				took = x.Estimate.Mean * 1e3
			}
		}
		if math.Abs(took-want) > 0.01 {
			t.Errorf("with %v times as much to do before, it takes %v ms, want %v", scale, took, want)
		}
		if said := slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, `lock "result" is counted down before`) }); said != (scale > 1) {
			t.Errorf("with %v times as much to do before, it says %q", scale, r.Warnings)
		}
	}
}

// A run that stands still stands still because threads wait, whatever was counted down before.
func TestWhatIsCountedDownFirstIsNotWhyARunHalts(t *testing.T) {
	t.Parallel()
	m := stageOf().model
	m.Locks = append(m.Locks, core.Lock{ID: "never", Kind: core.Latch, Permits: 1})
	g := &m.Graphs[0]
	for i := range g.Fragments {
		if g.Fragments[i].ID == "after" {
			g.Fragments[i] = syncFragment("after", "never", core.Await, to("late")...)
		}
	}
	g.Fragments = append(g.Fragments, syncFragment("late", "never", core.CountDown, to("join")...))
	r, err := Run(t.Context(), m, map[string]float64{"graphs/main/fragments/work/scale": 10}, Options{Replications: 2})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.Halted, "never") || !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, `lock "result" is counted down before`) }) {
		t.Errorf("it halted because %q, warnings %q", r.Halted, r.Warnings)
	}
}

// The latch of a call that is over is that of another one later: what was counted down too often in the first is no part of it.
func TestWhatOneCallCountedDownIsOfThatCall(t *testing.T) {
	t.Parallel()
	m := stageOf().model
	p, err := compile(&m, &m)
	if err != nil {
		t.Fatal(err)
	}
	r := p.replica(1, 0, 0, nil)
	latch := int32(slices.IndexFunc(p.objects, func(o objectDef) bool { return o.id == "result" }))
	i := r.freshInstance(latch)
	r.followed.early = map[int32]int32{i: 2}
	r.freeInstance(i)
	if again := r.freshInstance(latch); again != i || r.stillToCount(again, 3) != 3 {
		t.Errorf("copy %d, after %d: 3 that are counted up are not all still to be counted down", again, i)
	}
}
