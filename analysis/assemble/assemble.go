package assemble

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/analysis/waits"
	"tierscope/core"
)

// SinkDone is the sink to which finished tasks go.
const SinkDone = "done"

// Assembly turns the counts of one pool into a graph of the model.
type Assembly struct {
	G       *trail.Pool
	Pcg     *trail.PCG
	flow    trail.TaskFlow
	classes map[*trail.Resource]string // of new tasks, by queue
	disk    *trail.DiskTrace
	forest  []*trail.Loop
	Ids     map[*trail.Vertex]string
	used    map[string]int
}

// Graph returns the probabilistic call graph of a pool as a document.
func (a *Assembly) Graph() core.Graph {
	a.Ids, a.used = map[*trail.Vertex]string{}, map[string]int{}
	for _, v := range a.Pcg.Vertices {
		a.Ids[v] = trail.Numbered(a.used, vertexName(v))
	}
	out := core.Graph{ID: a.G.Name, Entry: a.Ids[a.Pcg.Vertices[0]]}
	for _, v := range a.Pcg.Vertices {
		out.Fragments = append(out.Fragments, a.fragment(v))
	}
	return out
}

// vertexName is a readable name: the operation with its place, or the places
// between which a computation lies.
func vertexName(v *trail.Vertex) string {
	if !v.IsCPU() {
		return trail.NodeName(v.Key.From)
	}
	from, to := v.Key.From, v.Key.To
	switch {
	case from.Place == (trace.Frame{}) && to.Place == (trace.Frame{}):
		return "cpu"
	case from.Place == (trace.Frame{}):
		return "cpu →" + trace.ShortPlace(to.Place)
	case to.Place == (trace.Frame{}):
		return "cpu " + trace.ShortPlace(from.Place) + "→"
	case trace.SameText(from.Place, to.Place):
		return fmt.Sprintf("cpu %s→%d", trace.ShortPlace(from.Place), to.Place.Line)
	}
	return "cpu " + trace.ShortPlace(from.Place) + "→" + trace.ShortPlace(to.Place)
}

// fragment returns the code fragment of a vertex with its parameters Π.
func (a *Assembly) fragment(v *trail.Vertex) core.Fragment {
	n := v.Key.From
	f := core.Fragment{ID: a.Ids[v], Class: n.Class, Context: n.Context,
		Origin: core.Origin{Function: n.Place.Function, File: n.Place.File, Line: n.Place.Line}}
	f.Observed = core.Observed{Count: v.Count, Source: "thread clock"}
	if v.Count > 0 {
		f.Observed.MeanWall = float64(v.Wall) / float64(v.Count) * 1e-9
		f.Observed.MeanCPU = float64(v.CPU) / float64(v.Count) * 1e-9
	}
	f.Next = a.Edges(v, func(*trail.Vertex) bool { return true })
	if v.IsCPU() {
		f.Class, f.Context = core.CPUFragment, nil
		f.Demand = trail.Empirical(v.Samples)
		return f
	}
	switch n.Class {
	case core.SyncFragment:
		a.sync(&f, v)
	case core.InFragment:
		f.In = &core.In{Queue: v.Lock.ID}
		if n.Op == trace.OpTryReceive && v.FoundNothing() {
			f.In.Timeout = core.Distribution{Kind: core.Constant}
		}
		if v.TimedOut() {
			f.In.Timeout = core.Distribution{Kind: core.Constant, Value: v.Timeout()}
			a.deadline(&f, v)
		}
		for i := range f.Next {
			f.Next[i].Probability = 1
		}
	case core.OutFragment:
		f.Out = &core.Out{To: SinkDone}
		if v.Lock != nil {
			f.Out.To = v.Lock.ID
			if f.Out.New = !a.flow.PassesOn(n); f.Out.New {
				f.Out.Class = a.classes[v.Lock]
				if v.Starts != nil {
					f.Out.Count = trail.Counts(v.Starts)
				}
			}
		}
		if n.Op == trace.OpTrySend {
			f.Out.Timeout = core.Distribution{Kind: core.Constant}
			f.Out.OnTimeout, f.Next = a.failure(v, f.Next)
		}
	case core.DelayFragment:
		f.Delay = trail.Empirical(v.Samples)
		f.Periodic, f.Polled = a.G.Ticks(), n.Of != nil && n.Of.Op == trace.OpRest
		f.Timer = f.Periodic || n.Timed || n.Of != nil && n.Of.Op == trace.OpSleep
		if f.Periodic || f.Polled {
			f.Delay = core.Distribution{Kind: core.Constant, Value: f.Delay.Expectation()}
		}
	case core.SpawnFragment:
		f.Spawn = &core.Spawn{Pool: n.Child.Name}
		if n.Child.Burst == 0 {
			f.Spawn.Count = trail.Counts(v.Starts)
		}
	case core.JoinFragment:
		f.Join = &core.Join{Pool: n.Child.Name, All: n.Child.Parent != a.G}
	case core.LoopFragment:
		a.loop(&f, v)
	case core.IOFragment:
		f.IO, f.Origin.Note = waits.Io(a.disk, v.Uses)
	case core.CPUFragment, core.FetchFragment, core.NoFetchFragment, core.DispatchFragment:
	}
	if a.Pcg.Walks == 1 {
		f.Order = a.order(v, f.Next)
	}
	return f
}

// MostStreaks is the longest order that a model keeps, for the size of its file.
// Convention, sensitivity none.
const MostStreaks = 1 << 12

// order returns the order in which transitions to some successors of v were made, as
// indices into edges; none if there is no choice, or it is too long.
func (a *Assembly) order(v *trail.Vertex, edges []core.Edge) []core.Streak {
	if len(edges) < 2 || v.Key.From.Class == core.InFragment {
		return nil
	}
	index := map[string]int64{}
	for i, e := range edges {
		index[e.To] = int64(i)
	}
	var values []int64
	for _, w := range v.Trail {
		if i, ok := index[a.Ids[w]]; ok {
			values = append(values, i)
		}
	}
	return Streaks(values)
}

// Streaks returns values as streaks; none if there are too many.
func Streaks(values []int64) []core.Streak {
	var out []core.Streak
	for _, v := range values {
		if n := len(out); n > 0 && out[n-1].Value == v {
			out[n-1].Times++
			continue
		}
		if len(out) == MostStreaks {
			return nil
		}
		out = append(out, core.Streak{Value: v, Times: 1})
	}
	return out
}

// Edges returns the transitions out of v to the successors that are wanted,
// with probabilities by equation (1). The last of several is marked: in the order in
// which the threads are laid over each other, they lead to the end of the last one.
func (a *Assembly) Edges(v *trail.Vertex, want func(*trail.Vertex) bool) []core.Edge {
	var sum int64
	ws := slices.DeleteFunc(v.Successors(), func(w *trail.Vertex) bool { return !want(w) })
	for _, w := range ws {
		sum += v.Next[w]
	}
	var es []core.Edge
	last := 0
	for i, w := range ws {
		es = append(es, core.Edge{To: a.Ids[w], Probability: float64(v.Next[w]) / float64(sum), Count: v.Next[w]})
		if v.Latest[w] > v.Latest[ws[last]] {
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
func (a *Assembly) loop(f *core.Fragment, v *trail.Vertex) {
	body := func(w *trail.Vertex) bool {
		return w.Key.From.Class == core.DispatchFragment && w.Key.From.Loop == v.Key.From.Loop
	}
	rounds := iterations(v.Key.From.Loop)
	l := &core.Loop{Count: trail.Counts(rounds), Gathered: v.Key.From.Loop.Gathered, Limited: v.Key.From.Loop.Limited}
	if a.Pcg.Walks == 1 && l.Count.Kind == core.Discrete {
		l.Order = Streaks(rounds)
	}
	for _, w := range v.Successors() {
		if body(w) {
			l.Body = a.Ids[w]
		}
	}
	if f.Loop = l; l.Body == "" {
		f.Class, f.Loop = core.DispatchFragment, nil
	} else {
		f.Observed.Rounds = l.Count.Expectation()
	}
	f.Next = a.Edges(v, func(w *trail.Vertex) bool { return !body(w) })
}

// iterations returns the counts of all entries that were not cut off, by the end of the recording or by what limits them.
func iterations(l *trail.Loop) []int64 {
	var ns []int64
	for _, e := range l.Entries {
		if e.Ended && !(l.Limited && e.Broken) {
			ns = append(ns, e.Count())
		}
	}
	return ns
}

// sync gives a synchronization fragment its lock, operation and arguments.
func (a *Assembly) sync(f *core.Fragment, v *trail.Vertex) {
	n := v.Key.From
	s := &core.Sync{Op: n.Op.Sync(), Earlier: n.Earlier}
	if v.Lock != nil { // that of a select is known by the case it took
		s.Lock = v.Lock.ID
	}
	f.Sync = s
	switch {
	case n.Virtual == trail.OnceDone:
		s.Op = core.Done
	case n.Makes:
		s.Op = core.Make
	}
	zero := core.Distribution{Kind: core.Constant}
	switch n.Op {
	case trace.OpAdd:
		if len(v.Args) > 0 {
			s.N = int(v.Args[0])
		}
		if s.N < 0 {
			s.Op, s.N = core.CountDown, -s.N
		}
	case trace.OpAcquire, trace.OpTryAcquire, trace.OpRelease:
		if s.N = v.Permits(); s.N == 0 || n.Op == trace.OpRelease && v.Lock.Weighted {
			s.N, s.Permits = 0, trail.Counts(v.Args)
		}
	case trace.OpCondWait:
		if v.Lock.Monitor != nil {
			s.Monitor = v.Lock.Monitor.ID
		}
	case trace.OpSelect:
		a.selects(f, v)
	case trace.OpReceive: // a select of one case, if its channel is found closed as well
		if slices.ContainsFunc(v.Successors(), func(w *trail.Vertex) bool { return w.Key.From.Of == n && w.Key.From.CaseLock != nil }) {
			s.Op = core.Select
			a.selects(f, v)
		}
	}
	switch n.Op {
	case trace.OpTryLock, trace.OpTryRLock, trace.OpTryAcquire, trace.OpTrySend, trace.OpTryReceive, trace.OpOnce:
		if n.Op != trace.OpOnce {
			s.Timeout = zero
		}
		s.OnTimeout, f.Next = a.failure(v, f.Next)
	}
}

// failure is the successor of a try that failed, "" if none did, and those of one that did not: next where all failed.
func (a *Assembly) failure(v *trail.Vertex, next []core.Edge) (string, []core.Edge) {
	to := ""
	failed := func(w *trail.Vertex) bool { return w.Key.From.Virtual == "failed" && w.Key.From.Of == v.Key.From }
	for _, w := range v.Successors() {
		if failed(w) {
			to = a.Ids[w]
		}
	}
	if es := a.Edges(v, func(w *trail.Vertex) bool { return !failed(w) }); len(es) > 0 {
		next = es
	}
	return to, next
}

// selects gives a select the cases that were taken in the run. If only one
// ever was, it is that operation.
func (a *Assembly) selects(f *core.Fragment, v *trail.Vertex) {
	s := f.Sync
	cases := 0
	type channel struct {
		lock    string
		earlier int
	}
	of := func(c *trail.Node) channel { return channel{c.CaseLock.ID, c.Earlier} }
	closed := map[channel]string{} // successor when the lock is closed
	for _, w := range v.Successors() {
		c := w.Key.From
		if c.Of != v.Key.From {
			continue
		}
		switch {
		case c.CaseLock != nil && c.CaseLock.Timer:
			s.Timeout, s.OnTimeout = core.Distribution{Kind: core.Constant, Value: v.Timeout()}, a.Ids[w]
			a.deadline(f, v)
		case c.CaseClosed:
			closed[of(c)] = a.Ids[w]
			cases++
		case c.CaseLock != nil:
			op := core.Receive
			if c.CaseSends {
				op = core.Send
			}
			s.Cases = append(s.Cases, core.SelectCase{Lock: c.CaseLock.ID, Op: op, To: a.Ids[w], Earlier: c.Earlier})
			cases++
		case c.Virtual == "default":
			s.Default = a.Ids[w]
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
	if v.Sends {
		s.Op = core.Send
	}
}

// deadline gives a wait the timeout of the limited loop that it is in, which runs on while the thread does something else.
func (a *Assembly) deadline(f *core.Fragment, v *trail.Vertex) {
	id := func(n *trail.Node) string {
		for _, w := range a.Pcg.Vertices {
			if w.Key.From == n && !w.IsCPU() {
				return a.Ids[w]
			}
		}
		return ""
	}
	for _, outer := range a.forest {
		for _, l := range outer.All() {
			if l.Deadline == nil || !l.Members[v.Key.From] {
				continue
			}
			since := &core.Since{From: id(l.Enter)}
			if l.Deadline.First != nil {
				since.First = id(l.Deadline.First)
			}
			*f.TimeoutOf(), f.Since = core.Distribution{Kind: core.Constant, Value: l.Deadline.After}, since
		}
	}
}
