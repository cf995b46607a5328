package walks

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Of returns the walks of the threads of all pools that have graphs. name is what a fragment of the model is
// called; inModel tells the locks and queues that the model has. More moves than a model keeps are
// core.ErrWalksTooLarge.
func Of(tr *trail.Trail, name func(*trail.Pool, *trail.Vertex) string, inModel func(*trail.Resource) bool) (*core.Walks, error) {
	if n := moves(tr); n > core.MostMoves {
		return nil, fmt.Errorf("%w: %d moves, a model keeps up to %d", core.ErrWalksTooLarge, n, core.MostMoves)
	}
	r := recorder{tokens: numbers{}, objects: map[object]int32{}, inModel: inModel, out: new(core.Walks)}
	threads := threadsOf(tr)
	r.tokens.number(threads)
	graphs := map[*trail.Pool]int32{}
	for i, g := range tr.Modelled {
		graphs[g] = int32(i)
		w := core.WalkGraph{ID: g.Name}
		for _, v := range tr.Graphs[g].Vertices {
			w.Fragments = append(w.Fragments, name(g, v))
		}
		r.out.Graphs = append(r.out.Graphs, w)
	}
	for _, t := range threads {
		w := core.Walk{Pool: t.pool.Name, Graph: graphs[t.pool], Parent: -1, Ended: !t.steps.Cut, Moves: r.moves(t.steps, tr.Graphs[t.pool])}
		if t.parent != nil {
			w.Parent = t.parent.index
		}
		r.out.Threads = append(r.out.Threads, w)
	}
	return r.out, nil
}

// moves is how many moves the walks would have.
func moves(tr *trail.Trail) (n int64) {
	for _, g := range tr.Modelled {
		for _, v := range tr.Graphs[g].Vertices {
			n += v.Count
		}
	}
	return n
}

// object is one of the objects of the run that a lock or queue of the model stands for.
type object struct {
	of *trail.Resource
	id uint64
}

// thread is a thread whose walk is written down.
type thread struct {
	pool   *trail.Pool
	steps  *trail.Sequence
	parent *thread
	index  int32 // of its walk
}

// threadsOf lists the threads that have steps: parents first, and the children of one in the order of their births.
func threadsOf(tr *trail.Trail) []*thread {
	by := map[int64]*thread{}
	var all []*thread
	for _, g := range tr.Modelled {
		for _, q := range g.Sequences {
			if len(q.Steps) > 0 {
				t := &thread{pool: g, steps: q}
				all = append(all, t)
				by[q.Thread.ID] = t
			}
		}
	}
	parents := map[int64]int64{}
	for i := range tr.Trace.Threads {
		parents[tr.Trace.Threads[i].ID] = tr.Trace.Threads[i].Parent
	}
	for _, t := range all {
		t.parent = starter(t, by, parents)
	}
	slices.SortStableFunc(all, func(a, b *thread) int {
		return cmp.Or(cmp.Compare(a.steps.Thread.Born, b.steps.Thread.Born), cmp.Compare(a.steps.Thread.ID, b.steps.Thread.ID))
	})
	out := make([]*thread, 0, len(all))
	listed := map[*thread]bool{}
	var list func(t *thread)
	list = func(t *thread) {
		if t == nil || listed[t] {
			return
		}
		listed[t] = true
		list(t.parent)
		t.index = int32(len(out))
		out = append(out, t)
	}
	for _, t := range all {
		list(t)
	}
	return out
}

// starter returns the nearest ancestor of a thread that starts threads of its pool in the model; nil: there is none.
// It is not always the thread that started it in the run: of a tree of threads the one outside of it starts all.
func starter(t *thread, by map[int64]*thread, parents map[int64]int64) *thread {
	id := t.steps.Thread.Parent
	for range len(parents) {
		if p := by[id]; p != nil && p != t && p.starts(t.pool) {
			return p
		}
		if id = parents[id]; id == 0 {
			break
		}
	}
	return nil
}

func (t *thread) starts(g *trail.Pool) bool {
	return slices.ContainsFunc(t.steps.Steps, func(s trail.Step) bool { return s.Node.Class == core.SpawnFragment && s.Node.Child == g })
}

// recorder writes walks.
type recorder struct {
	tokens  numbers
	objects map[object]int32
	inModel func(*trail.Resource) bool
	out     *core.Walks
}

// moves returns what a thread did.
func (r *recorder) moves(q *trail.Sequence, graph *trail.PCG) []core.Move {
	tokens, regions := r.tokens[q], sync.OnceValue(q.Regions)
	at := 0 // index of the step
	out := make([]core.Move, 0, 2*len(q.Steps))
	for v := range trail.Visits(q.Steps) {
		m := core.Move{Fragment: int32(graph.ByKey[v.Key].Index()), Object: -1}
		if v.Key.IsCPU() {
			m.Amount = v.Step.Gap
		} else {
			m.Object, m.Token = r.object(v.Step), tokens[at]
			m.Amount = amount(v.Step, m.Token)
			if v.Step.Node.Op == trace.OpCondWait && m.Object >= 0 && r.out.Objects[m.Object].Monitor < 0 {
				r.out.Objects[m.Object].Monitor = r.monitor(q, at, regions())
			}
			at++
		}
		out = append(out, m)
	}
	return slices.Clip(out)
}

// amount is how much of an operation there is: see core.Move.
func amount(s *trail.Step, token int64) int64 {
	switch s.Node.Class {
	case core.DelayFragment:
		return s.Wait
	case core.SpawnFragment:
		return max(s.Starts, 1)
	case core.OutFragment:
		if s.Lock != nil {
			return max(s.Starts, 1)
		}
	case core.SyncFragment:
		switch s.Node.Op {
		case trace.OpAcquire, trace.OpTryAcquire, trace.OpRelease:
			return max(s.Arg, 1)
		case trace.OpAdd:
			return max(s.Arg, -s.Arg)
		case trace.OpCondWait, trace.OpPark:
			if token == 0 {
				return s.Off
			}
		}
	case core.CPUFragment, core.IOFragment, core.InFragment, core.FetchFragment, core.NoFetchFragment, core.JoinFragment, core.LoopFragment, core.DispatchFragment:
	}
	return 0
}

// object returns the number of the object of a step; −1: none that the model has.
func (r *recorder) object(s *trail.Step) int32 {
	switch s.Node.Class {
	case core.SyncFragment, core.InFragment, core.OutFragment:
	default:
		return -1
	}
	if s.Lock == nil || !r.inModel(s.Lock) {
		return -1
	}
	return r.numberOf(object{s.Lock, s.Object})
}

func (r *recorder) numberOf(o object) int32 {
	n, known := r.objects[o]
	if !known {
		n = int32(len(r.out.Objects))
		r.objects[o] = n
		r.out.Objects = append(r.out.Objects, core.WalkObject{Of: o.of.ID, Monitor: -1})
	}
	return n
}

// monitor returns the number of the condition's lock that a thread holds while it waits at a step, the innermost of
// them; −1: it holds none.
func (r *recorder) monitor(q *trail.Sequence, at int, regions []trail.Region) int32 {
	lock := q.Steps[at].Lock.Monitor
	for _, in := range slices.Backward(regions) {
		if in.First < at && at < in.Last && in.Lock == lock && r.inModel(lock) {
			return r.numberOf(object{lock, q.Steps[in.First].Object})
		}
	}
	return -1
}
