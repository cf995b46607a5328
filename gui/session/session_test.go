package session

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

type memory map[string]string

func (m memory) String(k string) string { return m[k] }
func (m memory) SetString(k, v string)  { m[k] = v }

func opened(t *testing.T) *Session {
	t.Helper()
	s := New(background.NewLocal(), nil)
	s.SetModel(&core.Model{Name: "shop"}, "")
	return s
}

// A what-if must never destroy the reference that it is compared with.
func TestChangingTheBaselineStartsANewScenario(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.Set("threads", 8)
	if got := len(s.Scenarios()); got != 2 {
		t.Fatalf("%d scenarios after a change of the baseline, want 2", got)
	}
	if n := len(s.Scenarios()[0].Settings); n != 0 {
		t.Errorf("the baseline has %d settings, want none", n)
	}
	if c := s.Scenario(); c.Name != "A" || c.Settings["threads"] != 8 {
		t.Errorf("current scenario %v, want A with threads=8", c)
	}
}

// Dragging a slider sends many values; one Undo takes all of them back.
func TestASliderDragIsOneUndoStep(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.AddScenario(0)
	for v := 1.0; v <= 20; v++ {
		s.Set("rate", v)
	}
	s.Set("threads", 4)
	s.Undo()
	if got := s.Scenario().Settings; got["rate"] != 20 || len(got) != 1 {
		t.Errorf("after one undo %v, want rate=20 only", got)
	}
	s.Undo()
	if got := s.Scenario().Settings; len(got) != 0 {
		t.Errorf("after two undos %v, want no settings", got)
	}
	s.Redo()
	s.Redo()
	if got := s.Scenario().Settings; got["rate"] != 20 || got["threads"] != 4 {
		t.Errorf("after two redos %v, want rate=20 threads=4", got)
	}
}

func TestUndoBringsBackARemovedScenario(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.Set("threads", 8)
	s.RemoveScenario(1)
	if got := s.Current(); got != 0 {
		t.Errorf("current scenario %d after removal, want the baseline", got)
	}
	s.Undo()
	if got := s.Scenario(); got.Settings["threads"] != 8 {
		t.Errorf("current scenario after undo %v, want threads=8", got)
	}
	s.RemoveScenario(0)
	if s.Scenarios()[0].Name != "baseline" {
		t.Error("the baseline was removed")
	}
}

// Work in the background reads the scenarios that it was begun with.
func TestAScenarioThatWasReadStaysAsItIs(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.Set("threads", 8)
	s.SetEdit(core.Edit{Kind: core.SplitLock, Lock: "L", N: 4})
	for what, change := range map[string]func(){
		"Set":       func() { s.Set("rate", 20) },
		"Reset":     func() { s.Reset("threads") },
		"SetEdit":   func() { s.SetEdit(core.Edit{Kind: core.SplitLock, Lock: "L", N: 2}) },
		"ResetEdit": func() { s.ResetEdit(0) },
		"ResetAll":  s.ResetAll,
	} {
		read, all := s.Scenario(), s.Scenarios()
		was := clone(read)
		change()
		if !reflect.DeepEqual(read, was) || !reflect.DeepEqual(all[1], was) {
			t.Errorf("%s made %v of %v, which was read before", what, read, was)
		}
		s.Undo()
		if !reflect.DeepEqual(s.Scenario(), was) {
			t.Errorf("%s taken back: %v, want %v", what, s.Scenario(), was)
		}
	}
}

func TestBackAndForwardRetraceTheWay(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.Go(Place{Page: "model"})
	s.Select("pools/worker")
	s.Go(Place{Page: "model", Part: "tier2/worker", Selected: "pools/worker"})
	s.Go(Place{Page: "scenarios"})
	var way []string
	for s.CanBack() {
		s.Back()
		p := s.Place()
		way = append(way, p.Page+" "+p.Part+" "+p.Selected)
	}
	want := []string{"model tier2/worker pools/worker", "model  pools/worker", "start  "}
	if !slices.Equal(way, want) {
		t.Errorf("way back %q, want %q", way, want)
	}
	s.Forward()
	if !s.CanForward() {
		t.Error("two more places lie ahead, but Forward says none")
	}
	s.Go(Place{Page: "ledger"})
	if s.CanForward() {
		t.Error("going somewhere new must cut the way forward")
	}
}

func TestAFailedJobIsANoticeWithReasonAndDetails(t *testing.T) {
	t.Parallel()
	s := opened(t)
	StartJob(s, "Simulate A", func(context.Context, func(int)) (int, error) {
		return 0, errors.New("model.json: pool worker has no threads\nsecond line")
	}, nil, nil)
	s.Runner.Settle()
	n := s.Notice()
	if n == nil {
		t.Fatal("no notice")
	}
	if n.What != "Simulate A failed." || !strings.HasPrefix(n.Why, "model.json: pool worker has no threads") || !strings.Contains(n.Details, "second line") {
		t.Errorf("notice %+v, want the title, the first line as reason and all lines as details", n)
	}
	if s.Jobs()[0].State != Failed {
		t.Errorf("job state %q, want %q", s.Jobs()[0].State, Failed)
	}
}

func TestACancelledJobIsNotAFailure(t *testing.T) {
	t.Parallel()
	s := opened(t)
	j := StartJob(s, "Sweep", func(ctx context.Context, _ func(int)) (int, error) {
		<-ctx.Done()
		return 3, ctx.Err()
	}, nil, nil)
	j.Cancel()
	s.Runner.Settle()
	if j.State != Cancelled || s.Notice() != nil {
		t.Errorf("state %q, notice %v; want cancelled without a notice", j.State, s.Notice())
	}
	if j.Stopping <= 0 {
		t.Error("nothing says how long it took to stop")
	}
}

func TestSettingsAndRecentProjectsSurviveARestart(t *testing.T) {
	t.Parallel()
	store := memory{}
	s := New(background.NewLocal(), store)
	s.ChangeSettings(func(p *Settings) { p.Theme, p.Width = "dark", 1500 })
	for i := range maxRecent + 3 {
		s.SetModel(&core.Model{}, fmt.Sprintf("/p/%d.tier", i))
	}
	s.SetModel(&core.Model{}, "/p/7.tier")
	again := New(background.NewLocal(), store)
	if got := again.Settings(); got.Theme != "dark" || got.Width != 1500 || got.Replications != 10 {
		t.Errorf("settings %+v, want dark, 1500 wide, and the default replications", got)
	}
	r := again.Recent()
	if len(r) != maxRecent || r[0] != "/p/7.tier" || r[1] != "/p/14.tier" {
		t.Errorf("recent %q, want %d of them, the latest first, none twice", r, maxRecent)
	}
}

// Preferences written by another version must not keep the window from opening.
func TestUnreadableSettingsFallBackToDefaults(t *testing.T) {
	t.Parallel()
	s := New(background.NewLocal(), memory{"settings": "{broken", "recent": "7"})
	if s.Settings() != defaultSettings() {
		t.Errorf("settings %+v, want the defaults", s.Settings())
	}
}

func TestAListenerMayLeaveWhileItIsCalled(t *testing.T) {
	t.Parallel()
	s := opened(t)
	var calls []string
	var leave func()
	leave = s.Subscribe(func(Event) { calls = append(calls, "first"); leave() })
	s.Subscribe(func(Event) { calls = append(calls, "second") })
	s.Select("cpu")
	s.Select("locks/L3")
	if got := strings.Join(calls, " "); got != "first second second" {
		t.Errorf("calls %q, want the first once and the second twice", got)
	}
}

// A run that was cancelled before its first replication is not in the ledger, nor among those of the window.
func TestARunWithoutReplicationsIsNone(t *testing.T) {
	t.Parallel()
	s := opened(t)
	before := len(s.Runs())
	s.AddRuns(experiment.Run{ID: "a", Result: &simulation.Result{Interrupted: true}}, experiment.Run{ID: "b", Result: &simulation.Result{Replications: 1}})
	if n := len(s.Runs()) - before; n != 1 {
		t.Errorf("%d runs more, want the one that has replications", n)
	}
}
