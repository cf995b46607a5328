package core

import "slices"

// sampleOf sorts what threads did by the tasks that they did it for. A task begins where a thread takes one from a
// queue, or with a thread of a pool that has one for each; what that sends on to other threads belongs to it.
func sampleOf(m *Model, w *Walks) *sample {
	s := &sample{targets: map[part][]string{}}
	r := sorter{sample: s, sender: map[int64]int{}, index: map[part]int{}}
	for i := range w.Threads {
		t := &w.Threads[i]
		at := slices.IndexFunc(m.Graphs, func(g Graph) bool { return g.ID == w.Graphs[t.Graph].ID })
		pool := slices.IndexFunc(m.Pools, func(p Pool) bool { return p.ID == t.Pool })
		if at < 0 || pool < 0 {
			continue
		}
		if r.fragments == nil || r.graph != t.Graph {
			r.enter(m, &m.Graphs[at], &w.Graphs[t.Graph], t.Graph)
		}
		r.walk(t, m.Pools[pool].Kind != FixedPool)
	}
	r.gather()
	return s
}

// stretch is what one thread did for one task.
type stretch struct {
	graph int32
	task  int64 // the number of what was taken, 0: not known
	times map[int]float64
}

// sorter sorts moves into tasks.
type sorter struct {
	*sample
	graph     int32
	fragments []*Fragment // of the graph, by the numbers of its moves
	place     []int       // of a fragment: the index of its part, −1: none
	queues    map[string]bool
	index     map[part]int
	stretches []stretch
	sender    map[int64]int // of a task's number: the stretch that sent it
}

// enter turns to the walks of another graph.
func (r *sorter) enter(m *Model, g *Graph, names *WalkGraph, graph int32) {
	r.graph, r.fragments, r.place = graph, nil, nil
	for _, id := range names.Fragments {
		f := g.Fragment(id)
		r.fragments = append(r.fragments, f)
		at := -1
		if f != nil && timeOf(f) != notTimed {
			p := part{g.ID, timeOf(f)}
			if _, known := r.index[p]; !known {
				r.index[p] = len(r.parts)
				r.parts = append(r.parts, p)
			}
			at = r.index[p]
			if path := "graphs/" + g.ID + "/fragments/" + id + "/scale"; !slices.Contains(r.targets[p], path) {
				r.targets[p] = append(r.targets[p], path)
			}
		}
		r.place = append(r.place, at)
	}
	if r.queues == nil {
		r.queues = map[string]bool{}
		for _, q := range m.Queues {
			r.queues[q.ID] = true
		}
	}
}

// walk adds what a thread did. whole: its pool has a thread for each task.
func (r *sorter) walk(t *Walk, whole bool) {
	takes := slices.ContainsFunc(t.Moves, r.taken)
	now := -1 // stretch
	begin := func(task int64) {
		now = len(r.stretches)
		r.stretches = append(r.stretches, stretch{graph: t.Graph, task: task, times: map[int]float64{}})
	}
	if whole && !takes {
		begin(0)
	}
	for i, x := range t.Moves {
		if r.taken(x) {
			task := x.Token
			if task == 0 && i > 0 { // the operation that took it has the number
				task = t.Moves[i-1].Token
			}
			begin(task)
		}
		if now < 0 {
			continue
		}
		f := r.fragments[x.Fragment]
		if f != nil && f.Class == OutFragment && x.Token != 0 {
			for n := range max(x.Amount, 1) {
				r.sender[x.Token+n] = now
			}
		}
		switch at := r.place[x.Fragment]; {
		case at < 0:
		case r.parts[at].kind == devices:
			r.stretches[now].times[at]++
		default:
			r.stretches[now].times[at] += float64(x.Amount)
		}
	}
}

// taken reports whether a thread has a task from a move on.
func (r *sorter) taken(x Move) bool {
	f := r.fragments[x.Fragment]
	switch {
	case f == nil:
		return false
	case f.Class == FetchFragment:
		return true
	case f.Sync == nil || x.Token == 0:
		return false
	case f.Sync.Op == Select:
		return slices.ContainsFunc(f.Sync.Cases, func(c SelectCase) bool { return c.Op == Receive && r.queues[c.Lock] })
	}
	return f.Sync.Op == Receive && r.queues[f.Sync.Lock]
}

// gather puts the stretches of each task together, and leaves out parts that took no time.
func (r *sorter) gather() {
	first := make([]int, len(r.stretches)) // of the task of a stretch
	task := map[int]int{}                  // of its first stretch
	total := make([]float64, len(r.parts))
	for i := range r.stretches {
		first[i] = r.first(i)
		n, known := task[first[i]]
		if !known {
			n = len(r.of)
			task[first[i]] = n
			r.of = append(r.of, make([]float64, len(r.parts)))
			r.strata = append(r.strata, r.stretches[first[i]].graph)
		}
		for k, v := range r.stretches[i].times {
			r.of[n][k] += v
			total[k] += v
		}
	}
	var parts []part
	for k, v := range total {
		if v > 0 {
			parts = append(parts, r.parts[k])
		}
	}
	for n, x := range r.of {
		r.of[n] = nil
		for k, v := range total {
			if v > 0 {
				r.of[n] = append(r.of[n], x[k])
			}
		}
	}
	r.parts = parts
}

// first is the stretch in which the task of a stretch began.
func (r *sorter) first(i int) int {
	for range len(r.stretches) { // what was handed over is numbered by order, and might go round
		by, sent := r.sender[r.stretches[i].task]
		if !sent || r.stretches[i].task == 0 || by == i {
			return i
		}
		i = by
	}
	return i
}
