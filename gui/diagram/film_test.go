package diagram

import (
	"fmt"
	"slices"
	"testing"

	"tierscope/core"
	"tierscope/gui/palette"
	"tierscope/simulation/des"
	"tierscope/simulation/timeline"
)

// passed is a run in which pool a works on task 1 for 10 ms and puts it into queue q, where it lies for 4 ms until
// pool b takes it and works on it for 6 ms; and its model.
func passed() (*core.Model, *timeline.Recording) {
	m := &core.Model{
		Pools:  []core.Pool{{ID: "a", Graph: "a"}, {ID: "b", Graph: "b"}},
		Queues: []core.Queue{{ID: "q"}}, Sinks: []core.Sink{{ID: "done"}},
		Graphs: []core.Graph{
			{ID: "a", Fragments: []core.Fragment{
				{ID: "work", Class: core.CPUFragment, Next: []core.Edge{{To: "send", Probability: 1}}},
				{ID: "send", Class: core.OutFragment, Out: &core.Out{To: "q"}}}},
			{ID: "b", Fragments: []core.Fragment{
				{ID: "parse", Class: core.CPUFragment, Next: []core.Edge{{To: "lock", Probability: 1}}},
				{ID: "lock", Class: core.SyncFragment, Sync: &core.Sync{Lock: "L", Op: core.Enter}},
				{ID: "take", Class: core.InFragment, In: &core.In{Queue: "q"}}, {ID: "give", Class: core.OutFragment, Out: &core.Out{To: "done"}}}},
		},
	}
	ms := func(n int) des.Time { return des.Time(n) * 1_000_000 }
	r := timeline.New(100)
	a, b, q := r.Lane(timeline.Threads, "a #0"), r.Lane(timeline.Threads, "b #1"), r.Counter(timeline.Queues, "q")
	r.Set(b, 0, timeline.QueueWait, r.Label("q"), timeline.NoTask)
	r.Set(a, 0, timeline.Running, r.Label("work"), 1)
	r.Clear(a, ms(10))
	r.Count(q, ms(10), 1)
	r.Count(q, ms(14), 0)
	r.Set(b, ms(14), timeline.Running, r.Label("parse"), 1)
	r.Set(b, ms(18), timeline.LockWait, r.Label("L"), 1)
	r.Clear(b, ms(20))
	r.Finish(ms(30))
	return m, r
}

// A task is in the pool that works on it, then on its way to the queue and in it, then on its way to the next pool
// and in that; without motion it is never between.
func TestATaskMovesThroughPoolsAndQueues(t *testing.T) {
	t.Parallel()
	m, r := passed()
	d, film := Network(m), NewFilm(r)
	says := func(at, way int) (out []string) {
		for _, x := range film.Tokens(d, "", des.Time(at)*1_000_000, des.Time(way)*1_000_000) {
			if x.Node >= 0 {
				out = append(out, d.Nodes[x.Node].Path)
			} else {
				out = append(out, fmt.Sprintf("%s→%s %.2f", d.Nodes[d.Edges[x.Edge].From].Path, d.Nodes[d.Edges[x.Edge].To].Path, x.Way))
			}
		}
		return out
	}
	for _, c := range []struct {
		at, way int
		want    []string
	}{
		{5, 4, []string{"pools/a"}},
		{11, 4, []string{"queues/q", "pools/a→queues/q 0.25", "queues/q→pools/b 0.25"}},
		{11, 0, []string{"queues/q"}},
		{13, 2, []string{"queues/q", "queues/q→pools/b 0.50"}},
		{15, 4, []string{"pools/b"}},
		{21, 4, []string{"pools/b→sinks/done 0.25"}},
		{29, 4, nil},
	} {
		got := says(c.at, c.way)
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) && len(got)+len(c.want) > 0 {
			t.Errorf("at %d ms the picture has %q, want %q", c.at, got, c.want)
		}
	}
}

// A pool has one colour on every diagram, that of queues and pools.
func TestPoolsHaveOneColour(t *testing.T) {
	t.Parallel()
	m, _ := passed()
	for _, d := range []*Diagram{Network(m), Resources(m)} {
		for _, n := range d.Nodes {
			if n.Path == "pools/a" && n.State != palette.Queue {
				t.Errorf("%s: pool a is coloured as %v", d.Name, n.State)
			}
		}
	}
}

// In the call graph of a pool a thread is at the fragment that it executes; one that waits, for what it waits at.
func TestAThreadMovesThroughItsFragments(t *testing.T) {
	t.Parallel()
	m, r := passed()
	d, film := CallGraph(&m.Graphs[1], nil), NewFilm(r)
	for at, want := range map[int]string{16: "graphs/b/fragments/parse", 19: "graphs/b/fragments/lock"} {
		tokens := film.Tokens(d, "b", des.Time(at)*1_000_000, 0)
		if len(tokens) != 1 || d.Nodes[tokens[0].Node].Path != want {
			t.Errorf("at %d ms the graph has %+v, want one thread at %s", at, tokens, want)
		}
	}
	if x := film.Tokens(d, "b", 19_000_000, 0); len(x) == 1 && x[0].State != palette.Lock {
		t.Errorf("a thread that waits for a lock is coloured as %v", x[0].State)
	}
	if x := film.Tokens(d, "a", 16_000_000, 0); len(x) != 0 {
		t.Errorf("the graph of b has threads of a: %+v", x)
	}
}

// A thread that waits for a task after its last computation is where it waits: at the queue of that name, however far the way
// leads there, and not at the computation.
func TestAThreadThatWaitsForATaskIsAtItsQueue(t *testing.T) {
	t.Parallel()
	to := func(id string) []core.Edge { return []core.Edge{{To: id, Probability: 1}} }
	g := core.Graph{ID: "w", Entry: "take", Fragments: []core.Fragment{
		{ID: "take", Class: core.InFragment, In: &core.In{Queue: "pending"}, Next: to("got")},
		{ID: "got", Class: core.FetchFragment, Next: to("serve")},
		{ID: "serve", Class: core.CPUFragment, Next: to("reply")},
		{ID: "reply", Class: core.OutFragment, Out: &core.Out{To: "done"}, Next: to("take")}}}
	r := timeline.New(100)
	w := r.Lane(timeline.Threads, "w #0")
	r.Set(w, 0, timeline.Running, r.Label("serve"), 1)
	r.Set(w, 10_000_000, timeline.QueueWait, r.Label("pending"), timeline.NoTask)
	r.Finish(30_000_000)
	d := CallGraph(&g, nil)
	tokens := NewFilm(r).Tokens(d, "w", 20_000_000, 0)
	if len(tokens) != 1 || d.Nodes[tokens[0].Node].Path != "graphs/w/fragments/take" || tokens[0].State != palette.Queue {
		t.Errorf("the graph has %+v, want one thread at take", tokens)
	}
}
