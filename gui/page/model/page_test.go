package model

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/gui/diagram"
	"tierscope/gui/look"
	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/save"
	"tierscope/gui/session"
)

// shown returns the page in a window, with the network laid out.
func shown(t *testing.T) (*Page, *page.Host) {
	t.Helper()
	h := pagetest.Host(t)
	p := New(h).(*Page)
	h.Session.GoPage(ID)
	pagetest.Show(t, h, p)
	return p, h
}

func titles(d *diagram.Placed) string {
	var out []string
	for _, n := range d.Nodes {
		out = append(out, n.Title)
	}
	return strings.Join(out, " ")
}

// tapNode taps where a node is drawn.
func tapNode(t *testing.T, p *Page, path string) {
	t.Helper()
	i := p.graph.Diagram().Index(path)
	if i < 0 {
		t.Fatalf("the graph has no node %s, only %s", path, titles(p.graph.Diagram()))
	}
	p.graph.Tapped(&fyne.PointEvent{Position: p.graph.NodePosition(i)})
}

func TestTheNetworkShowsWhereTasksComeFromWaitAndLeave(t *testing.T) {
	p, h := shown(t)
	d := p.graph.Diagram()
	if got := titles(d); got != "clients tasks worker done" {
		t.Errorf("nodes %q, want source, queue, pool and sink", got)
	}
	var edges []string
	for _, e := range d.Edges {
		edges = append(edges, d.Nodes[e.From].Title+">"+d.Nodes[e.To].Title)
	}
	if got := strings.Join(edges, " "); got != "clients>tasks tasks>worker worker>done" {
		t.Errorf("edges %q, want the way of a task", got)
	}
	pagetest.Picture(t, h, "model-tier1")
}

func TestATapSelectsAndASecondOpensTheCallGraph(t *testing.T) {
	p, h := shown(t)
	tapNode(t, p, "pools/worker")
	if got := h.Session.Selected(); got != "pools/worker" {
		t.Fatalf("selected %q after a tap on the pool", got)
	}
	tapNode(t, p, "pools/worker")
	h.Session.Runner.Settle()
	if got := h.Session.Place().Part; got != "tier2/worker" {
		t.Fatalf("part %q after a double tap on the pool, want its call graph", got)
	}
	if got := titles(p.graph.Diagram()); got != "from tasks got one work to done" {
		t.Errorf("fragments %q, want the worker's", got)
	}
	h.Session.Back()
	h.Session.Runner.Settle()
	if got := titles(p.graph.Diagram()); !strings.HasPrefix(got, "clients") {
		t.Errorf("after going back the graph shows %q, want the network", got)
	}
}

func TestArrowKeysWalkAlongTheEdges(t *testing.T) {
	p, h := shown(t)
	tapNode(t, p, "sources/clients")
	for _, want := range []string{"queues/tasks", "pools/worker", "sinks/done"} {
		p.graph.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		if got := h.Session.Selected(); got != want {
			t.Fatalf("right arrow selects %q, want %q", got, want)
		}
	}
	p.graph.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	p.graph.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if got := h.Session.Place().Part; got != "tier2/worker" {
		t.Errorf("Enter on the pool leads to %q, want its call graph", got)
	}
	p.graph.TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	if got := h.Session.Place().Part; got != "tier1" {
		t.Errorf("Backspace leads to %q, want the network", got)
	}
}

func TestTypingInTheFieldFindsAndSelects(t *testing.T) {
	p, h := shown(t)
	test.Type(p.find, "task")
	if got := h.Session.Selected(); got != "queues/tasks" {
		t.Errorf("finding %q selects %q, want the queue", "task", got)
	}
	p.find.SetText("no such thing")
	if p.found.Text != "nothing found" {
		t.Errorf("the page says %q about a text that nothing has", p.found.Text)
	}
}

// What is hidden must not tear the graph apart: the way leads on to what comes
// after it.
func TestHidingRareFragmentsJoinsTheirNeighbours(t *testing.T) {
	h := pagetest.Host(t)
	m := *pagetest.Model()
	g := &m.Graphs[0]
	g.Fragments[2].Next = []core.Edge{{To: "log", Probability: 0.001}, {To: "reply", Probability: 0.999}}
	g.Fragments = append(g.Fragments, core.Fragment{ID: "log", Class: core.CPUFragment, Demand: core.Exp(0.001), Next: []core.Edge{{To: "reply", Probability: 1}}})
	h.Session.SetModel(&m, "")
	p := New(h).(*Page)
	h.Session.Go(session.Place{Page: ID, Part: "tier2/worker"})
	pagetest.Show(t, h, p)
	if n := len(p.graph.Diagram().Nodes); n != 5 {
		t.Fatalf("%d fragments, want 5", n)
	}
	p.significance.SetValue(50) // 0.01 per task
	p.show()
	h.Session.Runner.Settle()
	d := p.graph.Diagram()
	if d.Hidden != 1 || d.Index("graphs/worker/fragments/log") >= 0 {
		t.Errorf("%d hidden, want the one that runs once in a thousand tasks", d.Hidden)
	}
	if want := "4 of 5 fragments, at least 0.010 per task"; p.significant.Text != want {
		t.Errorf("the page says %q, want %q", p.significant.Text, want)
	}
}

func TestTheTableTwinHoldsEveryNodeAndSharesTheSelection(t *testing.T) {
	p, h := shown(t)
	p.graph.TypedRune('t')
	if !p.table.Visible() || p.graph.Visible() {
		t.Fatal("T does not show the table instead of the graph")
	}
	if n := len(p.table.Rows()); n != len(p.graph.Diagram().Nodes) {
		t.Errorf("%d rows for %d nodes", n, len(p.graph.Diagram().Nodes))
	}
	p.table.Select(2)
	if got := h.Session.Selected(); got != "pools/worker" {
		t.Errorf("the third row selects %q, want the pool", got)
	}
}

// The stand-in simulator has a utilization of rate/(100·workers) = 0.15.
func TestTheOverlayColoursByTheResult(t *testing.T) {
	p, h := shown(t)
	h.Session.Simulate(h.Session.Scenario())
	h.Session.Runner.Settle()
	p.overlay.SetSelected(string(diagram.Utilization))
	i := p.graph.Diagram().Index("pools/worker")
	if got := p.graph.View().Heat[i]; got != 0.15 {
		t.Errorf("heat of the pool %v, want its utilization 0.15", got)
	}
	if got := p.graph.View().Note[i]; got != "busy 15 %" {
		t.Errorf("note %q, want the utilization in words", got)
	}
	if got := p.graph.View().Heat[p.graph.Diagram().Index("sinks/done")]; got >= 0 {
		t.Errorf("heat of a sink %v, want unknown", got)
	}
}

func TestZoomKeepsThePointUnderThePointer(t *testing.T) {
	p, _ := shown(t)
	at := fyne.NewPos(200, 150)
	x0, y0 := p.graph.View().ToDiagram(at.X, at.Y)
	p.graph.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: at}, Scrolled: fyne.Delta{DY: 60}})
	x1, y1 := p.graph.View().ToDiagram(at.X, at.Y)
	if d := max(x0-x1, x1-x0, y0-y1, y1-y0); d > 0.01 {
		t.Errorf("the point under the pointer moved by %v", d)
	}
	k := p.graph.View().Scale
	p.graph.Pan(30, -10)
	if p.graph.View().Scale != k {
		t.Error("panning changed the scale")
	}
	p.graph.TypedRune('0')
	p.graph.TypedRune('+')
	if got := p.graph.View().Scale; got <= 0 {
		t.Errorf("scale %v after fit and zoom", got)
	}
}

func TestWithoutAModelThePageSaysWhatToDo(t *testing.T) {
	h := pagetest.Host(t)
	h.Session.SetModel(nil, "")
	p := New(h).(*Page)
	pagetest.Show(t, h, p)
	if !shows(p.root, "No model is open") {
		t.Error("the empty page does not say that no model is open")
	}
}

// shows reports whether a label or button in o says text.
func shows(o fyne.CanvasObject, text string) bool {
	for _, x := range test.LaidOutObjects(o) {
		switch w := x.(type) {
		case *widget.Label:
			if strings.Contains(w.Text, text) {
				return true
			}
		case *widget.Button:
			if strings.Contains(w.Text, text) {
				return true
			}
		}
	}
	return false
}

func TestGraphsAreSavedInEveryFormatWithTheirProvenance(t *testing.T) {
	p, h := shown(t)
	signature := map[string]string{"svg": "<?xml", "pdf": "%PDF", "png": "\x89PNG", "eps": "%!PS"}
	for format, want := range signature {
		path := filepath.Join(t.TempDir(), "graph."+format)
		save.WriteGraph(h.Session, p.graph.Diagram(), look.Fonts(), path)
		h.Session.Runner.Settle()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(data), want) {
			t.Errorf("%s begins with %q, want %q", format, data[:8], want)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	save.WriteGraph(h.Session, p.graph.Diagram(), look.Fonts(), filepath.Join(file, "graph.svg"))
	h.Session.Runner.Settle()
	if n := h.Session.Notice(); n == nil || n.Level != session.Problem {
		t.Errorf("notice %v, want a problem that says why the graph was not saved", n)
	}
}

// While a graph is being laid out, the last one is not shown under its name.
func TestTheLastGraphIsGoneWhileTheNextIsLaidOut(t *testing.T) {
	p, h := shown(t)
	h.Session.Go(session.Place{Page: ID, Part: "tier2/worker"})
	if p.graph.Diagram() != nil || p.message.Text == "" {
		t.Errorf("before the layout is there the page shows a graph (%t) and says %q", p.graph.Diagram() != nil, p.message.Text)
	}
	h.Session.Runner.Settle()
	if p.graph.Diagram() == nil || p.message.Text != "" {
		t.Errorf("with the layout there is no graph, or still %q", p.message.Text)
	}
}

// What is compared while another page is shown is compared on the graph as well, when that is shown again.
func TestWhatIsComparedMeanwhileIsComparedOnTheGraph(t *testing.T) {
	p, h := shown(t)
	h.Session.Simulate(h.Session.Scenario())
	h.Session.Runner.Settle()
	h.Session.GoPage("scenarios")
	h.Session.CompareScenario()
	h.Session.Runner.Settle()
	h.Session.GoPage(ID)
	if p.legend.Text != diagram.ContrastLegend {
		t.Errorf("below the graph stands %q, want %q", p.legend.Text, diagram.ContrastLegend)
	}
}
