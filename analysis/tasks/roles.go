package tasks

import (
	"fmt"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// markRoles gives operations on channels their role, now that it is known
// which ones carry tasks: c_in and c_out fragments, and the virtual nodes that
// come after an operation with several outcomes. After every c_in stands
// fetch or nofetch ("some program behaviors are difficult to represent
// accurately using a probabilistic model … the execution flow may take
// different paths depending on the availability of the task in the queue",
// Tarvo & Reiss 2014, §4.3.1); after a select the case that was taken; after
// a try that failed, "failed". The resource decides between them in the
// simulation, not a probability.
func markRoles(seqs []*trail.Sequence, closed closings, nodes *trail.NodeTable) {
	outcomes := map[*trail.Node]map[int64]bool{}
	fetches, used := map[*trail.Node]bool{}, map[*trail.Node]bool{}
	closes, finds := map[*trail.Node]bool{}, map[*trail.Node]bool{} // selects and receives that find channels closed, and not
	for _, q := range seqs {
		for i := range q.Steps {
			s := &q.Steps[i]
			used[s.Node] = used[s.Node] || s.Lock != nil
			if s.Node.Op == trace.OpSelect && !s.Open {
				if outcomes[s.Node] == nil {
					outcomes[s.Node] = map[int64]bool{}
				}
				outcomes[s.Node][s.Result] = true
				if s.FoundClosed() {
					closes[s.Node] = true
				} else {
					finds[s.Node] = true
				}
			}
			if receives(s) {
				closes[s.Node] = closes[s.Node] || closed.found(s)
				finds[s.Node] = finds[s.Node] || s.Received()
			}
			if s.Lock != nil && s.Lock.Task && s.Received() {
				fetches[s.Node] = true
			}
		}
	}
	for _, q := range seqs {
		got := lastGot(q)
		q.Rewrite(func(i int, s trail.Step) []trail.Step {
			n := s.Node
			if n.Virtual != "" || n.Class == core.DispatchFragment {
				return []trail.Step{s}
			}
			after := func(name string, class core.FragmentClass) []trail.Step {
				return []trail.Step{s, {Node: nodes.Virtual(name, n, class), Start: s.End, End: s.End, Value: s.Value}}
			}
			if n.Op == trace.OpSelect && !used[n] && len(outcomes[n]) <= 1 {
				return nil // always the default, or it never came to an end
			}
			if ends := n.Op == trace.OpSelect && closes[n] && finds[n] && !fetches[n]; len(outcomes[n]) > 1 || ends {
				if s.Open {
					return []trail.Step{s}
				}
				if s.Lock == nil {
					return after("default", core.DispatchFragment)
				}
				name := fmt.Sprintf("case %d", s.Result)
				if s.FoundClosed() {
					name += " closed"
				}
				by := after(name, core.DispatchFragment)
				c := by[1].Node
				c.CaseLock, c.CaseSends, c.CaseClosed = s.Lock, s.Sends, s.FoundClosed()
				c.Earlier = s.Earlier
				c.Fetches = s.Lock.Task && s.Received() && !s.Sends
				return by
			}
			switch {
			case s.Lock == nil || s.Open && !fetches[n]:
			case s.Lock.Task && trail.ChannelOp(&s) == core.Receive:
				if !fetches[n] {
					return nil // never gets anything: what drains a closed queue
				}
				n.Class = core.InFragment
				if s.Open {
					return []trail.Step{s}
				}
				if s.Received() {
					return after("fetch", core.FetchFragment)
				}
				s.TimedOut = n.Op == trace.OpReceive && i < got[s.Lock]
				return after("nofetch", core.NoFetchFragment)
			case s.Lock.Task && trail.ChannelOp(&s) == core.Send:
				n.Class = core.OutFragment
			case receives(&s) && closes[n] && finds[n]:
				name := "got"
				if !s.Received() {
					name = "closed"
				}
				by := after(name, core.DispatchFragment)
				c := by[1].Node
				c.CaseLock, c.CaseClosed, c.Earlier = s.Lock, !s.Received(), s.Earlier
				return by
			case !s.Succeeded():
				by := after("failed", core.DispatchFragment)
				by[1].Node.CaseLock = s.Lock
				return by
			}
			return []trail.Step{s}
		})
	}
}

// Roles gives operations on channels their role.
func Roles(tr *trail.Trail) {
	closed := closings{}
	for _, g := range tr.Pools {
		closed.add(g.Sequences)
	}
	for _, g := range tr.Modelled {
		markRoles(g.Sequences, closed, tr.Nodes)
	}
}

// lastGot is the last step at which a thread gets something from each channel: where it got nothing before that, it was not closed.
func lastGot(q *trail.Sequence) map[*trail.Resource]int {
	last := map[*trail.Resource]int{}
	for i := range q.Steps {
		if s := &q.Steps[i]; s.Lock != nil && s.Node.Op == trace.OpReceive && s.Received() {
			last[s.Lock] = i
		}
	}
	return last
}

// receives reports whether a step waits for something from a channel that carries no tasks.
func receives(s *trail.Step) bool {
	return s.Node.Op == trace.OpReceive && s.Node.Virtual == "" && s.Lock != nil && !s.Lock.Task && !s.Lock.Timer && s.Lock.Kind == core.Channel
}

// closings are the times at which channels were closed, by object, ns.
type closings map[uint64]int64

// add notes those of some threads.
func (c closings) add(seqs []*trail.Sequence) {
	for _, q := range seqs {
		for i := range q.Steps {
			if s := &q.Steps[i]; s.Node.Op == trace.OpClose {
				c[s.Object] = s.Start
			}
		}
	}
}

// found reports whether a receive got nothing because its channel was closed.
func (c closings) found(s *trail.Step) bool {
	at, ok := c[s.Object]
	return ok && !s.Open && !s.Received() && at <= s.End
}
