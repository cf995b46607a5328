package ownership

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Tokens takes the channels that are made for every piece of work as one,
// where the simulation could not tell whose channel a thread uses. A channel
// per task belongs to the task that its user works on (core.PerTask): the
// thread of a connection, or one that fetched the task. A thread that was
// started for a piece of work has no task in the model, though. Its tokens go
// to one channel of the program; the receivers take as many as they would have,
// if perhaps not those of their own piece of work. That one of the channels is closed is
// told by tokens of another one: who waits for a value never takes them.
func Tokens(tr *trail.Trail) {
	for _, r := range slices.Clone(tr.Resources) {
		if r.Kind != core.Channel || r.Scope != core.PerTask || r.Task || r.Timer {
			continue
		}
		taskless := false
		for _, u := range r.Uses {
			taskless = taskless || u.Pool.Kind != trail.PoolPerConnection && !trail.FetchesTasks(u.Pool)
		}
		if !taskless {
			continue
		}
		ends := endsWaitedFor(r)
		r.Scope, r.Together = core.PerProgram, 1
		if r.Capacity != 0 {
			r.Capacity = core.Unbounded
		}
		closed := &trail.Resource{ID: r.ID + " closed", Kind: core.Channel, Scope: core.PerProgram, Together: 1,
			Capacity: core.Unbounded, Place: r.Place, Objects: r.Objects}
		if len(ends) > 0 {
			tr.Resources = append(tr.Resources, closed)
		}
		for _, g := range tr.Pools {
			tr.Nodes.Scope = g.Name
			for _, q := range g.Sequences {
				closesAreTokens(q, r, closed, ends, tr.Nodes)
			}
		}
		tr.CollectUses()
	}
}

// endsWaitedFor returns the receives that waited for the end of one of many
// channels, with the number of closes that each stands for: its own channel's, if that is not waited for again, and those since
// the one before of channels that nobody waits for, as who waits for the last waits for all.
func endsWaitedFor(r *trail.Resource) map[trail.Use]int {
	type event struct {
		at   int64
		use  *trail.Use
		wait bool
	}
	var es []event
	awaited, closed := map[uint64]bool{}, map[uint64]bool{} // objects
	for i := range r.Uses {
		s := r.Uses[i].Step()
		switch {
		case s.Node.Op == trace.OpClose:
			es = append(es, event{s.Start, &r.Uses[i], false})
			closed[s.Object] = true
		case s.Node.Op == trace.OpReceive && !s.Received() && !s.Open:
			es = append(es, event{s.End, &r.Uses[i], true})
			awaited[s.Object] = true
		}
	}
	slices.SortStableFunc(es, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	ends := map[trail.Use]int{}
	others := 0
	for _, e := range es {
		switch object := e.use.Step().Object; {
		case !e.wait && !awaited[object]:
			others++
		case e.wait:
			ends[*e.use] = others
			if closed[object] {
				ends[*e.use]++
			}
			closed[object], others = false, 0
		}
	}
	return ends
}

// closesAreTokens makes a close of one of many channels a token of another one, if anybody
// waits for ends: the one channel in their place stays open.
func closesAreTokens(q *trail.Sequence, r, closed *trail.Resource, ends map[trail.Use]int, nodes *trail.NodeTable) {
	waits := map[int]int{}
	for u, n := range ends {
		if u.Sequence == q {
			waits[u.Index] = n
		}
	}
	q.Rewrite(func(i int, s trail.Step) []trail.Step {
		switch n, ok := waits[i]; {
		case s.Lock != r:
		case s.Node.Op == trace.OpClose && len(ends) == 0 || ok && n == 0:
			return nil
		case s.Node.Op == trace.OpClose:
			s.Node, s.Result, s.Lock = nodes.Of(trace.OpSend, s.Node.Site), 1, closed
		case ok:
			s.Result, s.Lock = 1, closed
			by := []trail.Step{s}
			s.Gap, s.GapWall, s.CPU, s.Start = 0, 0, 0, s.End
			for len(by) < n {
				by = append(by, s)
			}
			return by
		}
		return []trail.Step{s}
	})
}
