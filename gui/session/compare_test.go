package session_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
	"tierscope/simulation"
	"tierscope/simulation/des"
	"tierscope/simulation/timeline"
)

func comparing(t *testing.T) *session.Session {
	t.Helper()
	s := session.New(background.NewLocal(), nil)
	s.UseSimulator(pagetest.Simulate, simulation.NewPool(1))
	s.SetModel(pagetest.Model(), "")
	s.Set("workers", 1)
	return s
}

// The stand-in says R = 10 ms/(1 − 60/(100·workers)): 11.8 ms with 4 workers, 25
// ms with 1; both ± 5 %, replication by replication.
func TestTheDifferenceOfTwoScenariosIsASentenceWithItsInterval(t *testing.T) {
	s := comparing(t)
	s.CompareScenario()
	if got := s.Difference(); got != "" {
		t.Errorf("before anything is simulated the difference is %q", got)
	}
	s.Runner.Settle()
	if got := s.Difference(); !strings.HasPrefix(got, "scenario A has a response time 25.0 ms instead of 11.8 ms, +112 % [") {
		t.Errorf("the difference is %q, want +112 %% with its interval", got)
	}
	s.Swap()
	if p := s.Comparing(); p.A.Name != "A" || p.B.Name != "baseline" || !strings.Contains(s.Difference(), "−52.9 %") { // 11.8/25 − 1
		t.Errorf("swapped: %+v, %q; want −52.9 %%", p, s.Difference())
	}
}

func TestComparingCanBeUndone(t *testing.T) {
	s := comparing(t)
	s.CompareScenario()
	s.Swap()
	s.Undo()
	if p := s.Comparing(); p == nil || p.A.Name != "baseline" {
		t.Errorf("after undo %+v is compared, want the baseline as A", p)
	}
	s.Undo()
	if p := s.Comparing(); p != nil {
		t.Errorf("after two undos %+v is compared", p)
	}
	s.Redo()
	if s.Comparing() == nil {
		t.Error("redo does not compare again")
	}
	s.StopComparing()
	if s.Comparing() != nil {
		t.Error("the comparison does not end")
	}
}

// A page that asks for the difference whenever anything changes, as the strip above all pages does, starts one
// simulation of each side.
func TestWhoeverAsksForTheDifferenceOnEveryEventStartsOneSimulationOfEachSide(t *testing.T) {
	s := comparing(t)
	asked := 0
	s.Subscribe(func(session.Event) {
		if asked++; asked < 1000 {
			s.Difference()
		}
	})
	s.CompareScenario()
	s.Runner.Settle()
	if n := len(s.Jobs()); n != 2 {
		t.Errorf("%d jobs were started, want one for each side", n)
	}
	if got := s.Difference(); !strings.HasPrefix(got, "scenario A has a response time 25.0 ms") {
		t.Errorf("the difference is %q", got)
	}
}

// Two builds of one program, in two folders, have two names.
func TestBuildsThatAreCalledTheSameAreToldApartByTheirFolders(t *testing.T) {
	s := comparing(t)
	s.SetModel(pagetest.Model(), "/old/shop.tier")
	s.SetModel(pagetest.Model(), "/older/shop.tier")
	s.SetModel(pagetest.Model(), "/old/other.tier")
	for path, want := range map[string]string{"/old/shop.tier": "build shop in /old", "/older/shop.tier": "build shop in /older", "/old/other.tier": "build other"} {
		if got := s.Label(session.Side{Kind: session.BuildSide, Name: path}); got != want {
			t.Errorf("%s is called %q, want %q", path, got, want)
		}
	}
}

// A run of the ledger is a side like a scenario.
func TestARunCanBeCompared(t *testing.T) {
	s := comparing(t)
	s.Simulate(s.Scenarios()[0])
	s.Simulate(s.Scenario())
	s.Runner.Settle()
	var run session.Side
	for _, x := range s.SidesOffered() {
		if x.Kind == session.RunSide && strings.Contains(s.Label(x), "workers 1") {
			run = x
		}
	}
	if run.Name == "" {
		t.Fatalf("no run among %+v", s.SidesOffered())
	}
	s.Compare(session.Side{Kind: session.ScenarioSide, Name: "baseline"}, run)
	if got := s.Difference(); !strings.Contains(got, "25.0 ms instead of 11.8 ms") {
		t.Errorf("the difference is %q", got)
	}
}

// Another build is simulated in the same configuration, without what it does not
// know.
func TestAnotherBuildCanBeCompared(t *testing.T) {
	s := comparing(t)
	old := *pagetest.Model()
	old.Name = "old"
	dir := t.TempDir() + "/old.json"
	writeModel(t, dir, old)
	simulated := ""
	s.UseSimulator(func(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error) {
		if m.Name == "old" {
			simulated = m.Name
			settings = map[string]float64{"workers": 2, "rate": 60} // its code is twice as fast
		}
		return pagetest.Simulate(ctx, m, settings, o)
	}, simulation.NewPool(1))
	s.Compare(session.Side{Kind: session.BuildSide, Name: dir}, session.Side{Kind: session.ScenarioSide, Name: "A"})
	s.Difference()
	s.Runner.Settle()
	if got := s.Difference(); simulated != "old" || !strings.Contains(got, "25.0 ms instead of 14.3 ms") { // 10 ms/(1 − 60/200)
		t.Errorf("the difference to the old build is %q", got)
	}
}

// Two builds are recorded beside each other, each from its own model.
func TestATimelineOfTwoBuildsHasLanesOfBoth(t *testing.T) {
	s := comparing(t)
	old := *pagetest.Model()
	old.Name = "old"
	path := t.TempDir() + "/old.json"
	writeModel(t, path, old)
	var recorded []string
	s.UseSimulator(func(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error) {
		r, err := pagetest.Simulate(ctx, m, settings, o)
		if err == nil && o.Timeline > 0 {
			recorded = append(recorded, m.Name)
			r.Timeline = timeline.New(0)
			r.Timeline.Lane(timeline.Threads, m.Name)
			r.Timeline.Finish(des.Second)
		}
		return r, err
	}, simulation.NewPool(1))
	s.Compare(session.Side{Kind: session.BuildSide, Name: path}, session.Side{Kind: session.ScenarioSide, Name: "A"})
	s.Difference() // what every page asks for
	s.Runner.Settle()
	s.Record(false, func() {})
	s.Runner.Settle()
	if !slices.Equal(recorded, []string{"old", "web"}) {
		t.Fatalf("recorded were %v, want A, the old build, then B, the open one", recorded)
	}
	f := s.Film()
	if f == nil || f.Of != "A: build old, B: scenario A" || len(f.Recording.Lanes) != 2 || f.Recording.Lanes[0].Name != "old · A" || f.Recording.Lanes[1].Name != "web · B" {
		t.Errorf("the film is %+v, want lanes of both builds", f)
	}
}

func writeModel(t *testing.T, path string, m core.Model) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(core.Encode(f, m), f.Close()); err != nil {
		t.Fatal(err)
	}
}
