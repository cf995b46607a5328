package walks

import (
	"context"
	"fmt"
	"slices"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/gui/background"
	"tierscope/gui/diagram"
	"tierscope/gui/look"
	"tierscope/gui/session"
)

// show shows an episode from its first move.
func (p *Page) show(e core.Episode) {
	p.thread, p.move, p.example = e.Thread, e.First, e
	p.moving = true
	p.slider.Max = float64(max(len(p.walk().Moves)-1, 1))
	p.moving = false
	p.draw()
	p.point()
}

// walk is the walk of the thread that is shown.
func (p *Page) walk() *core.Walk { return &p.walks.Threads[p.thread] }

// step goes on by some moves of the thread.
func (p *Page) step(by int) {
	if p.walks == nil || len(p.walk().Moves) == 0 {
		return
	}
	p.move = max(0, min(p.move+by, len(p.walk().Moves)-1))
	p.point()
}

// episode goes to the begin of the next or last episode of the thread.
func (p *Page) episode(by int) {
	s := p.chosen()
	if p.walks == nil || s == nil {
		return
	}
	w := p.walk()
	begins := func(i int) bool {
		return i == 0 || slices.Contains(s.Takes, p.walks.Graphs[w.Graph].Fragments[w.Moves[i].Fragment])
	}
	for i := p.move + by; i >= 0 && i < len(w.Moves); i += by {
		if begins(i) {
			p.step(i - p.move)
			return
		}
	}
}

// draw lays out the call graph of the walk, if it is another one.
func (p *Page) draw() {
	id := p.walks.Graphs[p.walk().Graph].ID
	if id == p.graphOf {
		return
	}
	p.graphOf = id
	p.graph.SetDiagram(nil)
	m := p.model
	i := slices.IndexFunc(m.Graphs, func(g core.Graph) bool { return g.ID == id })
	if i < 0 {
		return
	}
	background.Start(p.host.Session.Runner, func(ctx context.Context, _ func(struct{})) (*diagram.Placed, error) {
		return diagram.Place(ctx, diagram.CallGraph(&m.Graphs[i], nil), p.host.Layouter, look.Fonts())
	}, nil, func(placed *diagram.Placed, err error) {
		if err != nil { // the text below says where the thread is all the same
			p.host.Session.Notify(session.Failure("The call graph could not be laid out.", err))
			return
		}
		if p.graphOf == id && p.model == m {
			p.graph.SetDiagram(placed)
			p.point()
		}
	})
}

// point marks where the thread is, and how often it was where in the episode so far.
func (p *Page) point() {
	w := p.walk()
	if len(w.Moves) == 0 {
		return
	}
	p.moving = true
	p.slider.SetValue(float64(p.move))
	p.moving = false
	p.at.SetText(p.text())
	placed := p.graph.Diagram()
	if placed == nil {
		return
	}
	names := p.walks.Graphs[w.Graph]
	index := map[string]int{}
	for i, n := range placed.Nodes {
		index[n.Path] = i
	}
	node := func(x core.Move) (int, bool) {
		i, ok := index["graphs/"+names.ID+"/fragments/"+names.Fragments[x.Fragment]]
		return i, ok
	}
	visits := make([]int, len(placed.Nodes))
	most := 1
	for _, x := range w.Moves[p.from():p.move] {
		if i, ok := node(x); ok {
			visits[i]++
			most = max(most, visits[i])
		}
	}
	heat, notes := make([]float64, len(visits)), make([]string, len(visits))
	for i, n := range visits {
		heat[i] = -1
		if n > 0 {
			heat[i], notes[i] = float64(n)/float64(most), quantity.Plural(n, "visit")
		}
	}
	p.graph.SetOverlay(heat, notes)
	if i, ok := node(w.Moves[p.move]); ok {
		p.graph.Mark(i)
	}
}

// from is the begin of the episode that the thread is in.
func (p *Page) from() int {
	w, s := p.walk(), p.chosen()
	for i := p.move; i > 0; i-- {
		if s != nil && slices.Contains(s.Takes, p.walks.Graphs[w.Graph].Fragments[w.Moves[i].Fragment]) {
			return i
		}
	}
	return 0
}

// text says what the move is.
func (p *Page) text() string {
	w := p.walk()
	x := w.Moves[p.move]
	id := p.walks.Graphs[w.Graph].Fragments[x.Fragment]
	text := fmt.Sprintf("Thread %d of %s, move %d of %d: %s", p.thread, w.Pool, p.move+1, len(w.Moves), id)
	if x.Object >= 0 {
		text += " on " + p.walks.Objects[x.Object].Of
	}
	class := core.FragmentClass("")
	for i := range p.model.Graphs {
		if g := &p.model.Graphs[i]; g.ID == p.walks.Graphs[w.Graph].ID && g.Fragment(id) != nil {
			class = g.Fragment(id).Class
		}
	}
	switch {
	case x.Amount == 0:
	case class == core.CPUFragment:
		text += ", computes " + quantity.Format(float64(x.Amount)*1e-9, "s")
	case class == core.DelayFragment:
		text += ", " + quantity.Format(float64(x.Amount)*1e-9, "s") + " long"
	default:
		text += ", " + quantity.Count(x.Amount)
	}
	if x.Token != 0 {
		text += fmt.Sprintf(", task or event %d", x.Token)
	}
	return text + "."
}
