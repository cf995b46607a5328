package model

import (
	"testing"
	"time"

	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
	"tierscope/simulation"
	"tierscope/simulation/timeline"
)

// Watching the model run records a replication and moves threads and tasks over the diagram, as fast as is chosen;
// other pages are at the same moment, and another scenario is another film.
func TestTheModelIsWatchedRunning(t *testing.T) {
	h, p := pagetest.Open[*Page](t, New)
	h.Session.GoPage(ID)
	h.Session.Runner.Settle()
	h.Session.UseSimulator(simulation.Run, simulation.NewPool(2))
	h.Session.ChangeSettings(func(s *session.Settings) { s.Replications = 3 })
	seen := 0
	h.Session.WatchFilm(func() { seen++ })
	recorded := false
	p.player.asked = true
	h.Session.Record(false, func() { recorded, p.player.asked = true, false })
	h.Session.Runner.Settle()
	f := h.Session.Film()
	if !recorded || f == nil || seen == 0 {
		t.Fatalf("nothing was recorded: %+v", h.Session.Notice())
	}
	var work timeline.Span // some thread is at a task
	for _, l := range f.Recording.Lanes {
		for _, s := range l.Spans {
			if s.Task != timeline.NoTask && l.Group == timeline.Threads {
				work = s
			}
		}
	}
	h.Session.Seek(work.Start)
	if len(p.graph.View().Tokens) == 0 {
		t.Error("while a thread works on a task nothing is on the diagram")
	}
	h.Session.Seek(f.From)
	was := f.At()
	p.player.cancel = func() {} // it plays
	p.player.advance(100 * time.Millisecond)
	if got := (f.At() - was).Seconds(); got < 0.00099 || got > 0.00101 {
		t.Errorf("0.1 s at 1/100 of real time went on by %g s, want 0.001 s", got)
	}
	p.player.advance(24 * time.Hour)
	if f.At() != f.Recording.Until || p.player.cancel != nil {
		t.Errorf("at the end it stands at %v of %v, playing: %t", f.At(), f.Recording.Until, p.player.cancel != nil)
	}
	h.Session.AddScenario(0)
	if h.Session.Film() != nil || len(p.graph.View().Tokens) != 0 {
		t.Error("another scenario shows the film of the last one")
	}
}

// What the analyst calls a pool is on the diagram, and can be taken back.
func TestAnalystsNamesAreOnTheDiagram(t *testing.T) {
	h, p := pagetest.Open[*Page](t, New)
	h.Session.GoPage(ID)
	h.Session.Runner.Settle()
	path := "pools/" + h.Session.Model().Pools[0].ID
	title := func() string { return p.graph.Diagram().Nodes[p.graph.Diagram().Index(path)].Title }
	was := title()
	h.Session.Call(path, "front desk")
	h.Session.Runner.Settle()
	if title() != "front desk" {
		t.Errorf("the pool is called %q", title())
	}
	h.Session.Call(path, "")
	h.Session.Runner.Settle()
	if title() != was {
		t.Errorf("after taking the name back the pool is called %q, want %q", title(), was)
	}
}
