package core

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Episode is a part of a walk: from where its thread takes something to do to where it takes the next.
type Episode struct {
	Thread int   // index in Walks.Threads
	First  int   // index of its first move
	Past   int   // index after its last move
	Task   int64 // the number of what was taken, 0: nothing, or it is not known
	Busy   int64 // ns of CPU
	Away   int64 // ns of delays
}

// Shape is what episodes have in common that go through the same fragments.
type Shape struct {
	Path     []string // fragments in their order; what is repeated at once is there one time
	Does     []string // those of the path that are operations: not computing, not virtual
	Episodes int64
	Busy     int64   // ns of CPU, of all
	Away     int64   // ns of delays, of all
	Longest  Episode // by busy and away
}

// Shapes are the shapes of the episodes of a pool, those that took the most time first.
type Shapes struct {
	Pool     string
	Threads  int
	Episodes int64
	Takes    []string // fragments at which episodes begin; none: a thread's walk is one episode
	Shapes   []Shape
}

// Says names the operations of a shape in at most so many letters, one at least; of too many the first and the last ones.
func (s *Shape) Says(widest int) string {
	does := s.Does
	switch whole := strings.Join(does, ", "); {
	case len(does) == 0 && s.Time() == 0:
		return "begins or ends"
	case len(does) == 0:
		return "computes"
	case utf8.RuneCountInString(whole) <= widest:
		return whole
	}
	head, tail := []string{does[0]}, []string{does[len(does)-1]}
	for i := 1; i < len(does)-i; i++ {
		if utf8.RuneCountInString(strings.Join(head, ", ")+strings.Join(tail, ", ")+does[i]+does[len(does)-1-i]) > widest {
			break
		}
		head, tail = append(head, does[i]), append([]string{does[len(does)-1-i]}, tail...)
	}
	if left := len(does) - len(head) - len(tail); left > 0 {
		head = append(head, fmt.Sprintf("… %d more", left))
	}
	return strings.Join(append(head, tail...), ", ")
}

// Time is what episodes took without waiting for other threads, ns.
func (s *Shape) Time() int64 { return s.Busy + s.Away }

// Shapes sorts what the threads of each pool did by its shape. An episode begins where a thread asks for a task; in a pool
// without tasks, where it receives something from another thread.
func (m *Model) Shapes(w *Walks) []Shapes {
	var out []Shapes
	index := map[string]int{}
	collectors := map[string]*collector{}
	for i := range w.Threads {
		t := &w.Threads[i]
		c := collectors[t.Pool]
		if c == nil {
			c = m.collector(w, t.Pool, t.Graph)
			collectors[t.Pool] = c
			index[t.Pool] = len(out)
			out = append(out, Shapes{Pool: t.Pool})
		}
		out[index[t.Pool]].Threads++
		c.walk(i, t)
	}
	for i := range out {
		collectors[out[i].Pool].finish(&out[i])
	}
	return out
}

// collector collects the episodes of a pool.
type collector struct {
	names      []string
	busy, away []bool // of a fragment: its amounts are CPU times, delays
	takes      []bool // of a fragment: episodes begin at it
	does       []bool // of a fragment: it is an operation
	shapes     map[string]*Shape
	paths      map[*Shape][]int32
	order      []*Shape // of first appearance
}

// collector returns one for a pool of which a graph is known.
func (m *Model) collector(w *Walks, pool string, graph int32) *collector {
	g := &w.Graphs[graph]
	n := len(g.Fragments)
	c := &collector{names: g.Fragments, busy: make([]bool, n), away: make([]bool, n), takes: make([]bool, n), does: make([]bool, n), shapes: map[string]*Shape{}, paths: map[*Shape][]int32{}}
	got := make([]bool, n) // of a fragment: something was handed over to it
	for i := range w.Threads {
		if t := &w.Threads[i]; t.Pool == pool {
			for _, x := range t.Moves {
				got[x.Fragment] = got[x.Fragment] || x.Token != 0
			}
		}
	}
	tasks := false
	receives := make([]bool, n)
	at := slices.IndexFunc(m.Graphs, func(x Graph) bool { return x.ID == g.ID })
	for i, id := range g.Fragments {
		if at < 0 {
			break
		}
		f := m.Graphs[at].Fragment(id)
		if f == nil {
			continue
		}
		c.busy[i], c.away[i] = f.Class == CPUFragment, f.Class == DelayFragment
		c.takes[i] = f.Class == InFragment && got[i]
		switch f.Class {
		case CPUFragment, FetchFragment, DispatchFragment, LoopFragment:
		case IOFragment, SyncFragment, InFragment, OutFragment, NoFetchFragment, DelayFragment, SpawnFragment, JoinFragment:
			c.does[i] = true
		}
		tasks = tasks || c.takes[i]
		receives[i] = f.Sync != nil && (f.Sync.Op == Receive || f.Sync.Op == Select) && got[i]
	}
	if !tasks {
		c.takes = receives
	}
	return c
}

// walk adds the episodes of a thread.
func (c *collector) walk(thread int, t *Walk) {
	e := Episode{Thread: thread}
	var path []int32
	for i, x := range t.Moves {
		if c.takes[x.Fragment] && i > 0 {
			e.Past = i
			c.add(e, path)
			e, path = Episode{Thread: thread, First: i, Task: x.Token}, path[:0]
		}
		switch {
		case c.busy[x.Fragment]:
			e.Busy += x.Amount
		case c.away[x.Fragment]:
			e.Away += x.Amount
		}
		path = onward(path, x.Fragment)
	}
	if e.Past = len(t.Moves); e.Past > e.First {
		c.add(e, path)
	}
}

// mostRepeated is how many fragments a repetition may have that a path leaves out, for the time that looking for
// longer ones takes. Convention, sensitivity none.
const mostRepeated = 64

// onward appends a fragment to a path, and takes out what it repeats at once: a b a b is a b.
func onward(path []int32, f int32) []int32 {
	path = append(path, f)
	for n := 1; n <= min(mostRepeated, len(path)/2); n++ {
		if again := len(path) - n; path[again-1] == f && slices.Equal(path[again:], path[again-n:again]) {
			return path[:again]
		}
	}
	return path
}

func (c *collector) add(e Episode, path []int32) {
	key := make([]byte, 0, 4*len(path))
	for _, f := range path {
		key = binary.LittleEndian.AppendUint32(key, uint32(f))
	}
	s := c.shapes[string(key)]
	if s == nil {
		s = &Shape{Longest: e}
		c.shapes[string(key)] = s
		c.paths[s] = slices.Clone(path)
		c.order = append(c.order, s)
	}
	s.Episodes++
	s.Busy += e.Busy
	s.Away += e.Away
	if e.Busy+e.Away > s.Longest.Busy+s.Longest.Away {
		s.Longest = e
	}
}

// finish writes what was collected.
func (c *collector) finish(out *Shapes) {
	for i, takes := range c.takes {
		if takes {
			out.Takes = append(out.Takes, c.names[i])
		}
	}
	slices.SortStableFunc(c.order, func(a, b *Shape) int {
		return cmp.Or(cmp.Compare(b.Time(), a.Time()), cmp.Compare(b.Episodes, a.Episodes))
	})
	for _, s := range c.order {
		for _, f := range c.paths[s] {
			s.Path = append(s.Path, c.names[f])
			if c.does[f] {
				s.Does = append(s.Does, c.names[f])
			}
		}
		out.Episodes += s.Episodes
		out.Shapes = append(out.Shapes, *s)
	}
}
