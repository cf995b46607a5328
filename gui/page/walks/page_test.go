package walks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"tierscope/core"
	"tierscope/gui/page/pagetest"
	"tierscope/project"
)

// opened is the page over the sample of the cache, with what its model remembers of its recorded run.
func opened(t *testing.T) (*Page, *core.Walks) {
	t.Helper()
	h, p := pagetest.Open[*Page](t, New)
	m, err := project.LoadModel("../../../assets/samples/cache.tier")
	if err != nil {
		t.Fatal(err)
	}
	w, err := core.UnpackWalks(m.Walks)
	if err != nil {
		t.Fatal(err)
	}
	h.Session.SetModel(&m, "")
	h.Session.Runner.Settle()
	return p, w
}

// The table has the shapes of the pool, those that took the most time first: their episodes
// add up to those that the model remembers.
func TestThePageListsTheEpisodesOfAPoolByShape(t *testing.T) {
	p, w := opened(t)
	want := int64(0)
	for _, s := range p.model.Shapes(w) {
		if s.Pool == p.pool.Value() {
			want = s.Episodes
		}
	}
	got := 0.0
	for _, row := range p.shapes.Rows() {
		got += row[0].Key
	}
	if want == 0 || got != float64(want) {
		t.Errorf("the table has %g episodes of pool %s, the model %d", got, p.pool.Value(), want)
	}
	if rows := p.shapes.Rows(); len(rows) > 1 && rows[0][1].Key < rows[1][1].Key {
		t.Errorf("the first shape took %g of the time, the second %g", rows[0][1].Key, rows[1][1].Key)
	}
	if !strings.Contains(p.says.Text, "episode is from") {
		t.Errorf("the page says %q of where episodes begin", p.says.Text)
	}
}

// Stepping goes through the recorded moves one by one, in the graph as in the text, and stops at the
// ends; an episode further is where the thread takes its next task.
func TestAThreadsWalkIsSteppedThroughItsGraph(t *testing.T) {
	p, w := opened(t)
	walk := &w.Threads[p.thread]
	name := func(move int) string { return w.Graphs[walk.Graph].Fragments[walk.Moves[move].Fragment] }
	first := p.move
	for i := range 5 {
		if want := fmt.Sprintf("move %d of %d: %s", first+i+1, len(walk.Moves), name(first+i)); !strings.Contains(p.at.Text, want) {
			t.Fatalf("the page says %q, want %q", p.at.Text, want)
		}
		if d := p.graph.Diagram(); d.Nodes[p.graph.Selected()].Path != "graphs/"+w.Graphs[walk.Graph].ID+"/fragments/"+name(first+i) {
			t.Fatalf("at %s the graph marks %s", name(first+i), d.Nodes[p.graph.Selected()].Path)
		}
		p.step(1)
	}
	p.step(-1 << 30)
	if p.move != 0 {
		t.Errorf("before the first move is move %d", p.move)
	}
	p.episode(1)
	if s := p.chosen(); name(p.move) != s.Takes[0] {
		t.Errorf("the next episode begins at %s, want %s", name(p.move), s.Takes[0])
	}
	p.step(1 << 30)
	if p.move != len(walk.Moves)-1 {
		t.Errorf("after the last move is move %d of %d", p.move, len(walk.Moves))
	}
}

// A model without walks says so, and what to do.
func TestAModelWithoutWalksSaysSo(t *testing.T) {
	_, p := pagetest.Open[*Page](t, New)
	if !pagetest.Says(p.Content(), "The model has no walks") {
		t.Error("the page does not say that there are no walks")
	}
}

// Shapes of the same few operations are told apart by the order of their letters; one of a single operation needs none.
func TestShapesAreToldApartByTheirLetters(t *testing.T) {
	shape := func(does ...string) core.Shape { return core.Shape{Does: does, Busy: 1} }
	got, letters := spelled([]core.Shape{shape("receive", "lock", "send"), shape("receive", "lock", "lock", "send"), shape("receive"), shape()})
	if want := []string{"abc", "abbc", "receive", "computes"}; !slices.Equal(got, want) || letters != "a receive · b lock · c send" {
		t.Errorf("the shapes are called %q with %q, want %q", got, letters, want)
	}
	p, _ := opened(t)
	seen := map[string]bool{}
	for _, row := range p.shapes.Rows() {
		if seen[row[4].Text] {
			t.Errorf("two shapes of the sample are called %q", row[4].Text)
		}
		seen[row[4].Text] = true
	}
}

// The arrow keys go along the walk, also after a tap on the graph; the buttons for it stay where they are.
func TestArrowKeysStepThroughTheWalk(t *testing.T) {
	p, _ := opened(t)
	before := p.move
	p.graph.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	p.graph.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	p.graph.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	if p.move != before+1 {
		t.Errorf("after right, right, left the move is %d, want %d", p.move, before+1)
	}
	at := p.slider.Position()
	p.at.SetText("Thread 1.")
	if now := p.slider.Position(); now != at {
		t.Errorf("the slider moved from %v to %v", at, now)
	}
}
