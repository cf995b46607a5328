package difference

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"tierscope/core"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
	"tierscope/simulation"
)

// compared is the page after the open web server, whose work takes 20 ms and whose
// replies go through a new mutex, was compared with the one of pagetest (10 ms, no
// mutex), with the real simulator.
func compared(t *testing.T) *Page {
	t.Helper()
	h := pagetest.Host(t)
	h.Session.UseSimulator(simulation.Run, simulation.NewPool(2))
	h.Session.ChangeSettings(func(s *session.Settings) { s.Replications = 3 })
	old := filepath.Join(t.TempDir(), "old.json")
	f, err := os.Create(old)
	if err != nil {
		t.Fatal(err)
	}
	if err := core.Encode(f, *pagetest.Model()); err != nil {
		t.Fatal(err)
	}
	f.Close()
	now := pagetest.Model()
	now.Locks = []core.Lock{{ID: "mutex", Kind: core.Mutex}}
	g := &now.Graphs[0]
	g.Fragments[2].Demand = core.Exp(0.02)
	g.Fragments[2].Next = []core.Edge{{To: "lock", Probability: 1}}
	g.Fragments = append(g.Fragments,
		core.Fragment{ID: "lock", Class: core.SyncFragment, Sync: &core.Sync{Lock: "mutex", Op: core.Enter}, Next: []core.Edge{{To: "unlock", Probability: 1}}},
		core.Fragment{ID: "unlock", Class: core.SyncFragment, Sync: &core.Sync{Lock: "mutex", Op: core.Exit}, Next: []core.Edge{{To: "reply", Probability: 1}}})
	h.Session.SetModel(now, "/tmp/new.json")
	p := New(h).(*Page)
	pagetest.Show(t, h, p)
	p.other.SetText(old)
	p.other.OnSubmitted(old)
	h.Session.Runner.Settle()
	if n := h.Session.Notice(); n != nil {
		t.Fatalf("%s %s", n.What, n.Why)
	}
	return p
}

func TestTheVerdictNamesTheCostliestChange(t *testing.T) {
	p := compared(t)
	pagetest.Picture(t, p.host, "difference")
	if s := p.verdict.Sentence(); !strings.Contains(s, "more") || !strings.Contains(s, "code of work") {
		t.Errorf("the verdict is %q; want a longer response time because of the code of work", s)
	}
	if s := p.shares.Figure().Summary(); !strings.Contains(s, "most by code of work") {
		t.Errorf("the figure says %q", s)
	}
}

// The table and the graph show the same: what is new, and by how much the rest
// changed.
func TestWhatIsNewIsMarkedInTheTableAndInTheGraph(t *testing.T) {
	p := compared(t)
	text := ""
	for _, row := range p.changes.Rows() {
		for _, cell := range row {
			text += cell.Text + " "
		}
		text += "\n"
	}
	for _, want := range []string{"changed work in worker CPU time 10.0 ms 20.0 ms +100 %", "new lock in worker", "new lock mutex"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the table:\n%s", want, text)
		}
	}
	badges := map[string]string{}
	for _, n := range p.graph.Diagram().Nodes {
		badges[n.Path] = n.Badge
	}
	if badges["graphs/worker/fragments/lock"] != "new" || badges["graphs/worker/fragments/work"] == "new" {
		t.Errorf("badges %v; want lock to be new and work not", badges)
	}
	gone := 0
	for _, e := range p.graph.Diagram().Edges {
		if e.Dashed && e.Label == "removed" {
			gone++
		}
	}
	if gone != 1 {
		t.Errorf("%d removed edges, want the one from work to reply", gone)
	}
}

func TestThePageSaysWhatItNeeds(t *testing.T) {
	h := pagetest.Host(t)
	p := New(h).(*Page)
	pagetest.Show(t, h, p)
	test.Tap(p.run)
	if n := h.Session.Notice(); n == nil || !strings.Contains(n.What, "old one") {
		t.Errorf("without an old build the notice is %+v", n)
	}
	p.other.SetText("/no/such.tier")
	test.Tap(p.run)
	h.Session.Runner.Settle()
	if n := h.Session.Notice(); n == nil || !strings.Contains(n.Why, "no such file") {
		t.Errorf("for a missing project the notice is %+v", n)
	}
	h.Session.SetModel(nil, "")
	if !strings.Contains(test.RenderToMarkup(h.Window.Canvas()), "No model is open") {
		t.Error("without a model the page does not say so")
	}
}

// "Copy as command" does the same in a terminal.
func TestTheCommandNamesBothBuildsAndTheScenario(t *testing.T) {
	h := pagetest.Host(t)
	p := New(h).(*Page)
	pagetest.Show(t, h, p)
	p.other.SetText("/tmp/old build.tier")
	h.Session.Set("workers", 8)
	for _, a := range p.Actions() {
		if a.Title == "Copy as command" {
			a.Run()
		}
	}
	want := "tierctl diff '/tmp/old build.tier' /tmp/web.tier --attribute --set workers=8 --seed"
	if got := fyne.CurrentApp().Clipboard().Content(); !strings.HasPrefix(got, want) {
		t.Errorf("the command is %q, want %q …", got, want)
	}
}

// Whoever opens another project while builds are compared is not told about that any more.
func TestAComparisonThatIsLeftSaysNothing(t *testing.T) {
	p := compared(t)
	p.start()
	p.host.Session.SetModel(pagetest.Model(), "/tmp/another.json")
	p.host.Session.Runner.Settle()
	if n := p.host.Session.Notice(); n != nil {
		t.Errorf("the notice is %+v", n)
	}
}
