package ownership

import (
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// takers returns who takes from the channels of sets of which different pools take: the queue that each subscriber of a broker has
// is one of its own, though one line made them all. The channels of a set are there side by side, threads of one pool send to
// all, again and again, and each has takers of one pool; or each has takers and senders that no other has, as between the stages of a pipeline that one function
// starts. The reply that belongs to a request is no such channel, and what tells of an end neither.
func takers(gs []*trail.Pool, order []*trail.Object, objects map[uint64]*trail.Object) map[*trail.Object]*trail.Pool {
	found, several := map[*trail.Object]*trail.Pool{}, map[*trail.Object]bool{}
	sent := map[*trail.Pool]map[*trail.Object]int{}
	senders := map[*trail.Object]map[*trail.Pool]bool{}
	for _, g := range gs {
		for _, q := range g.Sequences {
			for i := range q.Steps {
				s := &q.Steps[i]
				o := objects[s.Object]
				if o == nil || s.Node.Class != core.SyncFragment {
					continue
				}
				switch op := trail.ChannelOp(s); {
				case op == core.Receive:
					if p := found[o]; p != nil && p != g {
						several[o.Find()] = true
					}
					found[o] = g
				case op == core.Send && s.Node.Op != trace.OpSelect:
					if senders[o] == nil {
						senders[o] = map[*trail.Pool]bool{}
					}
					senders[o][g] = true
					if sent[g] == nil {
						sent[g] = map[*trail.Object]int{}
					}
					sent[g][o]++
				}
			}
		}
	}
	sets, pools := map[*trail.Object][]*trail.Object{}, map[*trail.Object]map[*trail.Pool]bool{}
	for _, o := range order {
		root := o.Find()
		if pools[root] == nil {
			pools[root] = map[*trail.Pool]bool{}
		}
		sets[root] = append(sets[root], o)
		pools[root][found[o]] = true
	}
	for root, set := range sets {
		if several[root] || pools[root][nil] || len(pools[root]) == 1 || mostTogether(set) < len(set) || !sendsToAll(sent, set) && !(len(pools[root]) == len(set) && areStages(senders, set)) {
			for _, o := range set {
				delete(found, o)
			}
		}
	}
	return found
}

// sendsToAll reports whether threads of one pool send to all channels of a set, and not just once.
func sendsToAll(sent map[*trail.Pool]map[*trail.Object]int, set []*trail.Object) bool {
	for _, to := range sent {
		if !slices.ContainsFunc(set, func(o *trail.Object) bool { return to[o] < 2 }) {
			return true
		}
	}
	return false
}

// areStages reports whether no pool sends to two channels of a set, and some to each.
func areStages(senders map[*trail.Object]map[*trail.Pool]bool, set []*trail.Object) bool {
	seen := map[*trail.Pool]bool{}
	for _, o := range set {
		if len(senders[o]) == 0 {
			return false
		}
		for p := range senders[o] {
			if seen[p] {
				return false
			}
			seen[p] = true
		}
	}
	return true
}

// tellApart makes nodes of their own of the operations of one place on several such resources.
func tellApart(tr *trail.Trail) {
	of := map[*trail.Node]*trail.Resource{}
	several := map[*trail.Node]bool{}
	steps := func(visit func(s *trail.Step)) {
		for _, q := range tr.AllSequences() {
			for i := range q.Steps {
				if s := &q.Steps[i]; s.Lock != nil && s.Lock.Apart {
					visit(s)
				}
			}
		}
	}
	steps(func(s *trail.Step) {
		if r := of[s.Node]; r != nil && r != s.Lock {
			several[s.Node] = true
		}
		of[s.Node] = s.Lock
	})
	steps(func(s *trail.Step) {
		if several[s.Node] {
			s.Node = tr.Nodes.Copy(s.Node, "of\x00"+s.Lock.ID, func(n *trail.Node) *trail.Node { return n })
		}
	})
}
