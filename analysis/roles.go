package analysis

import (
	"fmt"

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
func markRoles(seqs []*sequence, nodes *nodeTable) {
	outcomes := map[*node]map[int64]bool{}
	fetches, used := map[*node]bool{}, map[*node]bool{}
	closes, finds := map[*node]bool{}, map[*node]bool{} // selects that find channels closed, and not
	for _, q := range seqs {
		for i := range q.steps {
			s := &q.steps[i]
			used[s.node] = used[s.node] || s.lock != nil
			if s.node.op == OpSelect && !s.open {
				if outcomes[s.node] == nil {
					outcomes[s.node] = map[int64]bool{}
				}
				outcomes[s.node][s.result] = true
				if s.foundClosed() {
					closes[s.node] = true
				} else {
					finds[s.node] = true
				}
			}
			if s.lock != nil && s.lock.task && s.received() {
				fetches[s.node] = true
			}
		}
	}
	for _, q := range seqs {
		q.rewrite(func(_ int, s step) []step {
			n := s.node
			if n.virtual != "" || n.class == core.DispatchFragment {
				return []step{s}
			}
			after := func(name string, class core.FragmentClass) []step {
				return []step{s, {node: nodes.virtual(name, n, class), start: s.end, end: s.end, value: s.value}}
			}
			if n.op == OpSelect && !used[n] && len(outcomes[n]) <= 1 {
				return nil // always the default, or it never came to an end
			}
			if ends := closes[n] && finds[n] && !fetches[n]; len(outcomes[n]) > 1 || ends {
				if s.open {
					return []step{s}
				}
				if s.lock == nil {
					return after("default", core.DispatchFragment)
				}
				name := fmt.Sprintf("case %d", s.result)
				if s.foundClosed() {
					name += " closed"
				}
				by := after(name, core.DispatchFragment)
				c := by[1].node
				c.caseLock, c.caseSends, c.caseClosed = s.lock, s.sends, s.foundClosed()
				c.earlier = s.earlier
				c.fetches = s.lock.task && s.received() && !s.sends
				return by
			}
			switch {
			case s.lock == nil || s.open && !fetches[n]:
			case s.lock.task && channelOp(&s) == core.Receive:
				if !fetches[n] {
					return nil // never gets anything: what drains a closed queue
				}
				n.class = core.InFragment
				if s.open {
					return []step{s}
				}
				if s.received() {
					return after("fetch", core.FetchFragment)
				}
				return after("nofetch", core.NoFetchFragment)
			case s.lock.task && channelOp(&s) == core.Send:
				n.class = core.OutFragment
			case !s.succeeded():
				by := after("failed", core.DispatchFragment)
				by[1].node.caseLock = s.lock
				return by
			}
			return []step{s}
		})
	}
}

// fetched reports whether the thread has a new task when it gets here.
func (n *node) fetched() bool { return n.class == core.FetchFragment || n.fetches }

// markRoles gives operations on channels their role.
func (b *build) markRoles() {
	for _, g := range b.modelled {
		markRoles(g.seqs, b.nodes)
	}
}
