package diagram

import (
	"fmt"
	"slices"

	"tierscope/core"
	"tierscope/gui/graphlayout"
	"tierscope/gui/palette"
)

// builder collects nodes by path and edges between them.
type builder struct {
	d     Diagram
	index map[string]int
}

func newBuilder(name string, dir graphlayout.Direction) *builder {
	return &builder{d: Diagram{Name: name, Direction: dir}, index: map[string]int{}}
}

func (b *builder) node(n Node) int {
	if i, ok := b.index[n.Path]; ok {
		return i
	}
	b.index[n.Path] = len(b.d.Nodes)
	b.d.Nodes = append(b.d.Nodes, n)
	return len(b.d.Nodes) - 1
}

// edge joins two elements that have nodes; a second edge between them is
// drawn once.
func (b *builder) edge(from, to, label string, share float64, dashed bool) {
	i, ok := b.index[from]
	j, ok2 := b.index[to]
	if !ok || !ok2 {
		return
	}
	for k := range b.d.Edges {
		e := &b.d.Edges[k]
		if e.From == i && e.To == j && e.Dashed == dashed {
			if e.Label == "" {
				e.Label = label
			}
			e.Share = max(e.Share, share)
			return
		}
	}
	b.d.Edges = append(b.d.Edges, Edge{From: i, To: j, Label: label, Share: share, Dashed: dashed})
}

// Network is tier 1: sources, task queues, thread pools and sinks.
func Network(m *core.Model) *Diagram {
	b := newBuilder("queueing network", graphlayout.LeftRight)
	for _, s := range m.Sources {
		b.node(Node{Path: "sources/" + s.ID, Title: s.ID, Detail: sourceDetail(&s), Shape: Dot, State: palette.Other})
	}
	for _, q := range m.Queues {
		b.node(Node{Path: "queues/" + q.ID, Title: q.ID, Detail: queueDetail(&q), Shape: Tray, State: palette.Queue})
	}
	for _, p := range m.Pools {
		b.node(Node{Path: "pools/" + p.ID, Title: p.ID, Detail: poolDetail(&p), Shape: Pill, State: palette.Queue, Open: "tier2/" + p.ID, Entry: p.Main})
	}
	for _, s := range m.Sinks {
		b.node(Node{Path: "sinks/" + s.ID, Title: s.ID, Shape: Dot, State: palette.Other})
	}
	for _, s := range m.Sources {
		b.edge("sources/"+s.ID, "queues/"+s.To, "", 1, false)
		if s.Kind == core.Closed {
			for _, k := range m.Sinks {
				b.edge("sinks/"+k.ID, "sources/"+s.ID, "think", 0.3, true)
			}
		}
	}
	for _, p := range m.Pools {
		pool := "pools/" + p.ID
		if p.From != "" {
			b.edge("queues/"+p.From, pool, "", 1, false)
		}
		i := slices.IndexFunc(m.Graphs, func(g core.Graph) bool { return g.ID == p.Graph })
		if i < 0 {
			continue
		}
		for _, f := range m.Graphs[i].Fragments {
			networkEdges(b, pool, &f)
		}
	}
	b.d.Total = len(b.d.Nodes)
	return &b.d
}

// networkEdges joins a pool with the queues, sinks and pools that one of its
// fragments addresses.
func networkEdges(b *builder, pool string, f *core.Fragment) {
	take := func(queue string) { b.edge("queues/"+queue, pool, "", 1, false) }
	give := func(to string) {
		b.edge(pool, "queues/"+to, "", 1, false)
		b.edge(pool, "sinks/"+to, "", 1, false)
	}
	switch {
	case f.In != nil:
		take(f.In.Queue)
	case f.Out != nil:
		give(f.Out.To)
	case f.Spawn != nil:
		b.edge(pool, "pools/"+f.Spawn.Pool, "starts", 0.5, true)
	case f.Sync != nil:
		switch f.Sync.Op {
		case core.Receive:
			take(f.Sync.Lock)
		case core.Send:
			give(f.Sync.Lock)
		default: // moves no task
		}
		for _, c := range f.Sync.Cases {
			if c.Op == core.Receive {
				take(c.Lock)
			} else {
				give(c.Lock)
			}
		}
	}
}

// CallGraph is tier 2: the probabilistic call graph of a pool. Fragments for
// which keep reports false are left out, and what led to them leads on to
// what comes after them; nil keeps all.
func CallGraph(g *core.Graph, keep func(id string) bool) *Diagram {
	b := newBuilder("call graph of "+g.ID, graphlayout.TopDown)
	b.d.Total = len(g.Fragments)
	prefix := "graphs/" + g.ID + "/fragments/"
	for i := range g.Fragments {
		f := &g.Fragments[i]
		if keep != nil && !keep(f.ID) {
			b.d.Hidden++
			continue
		}
		b.node(fragmentNode(f, prefix, f.ID == g.Entry))
	}
	for i := range g.Fragments {
		f := &g.Fragments[i]
		if _, shown := b.index[prefix+f.ID]; !shown {
			continue
		}
		for _, e := range ways(f) {
			for _, to := range shownFrom(g, b, prefix, e.to, map[string]bool{}) {
				b.edge(prefix+f.ID, prefix+to, e.label, e.share, e.dashed)
			}
		}
	}
	return &b.d
}

func fragmentNode(f *core.Fragment, prefix string, entry bool) Node {
	n := Node{Path: prefix + f.ID, Title: FragmentTitle(f), Detail: FragmentDetail(f), Of: subject(f), Entry: entry}
	switch f.Class {
	case core.CPUFragment:
		n.Shape, n.State = Box, palette.CPU
	case core.IOFragment:
		n.Shape, n.State = Cylinder, palette.Disk
	case core.SyncFragment:
		n.Shape, n.State = Hexagon, palette.Lock
	case core.InFragment:
		n.Shape, n.State = TrayIn, palette.Queue
	case core.OutFragment:
		n.Shape, n.State = TrayOut, palette.Queue
	case core.DelayFragment:
		n.Shape, n.State = Clock, palette.Other
	case core.LoopFragment:
		n.Shape, n.State = Ring, palette.Other
	case core.SpawnFragment, core.JoinFragment:
		n.Shape, n.State = Pill, palette.Other
	case core.FetchFragment:
		n.Shape, n.State, n.Title, n.Detail = Dot, palette.Other, "got one", ""
	case core.NoFetchFragment:
		n.Shape, n.State, n.Title, n.Detail = Dot, palette.Other, "none", ""
	case core.DispatchFragment:
		n.Shape, n.State, n.Title, n.Detail = Dot, palette.Other, "", ""
	}
	return n
}

// subject is the queue, lock or disk that a fragment is about.
func subject(f *core.Fragment) string {
	switch {
	case f.In != nil:
		return f.In.Queue
	case f.Out != nil:
		return f.Out.To
	case f.Sync != nil:
		return f.Sync.Lock
	case f.IO != nil:
		return f.IO.Disk
	}
	return ""
}

// way is one way on from a fragment.
type way struct {
	to, label string
	share     float64
	dashed    bool
}

func ways(f *core.Fragment) []way {
	var out []way
	if f.Loop != nil {
		out = append(out, way{f.Loop.Body, "each", 1, false})
	}
	for _, e := range f.Next {
		label := probability(e.Probability)
		if f.Loop != nil {
			label = "after"
		}
		out = append(out, way{e.To, label, e.Probability, false})
	}
	if f.Out != nil && f.Out.OnTimeout != "" {
		out = append(out, way{f.Out.OnTimeout, "full", 0.2, true})
	}
	if f.Sync == nil {
		return out
	}
	for _, c := range f.Sync.Cases {
		out = append(out, way{c.To, operation(c.Op) + " " + c.Lock, 0.5, false})
		if c.Closed != "" {
			out = append(out, way{c.Closed, c.Lock + " closed", 0.2, false})
		}
	}
	if f.Sync.Default != "" {
		out = append(out, way{f.Sync.Default, "none ready", 0.2, true})
	}
	if f.Sync.OnTimeout != "" {
		out = append(out, way{f.Sync.OnTimeout, "timeout", 0.2, true})
	}
	return out
}

// shownFrom returns to, or the shown fragments that follow a hidden one.
func shownFrom(g *core.Graph, b *builder, prefix, to string, seen map[string]bool) []string {
	if _, shown := b.index[prefix+to]; shown {
		return []string{to}
	}
	f := g.Fragment(to)
	if f == nil || seen[to] {
		return nil
	}
	seen[to] = true
	var out []string
	for _, w := range ways(f) {
		for _, x := range shownFrom(g, b, prefix, w.to, seen) {
			if !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	return out
}

// Resources is tier 3: which pool uses which lock, disk and the processor.
func Resources(m *core.Model) *Diagram {
	b := newBuilder("shared resources", graphlayout.LeftRight)
	for _, p := range m.Pools {
		b.node(Node{Path: "pools/" + p.ID, Title: p.ID, Detail: poolDetail(&p), Shape: Pill, State: palette.Queue, Open: "tier2/" + p.ID})
	}
	b.node(Node{Path: "cpu", Title: "CPU", Detail: cpuDetail(&m.CPU), Shape: Chip, State: palette.CPU})
	for _, d := range m.Disks {
		b.node(Node{Path: "disks/" + d.ID, Title: d.ID, Detail: diskDetail(&d), Shape: Cylinder, State: palette.Disk})
	}
	for _, l := range m.Locks {
		b.node(Node{Path: "locks/" + l.ID, Title: l.ID, Detail: lockDetail(&l), Shape: Hexagon, State: palette.Lock})
	}
	for _, x := range m.Background {
		b.node(Node{Path: "background/" + x.ID, Title: x.ID, Detail: "background", Shape: Pill, State: palette.Other})
		b.edge("background/"+x.ID, "cpu", "", 0.3, true)
	}
	for _, p := range m.Pools {
		i := slices.IndexFunc(m.Graphs, func(g core.Graph) bool { return g.ID == p.Graph })
		if i < 0 {
			continue
		}
		uses := map[string]int{}
		for _, f := range m.Graphs[i].Fragments {
			switch {
			case f.Class == core.CPUFragment:
				uses["cpu"]++
			case f.IO != nil:
				uses["disks/"+f.IO.Disk]++
			case f.Sync != nil:
				uses["locks/"+f.Sync.Lock]++
				for _, c := range f.Sync.Cases {
					uses["locks/"+c.Lock]++
				}
			}
		}
		for _, n := range b.d.Nodes { // in a fixed order
			if k := uses[n.Path]; k > 0 {
				b.edge("pools/"+p.ID, n.Path, fmt.Sprintf("%d", k), 0.5, false)
			}
		}
	}
	b.d.Total = len(b.d.Nodes)
	return &b.d
}
