package diagram

import (
	"cmp"
	"slices"
	"strings"

	"tierscope/gui/palette"
	"tierscope/simulation/des"
	"tierscope/simulation/timeline"
)

// Film is a recorded replication, prepared for being drawn on diagrams moment by moment. It is
// read only: any number of goroutines may ask for moments.
type Film struct {
	rec  *timeline.Recording
	pool []string // of each lane: the pool of the thread, "" of other lanes
	left []leg    // by the time at which a task left a pool
	came []leg    // by the time at which it came to one
}

// leg is the way of a task from one pool to the next; "" is outside.
type leg struct {
	from, to string
	at       des.Time
}

// NewFilm prepares a recording.
func NewFilm(r *timeline.Recording) *Film {
	f := &Film{rec: r, pool: make([]string, len(r.Lanes))}
	type visit struct {
		task     int64
		pool     string
		from, to des.Time
	}
	var visits []visit
	for i, l := range r.Lanes {
		if l.Group != timeline.Threads {
			continue
		}
		f.pool[i] = PoolOfLane(l.Name)
		for _, s := range l.Spans {
			if s.Task == timeline.NoTask {
				continue
			}
			if n := len(visits); n > 0 && visits[n-1].task == s.Task && visits[n-1].pool == f.pool[i] && visits[n-1].to == s.Start {
				visits[n-1].to = s.End
				continue
			}
			visits = append(visits, visit{s.Task, f.pool[i], s.Start, s.End})
		}
	}
	slices.SortStableFunc(visits, func(a, b visit) int { return cmp.Or(cmp.Compare(a.task, b.task), cmp.Compare(a.from, b.from)) })
	for i, v := range visits {
		before, after := "", ""
		if i > 0 && visits[i-1].task == v.task {
			before = visits[i-1].pool
		}
		if i+1 < len(visits) && visits[i+1].task == v.task {
			after = visits[i+1].pool
		}
		if v.from > 0 && before != v.pool {
			f.came = append(f.came, leg{before, v.pool, v.from})
		}
		if v.to < r.Until && after != v.pool {
			f.left = append(f.left, leg{v.pool, after, v.to})
		}
	}
	byTime := func(a, b leg) int { return cmp.Compare(a.at, b.at) }
	slices.SortStableFunc(f.left, byTime)
	slices.SortStableFunc(f.came, byTime)
	return f
}

// Recording is what the film shows.
func (f *Film) Recording() *timeline.Recording { return f.rec }

// PoolOfLane is the pool of the thread of a lane ("worker #3").
func PoolOfLane(name string) string {
	if i := strings.LastIndex(name, " #"); i >= 0 {
		return name[:i]
	}
	return name
}

// Tokens are the threads and tasks at a time on the diagram of tier 1, or on the call graph of a pool. A task that has
// left a pool, or will come to one, within way is on an edge; 0: everything is at a node.
func (f *Film) Tokens(d *Diagram, pool string, at, way des.Time) []Token {
	index := make(map[string]int, len(d.Nodes))
	for i, n := range d.Nodes {
		index[n.Path] = i
	}
	if pool != "" {
		return f.inside(d, pool, index, at)
	}
	var out []Token
	for i, l := range f.rec.Lanes {
		node, drawn := index["pools/"+f.pool[i]]
		if f.pool[i] == "" || !drawn {
			continue
		}
		if s, ok := l.At(at); ok && (s.Task != timeline.NoTask || s.State == timeline.Running) {
			out = append(out, resting(node, s.State))
		}
	}
	for _, c := range f.rec.Counters {
		node, drawn := index["queues/"+c.Name]
		if c.Group != timeline.Queues || !drawn {
			continue
		}
		for range c.At(at) {
			out = append(out, Token{Node: node, State: palette.Queue})
		}
	}
	if way > 0 {
		out = append(out, f.moving(d, at, way)...)
	}
	return out
}

// resting is a token at a node.
func resting(node int, s timeline.State) Token {
	state, pale := stateOf(s)
	return Token{Node: node, State: state, Pale: pale}
}

// stateOf is the colour of a state.
func stateOf(s timeline.State) (state palette.State, pale bool) {
	switch s {
	case timeline.Running:
		return palette.CPU, false
	case timeline.Ready:
		return palette.CPU, true
	case timeline.LockWait:
		return palette.Lock, false
	case timeline.SignalWait:
		return palette.Lock, true
	case timeline.DiskWait:
		return palette.Disk, true
	case timeline.DiskService:
		return palette.Disk, false
	case timeline.QueueWait:
		return palette.Queue, false
	case timeline.Delay, timeline.Other, timeline.States:
	}
	return palette.Other, false
}

// moving are the tasks on the edges.
func (f *Film) moving(d *Diagram, at, way des.Time) []Token {
	var out []Token
	from, _ := slices.BinarySearchFunc(f.left, at-way, func(l leg, t des.Time) int { return cmp.Compare(l.at, t) })
	for _, l := range f.left[from:] {
		if l.at > at {
			break
		}
		if e := d.between("pools/"+l.from, l.to, true); e >= 0 {
			out = append(out, Token{Node: -1, Edge: e, Way: float32(at-l.at) / float32(way), State: palette.Queue})
		}
	}
	from, _ = slices.BinarySearchFunc(f.came, at, func(l leg, t des.Time) int { return cmp.Compare(l.at, t) })
	for _, l := range f.came[from:] {
		if l.at > at+way {
			break
		}
		if e := d.between("pools/"+l.to, l.from, false); e >= 0 {
			out = append(out, Token{Node: -1, Edge: e, Way: 1 - float32(l.at-at)/float32(way), State: palette.Queue})
		}
	}
	return out
}

// between is the edge by which a task leaves a pool for another one, or comes to it from there: of several that one
// whose queue the other pool uses too; −1: there is none.
func (d *Diagram) between(pool, other string, leaves bool) int {
	best := -1
	for i, e := range d.Edges {
		here, there := d.Nodes[e.From].Path, d.Nodes[e.To].Path
		if !leaves {
			here, there = there, here
		}
		if here != pool || strings.HasPrefix(there, "pools/") {
			continue
		}
		if other == "" && (strings.HasPrefix(there, "sinks/") || !leaves) || d.joined(there, "pools/"+other) {
			return i
		}
		if best < 0 {
			best = i
		}
	}
	return best
}

func (d *Diagram) joined(a, b string) bool {
	return slices.ContainsFunc(d.Edges, func(e Edge) bool {
		x, y := d.Nodes[e.From].Path, d.Nodes[e.To].Path
		return x == a && y == b || x == b && y == a
	})
}

// inside are the threads of a pool in its call graph.
func (f *Film) inside(d *Diagram, pool string, index map[string]int, at des.Time) []Token {
	if len(d.Nodes) == 0 {
		return nil
	}
	prefix := d.Nodes[0].Path[:strings.Index(d.Nodes[0].Path, "/fragments/")+len("/fragments/")]
	var out []Token
	for i, l := range f.rec.Lanes {
		if f.pool[i] != pool {
			continue
		}
		s, ok := l.At(at)
		if !ok {
			continue
		}
		state, _ := stateOf(s.State)
		node, known := index[prefix+f.rec.LabelText(s.Label)]
		for j, _ := slices.BinarySearchFunc(l.Spans, s.Start, func(x timeline.Span, t des.Time) int { return cmp.Compare(x.Start, t) }); !known && j > 0; j-- {
			// what it waits for is written on a wait: where is after the last fragment that it was in
			if node, known = index[prefix+f.rec.LabelText(l.Spans[j-1].Label)]; known {
				node = d.after(node, state, f.rec.LabelText(s.Label))
			}
		}
		if known {
			out = append(out, resting(node, s.State))
		}
	}
	return out
}

// after is the nearest fragment after another one that is of a kind and about something, or else of the kind; the other one itself
// if there is none.
func (d *Diagram) after(node int, kind palette.State, of string) int {
	seen := map[int]bool{}
	ofKind := -1
	for way := []int{node}; len(way) > 0; way = way[1:] {
		for _, e := range d.Edges {
			if e.From != way[0] || seen[e.To] {
				continue
			}
			seen[e.To] = true
			way = append(way, e.To)
			if d.Nodes[e.To].State != kind {
				continue
			}
			if d.Nodes[e.To].Of == of {
				return e.To
			}
			if ofKind < 0 {
				ofKind = e.To
			}
		}
	}
	if ofKind < 0 {
		return node
	}
	return ofKind
}
