package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"tierscope/core"
)

// sinkDone is the sink to which finished tasks go.
const sinkDone = "done"

// assembly turns the counts of one group into a graph of the model.
type assembly struct {
	g       *group
	pcg     *pcg
	flow    taskFlow
	classes map[*resource]string // of new tasks, by queue
	disk    *diskTrace
	ids     map[*vertex]string
	used    map[string]int
}

// graph returns the probabilistic call graph of a group as a document.
func (a *assembly) graph() core.Graph {
	a.ids, a.used = map[*vertex]string{}, map[string]int{}
	for _, v := range a.pcg.vertices {
		a.ids[v] = a.unique(vertexName(v))
	}
	out := core.Graph{ID: a.g.name, Entry: a.ids[a.pcg.vertices[0]]}
	for _, v := range a.pcg.vertices {
		out.Fragments = append(out.Fragments, a.fragment(v))
	}
	return out
}

func (a *assembly) unique(id string) string {
	a.used[id]++
	if n := a.used[id]; n > 1 {
		return a.unique(fmt.Sprintf("%s #%d", id, n))
	}
	return id
}

// vertexName is a readable name: the operation with its place, or the places
// between which a computation lies.
func vertexName(v *vertex) string {
	if !v.isCPU() {
		return nodeName(v.key.from)
	}
	from, to := v.key.from, v.key.to
	switch {
	case from.place == (Frame{}) && to.place == (Frame{}):
		return "cpu"
	case from.place == (Frame{}):
		return "cpu →" + shortPlace(to.place)
	case to.place == (Frame{}):
		return "cpu " + shortPlace(from.place) + "→"
	case from.place.Function == to.place.Function:
		return fmt.Sprintf("cpu %s→%d", shortPlace(from.place), to.place.Line)
	}
	return "cpu " + shortPlace(from.place) + "→" + shortPlace(to.place)
}

func nodeName(n *node) string {
	name := n.op.String()
	if n.virtual != "" {
		name = n.virtual
	}
	if n.place == (Frame{}) {
		return name
	}
	return name + " " + shortPlace(n.place)
}

func shortPlace(f Frame) string {
	return fmt.Sprintf("%s:%d", shortFunction(f.Function), f.Line)
}

// fragment returns the code fragment of a vertex with its parameters Π.
func (a *assembly) fragment(v *vertex) core.Fragment {
	n := v.key.from
	f := core.Fragment{ID: a.ids[v], Class: n.class, Context: n.context,
		Origin: core.Origin{Function: n.place.Function, File: n.place.File, Line: n.place.Line}}
	f.Observed = core.Observed{Count: v.count, Source: "thread clock"}
	if v.count > 0 {
		f.Observed.MeanWall = float64(v.wall) / float64(v.count) * 1e-9
		f.Observed.MeanCPU = float64(v.cpu) / float64(v.count) * 1e-9
	}
	f.Next = a.edges(v, func(*vertex) bool { return true })
	if v.isCPU() {
		f.Class, f.Context = core.CPUFragment, nil
		f.Demand = empirical(v.samples)
		return f
	}
	switch n.class {
	case core.SyncFragment:
		a.sync(&f, v)
	case core.InFragment:
		f.In = &core.In{Queue: v.lock.id}
		if n.op == OpTryReceive && v.foundNothing() {
			f.In.Timeout = core.Distribution{Kind: core.Constant}
		}
		for i := range f.Next {
			f.Next[i].Probability = 1
		}
	case core.OutFragment:
		f.Out = &core.Out{To: sinkDone}
		if v.lock != nil {
			f.Out.To = v.lock.id
			if f.Out.New = !a.flow.passesOn(n); f.Out.New {
				f.Out.Class = a.classes[v.lock]
				if v.starts != nil {
					f.Out.Count = counts(v.starts)
				}
			}
		}
	case core.DelayFragment:
		f.Delay = empirical(v.samples)
		f.Periodic, f.Polled = a.g.ticks(), n.of != nil && n.of.op == OpRest
		if f.Periodic || f.Polled {
			f.Delay = core.Distribution{Kind: core.Constant, Value: f.Delay.Expectation()}
		}
	case core.SpawnFragment:
		f.Spawn = &core.Spawn{Pool: n.child.name}
		if n.child.burst == 0 {
			f.Spawn.Count = counts(v.starts)
		}
	case core.JoinFragment:
		f.Join = &core.Join{Pool: n.child.name, All: n.child.parent != a.g}
	case core.LoopFragment:
		a.loop(&f, v)
	case core.IOFragment:
		f.IO, f.Origin.Note = a.disk.io(v.uses)
	case core.CPUFragment, core.FetchFragment, core.NoFetchFragment, core.DispatchFragment:
	}
	if a.pcg.walks == 1 {
		f.Order = a.order(v, f.Next)
	}
	return f
}

// mostStreaks is the longest order that a model keeps.
const mostStreaks = 1 << 12

// order returns the order in which transitions to some successors of v were made, as
// indices into edges; none if there is no choice, or it is too long.
func (a *assembly) order(v *vertex, edges []core.Edge) []core.Streak {
	if len(edges) < 2 || v.key.from.class == core.InFragment {
		return nil
	}
	index := map[string]int64{}
	for i, e := range edges {
		index[e.To] = int64(i)
	}
	var values []int64
	for _, w := range v.trail {
		if i, ok := index[a.ids[w]]; ok {
			values = append(values, i)
		}
	}
	return streaks(values)
}

// streaks returns values as streaks; none if there are too many.
func streaks(values []int64) []core.Streak {
	var out []core.Streak
	for _, v := range values {
		if n := len(out); n > 0 && out[n-1].Value == v {
			out[n-1].Times++
			continue
		}
		if len(out) == mostStreaks {
			return nil
		}
		out = append(out, core.Streak{Value: v, Times: 1})
	}
	return out
}

// edges returns the transitions out of v to the successors that are wanted,
// with probabilities by equation (1). The last of several is marked: in the order in
// which the threads are laid over each other, they lead to the end of the last one.
func (a *assembly) edges(v *vertex, want func(*vertex) bool) []core.Edge {
	var sum int64
	ws := slices.DeleteFunc(v.successors(), func(w *vertex) bool { return !want(w) })
	for _, w := range ws {
		sum += v.next[w]
	}
	var es []core.Edge
	last := 0
	for i, w := range ws {
		es = append(es, core.Edge{To: a.ids[w], Probability: float64(v.next[w]) / float64(sum), Count: v.next[w]})
		if v.latest[w] > v.latest[ws[last]] {
			last = i
		}
	}
	if len(es) > 1 {
		es[last].Last = true
	}
	return es
}

// loop gives an exact loop its body, which is the successor that the virtual
// node "iterate" stands for, and its number of iterations. One that was only ever
// broken off in its first iteration has none: it is only passed.
func (a *assembly) loop(f *core.Fragment, v *vertex) {
	body := func(w *vertex) bool {
		return w.key.from.class == core.DispatchFragment && w.key.from.loop == v.key.from.loop
	}
	rounds := v.key.from.loop.iterations()
	l := &core.Loop{Count: counts(rounds)}
	if a.pcg.walks == 1 && l.Count.Kind == core.Discrete {
		l.Order = streaks(rounds)
	}
	for _, w := range v.successors() {
		if body(w) {
			l.Body = a.ids[w]
		}
	}
	if f.Loop = l; l.Body == "" {
		f.Class, f.Loop = core.DispatchFragment, nil
	}
	f.Next = a.edges(v, func(w *vertex) bool { return !body(w) })
}

// iterations returns the counts of all entries that were not cut off.
func (l *loop) iterations() []int64 {
	var ns []int64
	for _, e := range l.entries {
		if e.ended {
			ns = append(ns, e.count())
		}
	}
	return ns
}

// sync gives a synchronization fragment its lock, operation and arguments.
func (a *assembly) sync(f *core.Fragment, v *vertex) {
	n := v.key.from
	s := &core.Sync{Lock: v.lock.id, Op: n.op.Sync(), Earlier: n.earlier}
	f.Sync = s
	switch {
	case n.virtual == onceDone:
		s.Op = core.Done
	case n.makes:
		s.Op = core.Make
	}
	zero := core.Distribution{Kind: core.Constant}
	switch n.op {
	case OpAdd:
		if len(v.args) > 0 {
			s.N = int(v.args[0])
		}
		if s.N < 0 {
			s.Op, s.N = core.CountDown, -s.N
		}
	case OpAcquire, OpTryAcquire, OpRelease:
		if s.N = v.permits(); s.N == 0 || n.op == OpRelease && v.lock.weighted {
			s.N, s.Permits = 0, counts(v.args)
		}
	case OpCondWait:
		if v.lock.monitor != nil {
			s.Monitor = v.lock.monitor.id
		}
	case OpSelect:
		a.selects(f, v)
	}
	switch n.op {
	case OpTryLock, OpTryRLock, OpTryAcquire, OpTrySend, OpTryReceive, OpOnce:
		if n.op != OpOnce {
			s.Timeout = zero
		}
		failed := func(w *vertex) bool { return w.key.from.virtual == "failed" && w.key.from.of == n }
		for _, w := range v.successors() {
			if failed(w) {
				s.OnTimeout = a.ids[w]
			}
		}
		if es := a.edges(v, func(w *vertex) bool { return !failed(w) }); len(es) > 0 {
			f.Next = es
		}
	}
}

// selects gives a select the cases that were taken in the run. If only one
// ever was, it is that operation.
func (a *assembly) selects(f *core.Fragment, v *vertex) {
	s := f.Sync
	cases := 0
	type channel struct {
		lock    string
		earlier int
	}
	of := func(c *node) channel { return channel{c.caseLock.id, c.earlier} }
	closed := map[channel]string{} // successor when the lock is closed
	for _, w := range v.successors() {
		c := w.key.from
		if c.of != v.key.from {
			continue
		}
		switch {
		case c.caseLock != nil && c.caseLock.timer:
			s.Timeout, s.OnTimeout = core.Distribution{Kind: core.Constant, Value: v.timeout()}, a.ids[w]
		case c.caseClosed:
			closed[of(c)] = a.ids[w]
			cases++
		case c.caseLock != nil:
			op := core.Receive
			if c.caseSends {
				op = core.Send
			}
			s.Cases = append(s.Cases, core.SelectCase{Lock: c.caseLock.id, Op: op, To: a.ids[w], Earlier: c.earlier})
			cases++
		case c.virtual == "default":
			s.Default = a.ids[w]
		}
	}
	for i := range s.Cases {
		k := &s.Cases[i]
		if at := (channel{k.Lock, k.Earlier}); k.Op == core.Receive && closed[at] != "" {
			k.Closed = closed[at]
			delete(closed, at)
		}
	}
	only := slices.SortedFunc(maps.Keys(closed), func(x, y channel) int { // ever found closed
		return cmp.Or(cmp.Compare(x.lock, y.lock), cmp.Compare(x.earlier, y.earlier))
	})
	for _, at := range only {
		s.Cases = append(s.Cases, core.SelectCase{Lock: at.lock, Op: core.Receive, To: closed[at], Earlier: at.earlier})
	}
	if cases > 0 {
		s.Lock, s.Earlier = "", 0
		f.Next = nil
		return
	}
	s.Op = core.Receive
	if v.sends {
		s.Op = core.Send
	}
}
